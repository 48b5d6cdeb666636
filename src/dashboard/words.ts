import type { DeployOutcome } from "../domain/deployments.ts";
import type { FindingState } from "../domain/findings.ts";
import { type Conclusion, Phase, type RunStatus } from "../domain/phases.ts";
import type { Role } from "../domain/subjects.ts";
import { count } from "../github/words/wording.ts";
import { PHASE_WORDS } from "../github/words/work/phase-words.ts";

/** Whether the sandbox of this process keeps in what runs in it. */
export type SandboxState = "ok" | "broken" | "unknown";

/** Why nobody is signed in now. */
export type SignInRefusal = "not_begun_here" | "cancelled" | "refused";

/** What pages say; of what GitHub and Forge say on GitHub, `src/github/words/` has the words. */
export const SIGN_IN = {
  title: "Sign in",
  what: "Forge shows what waits for people, what runs, what failed and what was delivered, in the repositories that GitHub lists for you.",
  button: "Sign in with GitHub",
};

export const REFUSALS: Readonly<Record<SignInRefusal, string>> = {
  not_begun_here: "This sign-in was not begun in this browser, or more than 10 minutes ago. Begin it again here.",
  cancelled: "You are not signed in: the sign-in was canceled on GitHub.",
  refused: "GitHub did not accept this sign-in. A code is good for one time and 10 minutes. Begin it again here.",
};

/** Pages that say that something is not so. */
export const TROUBLE = {
  notFound: {
    title: "There is no such page",
    what: "There is no such page here, or it is about a repository that GitHub does not list for you.",
  },
  forged: {
    title: "Refused",
    what: "This request did not come from a page of this Forge, so nothing was done. Go back to the page, load it again, and press there.",
  },
  tooLarge: { title: "Too large", what: "This form is larger than any of this Forge. Nothing was done." },
  unavailable: {
    title: "GitHub does not answer",
    what: "Forge asks GitHub what you may see, and GitHub does not answer now. Load this page again in a minute.",
  },
  refused: {
    title: "GitHub refused",
    what: "GitHub does not let you do this there: the conversation may be locked, or the organization may want another sign-in first. Nothing was done.",
  },
  tooMany:
    "Too many pages are open at this Forge to tell each of them what happens. Load the page again to see what is new.",
  broken: { title: "Something went wrong", what: "This page could not be made. The log of Forge says why." },
};

export const LAYOUT = {
  skip: "Skip to the content",
  pages: "Pages",
  runs: "Runs",
  metrics: "Metrics",
  process: "Process",
  search: "Search runs",
  searchFor: "Number, title, author, run or finding",
  find: "Find",
  signOut: "Sign out",
  toFirst: "To the first page",
};

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
export const CONCLUSION_WORDS: Readonly<Record<Conclusion, string>> = {
  success: "passed",
  neutral: "neutral",
  failure: "did not pass",
  action_required: "action needed",
  skipped: "skipped",
  cancelled: "canceled",
};

/** The strip that says how this Forge does. */
export const HEALTH = {
  title: "How this Forge does",
  webhook: "Last webhook",
  queue: "Oldest waiting job",
  nothingWaits: "none",
  dead: "Jobs given up",
  money: "Models today (UTC)",
  sandbox: "Sandbox",
  models: "Models",
  lastModel: "Last call of a model",
  noModel: "not set up",
  advisories: "Advisory service",
  never: "none yet",
  on: "set up",
  off: "turned off",
};

export const SANDBOX_WORDS: Readonly<Record<SandboxState, string>> = {
  ok: "passed its test",
  broken: "failed its test",
  unknown: "not tested by this process",
};

export const SEARCH = {
  title: "Runs",
  filter: "Filter runs",
  text: "Search",
  kind: "Kind",
  status: "Status",
  any: "any",
  button: "Find",
  hint: "Search for a number, an id of a run or finding, or part of a title, a login or a repository's name.",
  found: "Found",
  none: "No run fits.",
  more: "Earlier runs",
};

export const RUN = {
  gates: "Waits for a person",
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
};

export const ENDED = {
  completed: "done",
  failed: "failed",
  bounced: "went back",
  approved: "approved",
  rejected: "rejected",
  timeout: "not answered in time",
  voided: "not needed anymore",
};

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

export const LOG = {
  title: "Log",
  withoutReasoning: "People with push permission also see what agents think, do with their tools and remember.",
  none: "There is nothing more in the log.",
  first: "From the beginning",
  next: "Next events",
  cut: (characters: number) =>
    `Cut: ${characters.toLocaleString("en-US")} characters in all. \`forge show --json\` prints them.`,
};

/** The line that says whether the page is live; the script says these. */
export const LIVE = {
  on: "Live: this page follows what happens.",
  lost: "The connection is lost; this page tries again by itself.",
  ended: "You are signed out. Load this page again.",
};

export const NO_REPOSITORIES =
  "GitHub lists no repository for you on which this Forge is installed. Ask an owner of the repository, or of its organization's Apps.";

export const ANSWERED: Readonly<Record<"approve" | "reject", string>> = {
  approve:
    "Your yes stands on GitHub as a comment of yours. Forge checks there whether you may give it, and answers there.",
  reject:
    "Your no stands on GitHub as a comment of yours. Forge checks there whether you may give it, and answers there.",
};

/** Who may answer a gate. */
export function needs(role: Role): string {
  return `needs ${role === "write" ? "push" : role} permission`;
}

export const DELIVERED: Readonly<Record<"merged" | DeployOutcome, string>> = {
  merged: "merged",
  healthy: "deployed and healthy",
  unwatched: "deployed, watched by nobody",
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
  approve: "Approve",
  reject: "Reject",
  label: (answer: string, gate: string, subject: string) => `${answer} ${gate} of ${subject}`,
  waiting: (gates: number) => `${count(gates, "gate")} ${gates === 1 ? "waits" : "wait"} for a person`,
  more: (gates: number) => `${count(gates, "more gate")}, whose time ends later`,
};

export const FIRST = {
  title: "Overview",
  allFailed: "All failed runs",
  allWaiting: "All waiting and parked runs",
};

/** The page of the process, for operators. */
export const PROCESS = {
  title: "Process",
  queue: "Queue",
  noJobs: "No job is waiting, running or given up.",
  kind: "Job",
  queued: "Waiting",
  running: "Running",
  dead: "Given up",
  oldest: "Oldest that could run",
  workers: "Workers",
  noWorkers: "No worker has a job in hand.",
  worker: "Worker",
  jobs: "Jobs in hand",
  lease: "Lease ends",
  given: "Jobs given up last",
  noGiven: "No job was given up.",
  setup: "Set-up",
  version: "Forge",
  node: "Node.js",
  none: "none",
  table: (what: string) => `${what}, as a table`,
};

/** The page for the person at the machine, where nobody can sign in. */
export const LOCAL = {
  title: "Process",
  signIn:
    "This page shows and changes nothing. Set FORGE_URL, GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET so that people can sign in with GitHub and see what waits for them.",
  closed: {
    title: "This page opens by a link",
    what: "Forge prints the link on the terminal when it starts. It is good once and for an hour. Start Forge again for a new one.",
  },
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

/** After the App was installed (OPS-5). */
export const INSTALLED = {
  title: "Forge is installed",
  of: (name: string) => `Forge in ${name}`,
  choose: "See what Forge found in a repository, and propose settings for it.",
  none: "GitHub lists no repository of this installation for you. Choose repositories in the settings of the installed App.",
  more: (rest: number) => `${rest} more are not listed here.`,
  empty: "The repository is empty, so nothing was found in it.",
  languages: "Languages",
  languageWords: (
    languages: readonly { readonly name: string; readonly files: number; readonly isRead: boolean }[],
  ) => {
    if (languages.length === 0) return "no code in a language that Forge knows, except build output";
    const named = languages.slice(0, 4);
    const unread = named.filter(({ isRead }) => !isRead).map(({ name }) => name);
    const counts = named.map(({ name, files }) => `${name} (${files} ${files === 1 ? "file" : "files"})`).join(", ");
    const rest = languages.length > named.length ? `, ${languages.length - named.length} more` : "";
    return `${counts}${rest}${unread.length === 0 ? "" : `; no static analyzer for ${unread.join(", ")}`}`;
  },
  tests: "Tests",
  testWords: (runner: string, files: number) =>
    `${runner}, ${files === 0 ? "no file is named like a test" : `${files} ${files === 1 ? "file" : "files"}`}`,
  noTests: "no way to run them was found: set tools.test in the file below",
  types: "Types",
  noTypes: "no program that checks them was found",
  cut: "GitHub listed a part of the files only.",
  next: "Next",
  works: "Open a pull request: Forge reviews it. It works without any settings.",
  has: "The repository has a .github/forge.yml, which Forge reads on the default branch. Comment /forge config on a pull request to see what is in force.",
  offer: "This file has what was found, and what is changed most often. Everything else in it is a comment.",
  propose: "Propose .github/forge.yml on GitHub",
  how: "GitHub opens its editor with this file. Choose to create a new branch for the commit and start a pull request.",
  paste:
    "GitHub opens its editor. Paste this file, and choose to create a new branch for the commit and start a pull request.",
};
