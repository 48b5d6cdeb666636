import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Asked, type ScriptedModel, startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { until } from "../until.ts";
import { calls, turnsSoFar } from "./implementer.ts";
import { openPull } from "./pulls.ts";
import { createTalkingWorld, DONE, fresh, REFUSED, talkIn } from "./talk.ts";
import { createWorld, type World } from "./world.ts";

const MANIFEST = '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n';
const PRICE = `export function price(cents) {
  if (cents < 0) {
    throw new RangeError("a price is not negative");
  }
  return (cents / 100).toFixed(2);
}
`;
const testOf = (expected: string) => `import assert from "node:assert";
import { test } from "node:test";
import { price } from "./price.js";

test("a price has two digits", () => assert.equal(price(250), "${expected}"));
test("no price is nothing", () => assert.equal(price(0), "0.00"));
`;

describeInSandbox("/forge test on a pull request of people", () => {
  let world: World;
  beforeAll(async () => {
    world = await createTalkingWorld();
  });
  afterEach(async () => {
    world.github.faults.clear();
    await world.expectGoodManners();
  });
  afterAll(() => world.end());

  const { view, reviewed, say, outcome } = talkIn(() => world);
  const files = (expected: string) => ({
    "package.json": MANIFEST,
    "price.js": PRICE,
    "price.test.js": testOf(expected),
  });
  const opened = (expected = "2.50", more = {}) => reviewed(files(expected), more);

  it("TEST-1, GH-14: runs what the head asks for, says what fails and why, there and in its check", async () => {
    const { number, branch } = await opened("2.5");
    const failed = await say(number, "/forge test", "triage-er");
    expect(failed.reactions).toEqual(DONE);
    expect(failed.answers).toHaveLength(1);
    const [said = ""] = failed.answers;
    expect(said).toMatch(/^\*\*1 of 2 tests failed\.\*\* Fix and push; to run them again: `\/forge test`\n/);
    expect(said).toContain("| `a price has two digits`<br>`price.test.js` | **bug**:");
    expect(said).toMatch(/\*\*Ran\*\* 1 file of tests by `node:test`, .+, at `\w{7}`: 1 passed, 1 failed\./);
    await world.github.commit("acme/shop", branch, { files: files("2.50"), message: "Mend", author: "ana" });
    await world.settled();
    const passed = await say(number, "/forge test");
    expect(passed.answers[0]).toMatch(
      /^\*\*2 tests passed\.\*\*\n\n\*\*Coverage\*\*: 75 % of the changed lines, 3 of 4/,
    );
    const tests = view(number).allCheckRuns.filter(({ name }) => name === "forge/tests");
    expect(tests.map(({ conclusion }) => conclusion)).toEqual(["failure", "success"]);
  });

  it("GH-14: is for triage and more, for open pull requests, and also for one from a fork", async () => {
    world.github.createAccount("mallory");
    await world.github.fork("acme/shop", "mallory");
    const { number } = await opened("2.50", { by: "mallory", fork: "mallory" });
    expect((await say(number, "/forge test", "read-er")).reactions).toEqual(REFUSED);
    expect((await say(number, "/forge test", "triage-er")).answers[0]).toMatch(/^\*\*2 tests passed\.\*\*/);
    await world.github.closePullRequest("acme/shop", number, "ana");
    await world.settled();
    expect(await say(number, "/forge test")).toEqual({
      reactions: REFUSED,
      answers: ["The pull request is closed, so its tests are not run."],
    });
  });

  it("GH-13: answers once, however often Forge stops before it knows that it did", async () => {
    const { number } = await opened();
    const match = { operation: "issues/create-comment", method: "POST" } as const;
    const fault = world.github.faults.add({ kind: "lostResponse", match, times: 1 });
    const { id } = world.github.comment("acme/shop", number, { by: "ben", body: "/forge test" });
    await until(() => fault.hits === 1);
    await world.stop();
    await world.start();
    const [delivery] = world.github.deliveries.filter(({ event }) => event === "issue_comment").slice(-1);
    world.github.redeliver(delivery!.id);
    const { reactions, answers } = await outcome(number, [id]);
    expect(reactions).toEqual([DONE]);
    expect(answers).toHaveLength(1);
  });

  /** Says it on a pull request whose tests take a while, and stops Forge when it has begun. */
  async function interrupted() {
    const slow = `${testOf("2.50")}test("waits", () => new Promise((resolve) => setTimeout(resolve, 1500)));\n`;
    const pull = await reviewed({ ...files("2.50"), "price.test.js": slow });
    const { id } = world.github.comment("acme/shop", pull.number, { by: "ben", body: "/forge test" });
    await until(() => view(pull.number).comments.some((one) => one.id === id && one.reactions.length > 0));
    await world.stop();
    expect(view(pull.number).comments.filter(({ by }) => by === "forge[bot]")).toEqual([]);
    return { ...pull, id };
  }

  it("PIPE-7: runs the tests anew when Forge stops while they run, and answers once", async () => {
    const { number, id } = await interrupted();
    await world.start();
    const { reactions, answers } = await outcome(number, [id]);
    expect(reactions).toEqual([DONE]);
    expect(answers).toEqual([expect.stringMatching(/^\*\*3 tests passed\.\*\*/)]);
  });

  it("SEC-1: does not run what was pushed after somebody asked", async () => {
    const { number, branch, id } = await interrupted();
    await world.github.commit("acme/shop", branch, { files: files("2.5"), message: "Later", author: "ana" });
    await world.start();
    const { reactions, answers } = await outcome(number, [id]);
    expect(reactions).toEqual([REFUSED]);
    expect(answers).toEqual([
      expect.stringMatching(
        /^The branch has moved: the tests were for `\w{7}`, and it is at `\w{7}` now\. To run them there: `\/forge test`$/,
      ),
    ]);
  });

  describe("where the repository wants it for all", () => {
    const ALWAYS = "review:\n  tests: always\n";
    const tests = (number: number) => view(number).checkRuns.find(({ name }) => name === "forge/tests");
    beforeAll(async () => {
      await configure(ALWAYS);
    });
    afterAll(() => configure("review: {}\n"));
    async function configure(text: string) {
      const files = { ".github/forge.yml": text };
      await world.github.commit("acme/shop", "main", { files, message: "Configure", author: "ana" });
      await world.settled();
    }

    it("TEST-1, RISK-1: they run by themselves, the check names what fails and what is not reached, and the risk knows it", async () => {
      const { number, branch } = await opened("2.5");
      expect(tests(number)).toMatchObject({
        conclusion: "failure",
        title: "1 of 2 tests failed: a price has two digits",
      });
      const summary = tests(number)?.summary ?? "";
      expect(summary).toMatch(
        /^\*\*1 of 2 tests failed\.\*\* Fix and push; to run them again: `\/forge test`; to let it pass as it is: `\/forge override forge\/tests <reason>`\n/,
      );
      expect(summary).toContain("| `a price has two digits`<br>`price.test.js` | **bug**:");
      const review = () => view(number).checkRuns.find(({ name }) => name === "forge/review")?.summary ?? "";
      expect(review()).toContain("tests 5 of 20: changed lines that tests can reach 4, of them covered 3");
      expect(view(number).comments).toEqual([]);
      expect((await say(number, "/forge override forge/tests known", "maintain-er")).reactions).toEqual(DONE);
      expect(tests(number)).toMatchObject({ conclusion: "success" });
      await world.github.commit("acme/shop", branch, { files: files("2.50"), message: "Mend", author: "ana" });
      await world.settled();
      expect(tests(number)).toMatchObject({ conclusion: "success", title: expect.stringMatching(/^2 tests passed/) });
    });

    it("GH-3, PIPE-7: a push ends the tests of the older head, and Forge goes on where it stopped", async () => {
      const slow = `${testOf("2.50")}test("waits", () => new Promise((resolve) => setTimeout(resolve, 1500)));\n`;
      const branch = fresh("slow").replace(".ts", "");
      const { number } = await openPull(world, { ...files("2.50"), "price.test.js": slow }, { branch });
      await until(() =>
        view(number).allCheckRuns.some(({ name, status }) => name === "forge/tests" && status === "in_progress"),
      );
      await world.github.commit("acme/shop", branch, {
        files: { "more.js": "export const a = 1;\n" },
        message: "More",
        author: "ana",
      });
      const own = () => view(number).allCheckRuns.filter(({ name }) => name === "forge/tests");
      await until(() => own().some(({ conclusion }) => conclusion === "cancelled"));
      await until(() => own().filter(({ status }) => status === "in_progress").length > 0);
      await world.stop();
      await world.start();
      await world.settled();
      expect(
        own()
          .map(({ conclusion }) => conclusion)
          .sort(),
      ).toEqual(["cancelled", "success"]);
      expect(tests(number)?.title).toMatch(/^3 tests passed/);
    });
  });

  it("says why nothing was run where there is nothing to run", async () => {
    const { number } = await reviewed({ [fresh("plain")]: "export const a = 1;\n" });
    const { reactions, answers } = await say(number, "/forge test");
    expect(reactions).toEqual(DONE);
    expect(answers[0]).toMatch(/^\*\*Not tested\*\*: No way to run tests /);
  });
});

describeInSandbox("TEST-1: a model that looks for the causes", () => {
  const WRONG = PRICE.replace("toFixed(2)", "toFixed(1)");
  const FILES = { "package.json": MANIFEST, "price.js": PRICE, "price.test.js": testOf("2.50") };
  const CAUSE = "price() rounds to one digit since this change.";
  const FIX = "Go back to toFixed(2) in price().";
  const isTester = ({ messages }: Asked) => JSON.stringify(messages).includes("failed, run by node:test");
  let world: World;
  let model: ScriptedModel;
  beforeAll(async () => {
    // Runs the failing tests itself, then says what is behind both of them; whoever reads the change finds nothing.
    model = await startScriptedModel((asked) => {
      if (!isTester(asked)) return calls({ name: "complete", input: { summary: "Rounds.", findings: [] } });
      if (turnsSoFar(asked) === 0) return calls({ name: "run_tests", input: { files: ["price.test.js"] } });
      const said = { class: "bug", cause: CAUSE, fix: FIX, confidence: 0.9 };
      const failures = [1, 2].map((failure) => ({ failure, ...said }));
      return calls({ name: "complete", input: { failures } });
    });
    const files = { ...FILES, ".github/forge.yml": "review:\n  tests: always\n" };
    world = await createWorld({ files, environment: model.environment });
  });
  afterEach(() => world.expectGoodManners());
  afterAll(async () => {
    await world.end();
    await model.stop();
  });

  const testers = () => model.asked.filter(isTester);
  async function tested(branch: string, more = {}) {
    const { number } = await openPull(world, { "price.js": WRONG }, { branch, ...more });
    await world.settled();
    const checks = world.github.pullRequest("acme/shop", number).checkRuns;
    return checks.find(({ name }) => name === "forge/tests");
  }

  it("the check names the cause and what mends it, and what that cost", async () => {
    const check = await tested("wrong");
    expect(check).toMatchObject({ conclusion: "failure", title: "2 of 2 tests failed" });
    for (const name of ["a price has two digits", "no price is nothing"]) {
      expect(check?.summary).toContain(
        `| \`${name}\`<br>\`price.test.js\` | **bug**: ${CAUSE} To fix it (very high confidence): ${FIX} |`,
      );
    }
    expect(check?.summary).toMatch(/\nunder \$0\.01 · /);
    const [first, second, ...rest] = testers();
    expect(rest).toEqual([]);
    expect(JSON.stringify(first?.messages)).toContain("-|  return (cents / 100).toFixed(2);");
    // What its own run of the tests came to, in the sandbox.
    expect(JSON.stringify(second?.messages.at(-1))).toContain("2 failed");
  });

  it("GH-8c: it reads nothing that an outsider sent, and the failures stay as they were seen", async () => {
    const before = testers().length;
    world.github.createAccount("mallory");
    await world.github.fork("acme/shop", "mallory");
    const check = await tested("outside", { by: "mallory", fork: "mallory" });
    expect(check).toMatchObject({ conclusion: "failure", title: "2 of 2 tests failed" });
    expect(check?.summary).toContain("| `a price has two digits`<br>`price.test.js` | **bug**: ");
    expect(check?.summary).not.toContain(CAUSE);
    expect(testers()).toHaveLength(before);
  });
});
