import { CHECK, TALLY } from "../../github.ts";
import { wrapPlain } from "../../inline.ts";
import type { Screen } from "../../screen.ts";
import { type Check, checkLine } from "../../show.ts";
import type { Stage } from "../../stage.ts";
import type { Telling } from "../../telling.ts";
import type { IssueAt } from "../issue.ts";
import { commitsBetween, fileAt, pullOf } from "../look.ts";
import { showCommand } from "../show.ts";
import { waitFor, waitingGate } from "../wait.ts";

/** Approved, built, and reviewed by the same Forge that reviews everybody else's changes: it finds a fault in its own first attempt. */
export async function foundByReview({ stage, screen, expectations, told }: Telling, issue: IssueAt): Promise<void> {
  const { github, model } = stage;
  const { expect } = expectations;
  const found =
    model.kind === "scripted"
      ? "Forge builds it, reviews its own work, and finds a fault in it"
      : "Forge builds it, and reviews its own work";
  screen.step(`mia approves the plan; ${found}`);
  const gate = waitingGate(stage, issue) ?? "G-1";
  showCommand(screen, "mia", "on the issue", `/forge approve ${gate}`);
  const { id } = github.comment(TALLY, issue.number, { by: "mia", body: `/forge approve ${gate}` });

  const { pull, check } = await waitFor(stage, screen, issue, "the first attempt is reviewed", () => {
    const opened = pullOf(stage, issue);
    const done = opened?.allCheckRuns.filter(({ name, status }) => name === CHECK && status === "completed");
    // One that was set aside is tried again.
    const first = done?.find(({ title }) => !stage.chaos || !title?.startsWith("Not reviewed: Forge ended"));
    return opened && first ? { pull: opened, check: first } : undefined;
  });
  told.pull = pull.number;
  told.branch = pull.headRef;
  const commits = await commitsBetween(stage, TALLY, { base: pull.baseSha, head: check.headSha });
  screen.say(`Forge opens #${pull.number} ${pull.title}, a draft, from ${pull.headRef}:`);
  screen.say(...commits.map((commit) => `  ${commit}`), "");
  screen.say(checkLine(check, screen), "");
  for (const annotation of blocking(check)) await showAnnotation(stage, screen, check.headSha, annotation);
  const reactions = github.issue(TALLY, issue.number).comments.find((comment) => comment.id === id)?.reactions ?? [];
  const reacted = reactions.map(({ content }) => content);
  expect("the approval was taken and done", reacted, ["eyes", "rocket"]);
  expect("the branch is named after the issue", pull.headRef.startsWith(`forge/${issue.number}-`), true);
  if (model.kind === "given") {
    screen.say("What a model of yours builds, and whether the review finds something in it, nobody knows before.");
    return;
  }
  screen.say("Nobody is disturbed by it: what Forge finds in its own work goes back into the work.");
  const FIRST = ["feat: read a sum as an amount", "docs: say how a sum is written"];
  expect("there is a commit for each task", commits.map(withoutSha), FIRST);
  expect("the review of the first attempt fails", check.conclusion, "failure");
  expect("it says where, and by which rule", blocking(check).map(placeOf), ["src/amount.js:5 noGlobalEval"]);
  expect("no comment is made about it", pull.reviewComments, []);
}

type Annotation = Check["annotations"][number];

function blocking({ annotations }: Check): Annotation[] {
  return annotations.filter(({ annotation_level: level }) => level === "failure");
}

function placeOf({ path, start_line: line, message }: Annotation): string {
  return `${path}:${line} ${/\brule (\w+)/.exec(message)?.[1]}`;
}

/** As the list of changed files has it. */
async function showAnnotation(stage: Stage, screen: Screen, head: string, annotation: Annotation): Promise<void> {
  const { path, start_line: line, message } = annotation;
  const code = (await fileAt(stage, TALLY, head, path))[line - 1] ?? "";
  const gutter = " ".repeat(String(line).length);
  const { paint, width } = screen;
  screen.say(
    paint("bold", `${path}:${line}`),
    `${paint("dim", `${line} │`)} ${paint("yellow", code)}`,
    ...message
      .split("\n")
      .flatMap((text) => wrapPlain(text, width - gutter.length - 3, ""))
      .map((text) => `${gutter} ${paint("dim", "│")} ${text}`),
    "",
  );
}

export function withoutSha(commit: string): string {
  return commit.slice(commit.indexOf(" ") + 1);
}
