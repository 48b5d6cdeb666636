import { promptInjection } from "../../src/agents/guardrails.ts";
import { commitMessage } from "../../src/agents/implementer/commit-message.ts";
import { classifyReply } from "../../src/agents/loop/reply.ts";
import { locateQuote } from "../../src/agents/reviewer/locate-quote.ts";
import { showFiles } from "../../src/agents/show-files.ts";
import { branchName } from "../../src/domain/branch-name.ts";
import { placesOf } from "../../src/domain/places-of.ts";
import { estimateTextTokens } from "../../src/llm/estimate-tokens.ts";
import { parseTaggedCalls, watchTags } from "../../src/llm/tagged-calls.ts";
import { opposed, statementOf } from "../../src/memory/usable.ts";
import { refusedText } from "../../src/pipeline/commands/read-teaching.ts";
import { wordsOf } from "../../src/safety/finding-class.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { cleanText } from "../../src/tools/data/clean-text.ts";
import { shownPath } from "../../src/tools/data/show-text.ts";
import { parsePatch } from "../../src/tools/edit/parse-patch.ts";
import { saysFixOrRevert, titleOf } from "../../src/workspace/commit-title.ts";
import { type OutsideReader, reader } from "./reader.ts";

const redact = createRedactor(["a known secret value"]);

function readPatch(text: string): void {
  try {
    parsePatch(text);
  } catch {
    // What is no patch is refused.
  }
}

function watch(text: string): void {
  const watcher = watchTags(
    () => undefined,
    (index) => `${index}`,
  );
  for (const piece of text.match(/.{1,16}/gsu) ?? []) watcher.take(piece);
  watcher.end();
}

/** Every reader of what a model says and of what people write for it, besides those of `outside-readers.ts`. */
export const MODEL_READERS: Readonly<Record<string, OutsideReader>> = {
  "patches of a model": reader(
    readPatch,
    ["*** Begin Patch\n*** Update File: a.ts\n", "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n"],
    ["+a\n", "-a\n", " a\n", "@@\n", "*** Update File: a\n"],
    ["*** End Patch\n"],
  ),
  "calls in words": {
    ...reader(
      (text) => [watch(text), parseTaggedCalls(text, (index) => `${index}`)],
      ["<tool_call>", '<tool_call>{"name": "a", "arguments": {"a": "'],
      ["<tool_call>", "</tool_call>", "<tool", '{"name": "', '<tool_call>{"name":"a"}</tool_call>'],
      ['"}}</tool_call>'],
    ),
    // A name of a tool that comes later is not waited for.
    window: 4_096,
  },
  replies: reader(
    (text) => [classifyReply([{ type: "text", text }], "end_turn"), estimateTextTokens(text)],
    [],
    ["should i ", "how would you "],
    ["?"],
  ),
  "commit messages": reader(
    (text) => [
      commitMessage({ type: "fix", subject: text, body: text }, { issue: 1 }),
      titleOf(text, text),
      saysFixOrRevert(text),
      branchName(1, text),
    ],
    ["fix: ", "[skip"],
    ["[skip ", "#1 ", "a/a#", "@a", "a://", "**", "fix ", "word "],
    ["]"],
  ),
  quotes: reader(
    (text) => locateQuote(text.split("\n"), { line: 1, quote: text.slice(text.length / 2) }),
    [],
    ["a\n", "1 | a\n"],
  ),
  "files around names": reader(
    (text) => showFiles([{ path: "a.ts", text }], { each: 10, all: 10_000, part: 2_000 }, redact, text),
    ["parseRange a.ts:3 "],
    ["parseRange\n", "parseRange ", "a.ts:1 ", "name1 name2\n"],
  ),
  edits: reader((text) => placesOf(text, text.slice(text.length / 2)), [], ["a\n", "aab"]),
  orders: reader(
    (text) => [promptInjection.check({ stage: "tool_output", text }), refusedText(text)],
    [],
    ["ignore the ", "ignore all previous ", "you are now ", "never report "],
  ),
  "taught sentences": reader(
    (text) => [opposed(statementOf(text), statementOf(`not ${text}`)), wordsOf(text)],
    ["use "],
    ["use a ", "never ", "10 ms ", "1.", "`a` ", "not "],
  ),
  "what a model reads": reader(
    (text) => [
      cleanText(text, { redact, prose: true }),
      cleanText(text, { redact, prose: false, program: true }),
      shownPath(text),
    ],
    ["<!--", "[a]: "],
    ["<!--", "\u200b", "![a]", "<p hidden>", "bearer ", "key='", "a\u200ba\n"],
    ["-->"],
  ),
};
