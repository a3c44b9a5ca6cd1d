"use strict";
const AT_ONCE = 24; // cards drawn at first and whenever their end comes near: drawing a thousand would take seconds
const LETTERS = /[.*+?^${}()|[\]\\]/g; // that mean something in a pattern

const make = (tag, settings = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), settings);
  element.append(...children);
  return element;
};
const dot = (colour) => make("i", { className: "dot", style: `background:${colour}` });
const plural = (count, one, some) => `${count.toLocaleString("en")} ${count === 1 ? one : some}`;

for (const place of document.querySelectorAll(".gallery")) hang(place);

function hang(place) {
  const data = JSON.parse(place.querySelector("script").textContent);
  const terms = new Map(data.topics);
  const tools = place.querySelector("form");
  const grid = place.querySelector(".cards");
  const more = place.querySelector(".more");
  let waiting = [];
  let words = [];
  let metric = 0;
  let pattern = null;

  const searched = (card) => {
    const said = card.spoken.map(([text]) => text);
    const topics = card.topics.map(([topic]) => terms.get(topic));
    return [card.id, ...card.labels, ...topics, ...said, ...card.references].join("\n").toLowerCase();
  };
  const texts = tools ? data.cards.map(searched) : [];

  const marked = (text) =>
    pattern ? text.split(pattern).map((part, at) => (at % 2 ? make("mark", {}, part) : part)) : [text];

  const caption = ([text, logprob, scores], at) => {
    const [name, colour] = data.variants[at];
    const title = `${data.metrics[metric]}, and the caption's log-probability`;
    const numbers = make("span", { className: "numbers", title }, `${scores[metric].toFixed(2)} · ${logprob.toFixed(1)}`);
    const said = make("p", {}, ...marked(text || "(nothing)"));
    return make("li", {}, dot(colour), make("b", {}, name), " ", numbers, said);
  };

  const chip = ([topic, share]) => {
    const title = `topic ${terms.get(topic)}; ${Math.round(100 * share)}% of what people wrote`;
    const words = terms.get(topic).replace(/^\d+: /, "");
    if (!tools) return make("span", { title }, words);
    const button = make("button", { type: "button", title }, ...marked(words));
    button.addEventListener("click", () => {
      tools.elements.topic.value = topic;
      update();
      tools.elements.topic.focus();
    });
    return button;
  };

  const table = (card) => {
    const heads = data.variants.map(([name, colour]) =>
      make("th", { scope: "col", title: name }, dot(colour), make("span", { className: "unseen" }, name)),
    );
    const rows = data.metrics.map((metric, at) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, metric),
        ...card.spoken.map(([, , scores]) => make("td", {}, scores[at].toFixed(3))),
      ),
    );
    return make("table", {}, make("thead", {}, make("tr", {}, make("td"), ...heads)), make("tbody", {}, ...rows));
  };

  // What is folded away is made when it is opened for the first time.
  const folded = (summary, content) => {
    const details = make("details", {}, make("summary", {}, summary));
    details.addEventListener("toggle", () => details.append(...content()), { once: true });
    return details;
  };

  const references = (card) => [
    make("ol", {}, ...card.references.map((text) => make("li", {}, ...marked(text)))),
    make("p", { className: "labels" }, ...card.labels.map((text) => make("span", {}, ...marked(text)))),
    make("p", { className: "id" }, ...marked(card.id)),
  ];

  const draw = (card) => {
    const written = card.references.filter((text) => words.some((word) => text.toLowerCase().includes(word))).length;
    const told = plural(card.references.length, "reference", "references") + (written ? ` · ${plural(written, "match", "matches")}` : "");
    const topics = make("p", { className: "labels" }, ...card.topics.map(chip));
    return make(
      "article",
      {},
      make("img", { src: card.image, alt: `photograph ${card.id}`, decoding: "async" }),
      make("ul", {}, ...card.spoken.map(caption)),
      ...(card.topics.length ? [topics] : []),
      folded(told, () => references(card)),
      folded("All scores", () => [table(card)]),
    );
  };

  const drawMore = () => {
    grid.append(...waiting.splice(0, tools ? AT_ONCE : Infinity).map((at) => draw(data.cards[at])));
    if (!more) return;
    more.hidden = !waiting.length;
    near.unobserve(more); // anew, for an end that stays in sight is not told a second time
    near.observe(more);
  };
  const near = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && drawMore(), { rootMargin: "600px" });

  const update = () => {
    const { words: typed = "", topic, order, variant, ...chosen } = Object.fromEntries(tools ? new FormData(tools) : []);
    metric = Number(chosen.metric ?? 0);
    words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    pattern = words.length ? new RegExp(`(${words.map((word) => word.replace(LETTERS, "\\$&")).join("|")})`, "giu") : null;
    waiting = [...data.cards.keys()].filter((at) => words.every((word) => texts[at].includes(word)));
    if (topic) waiting = waiting.filter((at) => data.cards[at].topics.some(([number]) => number === Number(topic)));
    const score = (at, by) => data.cards[at].spoken[by][2][metric];
    const spread = (at) => {
      const all = data.variants.map((_, by) => score(at, by));
      return Math.max(...all) - Math.min(...all);
    };
    if (order === "best") waiting.sort((a, b) => score(b, variant) - score(a, variant));
    if (order === "worst") waiting.sort((a, b) => score(a, variant) - score(b, variant));
    if (order === "differ") waiting.sort((a, b) => spread(b) - spread(a));
    if (tools) tools.querySelector("output").value = plural(waiting.length, "photograph", "photographs");
    grid.replaceChildren();
    drawMore();
  };

  if (tools) {
    tools.addEventListener("input", update);
    tools.addEventListener("submit", (event) => event.preventDefault());
    more.addEventListener("click", drawMore);
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.target.closest("input, textarea")) return;
      event.preventDefault();
      tools.elements.words.focus();
    });
  }
  update();
}
