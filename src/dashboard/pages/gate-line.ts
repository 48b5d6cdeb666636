import { html } from "hono/html";
import { subjectName } from "../../domain/subjects.ts";
import { gateName } from "../../github/words/gate/work-gate-text.ts";
import { GATE, needs } from "../../github/words/view-words.ts";
import type { OpenGate } from "../../store/runs/open-gates.ts";
import { ACTION_WORDS } from "../action-words.ts";
import { mayAnswer } from "../actions/offered.ts";
import type { PageAsked } from "../page-route.ts";
import { actionForm } from "./action-form.ts";
import { type Markup, shown, time } from "./layout.ts";
import { addressOf } from "./places.ts";
import { runAddress } from "./run-line.ts";

/** A gate as a line of a list, with its buttons for those who may answer it. `back`: the page that they see next. */
export async function gateLine(gate: OpenGate, asked: PageAsked, back: "first" | "run"): Promise<Markup> {
  const { visitor, now, dependencies } = asked;
  const { subject, runId, gate: id, question, since, deadline, title } = gate;
  const name = subjectName(subject);
  const label = (answer: string) => GATE.label(answer, id, name);
  const answers = (await mayAnswer(visitor, gate))
    ? actionForm(
        { asked, runId, back, fields: { gate: id } },
        html`<label>${GATE.note} <input name="note" id="note-${runId}-${id}" maxlength="500" autocomplete="off"></label>
<span><button class="good" name="action" value="approve" aria-label="${label(ACTION_WORDS.approve.button)}">${ACTION_WORDS.approve.button}</button>
<button name="action" value="reject" aria-label="${label(ACTION_WORDS.reject.button)}">${ACTION_WORDS.reject.button}</button></span>`,
      )
    : undefined;
  return html`<li><p><a href="${runAddress(runId)}">${title ? shown(title) : GATE.run}</a> <a class="subject" href="${addressOf(subject, dependencies.origin)}">${name}</a></p>
<p><span class="badge waiting">${id}</span> ${GATE.waitsFor} ${gateName(question)}</p>
<p class="facts">${GATE.since} ${time(since, now)} · ${GATE.until} ${time(deadline, now)} · ${needs(gate.needs)}</p>
${answers}</li>`;
}
