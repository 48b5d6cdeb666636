import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import type { Plan } from "../../src/domain/plan.ts";

/** A small shop whose prices nobody rounds. */
export const SHOP = {
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/price.js": "export function price(cents) {\n  return cents / 100;\n}\n",
  "test/price.test.js":
    'import assert from "node:assert";\nimport { test } from "node:test";\nimport { price } from "../src/price.js";\n\ntest("a price in euros", () => assert.equal(price(250), 2.5));\n',
};

export const PLAN: Plan = {
  title: "Show prices with two digits",
  kind: "feat",
  summary: "Prices are shown with as many digits as they happen to have.",
  constraints: [],
  decisions: ["no package is added"],
  alternatives: [{ approach: "Intl.NumberFormat", why_not: "two digits are all that is asked for" }],
  tasks: [
    {
      id: "1",
      title: "Format prices",
      description: "price() gives a text with two digits.",
      files: ["src/price.js", "test/price.test.js"],
      depends_on: [],
    },
  ],
  acceptance_criteria: ["250 cents are shown as 2.50"],
  not_included: [],
  risk: { level: "low", reasons: [] },
  complexity: "small",
  effort_minutes: 5,
};

export const FORMATTED = "export function price(cents) {\n  return (cents / 100).toFixed(2);\n}\n";
export const TESTED = SHOP["test/price.test.js"].replace("price(250), 2.5)", 'price(250), "2.50")');

/** Who is asked, by what the first messages of the agents say. */
export function roleOf({ messages, toolNames }: Asked): "planner" | "implementer" | "feedback" | "reader" {
  const text = JSON.stringify(messages.slice(0, 2));
  if (toolNames.includes("write_file"))
    return text.includes("Work on exactly that and answer each") ? "feedback" : "implementer";
  return text.includes("The issue, as it stood when the work was asked for") ? "planner" : "reader";
}

/** Calls of one reply. */
export function calls(...made: readonly { readonly name: string; readonly input: unknown }[]): ScriptedReply {
  return { calls: made };
}

/** How many replies of a model stand in the conversation. */
export function turnsSoFar({ messages }: Asked): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

/** A call that writes a file. */
export function write(path: string, content: string) {
  return { name: "write_file", input: { path, content } };
}

/** What an agent was given to answer, by its ids. */
export function idsIn({ messages }: Asked, pattern: RegExp): string[] {
  return [...new Set(JSON.stringify(messages).match(pattern))];
}

/** What an implementer hands in. */
export function handIn(subject: string, more: object = {}): ScriptedReply {
  return calls({
    name: "complete",
    input: {
      summary: "Prices have two digits.",
      files_changed: ["src/price.js", "test/price.test.js"],
      tests_added: [],
      validated: true,
      commit: { type: "feat", subject },
      ...more,
    },
  });
}

/** Plans, formats prices in one go, and hands in. */
export function goodMind(asked: Asked): ScriptedReply {
  switch (roleOf(asked)) {
    case "planner":
      return calls({ name: "complete", input: PLAN });
    case "implementer":
      return turnsSoFar(asked) === 0
        ? calls(
            { name: "write_file", input: { path: "src/price.js", content: FORMATTED } },
            { name: "write_file", input: { path: "test/price.test.js", content: TESTED } },
          )
        : handIn("show prices with two digits");
    case "feedback":
      return { status: 400, message: "Nobody expected feedback.", type: "invalid_request_error" };
    case "reader":
      return calls({ name: "complete", input: { summary: "Formats.", findings: [] } });
  }
}

/** The same without a test: for repositories that have none. */
export function plainMind(asked: Asked): ScriptedReply {
  const isWriting = roleOf(asked) === "implementer" && turnsSoFar(asked) === 0;
  return isWriting ? calls(write("src/price.js", FORMATTED)) : goodMind(asked);
}
