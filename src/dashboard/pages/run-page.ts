import { html } from "hono/html";
import { atLeast, subjectName } from "../../domain/subjects.ts";
import { releaseWords } from "../../github/words/deploy/standing-words.ts";
import { RUN } from "../../github/words/view-words.ts";
import { durationOf, shortSha, usd } from "../../github/words/wording.ts";
import { activityWords } from "../../github/words/work/activity-words.ts";
import { kindName } from "../../pipeline/kinds.ts";
import { type RunReport, viewRun } from "../../pipeline/views/view-run.ts";
import { ACTIONS } from "../action-words.ts";
import type { PageAsked, PageRoute } from "../page-route.ts";
import { findingsPart } from "./finding-line.ts";
import { gateLine } from "./gate-line.ts";
import { type Markup, shown, time } from "./layout.ts";
import { logPart } from "./log-part.ts";
import { addressOf } from "./places.ts";
import { planPart } from "./plan-part.ts";
import { repositoryAddress } from "./repository-address.ts";
import { actionsPart } from "./run-actions.ts";
import { badge, runAddress } from "./run-line.ts";
import { spentPart } from "./spent-part.ts";
import { testsPart } from "./tests-part.ts";
import { thinkingPart } from "./thinking-part.ts";
import { timelinePart } from "./timeline-part.ts";

/** One run: what it did when, what it found, and what it cost (OPS-2). */
export const RUN_PAGE: PageRoute = {
  path: "/runs/:id",
  show: async (asked) => {
    const { isOperator } = asked.visitor;
    const listed = await asked.visitor.repositories();
    const report = await viewRun(asked.dependencies.store, asked.param("id"), (id) => isOperator || listed.has(id));
    // The same answer as for a run that never was.
    if (!report) return undefined;
    const permission = listed.get(report.run.subject.repository.id)?.permission ?? "none";
    const reasoning = isOperator || atLeast(permission, "write");
    const { run, gates } = report;
    const title = run.title ? shown(run.title) : kindName(run.kind);
    const waiting = await Promise.all(gates.map((gate) => gateLine(gate, asked, "run")));
    const body = html`<h1>${title}</h1>
<div id="state" data-live><p>${badge(run)} ${facts(report, asked)}</p>
${activityLine(report, asked.now)}${releaseLine(report, asked.now)}
${report.failure && html`<p class="said bad">${shown(report.failure, 1_000)}</p>`}</div>
<section id="gates" data-live aria-label="${RUN.gates}">${waiting.length > 0 && html`<h2>${RUN.gates}</h2><ul class="lines">${waiting}</ul>`}</section>
<section id="actions" data-live aria-label="${ACTIONS.title}">${await actionsPart(report, asked)}</section>
<section id="timeline" data-live aria-labelledby="timeline-title"><h2 id="timeline-title">${RUN.timeline}</h2>${timelinePart(report, asked.now)}</section>
<div id="results" data-live>${planPart(report.plan)}${await findingsPart(report, asked)}${testsPart(report.tests)}${spentPart(report.spent)}</div>
${await thinkingPart(asked, run.runId, reasoning)}
${await logPart(asked, run.runId, reasoning)}`;
    return { title: `${title} · ${subjectName(run.subject)}`, body, run: run.runId };
  },
};

function activityLine({ activity }: RunReport, now: Date): Markup | undefined {
  if (!activity) return undefined;
  const words = activityWords(activity.is, (name) => shown(name, 100));
  return html`<p class="now">${RUN.now}: ${words} <span class="facts">${RUN.told} ${time(activity.at, now)}</span></p>`;
}

function releaseLine({ release }: RunReport, now: Date): Markup | undefined {
  if (!release) return undefined;
  const { is, at } = release;
  return html`<p class="now">${RUN.version}: <a href="${runAddress(is.runId)}">${shown(releaseWords(is))}</a> <span class="facts">${RUN.told} ${time(at, now)}</span></p>`;
}

function facts({ run }: RunReport, { now, dependencies }: PageAsked): Markup {
  const { subject, kind, startedAt, endedAt, author, runId, headSha, usd: cost } = run;
  const took = durationOf(startedAt, endedAt, now);
  return html`${kindName(kind)} of <a href="${addressOf(subject, dependencies.origin)}">${subjectName(subject)}</a>${
    headSha && html` at <code>${shortSha(headSha)}</code>`
  } · ${took} · ${usd(cost)} · began ${time(startedAt, now)}${author && html` by ${shown(author)}`} · run <code>${runId}</code> · <a href="${repositoryAddress(subject.repository.id)}">${RUN.repository}</a>`;
}
