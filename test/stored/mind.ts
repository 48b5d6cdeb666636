import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { CLAIM } from "../e2e/cart.ts";
import {
  calls,
  FORMATTED,
  goodMind,
  handIn,
  idsIn,
  PLAN,
  roleOf,
  TESTED,
  turnsSoFar,
  write,
} from "../e2e/implementer.ts";

/** Assigns to a constant, which a review is sure about. */
const WRONG = FORMATTED.replace("  return", "  const digits = 1;\n  digits = 2;\n  return");
const FAILING = TESTED.replace('"2.50"', '"two"');
const WEAK = TESTED.replace(/assert\.equal\(.*?"2\.50"\)/, "assert.ok(price(250))");
export const WORKFLOW = ".github/workflows/ci.yml";

/** What the title of an issue or a line of the code asks for: `Prices (question)`. */
export const WAYS = [
  "plain",
  "question",
  "risky plan",
  "weak tests",
  "never mended",
  "failing tests",
  "changed hash",
  "workflow",
  "unfinished",
  "unread",
  "notes",
  "expensive",
] as const;
export type Way = (typeof WAYS)[number];

/**
 * A model that goes the way that it reads of.
 * @param onSilence told when it does not answer; without it, it answers on every way
 */
export function storedMind(onSilence?: (way: Way) => void) {
  let hashes = 0;
  return (asked: Asked): ScriptedReply | Promise<ScriptedReply> => {
    const text = JSON.stringify(asked.messages);
    const way = WAYS.find((each) => text.includes(`(${each})`)) ?? "plain";
    const silent = () => {
      onSilence?.(way);
      return new Promise<ScriptedReply>(() => undefined);
    };
    if (text.includes("Your task is to refute each claim")) {
      const judgements = [{ claim: 1, verdict: "stands", reason: "the count is not read" }];
      return calls({ name: "complete", input: { judgements } });
    }
    const isPlanner = roleOf(asked) === "planner";
    const isWriting = roleOf(asked) === "implementer" || roleOf(asked) === "feedback";
    switch (way) {
      case "question":
        if (isPlanner && turnsSoFar(asked) === 0)
          return calls({ name: "ask_human", input: { question: "Should whole euros have digits too?" } });
        break;
      case "risky plan":
        if (isPlanner) return plan(way, { risk: { level: "high", reasons: ["everybody sees prices"] } });
        break;
      case "weak tests":
        if (isWriting) return work(asked, write("src/price.js", FORMATTED), write("test/price.test.js", WEAK));
        break;
      case "never mended":
        if (isWriting) return work(asked, write("src/price.js", WRONG), write("test/price.test.js", TESTED));
        break;
      case "failing tests":
        if (isWriting) return work(asked, write("src/price.js", FORMATTED), write("test/price.test.js", FAILING));
        break;
      case "changed hash":
        if (isPlanner) return plan(way, { tasks: [{ ...PLAN.tasks[0], files: ["src/price.js", "Cargo.lock"] }] });
        if (isWriting && turnsSoFar(asked) === 0) hashes += 1;
        if (isWriting) return work(asked, write("src/price.js", FORMATTED), write("Cargo.lock", lockWith(`${hashes}`)));
        break;
      case "workflow":
        if (isPlanner) return plan(way, { tasks: [{ ...PLAN.tasks[0], files: ["src/price.js", WORKFLOW] }] });
        if (isWriting) return work(asked, write(WORKFLOW, "on: push\n"), write("src/price.js", FORMATTED));
        break;
      case "unfinished":
        if (isWriting && turnsSoFar(asked) === 0) return calls(write("src/price.js", FORMATTED));
        if (isWriting && onSilence) return silent();
        break;
      case "unread":
        if (turnsSoFar(asked) === 0) return calls({ name: "list_files", input: {} });
        if (onSilence) return silent();
        break;
      case "notes":
        if (turnsSoFar(asked) === 0) return calls({ name: "remember", input: NOTE });
        return calls({ name: "complete", input: { summary: "Sums.", findings: [CLAIM] } });
      case "expensive": {
        if (asked.toolNames.length === 0) return { text: "Nothing was learnt." };
        const usage = { inputTokens: 210_000, outputTokens: 100 };
        return { ...calls({ name: "complete", input: { summary: "Sums.", findings: [CLAIM] } }), usage };
      }
    }
    if (isPlanner) return plan(way);
    if (asked.toolNames.includes("run_tests") && !isWriting && !isPlanner && turnsSoFar(asked) === 0)
      return calls({ name: "run_tests", input: { files: ["test/price.test.js"] } });
    return goodMind(asked);
  };
}

/** A lock file whose one package has a hash of this digit. */
export const lockWith = (digit: string) =>
  `version = 3\n\n[[package]]\nname = "cfg-if"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${digit.repeat(64)}"\n`;

const NOTE = {
  kind: "semantic",
  content: "Prices are kept in cents everywhere, and turned into euros only where they are shown.",
  keywords: ["prices", "cents", "euros", "money", "display"],
  tags: ["prices"],
};

/** Forgets how many there are of an item; its last line names the way. */
export const sum = (way: Way) =>
  "export function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum += item.price;\n  }\n  return sum;\n}\n" +
  `// (${way})\n`;

/** Its title names the way for whoever carries it out. */
function plan(way: Way, changed: object = {}): ScriptedReply {
  return calls({ name: "complete", input: { ...PLAN, title: `Show prices with two digits (${way})`, ...changed } });
}

/** Makes the calls first, then hands in and says of everything that came back that it is done. */
function work(asked: Asked, ...made: { name: string; input: unknown }[]): ScriptedReply {
  if (turnsSoFar(asked) === 0) return calls(...made);
  const ids = idsIn(asked, /\b(?:F-[0-9A-Z]{4,8}|[A-Z]\d+(?=:))/g);
  const answers = ids.map((id) => ({ id, done: true, answer: "That is done." }));
  return handIn("show prices with two digits", roleOf(asked) === "feedback" ? { answers } : {});
}
