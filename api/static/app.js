// The page: one conversation, its questions, and the language and light it is read in.
import { find, make } from "./dom.js";
import { ask, headers } from "./stream.js";
import { Turn } from "./turn.js";
import { current, say, turnLanguage } from "./words.js";

const form = find("#ask"), box = find("#question"), send = find("#send"), status = find("#status"), picker = find("#warehouse");
const turns = [];
let thread = fresh(), running = null;

async function put(question, choices = {}) {
  if (running || !question.trim()) return;
  const turn = new Turn(question.trim(), { announce, again: put, reply, edit, several: !picker.hidden });
  turns.push(turn);
  find("#welcome").hidden = true;
  find("#turns").append(turn.element);
  await run(turn, "/api/query", { query: turn.question, thread_id: thread, choices, warehouse: picker.value || null });
}

// The question that stopped to ask goes on in place; an older one of the thread no longer waits and is put again.
async function reply(turn, said) {
  if (running) return;
  if (turn !== turns.at(-1) || turn.edited) return put(turn.question, said.choices);
  turn.resume();
  await run(turn, `/api/query/${thread}/resume`, said);
}

// A changed reading is measured as it stands, in place of the answer it came from.
async function edit(turn, change) {
  if (running) return;
  const warehouse = turn.end?.answer?.warehouse || null;
  turn.edited = true;
  turn.resume();
  await run(turn, "/api/metrics/query", { ...change, language: turn.reading.language, warehouse, thread_id: thread, stream: true });
  turn.element.querySelector(".add")?.focus({ preventScroll: true });
}

// The service stops it, the database included; when it cannot be told, or a second time, we hang up, which stops it too.
async function stop() {
  const stopping = running;
  if (stopping.asked) return stopping.abort();
  stopping.asked = true;
  const told = await fetch(`/api/query/${thread}/cancel`, { method: "POST", headers: headers() }).catch(() => null);
  if (!told?.ok && stopping === running) stopping.abort();
}

function fresh() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function run(turn, address, body) {
  running = new AbortController();
  drawControls();
  follow(turn);
  try {
    const ended = await ask(address, body, (event) => heard(turn, event), running.signal);
    if (!ended) turn.fail("lost", "lostMend");
  } catch {
    if (running.signal.aborted) turn.fail("stopped");
    else turn.fail(turn.steps.size ? "lost" : "offline", turn.steps.size ? "lostMend" : "offlineMend");
  }
  running = null;
  drawControls();
  box.focus({ preventScroll: true });
}

function heard(turn, event) {
  turn.hear(event);
  if (event.type === "result" || event.type === "error") follow(turn);
}

const follow = (turn) => turn.element.scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" });
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const announce = (text) => { status.textContent = text; };

function fit() {
  box.rows = Math.min(6, box.value.split("\n").length);
}

function drawControls() {
  send.textContent = running ? "■" : "↑";
  send.setAttribute("aria-label", say(running ? "stop" : "send"));
  send.title = say(running ? "stop" : "send");
  send.classList.toggle("stop", Boolean(running));
  find("#fresh").hidden = !turns.length || Boolean(running);
}

function draw() {
  document.documentElement.lang = current() === "zh" ? "zh-CN" : "en";
  find("#welcome h1").textContent = say("title");
  find("#welcome p").textContent = say("intro");
  find("label[for=question]").textContent = say("question");
  box.placeholder = say("placeholder");
  find("#fresh").textContent = say("fresh");
  find("#language").textContent = say("other");
  find("#language").setAttribute("aria-label", say("otherName"));
  picker.setAttribute("aria-label", say("warehouse"));
  if (picker.options.length) picker.options[0].textContent = say("anyWarehouse");
  drawTheme();
  drawControls();
  turns.forEach((turn) => turn.draw());
}

function drawTheme() {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const button = find("#theme");
  button.textContent = dark ? "☀" : "☾";
  button.setAttribute("aria-label", say(dark ? "light" : "dark"));
  button.setAttribute("aria-pressed", String(dark));
  return dark;
}

async function showExamples() {
  const response = await fetch("/api/examples").catch(() => null);
  const examples = response?.ok ? await response.json() : [];
  find("#examples").replaceChildren(...examples.map((text) => make("li", {}, make("button", { type: "button", class: "plain", on: { click: () => put(text) } }, text))));
}

// With one warehouse there is nothing to pick; with several the first entry leaves the choice to the question.
async function showWarehouses() {
  const response = await fetch("/api/warehouses").catch(() => null);
  const names = response?.ok ? await response.json() : [];
  if (names.length < 2) return;
  picker.replaceChildren(...["", ...names].map((name) => make("option", { value: name }, name || say("anyWarehouse"))));
  picker.hidden = false;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (running) return stop();
  const question = box.value;
  box.value = "";
  fit();
  put(question);
});
box.addEventListener("input", fit);
box.addEventListener("keydown", (event) => {
  // while an input method composes, Enter belongs to it
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    if (!running) form.requestSubmit();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && running) stop();
  if (event.key === "/" && document.activeElement === document.body) {
    event.preventDefault();
    box.focus();
  }
});
find("#fresh").addEventListener("click", () => {
  thread = fresh();
  turns.length = 0;
  find("#turns").replaceChildren();
  find("#welcome").hidden = false;
  announce("");
  drawControls();
  box.focus();
});
find("#language").addEventListener("click", () => { turnLanguage(); draw(); });
find("#theme").addEventListener("click", () => {
  const theme = drawTheme() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("theme", theme);
  drawTheme();
});

const theme = localStorage.getItem("theme");
if (theme) document.documentElement.dataset.theme = theme;
draw();
showExamples();
showWarehouses();
