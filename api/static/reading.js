// The reading as chips: what each part of the question was taken to mean.
import { make } from "./dom.js";
import { say } from "./words.js";

const OPERATORS = { "=": "=", "!=": "≠", in: "∈", not_in: "∉", between: "…", like: "~", not_like: "≁", is_null: "∅", not_null: "≠ ∅", has_rows: "∃", no_rows: "∄" };

export function chipsOf(reading) {
  return [
    ...reading.metrics.map((part) => chip("metric", named(part.words, part.metric ?? part.column), part.metric ?? `${part.aggregate}(${part.column})`, perOf(part))),
    ...reading.dimensions.map((part) => chip("dimension", part.grain ? say(part.grain) : named(part.words, part.column), part.column)),
    ...reading.times.map((part) => chip("time", part.range.label || part.range.words, spanOf(part.range))),
    ...reading.filters.filter(spoken).map((part) => chip("filter", conditionOf(part), part.column)),
    ...reading.having.map((part) => chip("filter", conditionOf(part), part.words)),
    ...reading.order.map((part) => chip("order", say(part.descending ? "descending" : "ascending"), part.words)),
    ...(reading.limit ? [chip("limit", String(reading.limit), "")] : []),
    ...(reading.comparison === "none" ? [] : [chip("metric", say(reading.comparison), "")]),
    ...(reading.share ? [chip("metric", say("share"), "")] : []),
    ...(reading.running ? [chip("metric", say("running_total"), "")] : []),
    ...reading.unplaced.map((part) => chip("unplaced", part.words, part.nearest.length ? `${say("near")}: ${part.nearest.join(", ")}` : "")),
  ];
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

function chip(kind, text, detail, extra = "") {
  return make("li", { class: `chip ${kind}`, title: detail || undefined }, make("span", { class: "kind" }, say(kind)), ` ${text}`, extra ? ` ${extra}` : "");
}
