import type { RunLimit } from "../../src/domain/command-arguments.ts";
import type { Command } from "../../src/domain/commands.ts";
import { isOpenGate } from "../../src/domain/gates.ts";
import type { IssueCommandGiven } from "../../src/domain/inputs.ts";
import type { Subject } from "../../src/domain/subjects.ts";
import type { Implementation } from "../../src/pipeline/implement/implementation.ts";
import { restorePointOf } from "../../src/pipeline/implement/restore-point.ts";
import { ANA, actorOf, BASE, BEN, EVE, ISSUE, PEOPLE, type Person, SNAPSHOT } from "./cast.ts";
import type { Pull } from "./github.ts";
import type { Held, Work } from "./queue.ts";
import type { World } from "./world.ts";

/** A command line as somebody writes it in a comment on the issue, or on the pull request of the work. */
export interface Said {
  readonly by: Person;
  readonly command: Command;
  readonly id: number;
  readonly label: boolean;
  readonly givenOn?: Subject;
}

/** Somebody does something: what people may do at all, wherever the work stands. */
export function somebodyActs(world: World): void {
  const { random, github } = world;
  const run = world.latest;
  const pull = [...github.pulls.values()].findLast(({ open }) => open);
  const branch = pull?.branch;
  const act = random.weigh<() => void>([
    [14, () => command(world, run)],
    [branch ? 3 : 0, () => pushTo(world, branch!)],
    [pull ? 4 : 0, () => requestChanges(world, pull!.number)],
    [pull && !pull.draft ? 0.7 : 0, () => endPull(world, pull!.number, true)],
    [pull ? 0.1 : 0, () => endPull(world, pull!.number, false)],
    [pull?.draft ? 0.1 : 0, () => finishDraft(pull!)],
    [github.issue.open ? 0.05 : 1, () => turnIssue(world)],
    [github.issue.labelled ? 0.05 : 0, () => unlabel(world)],
    [branch ? 0.1 : 0, () => deleteBranch(world, branch!)],
    [0.3, () => deleteComment(world)],
  ]);
  act?.();
}

/** Somebody asks for the work, by a command or by the label. */
export function ask(world: World, label: boolean): void {
  say(world, { by: ANA, command: { name: "implement" }, label });
}

/** Somebody who means well has the run go on: the one who may say yes, and is not who asked for it. */
export function helpOn(world: World, run: Implementation): void {
  const limit = run.stopped?.limit;
  if (run.stopped && limit) {
    const amount = limit === "usd" ? 5 : 10;
    say(world, { by: BEN, command: { name: "extend", limit, amount }, label: false });
    return;
  }
  const gate = run.gates.find(isOpenGate);
  const name: Command = gate
    ? gate.question.type === "question"
      ? { name: "answer", text: "it is so" }
      : { name: "approve", gate: gate.gate }
    : run.stopped
      ? world.random.chance(0.7)
        ? { name: "resume" }
        : { name: "retry" }
      : { name: "retry" };
  say(world, { by: gate && run.requestedBy.id === BEN.id ? ANA : BEN, command: name, label: false });
}

function command(world: World, run: Implementation | undefined): void {
  const { random } = world;
  const by = random.pick<Person>([...PEOPLE, ANA, ANA, BEN, BEN]);
  const gates = run?.gates ?? [];
  const open = gates.filter(isOpenGate);
  const target = random.chance(0.8) ? open.at(-1) : gates.at(random.between(0, Math.max(0, gates.length - 1)));
  const gate = random.chance(0.7) && target ? { gate: target.gate } : {};
  const note = random.chance(0.3) ? { note: `do it like this ${world.ids()}` } : {};
  const words = random.chance(0.4) ? { instructions: `mind the tests ${world.ids()}` } : {};
  const phase = random.pick(["planning", "implementation", "review", "testing"] as const);
  const back = random.chance(0.3) ? { checkpoint: random.between(1, (run?.version ?? 0) + 1) } : { phase };
  const again = random.chance(0.5) ? {} : back;
  const waits = open.length > 0;
  const stopped = run?.stopped !== undefined || run?.end?.is === "failed";
  const made = random.weigh<Command>([
    [waits ? 20 : 1, { name: "approve", ...gate, ...note }],
    [waits ? 1 : 0.5, { name: "reject", ...gate, ...note }],
    [waits ? 3 : 0.5, { name: "answer", text: "it is so" }],
    [0.7, { name: "stop" }],
    [stopped ? 6 : 1, { name: "resume", ...words }],
    [stopped ? 4 : 1, { name: "retry", ...again }],
    [stopped ? 4 : 1, { name: "extend", limit: random.pick<RunLimit>(["usd", "iterations", "minutes"]), amount: 5 }],
    [run?.pull ? 1 : 0.2, { name: "fix", findings: [] }],
    [run?.pull ? 1 : 0.2, { name: "test" }],
    [run?.end ? 3 : 0.3, { name: "implement", ...words }],
    [0.4, { name: "plan" }],
    [0.2, { name: world.ledger.facts.pause ? "unpause" : "pause", repository: false }],
    [0.3, { name: "status" }],
  ])!;
  const givenOn =
    run?.pull && random.chance(0.3)
      ? { givenOn: { ...ISSUE, kind: "pull_request" as const, number: run.pull.number } }
      : {};
  say(world, { by, command: made, label: false, ...givenOn });
  // Two people at once.
  if (waits && random.chance(0.2)) say(world, { by: BEN, command: { name: "reject", ...gate }, label: false });
}

function say(world: World, said: Omit<Said, "id">): void {
  world.hear({ is: "comment", said: { ...said, id: world.github.id() } });
}

function pushTo(world: World, branch: string): void {
  const { github, random } = world;
  const by = random.pick<Person>([ANA, BEN, ...PEOPLE.slice(2, 3)]);
  const headSha = github.commit(by.login, [github.branches.get(branch) ?? BASE]);
  github.branches.set(branch, headSha);
  world.hear({ is: "moved", by, headSha });
  world.ciSoon(branch, headSha);
}

function finishDraft(pull: Pull): void {
  pull.draft = false;
}

function requestChanges(world: World, _pull: number): void {
  const by = world.random.pick<Person>([ANA, BEN, EVE]);
  world.hear({ is: "signal", signal: { from: "person", reviewId: world.github.id(), by: actorOf(by) } });
}

function endPull(world: World, number: number, merged: boolean): void {
  const { github, random } = world;
  const pull = github.pulls.get(number)!;
  pull.open = false;
  pull.merged = merged;
  const by = random.pick<Person>([ANA, BEN]);
  world.hear({ is: "pull_ended", by, merged });
  if (!merged) return;
  github.issue.open = false;
  world.hear({ is: "issue_ended", by, reason: "issue_closed" });
}

function turnIssue(world: World): void {
  const { issue } = world.github;
  issue.open = !issue.open;
  if (!issue.open) world.hear({ is: "issue_ended", by: BEN, reason: "issue_closed" });
}

function unlabel(world: World): void {
  world.github.issue.labelled = false;
  world.hear({ is: "issue_ended", by: BEN, reason: "label_removed" });
}

function deleteBranch(world: World, branch: string): void {
  const { github } = world;
  github.branches.delete(branch);
  const pull = github.openPullOf(branch);
  if (pull) endPull(world, pull.number, false);
}

function deleteComment({ github, random }: World): void {
  const all = [...github.comments.keys()];
  if (all.length > 0) github.comments.delete(all[random.between(0, all.length - 1)]!);
}

/** What the job of a comment does: each command is an input of its own. */
export function* carryOut(world: World, held: Held, said: Said): Work {
  const { github, ledger, ids } = world;
  const { by, command: meant, id, label, givenOn } = said;
  yield;
  const pull = [...github.pulls.values()].at(-1);
  const headSha = pull && github.branches.get(pull.branch);
  const ends = { headRef: pull?.branch ?? "", headRepositoryId: 11, baseSha: BASE, baseRef: "main" };
  const starts = meant.name === "implement" || meant.name === "plan";
  const input: IssueCommandGiven = {
    type: "command.given",
    subject: ISSUE,
    at: world.iso(),
    newRunId: `run-${ids()}`,
    source: { kind: label ? "label" : "issue_comment", id: String(id) },
    index: 0,
    by: actorOf(by),
    ...(world.mind.bad(0.02) ? {} : { role: by.role }),
    parsed: { command: meant },
    alone: true,
    plain: false,
    issue: { open: github.issue.open, ...(starts ? { snapshot: SNAPSHOT } : {}) },
    ...(pull && headSha !== undefined
      ? { pull: { number: pull.number, open: pull.open, title: "Limit logins", ends: { ...ends, headSha } } }
      : {}),
    ...(givenOn === undefined ? {} : { givenOn }),
    ...restoreOf(world, meant),
  };
  // What was read may be of before by now.
  yield;
  ledger.submit(input, held.fence);
  return undefined;
}

function restoreOf({ ledger, latest }: World, command: Command): Pick<IssueCommandGiven, "restore"> {
  if (command.name !== "retry" || command.checkpoint === undefined) return {};
  if (!latest) return { restore: { notRestorable: "no work was begun" } };
  return { restore: restorePointOf(ledger.events.get(latest.runId) ?? [], command.checkpoint) };
}
