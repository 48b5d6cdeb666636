import type { Effect } from "../../../domain/effects.ts";
import type { Gate } from "../../../domain/gates.ts";
import { type Estimate, type Plan, type PlanTask, saidAgainst } from "../../../domain/plan.ts";
import { quoted } from "../command/model-answers.ts";
import { alsoAnswers, whoMay } from "../gate/work-gate-text.ts";
import {
  count,
  fitting,
  folded,
  foreign,
  foreignCode,
  foreignLine,
  listed,
  moment,
  usd,
  type Wording,
} from "../wording.ts";

type Shown = Extract<Effect, { kind: "plan.show" }>["payload"];

/** The plan on the issue: what will be done, what it will cost, what was decided, and how it is answered or was (PLAN-1). */
export function planText(shown: Shown, wording: Wording): string {
  const { plan, estimate, revision, gate, planOnly } = shown;
  const which = revision === 1 ? "Plan" : `Plan, version ${revision}`;
  const head = `**${which}: ${foreignLine(plan.title, wording)}** · risk ${plan.risk.level} · ${costRange(estimate)}`;
  const end = gate
    ? asked(gate, wording)
    : planOnly
      ? PLAN_ONLY
      : "Nobody has to be asked about this plan: the work begins.";
  return fitting(
    () => [head, ...what(plan, wording), tasksInFull(plan, wording), end].join("\n\n"),
    () => [head, ...what(plan, wording), end].join("\n\n"),
    () => [head, taskTitles(plan, wording), end].join("\n\n"),
  );
}

function what(plan: Plan, wording: Wording): string[] {
  const { summary, risk, constraints, tasks } = plan;
  return [
    `**Asked for**: ${foreign(summary, wording, 1_500)}`,
    taskLines(tasks, wording),
    ...listed("**Done when**", plan.acceptance_criteria, wording),
    ...listed("**Constraints of the issue, looked at again in the review**:", constraints, wording),
    ...chosen(plan, wording),
    ...listed("**Not included**:", plan.not_included, wording),
    ...listed("**Why this risk**:", risk.reasons, wording),
  ];
}

/** Parts, interfaces, what was decided, and what was weighed and not taken. */
export function chosen({ architecture, decisions, alternatives = [] }: Plan, wording: Wording): string[] {
  return [
    ...listed("**Components**:", architecture?.components ?? [], wording),
    ...listed("**Interfaces**:", architecture?.interfaces ?? [], wording),
    ...listed("**Decided**:", decisions, wording),
    ...listed("**Considered and not chosen**:", alternatives.map(saidAgainst), wording),
  ];
}

/** For a plan that GitHub would not take whole. */
function taskTitles({ tasks }: Plan, wording: Wording): string {
  const titles = tasks.map(({ title }, index) => `${index + 1}. ${foreignLine(title, wording)}`);
  return [...titles, "", "The plan is too long to be shown whole; its log has all of it."].join("\n");
}

/** "about $1.20 to $2.50 and 15 minutes". */
export function costRange({ lowUsd, highUsd, minutes }: Estimate): string {
  return `about ${usd(lowUsd)} to ${usd(highUsd)} and ${count(Math.max(1, Math.round(minutes)), "minute")}`;
}

const PLAN_ONLY =
  "**Only the plan was wanted.** To have it carried out: `/forge implement`; to have another one: `/forge plan <instructions>`";

/** What becomes of a plan without an answer. */
const LATE = {
  park: "the work is paused",
  reject: "the work ends",
  approve: "it is carried out unchanged",
} as const;

function asked(gate: Gate, wording: Wording): string {
  const { gate: id, standing, deadline, needs, question, unanswered } = gate;
  switch (standing.is) {
    case "open": {
      const reasons = question.type === "architecture_approval" ? question.reasons : [];
      const why = reasons.map((reason) => foreignLine(reason, wording)).join("; ");
      return [
        `**Waiting for approval** (${id}, until ${moment(deadline)}): \`/forge approve ${id}\`, \`/forge approve ${id} <changes>\`, \`/forge reject ${id} <reason>\``,
        `${why === "" ? "" : `Why it is asked: ${why}. `}Who may answer: ${whoMay(needs)}${alsoAnswers(question)}. Nothing is spent while this waits; without an answer ${LATE[unanswered ?? "park"]}.`,
      ].join("\n");
    }
    case "approved":
      return standing.note
        ? `**Approved with changes** by ${foreignCode(standing.by, wording)} in ${id}: the plan is being revised with them.\n> ${foreignLine(standing.note, wording)}`
        : `**Approved** by ${foreignCode(standing.by, wording)} in ${id}.`;
    case "rejected": {
      const reason = standing.note ? `\n> ${foreignLine(standing.note, wording)}` : "";
      return `**Rejected** by ${foreignCode(standing.by, wording)} in ${id}; nothing was changed. To start again: \`/forge implement <instructions>\`${reason}`;
    }
    case "timed_out":
      return unanswered === "reject"
        ? `**${id} was not answered in time**, so the work has ended; nothing was changed. To start again: \`/forge implement <instructions>\``
        : `**${id} was not answered in time**; nothing was changed. To have it asked again: \`/forge retry\``;
    case "voided":
      return `**${id} is void**: the work that asked went on without it, has ended or was stopped.`;
  }
}

/** Files of one task that are named; the others are counted. */
const MAXIMUM_FILES = 4;
/** Characters of one task's description: with twenty tasks the whole stays far inside GitHub's 65,536. */
const MAXIMUM_DESCRIPTION = 1_200;

/** "1. `src/http/limiter.ts`: a sliding window per address", one line for each task. */
export function taskLines(tasks: readonly PlanTask[], wording: Wording): string {
  return tasks
    .map(({ title, files }, index) => {
      const named = files.slice(0, MAXIMUM_FILES).map((path) => foreignCode(path, wording));
      const rest = files.length - named.length;
      const where = `${named.join(", ")}${rest > 0 ? ` and ${count(rest, "more file")}` : ""}`;
      return `${index + 1}. ${where}: ${foreignLine(title, wording)}`;
    })
    .join("\n");
}

/** What to do in each task, folded; in the words of the planner. */
export function tasksInFull(plan: Plan, wording: Wording): string {
  const titles = new Map(plan.tasks.map(({ id }, index) => [id, index + 1]));
  const tasks = plan.tasks.map(({ title, description, files, depends_on: after }, index) => {
    const order = after.length === 0 ? "" : ` (after ${after.map((id) => titles.get(id)).join(", ")})`;
    const paths = files.map((path) => foreignCode(path, wording)).join(", ");
    return `**${index + 1}. ${foreignLine(title, wording)}**${order}\n${paths}\n\n${quoted(description, wording, MAXIMUM_DESCRIPTION)}`;
  });
  return folded("the tasks in full", tasks.join("\n\n"));
}
