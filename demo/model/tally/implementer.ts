import type { ScriptedReply } from "../../../simulator/models/scripted-model.ts";
import type { Conversation } from "../conversation.ts";
import { type Piece, work } from "../work.ts";
import { ADD_BY_READING, ADD_BY_RUNNING, DESCRIBE, HOLD_TO_THE_LIMIT } from "./edits.ts";
import { SUM_TASK } from "./planner.ts";

const TESTS = { name: "run_tests", input: { files: ["test/amount.test.js"], affected_by: ["src/amount.js"] } } as const;

const SUM: Piece = {
  edits: ADD_BY_RUNNING,
  tries: TESTS,
  summary: "parseAmount adds what stands between plus signs.",
  tests: ["a sum is added up"],
  commit: { type: "feat", subject: "read a sum as an amount" },
};

const DESCRIBED: Piece = {
  edits: DESCRIBE,
  tries: { name: "run_command", input: { program: "node", args: ["bin/tally.js", "help"] } },
  summary: "README and help say how a sum is written.",
  tests: [],
  commit: { type: "docs", subject: "say how a sum is written" },
};

const READ_NOT_RUN: Piece = {
  edits: ADD_BY_READING,
  tries: TESTS,
  summary: "Each part of a sum is read as an amount is; nothing is run.",
  tests: ["the parts of a sum are amounts, and nothing of it is run"],
  commit: {
    type: "fix",
    subject: "read the parts of a sum instead of running them",
    body: "Imported files come from others: whatever was in their second field with a plus sign in it was run as code.",
  },
};

const LIMITED: Piece = {
  edits: HOLD_TO_THE_LIMIT,
  tries: TESTS,
  summary: "A sum is held to the largest amount that a line of the file can hold.",
  tests: ["a sum is at most what a line of the file holds"],
  commit: { type: "fix", subject: "refuse a sum that a line of the file cannot hold" },
};

/** As an implementer: one of the two tasks of the plan, or what came back. */
export function implement(conversation: Conversation, toolNames: readonly string[]): ScriptedReply {
  const { task } = conversation;
  const [, asked] = /^Work on exactly that and answer each: (.+?)\. You have/m.exec(task) ?? [];
  if (asked !== undefined) return workOnFeedback(conversation, toolNames, asked.split(", "));
  const ownTask = task.slice(task.lastIndexOf("Your task:"));
  return work(ownTask.includes(SUM_TASK) ? SUM : DESCRIBED, conversation, toolNames);
}

/** Which answer belongs to which feedback: its text says so. */
const ANSWERS = [
  {
    to: /\beval\(\)/,
    piece: READ_NOT_RUN,
    answer:
      "The parts between plus signs are read one by one as amounts, and `eval` is gone. A test has parts that are code.",
  },
  {
    to: /nine digits of cents/,
    piece: LIMITED,
    answer:
      "A sum above 9999999.99 is refused now, in `parseAmount`, with a sentence that names the limit: the file stays readable. A test has both sides of the limit.",
  },
] as const;

/** For a user who asks for something else while the demo stays. */
const NO_ANSWER =
  "I am a script that can do what the story of this demo needs, and no model. With a key in the environment of the demo a model works on this.";

function workOnFeedback(
  conversation: Conversation,
  toolNames: readonly string[],
  ids: readonly string[],
): ScriptedReply {
  const { task } = conversation;
  const asked = task.slice(task.lastIndexOf("The feedback, "));
  const known = ANSWERS.find(({ to }) => to.test(asked));
  if (!known) {
    const answers = ids.map((id) => ({ id, done: false, answer: NO_ANSWER }));
    const output = { summary: NO_ANSWER, files_changed: [], tests_added: [], validated: false, answers };
    return { calls: [{ name: "complete", input: output }] };
  }
  const answers = ids.map((id) => ({ id, done: true, answer: known.answer }));
  return work(known.piece, conversation, toolNames, { answers });
}
