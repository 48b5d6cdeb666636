import { describe, expect, it } from "vitest";
import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { listRunsOfSubject } from "../../src/store/runs/read-runs.ts";
import { boxed } from "../needs/sandbox.ts";
import {
  calls,
  FORMATTED,
  goodMind,
  handIn,
  idsIn,
  PLAN,
  roleOf,
  SHOP,
  TESTED,
  turnsSoFar,
  write,
} from "./implementer.ts";
import { worldWithModel } from "./with-model.ts";

const at = worldWithModel();

const REPOSITORY = "acme/shop";

type Mind = (asked: Asked) => ScriptedReply;

/** A world with an issue about prices; nothing is asked for yet. */
async function begin(mind: Mind, files: Record<string, string> = {}): Promise<number> {
  await at.begin(mind, { ...SHOP, ...files });
  at.world.github.createAccount("tom");
  at.world.github.setRole(REPOSITORY, "tom", "triage");
  const issue = { title: "Prices have odd digits", body: "250 is shown as 2.5", by: "ana" };
  return (await at.world.github.openIssue(REPOSITORY, issue)).number;
}

async function label(issue: number, by = "ben") {
  await at.world.github.addLabel(REPOSITORY, issue, "forge:implement", by);
  await at.world.settled();
}

async function say(issue: number, body: string, by = "ana") {
  await at.world.github.comment(REPOSITORY, issue, { body, by });
  await at.world.settled();
}

function bodies(issue: number): string[] {
  return at.world.github
    .issue(REPOSITORY, issue)
    .comments.filter(({ by }) => by === "forge[bot]")
    .map(({ body }) => body);
}

/** The newest run on the issue, with its events. */
async function theRun(issue: number) {
  const { store } = at.world.forge!;
  const [row] = await listRunsOfSubject(store, {
    kind: "issue",
    number: issue,
    repository: { id: 1004, owner: "acme", name: "shop", installationId: 1007 },
  });
  const events = row ? await readEvents(store, row.traceId) : [];
  return { row, events, types: events.map(({ type }) => type) };
}

/** Prices of nothing are a case that the first test does not reach. */
const FREE = `export function price(cents) {
  if (cents === 0) {
    const word = "free";
    return word;
  }
  return (cents / 100).toFixed(2);
}
`;

const ALWAYS_ASK = { ".github/forge.yml": "safety:\n  gates:\n    architecture_approval: always\n" };

describe("from a label to a pull request", () => {
  boxed(
    "IMPL-1: what the work breaks comes back before it is committed, and the reader hears what was run",
    async () => {
      const read: string[] = [];
      const named = FORMATTED.replace("toFixed(2)", 'toFixed(2) + " EUR"');
      const mended = TESTED.replace('"2.50"', '"2.50 EUR"');
      let sentBack = 0;
      const forgetful = (asked: Asked) => {
        if (roleOf(asked) === "feedback") {
          if (JSON.stringify(asked.messages).includes("T1: failed test a price in euros in test/price.test.js"))
            sentBack += 1;
          const answers = [{ id: "T1", done: true, answer: "The test expects two digits now." }];
          return turnsSoFar(asked) === 0
            ? calls(write("test/price.test.js", mended))
            : handIn("expect two digits", { answers });
        }
        if (roleOf(asked) === "reader") read.push(JSON.stringify(asked.messages));
        const isWriting = roleOf(asked) === "implementer" && turnsSoFar(asked) === 0;
        return isWriting ? calls(write("src/price.js", named)) : goodMind(asked);
      };
      const issue = await begin(forgetful, { ".github/forge.yml": "review:\n  ai: always\n" });
      await label(issue);
      const { events, types } = await theRun(issue);
      expect(sentBack).toBe(2);
      const done = events.filter((event) => event.type === "task.completed");
      expect(done.map(({ payload }) => payload.checks)).toEqual([
        { tests: { runner: "node:test", passed: 1, failed: 0 }, failing: [], notRun: [] },
      ]);
      expect(types).not.toContain("phase.bounced");
      expect(types).toContain("pull.ready");
      expect(read[0]).toContain("node:test, the tests that the last edits affect: 1 passed, 0 failed.");
      expect(read[0]).toContain("no package is added");
    },
  );

  boxed("TEST-1: writes the tests that its change lacks", async () => {
    const untested = (asked: Asked) => {
      if (roleOf(asked) === "feedback") {
        return turnsSoFar(asked) === 0
          ? calls(write("test/price.test.js", `${TESTED}\ntest("nothing", () => assert.equal(price(0), "free"));\n`))
          : handIn("test prices of nothing", { answers: [{ id: "U1", done: true, answer: "It is tested." }] });
      }
      const isWriting = roleOf(asked) === "implementer" && turnsSoFar(asked) === 0;
      return isWriting ? calls(write("src/price.js", FREE), write("test/price.test.js", TESTED)) : goodMind(asked);
    };
    const issue = await begin(untested);
    await label(issue);
    const { events, types } = await theRun(issue);
    const bounces = events.filter((event) => event.type === "phase.bounced");
    expect(bounces.map(({ payload }) => [payload.cause, payload.reason])).toEqual([
      ["coverage", "no test reaches some lines of 1 file"],
    ]);
    expect(types).toContain("pull.ready");
    const pull = at.world.github.pullRequest(REPOSITORY, issue + 1);
    const [tests] = at.world.github.checkRunsOn(REPOSITORY, pull.headSha).filter(({ name }) => name === "forge/tests");
    expect(tests).toMatchObject({
      conclusion: "success",
      title: expect.stringContaining("100 % of the changed lines"),
    });
  });

  it("GH-1: takes nothing from a label by somebody who may not push, and says so", async () => {
    const issue = await begin(goodMind);
    await label(issue, "tom");
    expect(bodies(issue)).toEqual([
      expect.stringContaining("`implement` needs push permission here; `tom` has triage."),
    ]);
    expect((await theRun(issue)).row).toBeUndefined();
    expect(at.model.asked).toEqual([]);
  });

  it("GH-1: is cancelled when the label is taken off, and its gate is void", async () => {
    const issue = await begin(goodMind, ALWAYS_ASK);
    await label(issue);
    await at.world.github.removeLabel(REPOSITORY, issue, "forge:implement", "ben");
    await at.world.settled();
    expect((await theRun(issue)).row).toMatchObject({ status: "cancelled" });
    await say(issue, "/forge approve G-1");
    expect(bodies(issue).join("\n")).toContain("G-1");
    expect((await theRun(issue)).types).not.toContain("gate.approved");
  });
});

describe("people at the gates", () => {
  it("PLAN-1, SAFE-3: waits with the plan, changes it as the approval says, and goes on", async () => {
    const issue = await begin((asked) => {
      const changed = JSON.stringify(asked.messages).includes("use Intl");
      if (roleOf(asked) === "planner" && changed) {
        return calls({ name: "complete", input: { ...PLAN, decisions: ["Intl.NumberFormat formats"] } });
      }
      return goodMind(asked);
    }, ALWAYS_ASK);
    await label(issue);
    expect((await theRun(issue)).row).toMatchObject({ status: "waiting" });
    expect(bodies(issue).join("\n")).toContain("`/forge approve G-1`");
    await say(issue, "/forge approve G-1 use Intl");
    const { events, types } = await theRun(issue);
    expect(types.filter((type) => type === "plan.proposed")).toHaveLength(2);
    const [, second] = events.filter((event) => event.type === "plan.proposed");
    expect(second?.payload).toMatchObject({ plan: { decisions: ["Intl.NumberFormat formats"] } });
    expect(types).toContain("pull.opened");
    expect(bodies(issue).filter((body) => body.startsWith("**Plan"))).toHaveLength(1);
  });

  it("PLAN-1: asks when the issue is ambiguous, and goes on with a plain reply of who asked", async () => {
    const issue = await begin((asked) => {
      if (roleOf(asked) === "planner" && turnsSoFar(asked) === 0) {
        return calls({
          name: "ask_human",
          input: { question: "Should whole euros have digits too?", options: ["yes", "no"] },
        });
      }
      return goodMind(asked);
    });
    await label(issue);
    expect(bodies(issue).join("\n")).toContain("Should whole euros have digits too?");
    await say(issue, "nice weather today", "tom");
    expect((await theRun(issue)).row).toMatchObject({ status: "waiting" });
    await say(issue, "Yes, always two digits.", "ana");
    const asked = at.model.asked.find((each) => JSON.stringify(each.messages).includes("Yes, always two digits."));
    expect(asked).toBeDefined();
    expect((await theRun(issue)).types).toContain("pull.opened");
  });

  it("GH-14: does not let whoever asked for the work approve of its high risk", async () => {
    const risky = { ...PLAN, risk: { level: "high", reasons: ["everybody sees prices"] } };
    const issue = await begin((asked) =>
      roleOf(asked) === "planner" ? calls({ name: "complete", input: risky }) : goodMind(asked),
    );
    await label(issue, "ben");
    await say(issue, "/forge approve", "ben");
    expect((await theRun(issue)).row).toMatchObject({ status: "waiting" });
    await say(issue, "/forge approve", "ana");
    expect((await theRun(issue)).types).toContain("pull.opened");
  });
});

/** Assigns to a constant, which the review is sure about. */
/** No test gets to the fault, which is one that the review is certain of. */
const FAULTY = `export function price(cents) {
  const digits = 2;
  if (cents < 0) digits = 3;
  return (cents / 100).toFixed(digits);
}
`;

describe("what comes back to the implementer", () => {
  boxed("PIPE-5: a blocking finding of the review is mended, answered, and its check is green", async () => {
    const issue = await begin((asked) => {
      const role = roleOf(asked);
      if (role === "implementer" && turnsSoFar(asked) === 0) {
        return calls(
          { name: "write_file", input: { path: "src/price.js", content: FAULTY } },
          { name: "write_file", input: { path: "test/price.test.js", content: TESTED } },
        );
      }
      if (role !== "feedback") return goodMind(asked);
      const ids = [...new Set(JSON.stringify(asked.messages).match(/F-[0-9A-Z]{4,8}/g))];
      if (turnsSoFar(asked) === 0) {
        return calls({ name: "write_file", input: { path: "src/price.js", content: FORMATTED } });
      }
      const answers = ids.map((id) => ({ id, done: true, answer: "The constant is gone." }));
      return handIn("drop the constant", { answers });
    });
    await label(issue);
    const { types, events } = await theRun(issue);
    expect(types.filter((type) => type === "phase.bounced")).toHaveLength(1);
    const pull = at.world.github.pullRequest(REPOSITORY, issue + 1);
    expect(pull.draft).toBe(false);
    expect(
      events
        .filter(({ type }) => type === "pull.reviewed")
        .map(({ payload }) => (payload as { blocking: number }).blocking),
    ).toEqual([expect.any(Number), 0]);
    expect(pull.reviews).toEqual([]);
  });

  boxed("IMPL-2, REV-4: a confirmed fix of several files comes back whole, and is applied", async () => {
    const [old, better] = ["DIGITS", "EURO_DIGITS"];
    const digits = (name: string) => `export const ${name} = 2;\n`;
    const price = (name: string) => {
      return `import { ${name} } from "./digits.js";\n\n${FORMATTED.replace("toFixed(2)", `toFixed(${name})`)}`;
    };
    const edit = (line: number, replacement: string) => ({ start_line: line, end_line: line, replacement });
    const [imported = "", , , returned = ""] = price(better).split("\n");
    const claim = {
      ...{ file: "src/price.js", line: 4, quote: `toFixed(${old})`, kind: "architecture", severity: "warning" },
      ...{ claim: "The name does not say whose digits they are.", scenario: "Yen have none.", confidence: 0.9 },
      fix: {
        ...edit(4, returned),
        also: [
          { file: "src/price.js", ...edit(1, imported) },
          { file: "src/digits.js", ...edit(1, digits(better).trim()) },
        ],
      },
    };
    const read = ({ messages }: Asked) => {
      const text = JSON.stringify(messages);
      if (text.includes("Your task is to refute each claim")) {
        const verdict = text.includes("as it stood when this was reported") ? "refuted" : "stands";
        const judgements = [{ claim: 1, verdict, reason: "Its name says it, or not.", fix_ok: true }];
        return calls({ name: "complete", input: { judgements } });
      }
      const findings = text.includes(`toFixed(${old})`) ? [claim] : [];
      return calls({ name: "complete", input: { summary: "Formats.", findings } });
    };
    const files = (name: string) => [write("src/digits.js", digits(name)), write("src/price.js", price(name))];
    const issue = await begin(
      (asked) => {
        const isFirst = turnsSoFar(asked) === 0;
        switch (roleOf(asked)) {
          case "reader":
            return read(asked);
          case "implementer":
            return isFirst ? calls(...files(old), write("test/price.test.js", TESTED)) : goodMind(asked);
          case "feedback": {
            const answers = idsIn(asked, /F-[0-9A-Z]{4,8}/g).map((id) => ({ id, done: true, answer: "It does now." }));
            return isFirst ? calls(...files(better)) : handIn("say whose digits they are", { answers });
          }
          default:
            return goodMind(asked);
        }
      },
      { ".github/forge.yml": "review:\n  ai: always\n" },
    );
    await label(issue);
    const { types, events } = await theRun(issue);
    const bounces = events.filter((event) => event.type === "phase.bounced");
    expect(bounces.map(({ payload }) => payload.reason)).toEqual(["the review confirmed a fix"]);
    const given = JSON.stringify(at.model.asked.find((asked) => roleOf(asked) === "feedback")?.messages);
    for (const line of [imported, returned.trim(), digits(better).trim()]) {
      expect(given).toContain(JSON.stringify(line).slice(1, -1));
    }
    expect(given).toContain("src/digits.js, lines 1 to 1:");
    expect(types).toContain("pull.ready");
    expect(at.world.github.pullRequest(REPOSITORY, issue + 1).body).not.toContain("not applied");
  });

  boxed("GH-6: changes that a person asks for are worked on and answered in their thread", async () => {
    const issue = await begin((asked) => {
      if (roleOf(asked) !== "feedback") return goodMind(asked);
      const id = /C\d+/.exec(JSON.stringify(asked.messages.at(1) ?? asked.messages[0]))?.[0] ?? "?";
      if (turnsSoFar(asked) === 0) {
        const content = FORMATTED.replace("cents / 100", "Number(cents) / 100");
        return calls({ name: "write_file", input: { path: "src/price.js", content } });
      }
      const ids = [...new Set(JSON.stringify(asked.messages).match(/\b[CR]\d+(?=:)/g))];
      return handIn("take texts too", {
        answers: (ids.length > 0 ? ids : [id]).map((each) => ({
          id: each,
          done: true,
          answer: "Texts are numbers now.",
        })),
      });
    });
    await label(issue);
    const number = issue + 1;
    await at.world.github.submitReview(REPOSITORY, number, {
      by: "ana",
      event: "REQUEST_CHANGES",
      comments: [{ path: "src/price.js", line: 2, body: "Cents may come as a text." }],
    });
    await at.world.settled();
    const { types } = await theRun(issue);
    expect(types).toContain("signal.read");
    expect(types.filter((type) => type === "pull.ready")).toHaveLength(2);
    const said = at.world.github
      .pullRequest(REPOSITORY, number)
      .reviewComments.map(({ body }) => body)
      .join("\n");
    expect(said).toContain("Texts are numbers now.");
  });
});
