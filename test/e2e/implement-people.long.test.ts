import { afterEach, describe, expect, it } from "vitest";
import { createIdMaker } from "../../src/domain/ids.ts";
import { giveUpReview } from "../../src/pipeline/review/work/run-review.ts";
import { listRunsOfSubject } from "../../src/store/runs/read-runs.ts";
import { boxed } from "../needs/sandbox.ts";
import { calls, FORMATTED, handIn, idsIn, PLAN, plainMind, roleOf, SHOP, turnsSoFar, write } from "./implementer.ts";
import { ALWAYS_ASK, createIssueWorld, type IssueWorld, type Mind, REPOSITORY, whenFirstAsked } from "./issue-world.ts";

let at: IssueWorld;
afterEach(async () => {
  await at.expectGoodManners();
  await at.end();
});

/** Without tests all is sooner over. */
const FILES = { "src/price.js": SHOP["src/price.js"] };
const BRANCH = "forge/1-show-prices-with-two-digits";
const FREE = "export function price(cents) {\n  return 'free';\n}\n";
const ROLE_OF = {
  kind: "status",
  status: 502,
  match: { operation: "repos/get-collaborator-permission-level" },
} as const;

describe("whoever stops what was begun", () => {
  boxed(
    "GH-1, IMPL-1: nothing of work is pushed whose label goes while it is written; begun anew it leaves an earlier branch alone",
    async () => {
      const takeOff = () => at.github.removeLabel(REPOSITORY, at.issue, "forge:implement", "ana");
      at = await createIssueWorld(whenFirstAsked("implementer", takeOff, plainMind), { files: FILES });
      await at.label();
      expect(at.said()[0]).toMatch(
        /^\*\*Cancelled: the label was taken off by `ana`\.\*\* Nothing was committed\. To start again: `\/forge implement`\./,
      );
      expect(() => at.pull()).toThrow();
      await at.label();
      await at.github.closePullRequest(REPOSITORY, 2, "ana");
      await at.world.settled();
      expect(at.said()[2]).toMatch(
        /^\*\*Cancelled: pull request #2 was closed by `ana`\.\*\* 1 of 1 task is done; all of it \(1 commit\) is on #2\. To start again: `\/forge implement`\./,
      );
      await at.say("/forge implement", "ben");
      const again = at.github.pullRequest(REPOSITORY, 3);
      expect(again).toMatchObject({ state: "open", draft: false, headRef: `${BRANCH}-2`, baseSha: at.pull().baseSha });
      expect(at.pull()).toMatchObject({ state: "closed", headRef: BRANCH });
      at.github.closeIssue(REPOSITORY, at.issue, "ana");
      await at.world.settled();
      expect(at.said()[4]).toMatch(
        /^\*\*Cancelled: the issue was closed[^*]*\.\*\* .* is on #3\. To start again: reopen the issue, then/,
      );
      expect(again.state).toBe("open");
    },
  );

  it("GH-1: an issue that is closed while it is planned is not worked on", async () => {
    const close = () => at.github.closeIssue(REPOSITORY, at.issue, "ana");
    at = await createIssueWorld(whenFirstAsked("planner", close, plainMind), { files: FILES });
    await at.label();
    expect(at.said()[0]).toMatch(/^\*\*Cancelled: the issue was closed by `ana`\.\*\* Nothing was committed\./);
    expect(at.model.asked.map(roleOf)).not.toContain("implementer");
    await at.say("/forge implement", "ben");
    expect(at.said().at(-1)).toBe("The issue is closed. It can be worked on when it is reopened.");
  });
});

/** Works on what a review asks for; a person pushes to the branch meanwhile. */
function pushedMeanwhile(files: Readonly<Record<string, string>>): Mind {
  const push = () => at.github.commit(REPOSITORY, BRANCH, { files, message: "More", author: "ana", from: BRANCH });
  return whenFirstAsked("feedback", push, (asked) => {
    if (roleOf(asked) !== "feedback") return plainMind(asked);
    if (turnsSoFar(asked) === 0) return calls(write("src/price.js", FORMATTED.replace("cents / 100", "+cents / 100")));
    const answers = idsIn(asked, /\b[CR]\d+(?=:)/g).map((id) => ({ id, done: true, answer: "Texts are numbers now." }));
    return handIn("take texts too", { answers });
  });
}

async function askForChanges() {
  const comments = [{ path: "src/price.js", line: 2, body: "Cents may come as a text." }];
  await at.github.submitReview(REPOSITORY, 2, { by: "ana", event: "REQUEST_CHANGES", comments });
  await at.world.settled();
}

describe("a person on Forge's branch", () => {
  boxed(
    "PIPE-8, GH-6: what they push while the implementer works and what it does both stay, and what was asked is answered",
    async () => {
      at = await createIssueWorld(pushedMeanwhile({ "src/more.js": "export const more = 1;\n" }), { files: FILES });
      await at.label();
      await askForChanges();
      const pull = at.pull();
      expect(pull).toMatchObject({ draft: false, state: "open" });
      expect(await at.read(pull.headSha, "src/more.js")).toContain("more = 1");
      expect(await at.read(pull.headSha, "src/price.js")).toContain("+cents / 100");
      expect(pull.reviewComments.map(({ body }) => body).join("\n")).toContain("Texts are numbers now.");
      expect(pull.checkRuns.find(({ name }) => name === "forge/review")?.conclusion).toBe("success");
    },
  );

  boxed(
    "PIPE-8: what does not agree is not forced: the work stands still, says so, and goes on when they took it back",
    async () => {
      at = await createIssueWorld(pushedMeanwhile({ "src/price.js": FREE }), { files: FILES });
      await at.label();
      await askForChanges();
      expect(at.said()[0]).toContain(
        `**Stopped: somebody pushed to \`${BRANCH}\` meanwhile, and that does not merge with the work in \`src/price.js\`: change it there so that both agree, or take it back.**`,
      );
      expect(at.said()[0]).toContain(
        "of 2 commits the newest is not pushed yet, the rest is on #2. Go on with `/forge resume`",
      );
      expect(await at.read(at.pull().headSha, "src/price.js")).toBe(FREE);
      const files = { "src/price.js": FORMATTED };
      await at.github.commit(REPOSITORY, BRANCH, { files, message: "Take it back", author: "ana", from: BRANCH });
      await at.world.settled();
      await at.say("/forge resume");
      expect(at.said()[0]).toMatch(/^\*\*Ready\*\*/);
      expect(await at.read(at.pull().headSha, "src/price.js")).toContain("+cents / 100");
    },
  );

  boxed(
    "GH-7: a base that moved is said with its files; a protected branch with what has to be done, and both go on",
    async () => {
      const move = () =>
        at.github.commit(REPOSITORY, "main", { files: { "src/price.js": FREE }, message: "Free", author: "ana" });
      at = await createIssueWorld(whenFirstAsked("implementer", move, plainMind), { files: FILES });
      at.github.protectBranch(REPOSITORY, BRANCH, { requiresPull: true });
      await at.label();
      expect(at.said()[0]).toMatch(
        /^\*\*Stopped: GitHub refused the push to `forge\/1-[^`]*`\. A branch protection or ruleset covers `forge\/\*\*`\..* 1 commit was made and not pushed yet\. Go on with `\/forge resume`/,
      );
      at.github.protectBranch(REPOSITORY, BRANCH, {});
      at.forgive("branch.push");
      await at.say("/forge resume", "ben");
      expect(at.said()[0]).toMatch(
        /^\*\*Stopped: `main` has moved, and does not merge with the work in `src\/price\.js`: merge it into the branch and push that\.\*\*/,
      );
      const merged = {
        files: { "src/price.js": FORMATTED },
        message: "Merge main",
        author: "ana",
        merges: "main",
      } as const;
      await at.github.commit(REPOSITORY, BRANCH, { ...merged, from: BRANCH });
      await at.world.settled();
      expect(at.said()[0]).toMatch(/^\*\*Ready\*\*/);
    },
  );
});

boxed("PIPE-8: after a review that failed `/forge resume` has another one made", async () => {
  const fail = async () => {
    const { store } = at.world.forge!;
    const repository = { id: 1004, owner: "acme", name: "shop", installationId: 1007 };
    const subject = { kind: "pull_request", number: 2, repository } as const;
    const [review] = await listRunsOfSubject(store, subject);
    const dead = { deaths: 0, attempts: 5, error: new Error("the disk is full"), fence: { jobId: "1", token: 1 } };
    const dependencies = { store, makeId: createIdMaker(), now: () => new Date().toISOString() };
    await giveUpReview(dependencies, { runId: review!.traceId, subject }, dead);
  };
  const files = { ...FILES, ".github/forge.yml": "review:\n  ai: always\n" };
  at = await createIssueWorld(whenFirstAsked("reader", fail, plainMind), { files });
  await at.label();
  expect(at.said()[0]).toContain("**Stopped: the review of the work failed:");
  expect(at.pull().draft).toBe(true);
  await at.say("/forge resume", "ben");
  expect(at.said()[0]).toMatch(/^\*\*Ready\*\*/);
  expect(at.pull().checkRuns.find(({ name }) => name === "forge/review")?.conclusion).toBe("success");
});

describe("answers of people", () => {
  it("GH-4, GH-14: of a text nothing is done, nor of answers whose author's rights GitHub does not tell; of several the first counts", async () => {
    at = await createIssueWorld(plainMind, {
      files: { ...FILES, ...ALWAYS_ASK },
      body: "/forge implement\n/forge approve",
    });
    await at.world.settled();
    expect((await at.run()).row).toBeUndefined();
    const down = at.github.faults.add(ROLE_OF);
    await at.label("ben");
    expect(at.said()).toEqual([
      "GitHub did not say what `ben` may do here, so `implement` was not carried out. Try again later.",
    ]);
    down.remove();
    await at.say("/forge implement", "ben");
    const downAgain = at.github.faults.add(ROLE_OF);
    await at.say("/forge approve G-1", "ana");
    downAgain.remove();
    expect(at.said().at(-1)).toMatch(/^GitHub did not say what `ana` may do here, so `approve` was not carried out\./);
    at.github.editIssue(REPOSITORY, at.issue, "ana", { body: "/forge approve G-1" });
    await at.say("Perhaps.\n\n> /forge approve G-1", "ana");
    expect((await at.run()).types).not.toContain("gate.approved");
    // Both workers of the world take them up at once.
    for (const [by, body] of [
      ["ana", "/forge reject G-1 no"],
      ["ben", "/forge approve G-1"],
      ["ana", "/forge approve G-1"],
    ] as const) {
      at.github.comment(REPOSITORY, at.issue, { by, body });
    }
    await at.world.settled();
    const { row, types } = await at.run();
    expect(types.filter((type) => /^gate\.(?:approved|rejected)$/.test(type))).toEqual(["gate.rejected"]);
    expect(row?.status).toBe("cancelled");
    expect(at.said().filter((text) => text.includes("the first answer counts"))).toHaveLength(2);
    expect(at.said().join("\n")).toContain("**Cancelled: the plan was rejected by `ana`.**");
  });

  boxed("GH-14a: a yes counts for what it was given to, also in another commit, and for nothing else", async () => {
    const risky = { ...PLAN, tasks: [{ ...PLAN.tasks[0]!, files: ["src/price.js"] }] };
    const files = { ...FILES, ".github/forge.yml": "review:\n  protected_paths: [src/**]\n" };
    at = await createIssueWorld(
      (asked) => (roleOf(asked) === "planner" ? calls({ name: "complete", input: risky }) : plainMind(asked)),
      { files },
    );
    await at.label();
    await at.say("/forge approve G-1", "ana");
    expect(at.said()[0]).toContain("**Waiting for a yes to a change of high risk**");
    const more = { "src/more.js": "export const more = 1;\n" };
    await at.github.commit(REPOSITORY, BRANCH, { files: more, message: "More", author: "ben", from: BRANCH });
    await at.say("/forge approve G-2", "ana");
    expect(at.said().join("\n")).toMatch(/`G-2` (?:was asked for|is void)/);
    expect(at.pull().draft).toBe(true);
    await at.say("/forge approve G-3", "ana");
    expect(at.pull().draft).toBe(false);
    // The same files in another commit, and then the base merged in: nobody has to say yes again.
    await at.github.commit(REPOSITORY, BRANCH, { files: {}, message: "Nothing", author: "ben", from: BRANCH });
    await at.world.settled();
    await at.github.commit(REPOSITORY, "main", { files: { "more.md": "# More\n" }, message: "Move", author: "ben" });
    await at.github.updateBranch(REPOSITORY, 2, "ana");
    await at.world.settled();
    const { types } = await at.run();
    expect(types.filter((type) => type === "branch.adopted")).toHaveLength(3);
    expect(types.filter((type) => type === "pull.ready")).toHaveLength(3);
    expect(types.filter((type) => type === "gate.requested")).toHaveLength(3);
  });
});
