import { html } from "hono/html";
import { subjectName } from "../../domain/subjects.ts";
import { phaseName, standingWords } from "../../github/words/view-words.ts";
import { durationOf, usd } from "../../github/words/wording.ts";
import { kindName } from "../../pipeline/kinds.ts";
import type { ListedRun } from "../../store/runs/overview.ts";
import { type Markup, shown, time } from "./layout.ts";
import { addressOf } from "./places.ts";

/** The page of a run. */
export function runAddress(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`;
}

/** How a run stands, in a word that is told apart by more than its color. */
export function badge({ status, conclusion }: Pick<ListedRun, "status" | "conclusion">): Markup {
  const isOver = status === "completed" && conclusion !== null;
  return html`<span class="badge ${isOver ? conclusion : status}">${standingWords({ status, conclusion })}</span>`;
}

/** A run as a line of a list. */
export function runLine(run: ListedRun, { now, origin }: { readonly now: Date; readonly origin: string }): Markup {
  const { subject, kind, title, phase, startedAt, endedAt, author } = run;
  const took = durationOf(startedAt, endedAt, now);
  return html`<li class="run"><p>${badge(run)} <a href="${runAddress(run.runId)}">${title ? shown(title) : kindName(kind)}</a>
<a class="subject" href="${addressOf(subject, origin)}">${subjectName(subject)}</a></p>
<p class="facts">${kindName(kind)}${endedAt === null && phase && html` · ${phaseName(phase)}`} · ${took} · ${usd(run.usd)} · began ${time(startedAt, now)}${author && html` by ${shown(author)}`}</p></li>`;
}

/** Lines of a list, or a sentence for an empty one. */
export function lines(each: readonly Markup[], none: string): Markup {
  return each.length === 0 ? html`<p class="none">${none}</p>` : html`<ul class="lines">${each}</ul>`;
}
