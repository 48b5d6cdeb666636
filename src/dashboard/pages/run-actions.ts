import { html } from "hono/html";
import { RUN_LIMITS } from "../../domain/command-arguments.ts";
import type { LedgerEntry } from "../../domain/findings.ts";
import { numberOf } from "../../domain/subjects.ts";
import { phaseName } from "../../github/words/view-words.ts";
import { implementationOf } from "../../pipeline/runs/implementation-of.ts";
import type { RunReport } from "../../pipeline/views/view-run.ts";
import type { ListedRun } from "../../store/runs/overview.ts";
import { ACTION_WORDS, ACTIONS } from "../action-words.ts";
import { type ActionName, MOST_ADDED, REACHES, RETRIED } from "../actions/action.ts";
import { offeredFor, offeredForFinding } from "../actions/offered.ts";
import type { PageAsked } from "../page-route.ts";
import { actionForm } from "./action-form.ts";
import type { Markup } from "./layout.ts";

/** What this person can do with the run; nothing where that is nothing. */
export async function actionsPart(report: RunReport, asked: PageAsked): Promise<Markup | undefined> {
  const names = await offeredFor(asked.visitor, report);
  if (names.length === 0) return undefined;
  const { runId } = report.run;
  const work = await workBehind(report.run, asked);
  const forms = names.map((action) => {
    const { button, does } = ACTION_WORDS[action];
    return html`<li>${actionForm({ asked, runId, back: "run", fields: { action } }, html`${FIELDS[action]?.(action)}<span><button>${button}</button></span>`)}
<p class="facts">${does}${work !== undefined && FOR_WORK.has(action) && html` ${ACTIONS.forWork(work)}`}</p></li>`;
  });
  return html`<h2 id="actions-title">${ACTIONS.title}</h2><p class="facts">${ACTIONS.how}</p><ul class="lines">${forms}</ul>`;
}

/** On a pull request of Forge, these reach the work on its issue, as the commands do. */
const FOR_WORK: ReadonlySet<ActionName> = new Set(["stop", "resume"]);

/** The number of the issue whose work opened this pull request and still goes on. */
async function workBehind({ subject }: ListedRun, { dependencies }: PageAsked): Promise<number | undefined> {
  if (subject.kind !== "pull_request") return undefined;
  const work = await implementationOf(dependencies.store, subject.repository.id, { pull: subject.number });
  return work && !work.over ? numberOf(work.subject) : undefined;
}

/** The form that dismisses a finding, or takes that back. */
export async function findingAction(run: ListedRun, entry: LedgerEntry, asked: PageAsked): Promise<Markup | undefined> {
  const { id } = entry.finding;
  const [action] = await offeredForFinding(asked.visitor, run, entry);
  if (action === undefined) return undefined;
  const { button } = ACTION_WORDS[action];
  const fields =
    action === "dismiss"
      ? html`${note(id, ACTIONS.note)}${choice(ACTIONS.reach, "reach", REACHES, (reach) => ACTIONS.reaches[reach])}`
      : undefined;
  const content = html`${fields}<span><button aria-label="${ACTIONS.label(button, id)}">${button}</button></span>`;
  return actionForm({ asked, runId: run.runId, back: "run", fields: { action, finding: id } }, content);
}

const reason = (action: ActionName) => note(action, ACTIONS.note);

/** What a person says with an action; the others take nothing. */
const FIELDS: Partial<Readonly<Record<ActionName, (action: ActionName) => Markup>>> = {
  resume: (action) => note(action, ACTIONS.instructions),
  retry: () => choice(ACTIONS.phase, "phase", RETRIED, (phase) => (phase === "" ? ACTIONS.stopped : phaseName(phase))),
  extend: () => html`${choice(ACTIONS.limit, "limit", RUN_LIMITS, (limit) => ACTIONS.limits[limit])}
<label>${ACTIONS.amount} <input name="amount" id="amount" type="number" min="1" max="${MOST_ADDED}" step="any" value="1" required></label>`,
  ...{ promote: reason, rollback: reason, hold: reason },
};

function note(of: string, label: string): Markup {
  return html`<label>${label} <input name="note" id="note-${of}" maxlength="500" autocomplete="off"></label>`;
}

function choice<Value extends string>(
  label: string,
  name: string,
  values: readonly Value[],
  words: (value: Value) => string,
): Markup {
  return html`<label>${label} <select name="${name}">${values.map((value) => html`<option value="${value}">${words(value)}</option>`)}</select></label>`;
}
