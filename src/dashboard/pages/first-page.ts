import { html } from "hono/html";
import { subjectName } from "../../domain/subjects.ts";
import { gateName } from "../../github/words/gate/work-gate-text.ts";
import { count, usd } from "../../github/words/wording.ts";
import type { OpenGate } from "../../store/runs/open-gates.ts";
import type { Delivered, ListedRun } from "../../store/runs/overview.ts";
import type { Visitor } from "../visitor.ts";
import { DELIVERED, NO_REPOSITORIES, needs, SECTIONS } from "../words.ts";
import { type Markup, time } from "./layout.ts";
import { addressOf } from "./places.ts";

export interface FirstPage {
  readonly visitor: Visitor;
  readonly now: Date;
  /** Of GitHub's pages. */
  readonly origin: string;
  /** Whether GitHub lists any repository for the visitor. */
  readonly seesAny: boolean;
  readonly gates: readonly (OpenGate & { readonly mayAnswer: boolean })[];
  /** How many are not shown. */
  readonly moreGates: number;
  readonly atWork: readonly ListedRun[];
  readonly failed: readonly ListedRun[];
  readonly delivered: readonly Delivered[];
  /** What was just done. */
  readonly said?: string | undefined;
}

/** What waits for a person, what runs, what failed, and what was merged and deployed (OPS-2). */
export function firstPage(page: FirstPage): Markup {
  const { visitor, seesAny, gates, moreGates, atWork, failed, delivered, said } = page;
  const lines = (each: readonly Markup[], none: string) =>
    each.length === 0 ? html`<p class="none">${none}</p>` : html`<ul class="lines">${each}</ul>`;
  return html`<h1>${count(gates.length + moreGates, "gate")} ${gates.length + moreGates === 1 ? "waits" : "wait"} for a person</h1>
${said && html`<p class="said" role="status">${said}</p>`}
${!seesAny && !visitor.isOperator && html`<p class="said">${NO_REPOSITORIES}</p>`}
<section aria-labelledby="waits"><h2 id="waits">${SECTIONS.waits.title}</h2>
${lines(
  gates.map((gate) => gateLine(gate, page)),
  SECTIONS.waits.none,
)}
${moreGates > 0 && html`<p class="none">and ${count(moreGates, "more gate")}, whose time ends later</p>`}</section>
<section aria-labelledby="runs"><h2 id="runs">${SECTIONS.runs.title}</h2>
${lines(
  atWork.map((run) => runLine(run, page)),
  SECTIONS.runs.none,
)}</section>
<section aria-labelledby="failed"><h2 id="failed">${SECTIONS.failed.title}</h2>
${lines(
  failed.map((run) => runLine(run, page)),
  SECTIONS.failed.none,
)}</section>
<section aria-labelledby="delivered"><h2 id="delivered">${SECTIONS.delivered.title}</h2>
${lines(
  delivered.map((each) => deliveredLine(each, page)),
  SECTIONS.delivered.none,
)}</section>`;
}

function gateLine(gate: OpenGate & { readonly mayAnswer: boolean }, { visitor, now, origin }: FirstPage): Markup {
  const { subject, runId, gate: id, question, since, deadline } = gate;
  const name = subjectName(subject);
  return html`<li><p><a href="${addressOf(subject, origin)}">${name}</a> <code>${id}</code> waits for ${gateName(question)}</p>
<p class="facts">since ${time(since, now)} · ends ${time(deadline, now)} · ${needs(gate.needs)} · run <code>${runId}</code></p>
${
  gate.mayAnswer &&
  html`<form method="post" action="/gates" class="answer"><input type="hidden" name="token" value="${visitor.formToken}">
<input type="hidden" name="run" value="${runId}"><input type="hidden" name="gate" value="${id}">
<label>With a word (optional) <input name="note" maxlength="500" autocomplete="off"></label>
<span><button name="answer" value="approve" aria-label="Approve ${id} of ${name}">Approve</button>
<button name="answer" value="reject" aria-label="Reject ${id} of ${name}">Reject</button></span></form>`
}</li>`;
}

const STATUSES: Readonly<Record<ListedRun["status"], string>> = {
  pending: "is about to begin",
  running: "running",
  waiting: "stands still",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

const KINDS: Readonly<Record<ListedRun["kind"], string>> = {
  review: "review",
  implement: "implementation",
  deploy: "deployment",
};

function runLine(run: ListedRun, { now, origin }: FirstPage): Markup {
  const { subject, kind, status, title, phase, lastType, lastAt, startedAt, runId } = run;
  return html`<li><p><a href="${addressOf(subject, origin)}">${subjectName(subject)}</a> ${title} <span class="badge ${status}">${KINDS[kind]} ${STATUSES[status]}</span></p>
<p class="facts">${phase && html`phase ${phase} · `}${usd(run.usd)} · began ${time(startedAt, now)}${
    lastType && lastAt && html` · last <code>${lastType}</code> ${time(lastAt, now)}`
  } · run <code>${runId}</code></p></li>`;
}

function deliveredLine({ subject, is, at, runId }: Delivered, { now, origin }: FirstPage): Markup {
  return html`<li><p><a href="${addressOf(subject, origin)}">${subjectName(subject)}</a> <span class="badge ${is}">${DELIVERED[is]}</span></p>
<p class="facts">${time(at, now)} · run <code>${runId}</code></p></li>`;
}
