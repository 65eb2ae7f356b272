// The result: one number large, everything else as a table that sorts by what a column holds.
import { compare, isNumber, shown } from "./cells.js";
import { make } from "./dom.js";
import { say } from "./words.js";

const FIRST = 100;

export function resultOf(answer) {
  if (!answer.rows.length) return make("p", { class: "nothing" }, say("noRows"));
  if (answer.rows.length === 1 && answer.columns.length <= 4 && answer.columns.some(isNumber)) return tiles(answer);
  return table(answer);
}

const title = (column) => column.label || column.name;
const unitOf = (column) => (column.unit && column.format !== "percent" ? column.unit : "");

function tiles(answer) {
  const row = answer.rows[0];
  return make("dl", { class: "tiles" }, ...answer.columns.map((column, i) =>
    make("div", {}, make("dt", {}, title(column)), make("dd", { class: isNumber(column) ? "number" : "" }, shown(column, row[i]), make("small", {}, row[i] === null ? "" : unitOf(column))))));
}

function table(answer) {
  const state = { rows: answer.rows, by: -1, down: false, all: false };
  const body = make("tbody", {});
  const heads = answer.columns.map((column, i) => head(column, () => sort(i)));
  const more = make("button", { type: "button", class: "quiet more", on: { click: () => { state.all = true; draw(); } } });
  const draw = () => {
    const rows = state.all ? state.rows : state.rows.slice(0, FIRST);
    body.replaceChildren(...rows.map((row) => make("tr", {}, ...row.map((cell, i) => cellOf(answer.columns[i], cell)))));
    more.hidden = rows.length === state.rows.length;
    more.textContent = say("more", state.rows.length - rows.length);
  };
  const sort = (i) => {
    state.down = state.by === i ? !state.down : isNumber(answer.columns[i]);
    state.by = i;
    const sign = state.down ? -1 : 1;
    state.rows = [...answer.rows].sort((a, b) => (a[i] === null || b[i] === null ? 1 : sign) * compare(answer.columns[i], a[i], b[i]));
    heads.forEach((th, k) => th.setAttribute("aria-sort", k === i ? (state.down ? "descending" : "ascending") : "none"));
    draw();
  };
  draw();
  const caption = make("caption", { class: "unseen" }, answer.question);
  return make("div", { class: "sheet", tabindex: "0", role: "region", "aria-label": answer.question }, make("table", {}, caption, make("thead", {}, make("tr", {}, ...heads)), body), more);
}

function head(column, sort) {
  const unit = unitOf(column);
  const button = make("button", { type: "button", title: say("sort"), on: { click: sort } }, title(column), unit ? make("small", {}, unit) : "");
  return make("th", { scope: "col", class: isNumber(column) ? "number" : "", "aria-sort": "none" }, button);
}

function cellOf(column, cell) {
  const faint = cell === null || cell === "";
  return make("td", { class: [isNumber(column) ? "number" : "", faint ? "faint" : ""].join(" ").trim(), title: cell === null ? say("nothingName") : undefined }, shown(column, cell));
}
