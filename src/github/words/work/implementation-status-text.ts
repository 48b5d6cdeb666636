import type { ReleaseStanding } from "../../../domain/deployments.ts";
import type { BounceCause } from "../../../domain/implementation.ts";
import type { ImplementationStatus } from "../../../domain/implementation-status.ts";
import { endSentence, nextPart, nowLine } from "../deploy/deployment-text.ts";
import { gateName } from "../gate/work-gate-text.ts";
import { faultText } from "../production-text.ts";
import {
  count,
  duration,
  folded,
  foreignCode,
  foreignLine,
  moment,
  usd,
  type Wording,
  withFullStop,
} from "../wording.ts";
import { activityWords } from "./activity-words.ts";
import { CAUSE_WORDS, doingIn, PHASE_WORDS } from "./phase-words.ts";

type PhaseStanding = ImplementationStatus["phases"][number];

/**
 * The status comment of an implementation, and the answer to `/forge status` on an issue (GH-12): what is being done or waited for, how far the
 * phases are, what it cost; at the end, what became of it (GH-12a).
 */
export function implementationStatusText(status: ImplementationStatus, wording: Wording, runId?: string): string {
  const log = runId === undefined ? [] : [`log: run ${foreignCode(runId, wording)}`];
  if (status.ending) {
    const table = phaseTable(status);
    return [
      endingText(status, wording),
      ...(status.release ? [releaseLine(status.release, wording)] : []),
      ...(status.faults ?? []).map((fault) => faultText(fault, wording)),
      ...(table === undefined ? [] : [folded("phases", table)]),
      ...(log.length > 0 ? [log.join("")] : []),
    ].join("\n\n");
  }
  const table = phaseTable(status);
  const { branch, pull, usedUsd, limitUsd, step } = status;
  const facts = [
    limitUsd > 0 ? `${usd(usedUsd)} of ${usd(limitUsd)}` : usd(usedUsd),
    ...(pull ? [`${pull.draft ? "draft " : ""}#${pull.number}`] : []),
    ...(branch === undefined ? [] : [`branch ${foreignCode(branch, wording)}`]),
    ...(step.is === "ready" || !canStop(status) ? [] : ["stop after this step: `/forge stop`"]),
    ...log,
  ];
  return [
    ...waiting(status, wording),
    ...(status.gates.length > 0 ? [] : [`${stepLine(status, wording)}${doing(status, wording)}`]),
    ...(status.release ? nextPart(status.release) : []),
    ...(table === undefined ? [] : [table]),
    ...rounds(status),
    ...(status.faults ?? []).map((fault) => faultText(fault, wording)),
    facts.join(" · "),
  ].join("\n\n");
}

/** Everything that waits for a person, with the exact words that answer it. */
function waiting({ gates }: ImplementationStatus, wording: Wording): string[] {
  return gates.map(({ gate, question, deadline }) => {
    const until = `(${gate}, until ${moment(deadline)})`;
    if (question.type === "question") {
      return `**A question** ${until}: ${foreignLine(question.question, wording, { maximum: 600 })}\nReply here or \`/forge answer …\`. Nothing is spent while this waits.`;
    }
    const changes = question.type === "architecture_approval" ? `, \`/forge approve ${gate} <changes>\`` : "";
    return `**Waiting for ${gateName(question)}** ${until}: \`/forge approve ${gate}\`${changes}, \`/forge reject ${gate} <reason>\`\nNothing is spent while this waits.`;
  });
}

function stepLine(status: ImplementationStatus, wording: Wording): string {
  const { step, pull } = status;
  switch (step.is) {
    case "beginning":
      return "**Beginning** · the issue and the repository are read";
    case "planning":
      return step.revision > 0 && !step.made
        ? "**Planning** · the plan is being revised"
        : "**Planning** · nothing is changed yet";
    case "task":
      return `**Implementing** · ${taskCount(step)} · ${foreignLine(step.title, wording, { maximum: 120 })}`;
    case "feedback":
      return `**Implementing** · ${CAUSE_WORDS[step.cause].dealtWith(step.items)}`;
    case "pushing":
      return "**Pushing** · the commits go to the branch";
    case "reviewing":
      return `**Reviewing** · ${pull ? `#${pull.number}` : "the change"} is looked at like any other`;
    case "in_phase":
      return status.release ? releaseLine(status.release, wording) : doingIn(step.phase);
    case "testing":
      return doingIn("testing");
    case "ready": {
      const { leftDraft } = step;
      const draft =
        leftDraft === undefined
          ? ""
          : `GitHub left it a draft: ${withFullStop(foreignLine(leftDraft, wording))} Mark it as ready for review there.\n`;
      return `**Ready**: ${pull ? `pull request #${pull.number}, ` : ""}${madeFacts(status)}.\n${draft}Review it and merge it. Changes that are requested in a review are worked on.`;
    }
  }
}

/** Where the version is that the work was merged into, or how its deployment ended. */
function releaseLine(release: ReleaseStanding, wording: Wording): string {
  return release.end ? endSentence(release, wording) : nowLine(release, wording);
}

/** Whether a step is to come that would not begin after a stop. */
function canStop({ release }: ImplementationStatus): boolean {
  if (!release) return true;
  const { steps, shares, stopped, back, onward, end } = release;
  return !end && !stopped && !back && (onward === true || steps.length < shares.length);
}

/** " · reading 12 files": what goes on inside the step. */
function doing({ doing: now }: ImplementationStatus, wording: Wording): string {
  if (now === undefined) return "";
  const { is, ...activity } = now;
  return ` · ${activityWords({ ...activity, doing: is }, (name) => foreignCode(name, wording))}`;
}

function taskCount({ done, all }: { readonly done: number; readonly all: number }): string {
  return `task ${Math.min(done + 1, all)} of ${all}`;
}

/** Two wide columns at most: it is read on phones too. What is to come shares one row. Undefined before anything began. */
function phaseTable(status: ImplementationStatus): string | undefined {
  const { phases, step, ending } = status;
  const begun = phases.filter(({ state }) => state !== "to_come");
  if (begun.length === 0) return undefined;
  const rows = begun.map((one) => {
    const money = one.costUsd > 0 ? usd(one.costUsd) : "";
    const time = one.durationMs > 0 ? duration(one.durationMs) : "";
    return `| ${PHASE_WORDS[one.phase].name} | ${standing(one, status)} | ${money} | ${time} |`;
  });
  const later = [
    ...phases.filter(({ state }) => state === "to_come").map(({ phase }) => PHASE_WORDS[phase].name),
    ...(step.is === "ready" || step.is === "in_phase" || ending ? [] : ["pull request ready"]),
  ];
  const toCome = later.length > 0 && !ending ? [`| ${later.join(" · ")} | to come | | |`] : [];
  return ["| phase | state | cost | time |", "|---|---|---|---|", ...rows, ...toCome].join("\n");
}

function standing({ state, times, phase }: PhaseStanding, { step, gates, ending }: ImplementationStatus): string {
  switch (state) {
    case "done":
      return times > 1 ? `done, ${times} times` : "done";
    case "active":
    case "again":
      if (phase === "implementation" && step.is === "task") return taskCount(step);
      if (ending) return "not finished";
      if (gates.length > 0) return "waits for a person";
      return times > 1 ? `at work for the ${ordinal(times)} time` : "at work";
    case "to_come":
      return "to come";
  }
}

/** "2nd". */
function ordinal(number: number): string {
  const last = number % 100 > 10 && number % 100 < 14 ? 0 : number % 10;
  return `${number}${["th", "st", "nd", "rd"][last] ?? "th"}`;
}

/** How often work went back, and for what (PIPE-5). */
function rounds({ bounces }: ImplementationStatus): string[] {
  const parts = Object.entries(bounces).filter(([, times]) => times > 0);
  if (parts.length === 0) return [];
  const said = parts.map(
    ([cause, times]) => `${CAUSE_WORDS[cause as BounceCause]?.of ?? "more"}${times > 1 ? `, ${times} times` : ""}`,
  );
  return [`Went back to the implementer for ${said.join("; for ")}.`];
}

type Ended = NonNullable<ImplementationStatus["ending"]>;

/** How an implementation ended or why it is paused, what was done, where the work is, and the command to continue (GH-12a). */
function endingText(status: ImplementationStatus, wording: Wording): string {
  const ending = status.ending!;
  const spent = `${usd(status.usedUsd)}, ${duration(status.durationMs)}.`;
  switch (ending.is) {
    case "merged":
      return `**Done**: ${status.pull ? `pull request #${status.pull.number}` : "the pull request"} is merged, ${madeFacts(status)}. ${spent}`;
    case "planned":
      return `**Planned.** To have it carried out: \`/forge implement\`; to have another plan: \`/forge plan <instructions>\`. ${spent}`;
    case "nothing_to_do":
      return `**Nothing to do**: ${sentence(ending.reason, wording)} If something is missing: \`/forge implement <what is missing>\`. ${spent}`;
    case "stopped":
      return `${stopped(ending, wording)} ${kept(status, wording)} ${goOn(ending, status)} ${spent}`;
    case "failed":
      return `**Failed**: ${sentence(ending.message, wording)} ${kept(status, wording)} To try again from there: \`/forge retry\`. Error ${foreignCode(ending.code, wording)}. ${spent}`;
    case "cancelled":
      return `${cancelled(ending, status, wording)} ${kept(status, wording)}${again(ending.reason)} ${spent}`;
  }
}

/** "3 commits, 9 tests added". */
function madeFacts({ commits, testsAdded }: ImplementationStatus): string {
  return [count(commits, "commit"), ...(testsAdded > 0 ? [`${count(testsAdded, "test")} added`] : [])].join(", ");
}

/** A lone amount of money is no mathematics: it needs no code marks. */
const AMOUNT = /`(\$\d+(?:\.\d\d)?)`/g;

function sentence(text: string, wording: Wording): string {
  return withFullStop(foreignLine(text, wording, { maximum: 600 })).replace(AMOUNT, "$1");
}

/** Of a stop without a word why. */
const NO_REASON: ReadonlySet<string> = new Set(["", "it was stopped"]);

function stopped({ by, reason }: Extract<Ended, { is: "stopped" }>, wording: Wording): string {
  if (by === undefined) return `**Stopped: ${sentence(reason, wording)}**`;
  const login = foreignCode(by, wording);
  if (NO_REASON.has(reason)) return `**Stopped by ${login}.**`;
  const own = reason.startsWith(`${by} `) ? reason.slice(by.length + 1) : undefined;
  return own === undefined
    ? `**Stopped by ${login}**: ${sentence(reason, wording)}`
    : `**Stopped: ${login} ${sentence(own, wording)}**`;
}

/** What was done, and where it is. */
function kept({ tasks, commits, pull, branch, unpushed }: ImplementationStatus, wording: Wording): string {
  const place = branch === undefined ? undefined : foreignCode(branch, wording);
  if (commits === 0 && !pull) return "Nothing was committed.";
  const done =
    tasks.all > 0
      ? `${tasks.done} of ${count(tasks.all, "task")} ${tasks.done === 1 || tasks.all === 1 ? "is" : "are"} done; `
      : "";
  if (unpushed && (pull || place !== undefined))
    return `${done}of ${count(commits, "commit")} the newest is not pushed yet, the rest is on ${pull ? `#${pull.number}` : place}.`;
  if (pull)
    return `${done}all of it (${count(commits, "commit")}) is on ${pull.draft ? "the draft " : ""}#${pull.number}.`;
  if (place !== undefined) return `${done}all of it (${count(commits, "commit")}) is on the branch ${place}.`;
  return `${done}${count(commits, "commit")} ${commits === 1 ? "was" : "were"} made and not pushed yet.`;
}

/** What is added to a limit when people follow the advice: half of a usual one. */
const MORE = { usd: 5, iterations: 25, minutes: 30 } as const;

function goOn({ limit }: Extract<Ended, { is: "stopped" }>, { commits, branch, pull }: ImplementationStatus): string {
  const how = limit
    ? `\`/forge extend ${limit} ${MORE[limit]}\``
    : "`/forge resume`, or `/forge resume <instructions>`";
  return `Go on with ${how}${!pull && (commits === 0 || branch === undefined) ? "." : ", or take over from the branch."}`;
}

function cancelled(
  { reason, by }: Extract<Ended, { is: "cancelled" }>,
  { pull }: ImplementationStatus,
  wording: Wording,
): string {
  const known: Readonly<Record<string, string>> = {
    label_removed: "the label was taken off",
    issue_closed: "the issue was closed",
    rejected: "the plan was rejected",
    pull_closed: `${pull ? `pull request #${pull.number}` : "the pull request"} was closed`,
    installation_removed: "Forge was removed from this repository",
    repository_gone: "the repository is gone or can no longer be read",
  };
  const why = Object.hasOwn(known, reason) ? known[reason] : foreignLine(reason, wording);
  return `**Cancelled: ${why}${by === undefined ? "" : ` by ${foreignCode(by, wording)}`}.**`;
}

function again(reason: string): string {
  if (reason === "installation_removed" || reason === "repository_gone") return "";
  if (reason === "issue_closed") return " To start again: reopen the issue, then `/forge implement`.";
  return " To start again: `/forge implement`.";
}
