import type { DeployOutcome } from "../../domain/deployments.ts";
import type { FindingState } from "../../domain/findings.ts";
import { type Conclusion, Phase, type RunStatus } from "../../domain/phases.ts";
import type { Role } from "../../domain/subjects.ts";
import { count } from "./wording.ts";
import { PHASE_WORDS } from "./work/phase-words.ts";

/** What the page and the command line say of runs, of what waits and of what was delivered (OPS-2). */
export const SECTIONS = {
  nothing: "Nothing waits for a person",
  waits: {
    title: "Waits for a person",
    none: "Nothing waits for a person.",
    noMore: "No more gates: the page before this one has the others.",
  },
  runs: { title: "At work", none: "Nothing is at work." },
  failed: {
    title: "Failed or parked",
    none: "Nothing failed in the last 7 days, and nothing is parked.",
  },
  delivered: { title: "Merged and deployed", none: "Nothing was merged or deployed yet." },
};

export const STATUSES: Readonly<Record<RunStatus, string>> = {
  pending: "about to begin",
  running: "running",
  waiting: "waits",
  completed: "completed",
  failed: "failed",
  cancelled: "canceled",
};

/** What the check of a run came to. It says something of the change: that Forge itself failed is a status. */
const CONCLUSION_WORDS: Readonly<Record<Conclusion, string>> = {
  success: "passed",
  neutral: "neutral",
  failure: "did not pass",
  action_required: "action needed",
  skipped: "skipped",
  cancelled: "canceled",
};

/** How a run stands, in a word: what its check came to where it has one. */
export function standingWords({ status, conclusion }: Standing): string {
  return status === "completed" && conclusion !== null ? CONCLUSION_WORDS[conclusion] : STATUSES[status];
}

interface Standing {
  readonly status: RunStatus;
  readonly conclusion: Conclusion | null;
}

export const RUN = {
  gates: "Waits for a person",
  now: "Now",
  version: "Version",
  told: "as of",
  repository: "repository",
  timeline: "Timeline",
  noTimeline: "Nothing was begun yet.",
  goesOn: "goes on",
  stopped: "stopped",
  before: (left: number) => `${left} before these are not shown; the log has them.`,
  bounces: "Work went back",
  plan: "Plan",
  revision: "revision",
  done: "done",
  open: "open",
  doneWhen: "Done when",
  findings: "Findings",
  noFindings: "No finding stands for it.",
  blocks: "blocks",
  dismissedBy: "dismissed by",
  evidence: "Why, and what shows it",
  verified: "A test that Forge ran shows it.",
  unproven: "Unproven:",
  tests: "Tests",
  cost: "Cost",
  noCost: "No model was asked.",
  logBy: (runId: string) => `The log, event by event: forge show ${runId} --log`,
};

const ENDED = {
  completed: "done",
  failed: "failed",
  bounced: "went back",
  approved: "approved",
  rejected: "rejected",
  timeout: "not answered in time",
  voided: "not needed anymore",
};

/** How a phase, a wait at a gate or a stop ended; empty where nothing says so. */
export function endWords({ to, ended }: { readonly to?: string; readonly ended?: keyof typeof ENDED }): string {
  if (to === undefined) return RUN.goesOn;
  return ended ? ENDED[ended] : "";
}

export const FINDING_STATES: Readonly<Record<FindingState, string>> = {
  open: "open",
  fixed: "fixed",
  dismissed: "dismissed",
  outdated: "outdated",
  regressed: "open again",
};

export const TESTS = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  not_run: "not run",
  message: "What it said",
};

export const SPENT = {
  table: "Cost by phase and model",
  phase: "Phase",
  model: "Model",
  calls: "Calls",
  read: "Tokens read",
  written: "Tokens written",
  cost: "Cost",
};

/** Who may answer a gate. */
export function needs(role: Role): string {
  return `needs ${role === "write" ? "push" : role} permission`;
}

export const DELIVERED: Readonly<Record<"merged" | DeployOutcome, string>> = {
  merged: "merged",
  healthy: "deployed and healthy",
  unwatched: "deployed, watched by nobody",
  degraded: "deployed, and worse than before",
  rolled_back: "rolled back",
  rollback_failed: "rollback failed",
  refused: "not deployed: refused",
  failed: "deployment failed",
  rejected: "not deployed: rejected",
  superseded: "not deployed: a later version took its place",
  held: "not deployed: someone objected",
};

/** What people call the phases of a run. */
const PHASES: Readonly<Record<Phase, string>> = {
  planning: PHASE_WORDS.planning.name,
  implementation: PHASE_WORDS.implementation.name,
  review: PHASE_WORDS.review.name,
  testing: PHASE_WORDS.testing.name,
  verification: "verify",
  deployment: "deploy",
  monitoring: "watch",
};

/** Text of the log is shown as it is where it names no phase of today. */
export function phaseName(phase: string): string {
  return Phase.safeParse(phase).success ? PHASES[Phase.parse(phase)] : phase;
}

/** A gate as a line of a list. */
export const GATE = {
  /** `what`: in words that follow "waiting for". */
  waitsFor: "waits for",
  since: "asked",
  until: "ends",
  run: "Run",
  note: "Reason or changes (optional)",
  label: (answer: string, gate: string, subject: string) => `${answer} ${gate} of ${subject}`,
  waiting: (gates: number) => `${count(gates, "gate")} ${gates === 1 ? "waits" : "wait"} for a person`,
  more: (gates: number) => `${count(gates, "more gate")}, whose time ends later`,
};

const UNITS = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
] as const;

/** "3 min", "2 h", "5 d"; "a moment" below a minute. */
export function span(milliseconds: number): string {
  const seconds = Math.floor(Math.abs(milliseconds) / 1000);
  const unit = UNITS.find(([length]) => seconds >= length);
  return unit ? `${Math.floor(seconds / unit[0])} ${unit[1]}` : "a moment";
}

/** "2 h ago", "in 2 h". @param at ISO 8601 */
export function timeWords(at: string, now: Date): string {
  const difference = Date.parse(at) - now.getTime();
  return difference > 0 ? `in ${span(difference)}` : `${span(difference)} ago`;
}
