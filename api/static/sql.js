// A statement with its words coloured; only spans of text are made.
import { make } from "./dom.js";

const TOKEN = /(--[^\n]*|\/\*[\s\S]*?\*\/)|('(?:[^'\\]|''|\\.)*')|("(?:[^"]|"")*"|`(?:[^`]|``)*`)|(\b\d+(?:\.\d+)?\b)|(\b[A-Za-z_]+\b)/g;
const WORDS = new Set("select from where and or not in is null like between group by order having limit offset with as on join left right inner outer cross union all distinct case when then else end asc desc over partition interval cast exists true false sum count avg min max coalesce nullif date".split(" "));

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
