import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Files that redact on the calling thread, with what bounds the length of each text. Others use `redactAside` or `redactBeginning`. */
const BOUNDED: Readonly<Record<string, string>> = {
  "agents/loop/call-result.ts": "cut before",
  "app/examine-models.ts": "what a provider says of a failure, cut by its client",
  "app/examine.ts": "a message of one call, in a command",
  "app/run-server.ts": "lines about its own settings, once, when it starts",
  "github/app-client.ts": "the short parts of `redactStringsInTurns`",
  "github/effects/post-review.ts": "longer suggestions are not shown",
  "github/issues/read-snapshot.ts": "names of labels",
  "learning/learn-faults.ts": "a door cuts its messages",
  "learning/look-back.ts": "the length that a model's learnings may have",
  "llm/failures.ts": "cut before",
  "memory/lesson.ts": "the length that a lesson may have",
  "memory/recall.ts": "cut before",
  "monitoring/doors/clean-text.ts": "cut before",
  "pipeline/local/local-run.ts": "no webhooks: a command",
  "pipeline/review/ai/secrets-of-change.ts": "as its caller has it; `aside` is for long ones",
  "pipeline/testing/conclude-testing.ts": "the length that a model's answer may have",
  "tools/memories.ts": "the length that a note may have",
};

/** A call of a redactor whose answer is not waited for. Commands (`cli/`) answer no webhooks, and `safety/` has the redactors themselves. */
const CALL = /(?<!await |await \(|function )\bredact\((?!text: string)/;

it("OPS-8: each file that redacts on the calling thread says what bounds the length of its texts", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/^(?:safety|cli)\//.test(file),
  );
  const calling = files.filter((file) => CALL.test(readFileSync(`src/${file}`, "utf8")));
  expect(calling.sort()).toEqual(Object.keys(BOUNDED).sort());
  expect(CALL.test("const clean = dependencies.redact(text);")).toBe(true);
  expect(CALL.test("const clean = await redact(text);")).toBe(false);
});
