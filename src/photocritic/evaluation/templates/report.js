"use strict";
for (const gallery of document.querySelectorAll(".gallery")) {
  const [search, order, told] = ["input", "select", "output"].map((name) => gallery.querySelector(name));
  const grid = gallery.querySelector(".cards");
  const cards = [...grid.children];
  const scores = new Map(cards.map((card) => [card, card.dataset.scores.trim().split(" ").map(Number)]));

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const card of cards) {
      card.hidden = !words.every((word) => card.dataset.text.includes(word));
      shown += !card.hidden;
    }
    told.value = `${shown} photograph${shown === 1 ? "" : "s"}`;
  };
  const sort = () => {
    const [variant, sign] = order.value.split(" ").map(Number);
    const sorted = order.value ? [...cards].sort((a, b) => sign * (scores.get(a)[variant] - scores.get(b)[variant])) : cards;
    grid.append(...sorted);
  };
  search.addEventListener("input", filter);
  order.addEventListener("change", sort);
  gallery.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
}
