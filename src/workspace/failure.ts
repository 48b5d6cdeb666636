import type { GitResult } from "./git.ts";

export type FailureReason =
  | "aborted"
  | "busy"
  | "missing commit"
  | "not a file"
  | "not found"
  | "out of memory"
  | "redirected"
  | "timeout"
  | "too large"
  | "unauthorised"
  | "unreachable"
  | "unreadable";

/** Why something in the workspace was not done: an expected outcome, with a sentence that can be shown to people. */
export interface WorkspaceFailure {
  readonly ok: false;
  readonly reason: FailureReason;
  readonly detail: string;
}

const PASSING: readonly FailureReason[] = ["busy", "unreachable", "unauthorised", "missing commit", "unreadable"];

/** Whether a failure may be gone the next time. */
export function mayPass({ reason }: WorkspaceFailure): boolean {
  return PASSING.includes(reason);
}

export function failure(reason: FailureReason, detail: string): WorkspaceFailure {
  return { ok: false, reason, detail };
}

/** How a git command that did not succeed failed. Git has one exit code for everything, so its English text decides. */
export function gitFailure(what: string, result: GitResult): WorkspaceFailure {
  if (result.aborted) return failure("aborted", `${what} was stopped.`);
  if (result.timedOut) return failure("timeout", `${what} took longer than ${seconds(result.durationMs)}.`);
  if (result.truncated) return failure("too large", `${what} gave more output than is permitted.`);
  const cause = CAUSES.find(([pattern]) => pattern.test(result.errorText));
  const said = lastLines(result.errorText);
  return failure(cause?.[1] ?? "unreadable", `${what} failed${said === "" ? "." : `: ${said}`}`);
}

const CAUSES: readonly (readonly [RegExp, FailureReason])[] = [
  [/out of memory|malloc failed|mmap failed|unable to create thread/i, "out of memory"],
  [/died of signal 25|file too large/i, "too large"],
  [/could not read Username|Authentication failed|returned error: 40[13]/, "unauthorised"],
  [/returned error: 404|repository '[^'\n]*' not found/, "not found"],
  [/returned error: 3\d\d|unable to update url base from redirection/, "redirected"],
  [/not our ref|couldn't find remote ref|bad object|Not a valid (?:object|commit) name/i, "missing commit"],
  [/unable to access|could not resolve|the remote end hung up|early EOF|RPC failed|operation too slow/i, "unreachable"],
];

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-3).join(" ").slice(0, 300);
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
