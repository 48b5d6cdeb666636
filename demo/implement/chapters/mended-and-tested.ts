import { StoryFailed } from "../../expect.ts";
import { CHECK, TALLY } from "../../github.ts";
import { renderMarkdown } from "../../markdown.ts";
import { checkLine, mergeBox, type PullRequest } from "../../show.ts";
import type { Telling } from "../../telling.ts";
import type { IssueAt } from "../issue.ts";
import { commitsBetween, issueOf } from "../look.ts";
import { showCommand, showText } from "../show.ts";
import { readyPull, waitFor, waitingGate } from "../wait.ts";
import { withoutSha } from "./found-by-review.ts";

const TESTS = "forge/tests";

/** The finding went back to the implementer; its second attempt passes the review, and its tests pass in the sandbox. */
export async function mendedAndTested(telling: Telling, issue: IssueAt): Promise<void> {
  const { stage, screen, expectations, told } = telling;
  const { expect } = expectations;
  const back = stage.model.kind === "scripted" ? "The finding goes back" : "What the review finds goes back";
  screen.step(`${back} until it is fixed; the tests are run, and the pull request is ready`);
  const pull = await waitUntilReady(telling, issue);
  const commits = await commitsBetween(stage, issue.repository, { base: pull.baseSha, head: pull.headSha });
  told.sandbox = pull.checkRuns.find(({ name }) => name === TESTS)?.conclusion === "success";
  screen.say(...commits.map((commit) => `  ${commit}`), "");
  await showChecks(telling, issue.repository, pull);
  showText(screen, `#${pull.number} ${pull.title}`, pull.body ?? "");
  showText(screen, "The status comment on the issue, the only one, always up to date:", issueOf(stage, issue).status);
  const conclusions = new Map(pull.checkRuns.map(({ name, conclusion }) => [name, conclusion]));
  expect("the pull request closes the issue", pull.body?.startsWith(`Closes #${issue.number}.`), true);
  expect("merging is possible", (await stage.github.mergeability(TALLY, pull.number)).mergeable, true);
  expect("the head was reviewed", ["success", "neutral"].includes(conclusions.get(CHECK) ?? ""), true);
  if (stage.model.kind === "given") return;
  expect("the review of the second attempt succeeds", conclusions.get(CHECK), "success");
  expect("the error was fixed in a commit of its own", commits.map(withoutSha).slice(2), [
    "fix: read the parts of a sum instead of running them",
  ]);
  if (told.sandbox) expect("the tests were run", /tests? passed/.test(pull.body ?? ""), true);
}

/** Questions that mia answers with yes, at most; another model may need more than that. */
const MOST_APPROVALS = 5;

/**
 * Where there is no sandbox nothing of the project is run: the pull request waits for a person who says that this is fine. So it does with
 * whatever another model does not get done.
 */
export async function waitUntilReady(
  { stage, screen }: Telling,
  issue: IssueAt,
  before?: string,
): Promise<PullRequest> {
  const answered: string[] = [];
  const look = () => {
    const gate = waitingGate(stage, issue);
    return readyPull(stage, issue, before) ?? (gate !== undefined && !answered.includes(gate) ? gate : undefined);
  };
  for (;;) {
    const seen = await waitFor(stage, screen, issue, "the pull request is ready", look);
    if (typeof seen !== "string") return seen;
    if (answered.length === MOST_APPROVALS) throw new StoryFailed("there are too many questions to mia");
    answered.push(seen);
    const [first = ""] = issueOf(stage, issue).status.split("\n");
    screen.say(...renderMarkdown(first, screen), "");
    showCommand(screen, "mia", "on the issue", `/forge approve ${seen}`);
    stage.github.comment(issue.repository, issue.number, { by: "mia", body: `/forge approve ${seen}` });
  }
}

/** The two lines in the list of checks, what the tests came to, and the box at the end. */
export async function showChecks({ stage, screen }: Telling, repository: string, pull: PullRequest): Promise<void> {
  for (const check of pull.checkRuns) screen.say(checkLine(check, screen));
  const { summary = "" } = pull.checkRuns.find(({ name }) => name === TESTS) ?? {};
  // Its title has the result, these say of what.
  const more = (summary ?? "").split("\n\n").filter((paragraph) => /^(?:\*\*)?(?:Ran|Not tested)\b/.test(paragraph));
  for (const paragraph of more) screen.say("", ...renderMarkdown(paragraph, screen));
  screen.say("", mergeBox(await stage.github.mergeability(repository, pull.number), screen), "");
}
