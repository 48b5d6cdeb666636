import { execFileSync } from "node:child_process";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { deleteInstallation } from "../../src/store/delete-installation.ts";
import { until } from "../until.ts";
import { openPull } from "./pulls.ts";
import { createTalkingWorld, DONE, fresh, REFUSED, talkIn } from "./talk.ts";
import type { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await createTalkingWorld();
});
afterEach(async () => {
  world.github.faults.clear();
  await world.expectGoodManners();
});
afterAll(() => world.end());

const { view, reviewed, say, outcome, summary, conclusion } = talkIn(() => world);

/** Two findings with a suggested fix, of which the first takes a line away, and one without. */
const FIXABLE = `export function start(): number {
  debugger;
  return 1;
}
export function isLoud(text: string): boolean {
  return text.toUpperCase() === "loud";
}
export function same(a: number): boolean {
  return a === a;
}
`;
const FIXED = FIXABLE.replace("  debugger;\n", "").replace('"loud"', '"LOUD"');
const PUSH = { operation: "git:push", method: "POST" } as const;

/** A pull request with that file, and the ids of its findings by what they are about. */
async function opened(more = {}) {
  const path = `src/${fresh("fix")}`;
  const pull = await reviewed({ [path]: FIXABLE }, more);
  const idOf = (rule: string) => {
    const { body } = view(pull.number).reviewComments.find((comment) => comment.body.includes(rule))!;
    return /F-[0-9A-Z]{4,8}/.exec(body)![0];
  };
  const ids = { line: idOf("noDebugger"), loud: idOf("noStringCaseMismatch"), same: idOf("noSelfCompare") };
  return { ...pull, path, ids };
}

const git = (...args: string[]) =>
  execFileSync("git", ["--git-dir", world.github.gitDirectory("acme/shop"), ...args], { encoding: "utf8" });
const subjects = (branch: string) => git("log", "--format=%an: %s", `main..${branch}`).trim().split("\n");
const text = (branch: string, path: string) => git("show", `${branch}:${path}`);
const head = (branch: string) => git("rev-parse", branch).trim();

describe("/forge fix on a pull request of people", () => {
  it("GH-14: commits all suggested fixes at once for whoever asked, and the check of the new head closes their findings", async () => {
    const { number, branch, path, ids } = await opened();
    const before = head(branch);
    const { reactions, answers } = await say(number, "/forge fix");
    expect(reactions).toEqual(DONE);
    const both = [ids.line, ids.loud];
    const sha = head(branch).slice(0, 7);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatch(
      new RegExp(
        `^\\*\\*Applied\\*\\* in \`${sha}\`: \`F-\\w+\`, \`F-\\w+\`\\.\n\`git pull\` brings it to a clone; the check of the new head says what is left\\.$`,
      ),
    );
    for (const id of both) expect(answers[0]).toContain(id);
    expect(text(branch, path)).toBe(FIXED);
    expect(git("rev-parse", `${branch}^`).trim()).toBe(before);
    expect(subjects(branch)).toEqual(["forge[bot]: fix: apply 2 suggested fixes of Forge", "ana: Change"]);
    expect(git("log", "-1", "--format=%(trailers:key=Co-authored-by,valueonly)", branch).trim()).toMatch(
      /^ben <\d+\+ben@users\.noreply\.github\.com>$/,
    );
    expect(view(number).checkRuns.map(({ headSha }) => headSha)).toEqual([head(branch)]);
    expect(summary(number)).toContain("**Since the last review**: 2 fixed.");
    const resolved = view(number).reviewComments.filter((one) => one.inReplyTo === null && one.threadResolved);
    expect(resolved.map(({ body }) => /F-[0-9A-Z]{4,8}/.exec(body)![0]).sort()).toEqual(both.sort());
    expect(conclusion(number)).toBe("failure");
    expect((await say(number, "/forge fix")).answers).toEqual(["No open finding here has a fix that can be applied."]);
  });

  it("fixes what is named, also in its own thread, and finds the rest where lines went away above it", async () => {
    const { number, branch, path, ids } = await opened();
    expect((await say(number, `/forge fix ${ids.line}`)).reactions).toEqual(DONE);
    expect(text(branch, path)).toBe(FIXABLE.replace("  debugger;\n", ""));
    expect((await say(number, `/forge fix ${ids.line}`)).answers).toEqual([
      `\`${ids.line}\` is no longer open, so there is nothing to fix.`,
    ]);
    expect((await say(number, `/forge fix ${ids.same}`)).answers).toEqual([
      `There is no fix that can be applied for \`${ids.same}\`.`,
    ]);
    expect((await say(number, "/forge fix F-0000")).answers[0]).toMatch(/^No finding `F-0000` here\./);
    const thread = view(number).reviewComments.find(({ body }) => body.includes("noStringCaseMismatch"))!;
    world.github.replyToReviewComment("acme/shop", number, thread.id, { by: "ben", body: "/forge fix" });
    await world.settled();
    expect(text(branch, path)).toBe(FIXED);
    expect(subjects(branch)).toHaveLength(3);
    const said = view(number).reviewComments.filter(({ inReplyTo }) => inReplyTo === thread.id);
    expect(said.map(({ body }) => body.split("\n<!--")[0])).toContainEqual(
      expect.stringMatching(/^\*\*Applied\*\* in/),
    );
  });
});

describe("GH-13: whatever goes wrong, there is one commit and one answer", () => {
  it("when Forge stops between the push and the answer, and the comment is delivered once more", async () => {
    const { number, branch, path } = await opened();
    const fault = world.github.faults.add({ kind: "lostResponse", match: PUSH, times: 1 });
    const { id } = world.github.comment("acme/shop", number, { by: "ben", body: "/forge fix" });
    await until(() => fault.hits === 1);
    await world.stop();
    expect(subjects(branch)).toHaveLength(2);
    await world.start();
    const [delivery] = world.github.deliveries.filter(({ event }) => event === "issue_comment").slice(-1);
    world.github.redeliver(delivery!.id);
    const { reactions, answers } = await outcome(number, [id]);
    expect(reactions).toEqual([DONE]);
    expect(answers).toHaveLength(1);
    expect(subjects(branch)).toHaveLength(2);
    expect(text(branch, path)).toBe(FIXED);
    expect(summary(number)).toContain("2 fixed");
  });

  it("when somebody pushed meanwhile: their commit stays and nothing is added", async () => {
    const { number, branch } = await opened();
    const fault = world.github.faults.add({ kind: "status", status: 502, match: PUSH, times: 1 });
    const { id } = world.github.comment("acme/shop", number, { by: "ben", body: "/forge fix" });
    await until(() => fault.hits === 1);
    const files = { [fresh("more")]: "export const more = 1;\n" };
    await world.github.commit("acme/shop", branch, { files, message: "Meanwhile", author: "ana" });
    const theirs = head(branch);
    const { reactions, answers } = await outcome(number, [id]);
    expect(reactions).toEqual([REFUSED]);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatch(
      /^The branch has moved: the fixes were for `\w{7}`, and it is at `\w{7}` now\. What is still open there: `\/forge fix`$/,
    );
    expect(head(branch)).toBe(theirs);
  });
});

describe("where Forge does not push", () => {
  it("GH-8c: a fork, whose author can take the suggestions", async () => {
    await world.github.fork("acme/shop", "read-er");
    const { number } = await opened({ by: "read-er", fork: "read-er" });
    const { reactions, answers } = await say(number, "/forge fix");
    expect(reactions).toEqual(REFUSED);
    expect(answers).toEqual([
      "The branch is in a fork, where Forge cannot push. Its author can commit the suggestions in the comments.",
    ]);
  });

  it("a protected branch, the default branch, a closed pull request, and by whom may not push", async () => {
    const one = await opened();
    expect((await say(one.number, "/forge fix", "triage-er")).answers).toEqual([
      "`fix` needs push permission here; `triage-er` has triage.",
    ]);
    world.github.protectBranch("acme/shop", one.branch, {});
    expect((await say(one.number, "/forge fix")).answers[0]).toMatch(
      /^The branch is protected, so Forge does not push/,
    );
    world.github.closePullRequest("acme/shop", one.number, "ana");
    expect((await say(one.number, "/forge fix")).answers).toEqual([
      "The pull request is closed, so nothing is committed to its branch.",
    ]);
    await world.github.commit("acme/shop", "release", { files: {}, message: "Release", author: "ana", from: "main" });
    const main = await openPull(
      world,
      { "src/on-main.ts": FIXABLE },
      { branch: "main", base: "release", from: "main" },
    );
    await world.settled();
    const before = head("main");
    expect((await say(main.number, "/forge fix")).answers[0]).toMatch(/^The branch is the default branch/);
    expect(head("main")).toBe(before);
  });
});

it("DATA-2: what is kept of the commits goes with the installation", async () => {
  const { store } = world.forge!;
  const kept = () => store.read.all(sql`select trace_id from work_trees where trace_id like 'fix:%'`);
  expect(await kept()).not.toEqual([]);
  await deleteInstallation(store, world.installation.id);
  expect(await kept()).toEqual([]);
});
