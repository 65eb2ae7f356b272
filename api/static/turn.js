// One question on the page: it listens to the events and shows each as it comes.
import { csvOf } from "./cells.js";
import { make } from "./dom.js";
import { readingOf } from "./reading.js";
import { colored, laidOut } from "./sql.js";
import { resultOf } from "./table.js";
import { duration, say, stepName } from "./words.js";

export class Turn {
  constructor(question, { announce, again, reply, edit, several = false }) {
    this.question = question;
    this.announce = announce;
    this.again = again;
    this.reply = reply;
    this.edit = edit;
    this.several = several;
    this.steps = new Map();
    this.end = null;
    this.reading = null;
    this.why = "";
    this.approval = false;
    this.element = make("article", { class: "turn", "aria-busy": "true" });
    this.draw();
  }

  hear(event) {
    if (event.type === "progress") this.progress(event);
    else if (event.type === "reasoning") this.understood(event.reading, event.text);
    else if (event.type === "human_review_request") this.approval = event.kind === "approve";
    else if (event.type === "result" || event.type === "error") this.finish(event);
    else return;
    this.draw();
  }

  progress(event) {
    this.steps.set(event.step, event);
    if (event.status === "running") this.announce(`${say("running")} ${stepName(event.step, event.label)}`);
  }

  understood(reading, why = this.why) {
    this.reading = reading ?? this.reading;
    this.why = why;
  }

  // The same question goes on: a choice was made, or a part of its reading was changed.
  resume() {
    this.end = null;
    this.approval = false;
    this.element.setAttribute("aria-busy", "true");
    this.draw();
  }

  finish(event) {
    this.end = event;
    this.understood(event.answer?.reading);
    this.element.setAttribute("aria-busy", "false");
    this.announce(event.type === "result" ? [say("answered"), event.answer.columns.length ? say("rows", event.answer.row_count) : "", duration(event.answer.elapsed_ms)].filter(Boolean).join(" · ") : say("failed"));
  }

  fail(key, mend) {
    if (!this.end) this.hear({ type: "error", message: say(key), hint: mend ? say(mend) : "", answer: null });
  }

  draw() {
    const answer = this.end?.answer ?? null;
    this.element.replaceChildren(
      make("h2", {}, this.question),
      ...[this.readingPart(), this.mainPart(answer), this.choicesPart(answer), this.notesPart(answer), this.sqlPart(answer), this.stepsPart(), this.footPart(answer)].filter(Boolean),
    );
  }

  readingPart() {
    return this.reading && readingOf(this.reading, this.end && this.edit ? (change) => this.edit(this, change) : null, this.why);
  }

  mainPart(answer) {
    if (!this.end) return make("div", { class: "waiting", "aria-hidden": "true" }, make("i"), make("i"), make("i"));
    if (this.end.type === "error") return this.errorPart();
    return make("section", { class: "answer" },
      answer.summary ? make("p", { class: "summary" }, answer.summary) : null,
      answer.truncated ? make("p", { class: "cut" }, say("only", answer.row_count)) : null,
      answer.columns.length ? resultOf(answer) : null);
  }

  errorPart() {
    const { message, hint, code } = this.end;
    return make("section", { class: "problem", role: "alert" }, make("p", {}, message),
      hint ? make("p", { class: "mend" }, make("strong", {}, `${say("mend")} `), hint) : null,
      code === "not_signed_in" ? this.keyPart() : make("button", { type: "button", class: "plain", on: { click: () => this.again(this.question) } }, say("retry")));
  }

  keyPart() {
    const input = make("input", { type: "password", required: true, autocomplete: "off", "aria-label": say("key"), placeholder: say("key") });
    const form = make("form", { class: "editor" }, input, make("button", { type: "submit", class: "plain" }, say("apply")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      sessionStorage.setItem("key", input.value.trim());
      this.again(this.question);
    });
    return form;
  }

  choicesPart(answer) {
    if (this.end?.type === "result" && this.approval) return this.approvalPart();
    if (!answer?.choices?.length) return null;
    const labelOf = (choice) => (choice.count === null ? choice.label : `${choice.label} · ${say("rows", choice.count)}`);
    const groups = answer.choices.map(({ words, choices }) => make("div", { role: "group", "aria-label": words }, ...choices.map((choice) =>
      make("button", { type: "button", class: "plain", title: choice.detail || undefined, on: { click: () => this.reply(this, { choices: { [words]: choice.id } }) } }, labelOf(choice)))));
    return make("section", { class: "choices" }, make("p", {}, say("choose")), ...groups);
  }

  approvalPart() {
    const button = (approve, text) => make("button", { type: "button", class: "plain", on: { click: () => this.reply(this, { approve }) } }, text);
    return make("section", { class: "choices" }, make("p", {}, say("mayRun")), make("div", { role: "group", "aria-label": say("mayRun") }, button(true, say("approve")), button(false, say("declineIt"))));
  }

  notesPart(answer) {
    const notes = [...(answer?.warnings ?? []), ...(answer?.sources ?? []).map((source) => `${say("sources")}: ${source}`)];
    return notes.length ? make("ul", { class: "notes", "aria-label": say("warnings") }, ...notes.map((note) => make("li", {}, note))) : null;
  }

  sqlPart(answer) {
    if (!answer?.sql) return null;
    const copy = make("button", { type: "button", class: "quiet", on: { click: () => this.copy(answer.sql, copy) } }, say("copy"));
    return make("details", { class: "sql", open: true }, make("summary", {}, say("sql"), make("span", { class: "dialect" }, answer.dialect)), copy, make("pre", { tabindex: "0" }, colored(laidOut(answer.sql))));
  }

  async copy(text, button) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { class: "unseen" }, text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = say("copied");
    this.announce(say("copied"));
    setTimeout(() => { button.textContent = say("copy"); }, 1500);
  }

  stepsPart() {
    if (!this.steps.size) return null;
    const steps = [...this.steps.values()];
    const total = this.end?.answer?.elapsed_ms ?? steps.reduce((sum, step) => sum + (step.ms ?? 0), 0);
    const now = steps.findLast((step) => step.status === "running");
    const line = this.end || !now ? say("found", steps.length, duration(total)) : `${say("running")} ${stepName(now.step, now.label)}`;
    const items = steps.map((step) => make("li", { class: step.status }, stepName(step.step, step.label), make("span", { class: "ms" }, step.ms === null ? "" : duration(step.ms))));
    return make("details", { class: "steps", open: !this.end }, make("summary", {}, line), make("ol", {}, ...items));
  }

  footPart(answer) {
    if (this.end?.type !== "result") return null;
    const facts = [
      this.several ? answer.warehouse : "",
      answer.columns.length ? say("rows", answer.row_count) : "", answer.freshness ? say("fresh_to", answer.freshness) : "", duration(answer.elapsed_ms),
      answer.path === "reading" ? say("byReading") : answer.path === "model" ? say("byModel") : "",
      answer.model_calls ? say("calls", answer.model_calls) : "", answer.confidence ? say("sure", Math.round(answer.confidence * 100)) : "",
    ].filter(Boolean);
    const csv = answer.rows.length ? make("button", { type: "button", class: "quiet", on: { click: () => download(answer) } }, say("csv")) : null;
    return make("footer", {}, make("span", {}, facts.join(" · ")), csv);
  }
}

function download(answer) {
  const address = URL.createObjectURL(new Blob([csvOf(answer)], { type: "text/csv;charset=utf-8" }));
  make("a", { href: address, download: `${answer.question.slice(0, 40).replace(/[\\/:*?"<>|\s]+/g, "_")}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
