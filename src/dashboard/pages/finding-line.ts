import { html } from "hono/html";
import { isBlocking, isOpen, type LedgerEntry } from "../../domain/findings.ts";
import { FINDING_STATES, RUN } from "../../github/words/view-words.ts";
import { count } from "../../github/words/wording.ts";
import type { RunReport } from "../../pipeline/views/view-run.ts";
import type { PageAsked } from "../page-route.ts";
import { type Markup, prose, shown } from "./layout.ts";
import { fileAddress } from "./places.ts";
import { findingAction } from "./run-actions.ts";

/** The findings on the pull request of the run, open ones first, each with its evidence. */
export async function findingsPart({ run, findings, moreFindings }: RunReport, asked: PageAsked): Promise<Markup> {
  const { origin } = asked.dependencies;
  const line = async (entry: LedgerEntry) => {
    const { finding, state, headSha, dismissal } = entry;
    const { id, severity, rule, file, line: at, message, why, remedy, evidence, flow, unproven, verified } = finding;
    const blocks = isOpen({ state }) && isBlocking(finding);
    return html`<li><p><span class="severity ${severity}">${severity}</span> ${prose(message, 500)}</p>
<p class="facts"><code>${id}</code> · ${FINDING_STATES[state]}${blocks && html` · <strong>${RUN.blocks}</strong>`} · <a href="${fileAddress(run.subject, origin, headSha, file, at)}">${shown(file)}:${at}</a> · ${shown(rule)}${dismissal && html` · ${RUN.dismissedBy} ${shown(dismissal.by.login)}`}</p>
<details id="finding-${id}"><summary>${RUN.evidence}</summary>${why && html`<p>${prose(why, 2_000)}</p>`}${remedy && html`<p>${prose(remedy, 2_000)}</p>`}
${verified && html`<p>${RUN.verified}</p>`}${unproven && html`<p>${RUN.unproven} ${shown(unproven, 500)}</p>`}
${evidence && html`<pre tabindex="0">${shown(evidence, 2_000)}</pre>`}${
  flow &&
  html`<ol class="plain">${flow.slice(0, 20).map((step) => html`<li><code>${shown(step.path ?? file)}:${step.line}</code> <code>${shown(step.text)}</code></li>`)}</ol>`
}${await findingAction(run, entry, asked)}</details></li>`;
  };
  return html`<section aria-labelledby="findings"><h2 id="findings">${RUN.findings}</h2>${
    findings.length === 0
      ? html`<p class="none">${RUN.noFindings}</p>`
      : html`<ul class="lines">${await Promise.all(findings.map(line))}</ul>`
  }${moreFindings > 0 && html`<p class="none">and ${count(moreFindings, "more finding")}</p>`}</section>`;
}
