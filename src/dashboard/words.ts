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
  unreadable: {
    title: "This form cannot be read",
    what: "Nothing was done. A reason is text without words that begin with dashes, and a number is above 0. Go back and change it.",
  },
  past: {
    title: "The run has moved on",
    what: "This was possible when the page was loaded, and is not now. Nothing was done. Go back and load the page again.",
  },
  notAllowed: (needs: string) => ({
    title: "You may not do this",
    what: `This ${needs} in the repository. Nothing was done.`,
  }),
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
  repositories: "Repositories",
  metrics: "Metrics",
  process: "Process",
  search: "Search runs",
  searchFor: "Number, title, author, run or finding",
  find: "Find",
  signOut: "Sign out",
  toFirst: "To the first page",
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

/** What agents think, on the page of a run. */
export const THINKING = {
  title: "What agents think",
  how: "The last ten steps, the newest first, for people with push permission. Nothing of it is on GitHub.",
  step: (agent: string, step: number) => `${agent}, step ${step}`,
  large: "This step is too large for this page.",
  parts: { thinking: "Thinking", text: "Says", call: "Calls", result: "Result", error: "Error" },
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
  deliveries: "Deliveries of GitHub",
  toDeliveries: "What GitHub delivered, with the result",
  budgets: "Budgets of writes",
  budgetsHow:
    "GitHub lets an installation make so many comments, reviews and issues. Forge waits before it would make more.",
  noWrites: "Forge wrote nothing in the last hour.",
  inHour: "Comments in an hour",
  inMinute: "Comments in a minute",
  anyInMinute: "All writes in a minute",
  paused: "GitHub wants a pause until",
  of: (used: number, most: number) => `${used} of ${most}`,
  limits: "Rate limits of GitHub",
  limitsHow: "As GitHub said them last to this process with its answers; nothing is asked for them.",
  noLimits: "GitHub answered nothing to this process yet.",
  account: "Installation",
  ownAccount: "the App itself",
  installation: (id: number) => `installation ${id}`,
  resource: "Resource",
  remaining: "Left",
  limit: "In an hour",
  reset: "Starts again",
  setup: "Set-up",
  version: "Forge",
  node: "Node.js",
  none: "none",
  table: (what: string) => `${what}, as a table`,
};

/** What GitHub delivered, for operators. */
export const DELIVERIES = {
  title: "Deliveries",
  how: "GitHub tries to deliver each event once. Every five minutes, Forge asks again for what it did not receive in the last three days. Here you can ask at once, and have Forge handle again what it gave up on.",
  notListed: (why: string) => `GitHub does not list what it delivered: ${why} Here is what Forge received.`,
  failed: "Not received, or given up",
  noneFailed: "Forge has received and handled everything in this list.",
  latest: "Latest",
  none: "Nothing was delivered yet.",
  heads: ["Event", "When", "Answer", "Result", "Again", "Delivery"],
  noAnswer: "none",
  notAmongLatest: "not in GitHub's last 100",
  tries: (tries: number) => `, ${tries} tries`,
  notHere: "not received",
  states: { received: "waits, or is at work", handled: "handled", ignored: "ignored", failed: "given up" },
  buttons: { process: "Handle again", deliver: "Deliver again" },
  label: (button: string, event: string, guid: string) => `${button}: ${event} ${guid}`,
  here: {
    title: "Nothing to do",
    what: "Forge has this delivery: it was handled, was ignored, or is at work. Delivering it again would change nothing.",
  },
  refused: (why: string) => ({
    title: "GitHub does not deliver it again",
    what: `GitHub says: ${why} Nothing was done.`,
  }),
};

/** The page for the person at the machine, where nobody can sign in. */
export const LOCAL = {
  title: "Process",
  signIn:
    "This page shows and changes nothing. Set FORGE_URL, GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET so that people can sign in with GitHub and see what waits for them.",
  closed: {
    title: "This page opens by a link",
    what: "Forge runs here: it reviews pull requests and implements issues on GitHub, whose webhooks go to /api/github/webhooks. This page is for people at this machine. Forge prints its link on the terminal when it starts; a link is good once and for an hour. Start Forge again for a new one.",
  },
};

/** After the App was installed (OPS-5). */
export const INSTALLED = {
  title: "Forge is installed",
  of: (name: string) => `Forge in ${name}`,
  choose: "See what Forge found in a repository, and propose settings for it.",
  none: "GitHub lists no repository of this installation for you. Choose repositories in the settings of the installed App.",
  more: (rest: number) => `${rest} more are not listed here.`,
  empty: "The repository is empty, so nothing was found in it.",
  languages: "Languages",
  tests: "Tests",
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
