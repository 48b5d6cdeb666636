import { html } from "hono/html";
import { RUN } from "../../github/words/view-words.ts";
import type { RunReport } from "../../pipeline/views/view-run.ts";
import { type Markup, prose, shown } from "./layout.ts";

/** The plan of a run, with which of its tasks are done. */
export function planPart(found: RunReport["plan"]): Markup | undefined {
  if (!found) return undefined;
  const { plan, revision, done } = found;
  return html`<section aria-labelledby="plan"><h2 id="plan">${RUN.plan}${revision > 1 && html` (${RUN.revision} ${revision})`}</h2>
<p>${prose(plan.summary, 3_000)}</p>
<ol class="tasks">${plan.tasks.map(
    ({ id, title, files }) =>
      html`<li>${done.has(id) ? html`<span class="badge completed">${RUN.done}</span>` : html`<span class="badge pending">${RUN.open}</span>`} ${shown(title)} <span class="facts">${files.slice(0, 6).map((file) => html`<code>${shown(file)}</code> `)}</span></li>`,
  )}</ol>
<h3>${RUN.doneWhen}</h3><ul class="plain">${plan.acceptance_criteria.map((each) => html`<li>${prose(each)}</li>`)}</ul></section>`;
}
