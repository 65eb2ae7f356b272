// The reading as chips: what each part of the question was taken to mean, to be changed or taken out.
import { make } from "./dom.js";
import { say } from "./words.js";

const OPERATORS = { "=": "=", "!=": "≠", in: "∈", not_in: "∉", between: "…", like: "~", not_like: "≁", is_null: "∅", not_null: "≠ ∅", has_rows: "∃", no_rows: "∄" };
const WRITTEN = { "=": "=", "!=": "!=", in: "=", not_in: "!=", ">": ">", ">=": ">=", "<": "<", "<=": "<=", like: "~", not_like: "!~" };
const GRAINS = ["day", "week", "month", "quarter", "year"];
const ADDED = { metric: "metrics", dimension: "by", filter: "where", time: "time", limit: "limit" };

// Without `edit` they are only shown; with it each change is handed over as what POST /api/metrics/query takes.
export function readingOf(reading, edit, title) {
  const parts = partsOf(reading);
  if (!parts.length) return null;
  const place = make("div", { class: "editor", hidden: true });
  const more = edit ? [make("li", {}, make("button", { type: "button", class: "add", "aria-label": say("addPart"), on: { click: (event) => open(place, adding(reading, edit), event.currentTarget) } }, "+"))] : [];
  const list = make("ul", { title }, ...parts.map((part) => chip(part, edit, place)), ...more);
  return make("section", { class: "reading", "aria-label": say("reading") }, make("span", { class: "lead" }, say("reading")), make("div", {}, list, edit ? place : null));
}

function partsOf(reading) {
  return [
    ...reading.metrics.map((part, i) => ({ kind: "metric", text: named(part.words, part.metric ?? part.column), detail: part.metric ?? `${part.aggregate}(${part.column})`, extra: perOf(part), less: () => withoutMetric(reading, i), ask: text(part.metric ?? part.words, (value) => ({ reading: withoutMetric(reading, i), metrics: [value] })) })),
    ...reading.dimensions.map((part, i) => ({ kind: "dimension", text: part.grain ? say(part.grain) : named(part.words, part.column), detail: part.column, less: () => withoutDimension(reading, i), ask: part.grain ? grain(part.grain, (value) => ({ reading: changed(reading, "dimensions", i, { ...part, words: value, grain: value }) })) : text(part.column, (value) => ({ reading: withoutDimension(reading, i), by: [value] })) })),
    ...reading.times.map((part, i) => ({ kind: "time", text: part.range.label || part.range.words, detail: spanOf(part.range), less: () => without(reading, "times", i), ask: text(part.range.label || part.range.words, (value) => ({ reading: without(reading, "times", i), time: value })) })),
    ...reading.filters.map((part, i) => ({ kind: "filter", text: conditionOf(part), detail: part.column, unspoken: !spoken(part), less: () => without(reading, "filters", i), ask: part.operator in WRITTEN ? text(part.column + WRITTEN[part.operator] + part.values.join("|"), (value) => ({ reading: without(reading, "filters", i), where: [value] })) : null })),
    ...reading.having.map((part, i) => ({ kind: "filter", text: conditionOf(part), detail: part.words, less: () => without(reading, "having", i), ask: part.values.length === 1 ? number(part.values[0], (value) => ({ reading: changed(reading, "having", i, { ...part, words: "", values: [value] }) })) : null })),
    ...reading.order.map((part, i) => ({ kind: "order", text: say(part.descending ? "descending" : "ascending"), detail: part.words, less: () => without(reading, "order", i), turn: () => changed(reading, "order", i, { ...part, descending: !part.descending }) })),
    ...(reading.limit ? [{ kind: "limit", text: String(reading.limit), less: () => ({ ...reading, limit: null, limit_per: [] }), ask: number(reading.limit, (value) => ({ reading: { ...reading, limit: value } }), 1) }] : []),
    ...(reading.comparison === "none" ? [] : [{ kind: "metric", text: say(reading.comparison), less: () => ({ ...reading, comparison: "none", base: null, difference: false }) }]),
    ...(reading.share ? [{ kind: "metric", text: say("share"), less: () => ({ ...reading, share: false }) }] : []),
    ...(reading.running ? [{ kind: "metric", text: say("running_total"), less: () => ({ ...reading, running: false }) }] : []),
    ...reading.unplaced.map((part, i) => ({ kind: "unplaced", text: part.words, detail: part.nearest.length ? `${say("near")}: ${part.nearest.join(", ")}` : "", less: () => without(reading, "unplaced", i) })),
  ].filter((part) => !part.unspoken);
}

const named = (words, id) => words || id || "";
const perOf = (part) => (part.per ? `${say("per")} ${part.per.grain ? say(part.per.grain) : part.per.words}` : "");
const spanOf = (range) => `${range.start ?? say("open")} ≤ t < ${range.end ?? say("open")}`;

// That a ranked name is filled in goes without saying.
const spoken = (part) => part.words || !(part.operator === "not_null" || (part.operator === "!=" && part.values.every((value) => value === "")));

function conditionOf(part) {
  const values = part.values.map((value) => (value === "" ? say("empty") : String(value))).join(", ");
  const what = part.column ? part.column.split(".").pop() : part.words;
  return `${what} ${OPERATORS[part.operator] ?? part.operator} ${values}`.trim();
}

// Changes give a new reading; what points at a part by its position points at it still, or goes with it.
const without = (reading, list, i) => ({ ...reading, [list]: reading[list].filter((_, k) => k !== i) });
const changed = (reading, list, i, part) => ({ ...reading, [list]: reading[list].map((old, k) => (k === i ? part : old)) });
const moved = (parts, key, i) => parts.filter((part) => part[key] !== i).map((part) => (part[key] > i ? { ...part, [key]: part[key] - 1 } : part));

function withoutMetric(reading, i) {
  return { ...without(reading, "metrics", i), having: moved(reading.having, "metric", i), order: moved(reading.order, "metric", i) };
}

function withoutDimension(reading, i) {
  const places = reading.limit_per.filter((place) => place !== i).map((place) => (place > i ? place - 1 : place));
  return { ...without(reading, "dimensions", i), order: moved(reading.order, "dimension", i), limit_per: places };
}

// What a chip asks for: a field, and the change its value makes.
const field = (attributes, value, change) => ({ input: () => make("input", { ...attributes, value, required: true }), change });
const text = (value, change) => field({ type: "text", spellcheck: "false" }, value ?? "", change);
const number = (value, change, min) => field({ type: "number", step: min ? "1" : "any", min }, String(value), (given) => change(Number(given)));
const grain = (value, change) => ({ input: () => make("select", {}, ...GRAINS.map((each) => make("option", { value: each, selected: each === value }, say(each)))), change });

function chip(part, edit, place) {
  const content = [make("span", { class: "kind" }, say(part.kind)), ` ${part.text}`, part.extra ? ` ${part.extra}` : ""];
  const shell = { class: `chip ${part.kind}`, title: part.detail || undefined };
  if (!edit) return make("li", shell, ...content);
  const act = part.turn ? () => edit({ reading: part.turn() }) : part.ask ? (event) => open(place, form(part, edit), event.currentTarget) : null;
  const name = `${say(part.kind)} ${part.text}`;
  return make("li", shell,
    act ? make("button", { type: "button", class: "part", title: `${say("change")}: ${part.detail || part.text}`, on: { click: act } }, ...content) : make("span", { class: "part" }, ...content),
    make("button", { type: "button", class: "drop", "aria-label": `${say("remove")}: ${name}`, title: say("remove"), on: { click: () => edit({ reading: part.less() }) } }));
}

function form(part, edit) {
  const input = part.ask.input();
  input.setAttribute("aria-label", `${say("change")}: ${say(part.kind)} ${part.text}`);
  return filled([input], () => edit(part.ask.change(input.value.trim())));
}

function adding(reading, edit) {
  const kind = make("select", { "aria-label": say("addPart") }, ...Object.keys(ADDED).map((each) => make("option", { value: each }, say(each))));
  const input = make("input", { type: "text", required: true, "aria-label": say("value"), spellcheck: "false" });
  return filled([kind, input], () => edit({ reading, ...given(kind.value, input.value.trim()) }));
}

function given(kind, value) {
  if (kind === "limit") return { limit: Number.parseInt(value, 10) || 0 };
  return { [ADDED[kind]]: kind === "time" ? value : [value] };
}

function filled(fields, apply) {
  const element = make("form", {}, ...fields, make("button", { type: "submit", class: "plain" }, say("apply")), make("button", { type: "reset", class: "quiet" }, say("leave")));
  element.addEventListener("submit", (event) => { event.preventDefault(); apply(); });
  return element;
}

function open(place, element, opener) {
  const close = () => { place.hidden = true; opener.focus(); };
  element.addEventListener("reset", close);
  element.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); close(); } });
  place.replaceChildren(element);
  place.hidden = false;
  const first = element.querySelector("input, select");
  first.focus();
  first.select?.();
}
