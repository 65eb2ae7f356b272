// How a cell is shown and compared: exact digits, never through a float that would lose them.
import { say } from "./words.js";

export const NUMERIC = new Set(["integer", "big_integer", "decimal", "float"]);

export const isNumber = (column) => NUMERIC.has(column.kind);

const plainNumber = /^([-+]?)(\d+)(\.\d+)?$/;

export function shown(column, cell) {
  if (cell === null) return say("nothing");
  if (cell === "") return say("empty");
  if (!isNumber(column)) return String(cell);
  if (column.format === "percent") return `${(Number(cell) * 100).toFixed(2)}%`;
  const parts = plainNumber.exec(String(cell));
  if (!parts) return String(cell);
  const whole = column.format ? parts[2].replace(/\B(?=(\d{3})+$)/g, ",") : parts[2];
  return parts[1] + whole + fraction(column, parts[3] ?? "");
}

function fraction(column, digits) {
  if (column.kind === "float" && digits.length > 5) return Number(`0${digits}`).toFixed(4).slice(1);
  return digits;
}

export function compare(column, left, right) {
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
  if (!isNumber(column)) return String(left).localeCompare(String(right));
  if (column.kind === "big_integer" || column.kind === "integer") {
    const [a, b] = [BigInt(left), BigInt(right)];
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return Number(left) - Number(right);
}

// RFC 4180 with a mark for Excel; text that a spreadsheet would run as a formula gets an apostrophe.
export function csvOf(answer) {
  const lines = [answer.columns.map((column) => quoted(safe(column.label || column.name)))];
  for (const row of answer.rows) lines.push(row.map((cell, i) => quoted(cell === null ? "" : isNumber(answer.columns[i]) ? String(cell) : safe(String(cell)))));
  return `\ufeff${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
}

const safe = (text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
