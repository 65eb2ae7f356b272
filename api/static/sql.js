// A statement laid out and its words coloured; only spans of text are made.
import { make } from "./dom.js";

const TOKEN = /(--[^\n]*|\/\*[\s\S]*?\*\/)|('(?:[^'\\]|''|\\.)*')|("(?:[^"]|"")*"|`(?:[^`]|``)*`)|(\b\d+(?:\.\d+)?\b)|(\b[A-Za-z_]+\b)/g;
const WORDS = new Set("select from where and or not in is null like between group by order having limit offset with as on join left right inner outer cross union all distinct case when then else end asc desc over partition interval cast exists true false sum count avg min max coalesce nullif date".split(" "));

const PIECE = /'(?:[^'\\]|''|\\.)*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|[()]|\s+|[^\s()'"`]+/g;
const CLAUSE = /^(select|from|where|group|order|having|limit|union|left|inner|cross|join)$/i;
const TAKES_NEXT = /^(left|inner|cross|union)$/i;

// One clause a line, subqueries set in; brackets of functions and windows stay on their line.
export function laidOut(sql) {
  if (sql.includes("\n")) return sql;
  const pieces = sql.match(PIECE) ?? [];
  const open = [true];
  let text = "", before = "";
  pieces.forEach((piece, index) => {
    if (piece === "(") open.push(/^(select|with)$/i.test(pieces[index + 1] ?? ""));
    const deep = "  ".repeat(open.filter(Boolean).length - 1);
    if (piece === ")" && open.length > 1 && open.pop()) text = `${text.trimEnd()}\n${deep.slice(2)}`;
    const starts = open.at(-1) && CLAUSE.test(piece) && text && !TAKES_NEXT.test(before);
    text = starts ? `${text.trimEnd()}\n${deep}${piece}` : text + piece;
    if (piece.trim()) before = piece;
  });
  return text;
}

export function colored(sql) {
  const code = make("code", {});
  let at = 0;
  for (const match of sql.matchAll(TOKEN)) {
    code.append(sql.slice(at, match.index), span(match));
    at = match.index + match[0].length;
  }
  code.append(sql.slice(at));
  return code;
}

function span(match) {
  const kind = match[1] ? "note" : match[2] ? "text" : match[3] ? "name" : match[4] ? "number" : WORDS.has(match[5].toLowerCase()) ? "word" : "";
  return kind ? make("span", { class: `sql-${kind}` }, match[0]) : match[0];
}
