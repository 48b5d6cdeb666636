import type { Yielded } from "./values.ts";

/** Names below `github.event` whose values strangers choose: titles, bodies, branch names, messages. */
const CHOSEN = new Set(["title", "body", "message", "head_ref", "head_branch", "page_name", "display_title"]);

/** The same, where the name before is this one: branches and descriptions of a fork, names and addresses of authors. */
const CHOSEN_OF: Readonly<Record<string, readonly string[]>> = {
  head: ["ref", "label"],
  repo: ["default_branch", "description", "homepage"],
  head_repository: ["default_branch", "description"],
  forkee: ["default_branch", "description", "homepage"],
  author: ["name", "email"],
  committer: ["name", "email"],
};

/** Objects below `github.event` that have such values in them. */
const HOLDING = new Set([
  ...["issue", "pull_request", "comment", "review", "discussion", "answer", "release", "changes", "pages"],
  ...[
    "head_commit",
    "commits",
    "workflow_run",
    "check_run",
    "check_suite",
    "head",
    "head_repository",
    "forkee",
    "repo",
    "author",
    "committer",
  ],
]);

/** Whether strangers choose the text that an expression yields there, or part of it. */
export function isUntrusted({ path, whole }: Yielded): boolean {
  const [context, first, ...below] = path;
  if (context !== "github" && context !== "*") return false;
  if (first === undefined) return whole;
  if (first === "head_ref" || (first === "*" && below.length === 0)) return true;
  if (first !== "event" && first !== "*") return false;
  if (below.some((name, at) => isChosen(name, below, at))) return true;
  // An object that is not written out by `toJSON` becomes the word `Object`.
  return whole && below.every(canHold);
}

function canHold(name: string): boolean {
  return name === "*" || HOLDING.has(name);
}

function isChosen(name: string, path: readonly string[], at: number): boolean {
  if (CHOSEN.has(name)) return true;
  const before = path[at - 1] ?? "";
  // A name that is computed can be each of them.
  if (name === "*" && at === path.length - 1)
    return before === "*" ? path.every(canHold) : HOLDING.has(before) && !LISTS.has(before);
  if (before === "repo" && path[at - 2] !== "head") return false;
  return Object.hasOwn(CHOSEN_OF, before) && CHOSEN_OF[before]!.includes(name);
}

/** What is numbered, and not named. */
const LISTS = new Set(["commits", "pages"]);

/** Whether a path leads to the code of a pull request: its branch, its commit, its number. */
export function isHead({ path: [context, first, second = "", third = ""] }: Yielded): boolean {
  if (context !== "github") return false;
  if (first === "head_ref") return true;
  if (first !== "event") return false;
  if (second === "pull_request") return ["head", "number", "merge_commit_sha"].includes(third);
  if (second === "workflow_run") return third.startsWith("head_") || third === "pull_requests";
  return second === "issue" || second === "number";
}

/** As it is shown: `github.event.issue.title`, `toJSON(github.event)`. */
export function pathText({ path, whole }: Yielded): string {
  const text = path.join(".");
  return whole ? `toJSON(${text})` : text;
}
