import type { ImplementationStatus } from "../../../domain/implementation-status.ts";
import { count, duration, foreignCode, foreignLine, usd, type Wording, withFullStop } from "../wording.ts";

type Ended = NonNullable<ImplementationStatus["ending"]>;

/** How an implementation ended or where it stands still: why, what was done, where it is, and what to type to go on (GH-12a). */
export function endingText(status: ImplementationStatus, wording: Wording): string {
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
export function madeFacts({ commits, testsAdded }: ImplementationStatus): string {
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
  if (reason === "issue_closed") return " To begin anew: reopen the issue, then `/forge implement`.";
  return " To begin anew: `/forge implement`.";
}
