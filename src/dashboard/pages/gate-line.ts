import { html } from "hono/html";
import { subjectName } from "../../domain/subjects.ts";
import { gateName } from "../../github/words/gate/work-gate-text.ts";
import { GATE, needs } from "../../github/words/view-words.ts";
import type { OpenGate } from "../../store/runs/open-gates.ts";
import { mayAnswer } from "../may-answer.ts";
import type { PageAsked } from "../page-route.ts";
import { type Markup, shown, time } from "./layout.ts";
import { addressOf } from "./places.ts";
import { runAddress } from "./run-line.ts";

/** A gate as a line of a list, with its buttons for those who may answer it. */
export async function gateLine(gate: OpenGate, { visitor, now, dependencies }: PageAsked): Promise<Markup> {
  const { subject, runId, gate: id, question, since, deadline, title } = gate;
  const name = subjectName(subject);
  const answers = (await mayAnswer(visitor, gate))
    ? html`<form method="post" action="/gates" class="answer"><input type="hidden" name="token" value="${visitor.formToken}">
<input type="hidden" name="run" value="${runId}"><input type="hidden" name="gate" value="${id}">
<label>${GATE.note} <input name="note" id="note-${runId}-${id}" maxlength="500" autocomplete="off"></label>
<span><button class="good" name="answer" value="approve" aria-label="${GATE.label(GATE.approve, id, name)}">${GATE.approve}</button>
<button name="answer" value="reject" aria-label="${GATE.label(GATE.reject, id, name)}">${GATE.reject}</button></span></form>`
    : undefined;
  return html`<li><p><a href="${runAddress(runId)}">${title ? shown(title) : GATE.run}</a> <a class="subject" href="${addressOf(subject, dependencies.origin)}">${name}</a></p>
<p><span class="badge waiting">${id}</span> ${GATE.waitsFor} ${gateName(question)}</p>
<p class="facts">${GATE.since} ${time(since, now)} · ${GATE.until} ${time(deadline, now)} · ${needs(gate.needs)}</p>
${answers}</li>`;
}
