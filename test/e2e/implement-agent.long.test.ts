import { afterEach, describe, expect } from "vitest";
import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { boxed } from "../needs/sandbox.ts";
import {
  calls,
  FORMATTED,
  goodMind,
  handIn,
  idsIn,
  PLAN,
  plainMind,
  roleOf,
  SHOP,
  TESTED,
  turnsSoFar,
  write,
} from "./implementer.ts";
import { createIssueWorld, type IssueWorld, REPOSITORY } from "./issue-world.ts";

let at: IssueWorld;
afterEach(async () => {
  await at.expectGoodManners();
  await at.end();
});

/** Neither tests nor a package manager: all is sooner over. */
const FILES = { "src/price.js": SHOP["src/price.js"] };
const WORKFLOW = ".github/workflows/ci.yml";

/** A plan whose one task is about these files. */
function planOf(files: readonly string[]): ScriptedReply {
  return calls({ name: "complete", input: { ...PLAN, tasks: [{ ...PLAN.tasks[0], files }] } });
}

/** Makes these calls first, then hands in; what came back is answered, whether it was dealt with or not. */
function doAndHandIn(asked: Asked, ...made: { name: string; input: unknown }[]): ScriptedReply {
  if (turnsSoFar(asked) === 0) return calls(...made);
  const answers = idsIn(asked, /\b[WKI]-?\d+(?=:)/g).map((id) => ({ id, done: true, answer: "That is done." }));
  return handIn("show prices with two digits", roleOf(asked) === "feedback" ? { answers } : {});
}

function checkOf(name: string, sha = at.pull().headSha) {
  return at.github.checkRunsOn(REPOSITORY, sha).findLast((check) => check.name === name);
}

/** All that GitHub has of the repository, in all commits of all branches. */
const everything = () => at.git("log", "--all", "-p");

describe("what an agent must not do", () => {
  boxed(
    "PLAN-1: a plan with files outside the repository is none; a person is asked what to do, and told what was wrong",
    async () => {
      at = await createIssueWorld(
        (asked) => {
          const isTold = JSON.stringify(asked.messages).includes("only src/price.js");
          if (roleOf(asked) !== "planner" || isTold) return plainMind(asked);
          return planOf(["../../etc/passwd", "src/price.js"]);
        },
        { files: FILES },
      );
      await at.label();
      const [status, question] = at.said();
      expect(status).toMatch(/\| plan \| waits for a person \|/);
      expect(question).toContain("the same call failed in the same way 3 times (my result: ");
      expect(question).toContain("leads upwards: give paths from the root of the repository");
      await at.say("It is only src/price.js.", "ana");
      expect(at.said()[0]).toMatch(/^\*\*Ready\*\*/);
    },
  );

  boxed(
    "SEC-5: a workflow outside the plan is closed, one in the plan needs two words of people, and the permission of GitHub",
    async () => {
      const change = (asked: Asked) => {
        return doAndHandIn(asked, write(WORKFLOW, "on: push\n"), write("src/price.js", FORMATTED));
      };
      let isPlanned = false;
      at = await createIssueWorld(
        (asked) => {
          if (roleOf(asked) === "planner" && isPlanned) return planOf(["src/price.js", WORKFLOW]);
          return roleOf(asked) === "implementer" ? change(asked) : plainMind(asked);
        },
        { files: FILES },
      );
      await at.label();
      expect(at.said()[0]).toMatch(/^\*\*Ready\*\*/);
      expect(await everything()).not.toContain(WORKFLOW);
      await at.github.closePullRequest(REPOSITORY, 2, "ana");
      isPlanned = true;
      await at.say("/forge implement with a workflow", "ben");
      expect(at.said().join("\n")).toContain(`changes what runs or who must agree: ${WORKFLOW}`);
      await at.say("/forge approve", "tom");
      expect(at.said().at(-1)).toBe("`approve` needs push permission here; `tom` has triage.");
      await at.say("/forge approve", "ben");
      expect(at.said().at(-1)).toMatch(/^`G-1` needs another approver/);
      await at.say("/forge approve", "ana");
      expect(at.said().at(-1)).toMatch(
        /waits for approval of one call of `write_file`\*\* \(G-2,[\s\S]*is a workflow of GitHub Actions/,
      );
      await at.say("/forge approve", "ana");
      // The App of the test has what app.yml asks for, and that is less than workflows need.
      expect(at.said().join("\n")).toContain(
        "and the App may not. Give it the permission `workflows: write`, or have the work",
      );
      expect(await everything()).not.toContain(WORKFLOW);
      at.forgive("branch.push");
    },
  );

  boxed(
    "SEC-6, SAFE-2: a secret is not committed, whatever wrote it; the work stops, keeps it to itself, and goes on without it",
    async () => {
      const key = `AKIA${"Q3EGRIXZ7A5JH2KT"}`;
      const script = `const key = "AKIA" + "${key.slice(4)}"; require("fs").writeFileSync("src/price.js", "const key = '" + key + "';\\n")`;
      let isMended = false;
      at = await createIssueWorld(
        (asked) => {
          if (roleOf(asked) !== "implementer" && roleOf(asked) !== "feedback") return plainMind(asked);
          const leak = { name: "run_command", input: { program: "node", args: ["-e", script] } };
          return doAndHandIn(asked, isMended ? write("src/price.js", FORMATTED) : leak);
        },
        { files: FILES },
      );
      await at.label();
      expect(at.said()[0]).toMatch(
        /^\*\*Stopped: the work cannot be committed because of `src\/price\.js`: This adds an AWS access key id .*\*\* Nothing was committed\. Go on with `\/forge resume`/,
      );
      expect(await everything()).not.toContain(key);
      isMended = true;
      await at.say("/forge resume read it from the environment", "ben");
      expect(at.said()[0]).toMatch(/^\*\*Ready\*\*/);
      expect(await at.read(at.pull().headSha, "src/price.js")).toBe(FORMATTED);
      expect(await everything()).not.toContain(key);
    },
  );
});

describe("tests of the repository", () => {
  boxed(
    "TEST-1, PIPE-5: an assertion that says less comes back, a deleted test too, and a person is asked when it stays so",
    async () => {
      const weak = TESTED.replace(/assert\.equal\(.*?"2\.50"\)/, "assert.ok(price(250))");
      const remove = {
        name: "run_command",
        input: { program: "node", args: ["-e", 'require("fs").unlinkSync("test/price.test.js")'] },
      };
      let round = 0;
      at = await createIssueWorld((asked) => {
        const role = roleOf(asked);
        if (role === "implementer")
          return doAndHandIn(asked, write("src/price.js", FORMATTED), write("test/price.test.js", weak));
        if (role !== "feedback") return goodMind(asked);
        if (turnsSoFar(asked) === 0) round += 1;
        return doAndHandIn(asked, round < 3 ? remove : write("test/price.test.js", TESTED));
      });
      await at.label();
      const { events } = await at.run();
      const back = events.flatMap((event) => (event.type === "phase.bounced" ? [event.payload] : []));
      expect(back.map(({ cause, reason }) => [cause, reason])).toEqual([
        ["tests", "tests were weakened"],
        ["tests", "tests were weakened"],
      ]);
      expect(checkOf("forge/tests", at.pull().heads[0])).toMatchObject({
        conclusion: "failure",
        title: "1 test weakened; 1 test passed",
      });
      expect(at.said()[0]).toMatch(/^\*\*Waiting for a word on failing or weakened tests\*\*/);
      expect(at.pull().draft).toBe(true);
      await at.say("/forge approve G-1 put the test back as it was and say two digits there", "ana");
      expect(at.said()[0]).toMatch(/^\*\*Ready\*\*/);
      expect(checkOf("forge/tests")?.conclusion).toBe("success");
    },
  );

  boxed("TEST-1: what failed before is said and not blamed, and neither is what has no network", async () => {
    const old = TESTED.replace("a price in euros", "was always wrong").replace('"2.50"', '"two"');
    const net =
      'import { test } from "node:test";\nimport "../src/price.js";\n\ntest("asks a server", () => fetch("https://example.com/"));\n';
    at = await createIssueWorld(goodMind, { files: { ...SHOP, "test/old.test.js": old, "test/net.test.js": net } });
    await at.label();
    expect(at.said()[0]).toMatch(/^\*\*Ready\*\*/);
    const check = checkOf("forge/tests");
    expect(check).toMatchObject({ conclusion: "success" });
    expect(check?.title).toMatch(/^1 test passed, 2 failed as before the change/);
    expect(check?.summary).toMatch(/`was always wrong`.*\*\*failed before the change\*\*/);
    expect(at.pull().body).toContain("**Tested**: 1 test passed, 2 failed as before the change in 3 files");
    expect(at.model.asked.map(roleOf)).not.toContain("feedback");
  });

  boxed(
    "TEST-1, SEC-1: one that hangs, forks, writes outside and asks the network because of the change is named, and a person decides",
    async () => {
      const bad = `import { spawn } from "node:child_process";\nimport { writeFileSync } from "node:fs";\nimport { test } from "node:test";\nimport { price } from "../src/price.js";\n\ntest("hangs", { timeout: 2000 }, async () => {\n  for (let i = 0; i < 5; i += 1) spawn("sleep", ["60"], { detached: true });\n  try { writeFileSync("/etc/forge-was-here", String(price(1))); } catch {}\n  await new Promise(() => setInterval(() => {}, 1000));\n});\n`;
      at = await createIssueWorld((asked) => {
        if (roleOf(asked) === "feedback") {
          const left = { done: false, answer: "It has to wait for ever." };
          const answers = idsIn(asked, /\bT\d+(?=:)/g).map((id) => ({ id, ...left }));
          return handIn("leave it", { answers, files_changed: [], commit: undefined });
        }
        if (roleOf(asked) !== "implementer") return goodMind(asked);
        return doAndHandIn(
          asked,
          write("src/price.js", FORMATTED),
          write("test/price.test.js", TESTED),
          write("test/bad.test.js", bad),
        );
      });
      await at.label();
      expect(checkOf("forge/tests")).toMatchObject({
        conclusion: "failure",
        title: expect.stringMatching(/^1 of 2 tests failed/),
      });
      expect(at.said()[0]).toMatch(/^\*\*Waiting for a word on failing tests\*\*/);
      expect(at.said().join("\n")).toMatch(/- `?hangs`?: /);
      expect(at.pull().draft).toBe(true);
    },
  );
});

describe("types of the repository", () => {
  const MANIFEST = {
    name: "shop",
    type: "module",
    scripts: { test: "node --test" },
    devDependencies: { typescript: "6.0.3" },
  };
  const compilerOptions = { strict: true, noEmit: true, module: "nodenext", allowImportingTsExtensions: true };
  const cart = (one: string) =>
    `import { price } from "./price.ts";\n\nexport function two(cents: number): number {\n  return ${one} * 2;\n}\n`;
  const typed = (text: string, type: string) => text.replace("price(cents)", `price(cents: number): ${type}`);
  /** Whoever runs this test finds something that nobody wrote. */
  const littering = (test: string) =>
    `import { writeFileSync } from "node:fs";\n${test.replace("price.js", "price.ts")}writeFileSync("litter.txt", "");\n`;
  const TYPED = {
    "package.json": `${JSON.stringify(MANIFEST)}\n`,
    "tsconfig.json": `${JSON.stringify({ compilerOptions, include: ["src"] })}\n`,
    "src/price.ts": typed(SHOP["src/price.js"], "number"),
    "src/cart.ts": cart("price(cents)"),
    "test/price.test.js": littering(SHOP["test/price.test.js"]),
  };
  const FAULT = "src/cart.ts(4,10): error TS2362";

  boxed.each([
    ["no fault before", {}, { types: "passed", notRun: [] }],
    [
      "a fault before that is nobody's now",
      { "src/old.ts": 'export const old: number = "old";\n' },
      { notRun: ["The types have faults that were there before."] },
    ],
  ] as const)(
    "IMPL-1: types that the work breaks elsewhere come back before it is committed, with %s",
    async (_what, more, checks) => {
      const told: string[] = [];
      at = await createIssueWorld(
        (asked) => {
          const role = roleOf(asked);
          if (role === "planner") return planOf(["src/price.ts", "src/cart.ts", "test/price.test.js"]);
          if (role === "implementer") {
            return doAndHandIn(
              asked,
              write("src/price.ts", typed(FORMATTED, "string")),
              write("test/price.test.js", littering(TESTED)),
            );
          }
          if (role !== "feedback") return goodMind(asked);
          if (turnsSoFar(asked) > 0) {
            const answers = [{ id: "TYPES", done: true, answer: "The cart counts with numbers." }];
            return handIn("count with numbers", { answers });
          }
          told.push(JSON.stringify(asked.messages));
          return calls(write("src/cart.ts", cart("Number(price(cents))")));
        },
        { files: { ...TYPED, ...more } },
      );
      await at.label();
      const { events, types } = await at.run();
      expect(told).toHaveLength(1);
      expect(told[0]).toContain(FAULT);
      expect(told[0]).not.toContain("src/old.ts(");
      const done = events.flatMap((event) => (event.type === "task.completed" ? [event.payload] : []));
      const tests = { runner: "node:test", passed: 1, failed: 0 };
      expect(done.map((task) => task.checks)).toEqual([{ ...checks, tests, failing: [] }]);
      expect(types).not.toContain("phase.bounced");
      expect(at.said()[0]).toMatch(/^\*\*Ready\*\*/);
      // One commit, the fault stood in none, and what the tests left lies nowhere.
      expect(at.pull().heads).toHaveLength(1);
      expect(await at.read(at.pull().headSha, "src/cart.ts")).toContain("Number(price(cents)) * 2");
      expect(await at.git("ls-tree", "-r", "--name-only", at.pull().headSha)).not.toContain("litter");
    },
    // An installation and several runs of a compiler: what is slow or hangs is named by Forge, not by this.
    10 * 60_000,
  );
});
