import { html } from "hono/html";
import { subjectName } from "../../domain/subjects.ts";
import { gateName } from "../../github/words/gate/work-gate-text.ts";
import type { OpenGate } from "../../store/runs/open-gates.ts";
import { mayAnswer } from "../may-answer.ts";
import type { PageAsked } from "../page-route.ts";
import { needs } from "../words.ts";
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
<label>Reason or changes (optional) <input name="note" maxlength="500" autocomplete="off"></label>
<span><button class="good" name="answer" value="approve" aria-label="Approve ${id} of ${name}">Approve</button>
<button name="answer" value="reject" aria-label="Reject ${id} of ${name}">Reject</button></span></form>`
    : undefined;
  return html`<li><p><a href="${addressOf(subject, dependencies.origin)}">${name}</a> ${title && shown(title)}</p>
<p><code>${id}</code> waits for ${gateName(question)}</p>
<p class="facts">since ${time(since, now)} · ends ${time(deadline, now)} · ${needs(gate.needs)} · <a href="${runAddress(runId)}">the run</a></p>
${answers}</li>`;
}
