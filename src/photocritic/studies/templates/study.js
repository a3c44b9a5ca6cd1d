"use strict";
const $ = id => document.getElementById(id);
const ARROWS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };
const invitation = location.hash.slice(1); // not in the address that is asked for, so in nobody's log
let study, task = null, progress, back = false, busy = false, unsent = null, typed = "";

async function call(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw Object.assign(new Error("the server cannot be reached"), { status: 0 });
  }
  const found = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(found.detail || found.message || `error ${response.status}`), { status: response.status });
  return found;
}

function element(name, text, properties = {}) {
  const made = Object.assign(document.createElement(name), properties);
  made.textContent = text; // never as HTML: captions and names are other people's words
  return made;
}

function view(name) {
  for (const one of document.querySelectorAll("main")) one.hidden = one.id !== name;
  trouble("");
}

function trouble(text) {
  for (const one of document.querySelectorAll(".trouble")) one.textContent = text;
}

function signIn() {
  task = null;
  const shown = study.photograph
    ? `You will see photographs, each with ${study.captions === 2 ? "two captions" : "a caption"}.`
    : "You will read what people wrote under photographs, one comment at a time and without the photograph.";
  $("about").textContent = `${shown} ${study.question}`;
  if (!study.photograph) document.title = $("heading").textContent = "Comments on photographs";
  $("rubric").replaceChildren(...study.choices.filter(choice => choice.hint).map(choice => {
    const line = element("p", "");
    line.append(element("kbd", choice.key), element("b", ` ${choice.label} `), element("small", choice.hint));
    return line;
  }), ...(study.guide ? [element("p", study.guide, { className: "soft" })] : []));
  $("trials").textContent = study.training ? `The first ${study.training} are to get used to it and do not count.` : "";
  $("groups").replaceChildren(...study.groups.map((group, place) => {
    const label = element("label", "");
    label.append(element("input", "", { type: "radio", name: "group", value: group, required: true }), place ? "no expert" : "an expert");
    return label;
  }));
  view("sign-in");
  $("begin").disabled = !invitation;
  if (!invitation) trouble("Open the link by which you were invited.");
  $("name").focus();
}

function show(state) {
  progress = state.progress;
  back = false;
  unsent = null;
  if (!state.task) return finish(state.rater);
  present(state.task);
}

function finish(rater) {
  task = null;
  $("thanks").textContent = `Nothing is left for you to judge, ${rater.name}. Your ${progress.done} answers are kept.`;
  $("undo-end").hidden = !(progress.done + progress.trained);
  view("end");
}

function present(next) {
  task = next;
  typed = "";
  view("trial");
  const [done, total] = task.training ? [progress.trained, progress.training] : [progress.done, progress.total];
  const place = back ? "Your last answer" : `${task.training ? "Training " : ""}${done + 1} of ${total}`;
  $("where").textContent = place;
  $("done").max = total;
  $("done").value = done;
  $("undo").disabled = back || !(progress.done + progress.trained);
  const begins = !task.training && !progress.done && progress.training > 0 && !back;
  $("badge").textContent = task.training ? "Training, does not count" : begins ? "From here on it counts" : "";
  $("badge").classList.toggle("begun", begins);
  $("trial").classList.toggle("alone", !study.photograph);
  $("figure").hidden = !study.photograph;
  if (study.photograph) picture(`/photographs/${task.photograph}`);
  $("question").textContent = study.question;
  $("guide").textContent = study.guide;
  answers();
  $("panel").focus({ preventScroll: true });
  $("panel").scrollTop = 0;
  document.body.dataset.trial = `${task.trial}${back ? " again" : ""}`; // tells scripts that the trial is on the page
}

function picture(source) {
  const image = $("photograph");
  image.style.maxWidth = image.style.maxHeight = "";
  image.onload = () => { // small photographs are not blown up until they blur
    image.style.maxWidth = `${3 * image.naturalWidth}px`;
    image.style.maxHeight = `${3 * image.naturalHeight}px`;
  };
  if (image.getAttribute("src") !== source) image.src = source;
}

function answers() {
  const sides = study.captions === 2;
  $("panel").classList.toggle("pair", sides);
  $("captions").replaceChildren(...task.captions.map((text, place) => {
    const words = text || "(no words)";
    if (!sides) return element("p", words, { className: "caption", dir: "auto" });
    return button(words, study.choices[place], "caption");
  }));
  const others = study.choices.slice(sides ? 2 : 0);
  $("choices").replaceChildren(...others.map(choice => button(choice.label, choice, choice.hint ? "graded" : "")));
  $("scale").hidden = study.choices.length > 0;
  $("slider").max = study.top;
  score(task.answer);
}

function button(text, choice, className) {
  const made = element("button", "", { type: "button", className });
  made.append(element("span", text, { dir: "auto" }), element("kbd", ARROWS[choice.key] || choice.key.toUpperCase()));
  if (choice.hint) made.append(element("small", choice.hint));
  made.setAttribute("aria-pressed", String(task.answer === choice.value));
  made.onclick = () => give(choice.value);
  return made;
}

function score(value) {
  const given = value !== null && value !== undefined;
  $("score").textContent = given ? value : "–";
  $("slider").value = given ? value : study.top / 2;
  $("give").disabled = !given;
}

async function guarded(work) {
  if (busy) return;
  busy = true;
  trouble("");
  try {
    await work();
  } catch (error) {
    if (error.status === 401) signIn();
    else if (error.status === 409) show(await call("/task"));
    else trouble(unsent ? `Not kept yet: ${error.message}. Press Enter to try again.` : error.message);
  } finally {
    busy = false;
  }
}

const give = value => guarded(async () => {
  unsent = { trial: task.trial, value };
  show(await call("/answers", unsent)); // sending the same answer twice does no harm
});

const undo = () => guarded(async () => {
  const found = await call("/last");
  back = true;
  unsent = null;
  present(found.task);
});

const leave = () => guarded(async () => {
  await call("/sign-out", {});
  signIn();
});

function scaleKey(event) {
  const now = $("score").textContent === "–" ? study.top / 2 : Number($("score").textContent);
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
  if (/^[0-9]$/.test(event.key)) {
    typed = Number(typed + event.key) > study.top ? event.key : typed + event.key;
    score(Number(typed));
  } else if (event.key === "Backspace") {
    typed = typed.slice(0, -1);
    score(typed === "" ? null : Number(typed));
  } else if (event.key in steps) {
    typed = "";
    score(Math.max(0, Math.min(study.top, now + steps[event.key])));
  } else if (event.key === "Enter" && !event.repeat) {
    if (!$("give").disabled) give(Number($("score").textContent));
  } else return;
  event.preventDefault();
}

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || !$("sign-in").hidden) return;
  const named = document.activeElement?.closest("button");
  if (event.key.toLowerCase() === "u" && !event.repeat && !back) return void undo();
  if (!task) return;
  if (event.key === "Enter" && unsent) return event.preventDefault(), void give(unsent.value);
  if (["Enter", " "].includes(event.key) && named) return; // the button in focus is meant
  if (!study.choices.length) return scaleKey(event);
  const choice = study.choices.find(one => one.key.toLowerCase() === event.key.toLowerCase());
  if (!choice || event.repeat) return; // a key held down answers once
  event.preventDefault();
  give(choice.value);
});

$("slider").oninput = () => { typed = ""; score(Number($("slider").value)); };
$("scale").onsubmit = event => { event.preventDefault(); give(Number($("score").textContent)); };
for (const id of ["undo", "undo-end"]) $(id).onclick = undo;
for (const id of ["leave", "leave-end"]) $(id).onclick = leave;
document.querySelector("#sign-in form").onsubmit = event => {
  event.preventDefault();
  const group = document.querySelector("[name=group]:checked").value;
  guarded(async () => show(await call("/sign-in", { invitation, name: $("name").value, group })));
};

(async () => {
  try {
    study = await call("/study");
    if (study.signed_in) show(await call("/task"));
    else signIn();
  } catch (error) {
    view("end");
    trouble(error.message);
  }
})();
