import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../../src/llm/ports.ts";
import { readChange } from "../../../src/pipeline/change/read-change.ts";
import { runAiLayer } from "../../../src/pipeline/review/ai/ai-layer.ts";
import { visibleText } from "../../../src/safety/visible-text.ts";
import { aiDependencies } from "./ai-powers.ts";
import { type Grounds, openGrounds } from "./grounds.ts";
import { readingWork } from "./reading-work.ts";

/** Zero-width, bidirectional, joining and tag characters around and in a word that is seen. */
const unseen = (word: string) => `\u200b${word.slice(0, 3)}\u2060${word.slice(3)}\u202e\u2066\u{e0041}\ufeff`;
/** The same, and what a page does not show. Whatever holds "secret-order" is to be gone. */
const page = (word: string) =>
  `${unseen(word)} <!-- secret-order --> ![secret-order](a.png) <b title="secret-order">x</b> <p hidden>secret-order</p>`;

/** Each place where text of others comes to a model, by the word that is seen there. */
const PLACES = {
  title: "word-title",
  diff: "word-diff",
  prose: "word-prose",
  unclosed: "word-unclosed",
  instructions: "word-instructions",
  analyser: "word-analyser",
  file: "word-file",
  code: "word-code",
  message: "word-message",
  memory: "word-memory",
  secondMemory: "word-second",
  issue: "word-issue",
  comment: "word-comment",
} as const;

const LOOK: readonly (readonly [tool: string, input: unknown])[] = [
  ["read_file", { path: "docs/notes.md" }],
  ["read_file", { path: "src/code.js" }],
  ["grep", { pattern: "prose|code" }],
  // What stands in the first message is given again to who insists.
  ["git_diff", { path: "README.md" }],
  ["git_diff", { path: "README.md" }],
  ["git_diff", {}],
  ["git_log", {}],
  ["git_blame", { path: "README.md", from_line: 1, to_line: 3 }],
  ["list_files", { depth: 5 }],
  ["glob", { pattern: "**" }],
  ["find_references", { symbol: "code" }],
  ["repository_map", {}],
  ["recall", { question: "what is known" }],
  ["fetch_issue", { number: 1 }],
];

let grounds: Grounds;
let first: string;
let results: Map<string, string[]>;
beforeAll(async () => {
  grounds = await openGrounds(() => [{ path: "README.md", content: "# Shop\n" }]);
  const { base, heads } = await grounds.commit([
    {
      message: page(PLACES.message),
      files: [
        { path: "README.md", content: `# Shop\n\n${page(PLACES.prose)}\n` },
        { path: "docs/open.md", content: `${PLACES.unclosed}\n<!-- secret-order\nsecret-order\n` },
        { path: "src/a.js", content: `// ${unseen(PLACES.diff)}\nexport const a = 1;\n` },
        { path: "src/na\u200bme.js", content: "export const b = 1;\n" },
        { path: "docs/notes.md", content: `${page(PLACES.file)}\n` },
        {
          path: "src/code.js",
          content: `// ${unseen(PLACES.code)}\nexport function code(a /* ${unseen("argument")} */) {}\n`,
        },
      ],
    },
  ]);
  const { mirror } = grounds;
  const [head = ""] = heads;
  const signal = new AbortController().signal;
  const change = await readChange(mirror, { baseSha: base, headSha: head }, signal);
  const at = "2026-01-01T00:00:00.000Z";
  const who = { author: `eve\u202e`, role: "none", at };
  const note = (id: string, content: string) => ({
    id,
    kind: "semantic" as const,
    confidence: 0.5,
    createdAt: at,
    content,
  });
  const requests: string[][] = [];
  const model: Model = {
    ...{ provider: "script", id: "looking", contextWindow: 200_000, maxOutputTokens: 8_000, nativeTools: true },
    step: async ({ messages }) => {
      const texts = messages.flatMap(({ content }) =>
        content.map((block) => ("content" in block ? block.content : block.type === "text" ? block.text : "")),
      );
      requests.push(texts);
      const calls = messages.length === 1 ? LOOK : ([["complete", { summary: "x", findings: [] }]] as const);
      const content = calls.map(([name, input], index) => ({
        type: "tool_use" as const,
        id: `t${index}`,
        name,
        input,
      }));
      const usage = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 };
      return { ok: true, content, stopReason: "tool_use", usage, model: "looking", provider: "script" };
    },
  };
  await runAiLayer(aiDependencies(model), {
    ...readingWork({
      ...{ mirror, head, change, signal, scratch: grounds.scratch() },
      memory: {
        remember: async () => ({ id: "M-1" }),
        recall: async () => [note("M-1", `${page(PLACES.memory)} <!-- secret-order`), note("M-2", PLACES.secondMemory)],
      },
      issues: {
        fetchIssue: async (number) => ({
          ...{ number, title: "Issue", state: "open", ...who, body: `${page(PLACES.issue)} <!-- secret-order` },
          ...{ labels: [], comments: [{ ...who, body: page(PLACES.comment) }], moreComments: 0 },
        }),
      },
    }),
    title: unseen(PLACES.title),
    instructions: [{ path: "AGENTS.md", text: page(PLACES.instructions) }],
    found: [{ file: "src/a.js", line: 1, rule: "x", message: unseen(PLACES.analyser) }] as never,
  });
  first = requests[0]?.[0] ?? "";
  const answers = requests[1]?.slice(-LOOK.length) ?? [];
  results = new Map();
  for (const [index, [tool]] of LOOK.entries()) results.set(tool, [...(results.get(tool) ?? []), answers[index] ?? ""]);
});
afterAll(() => grounds[Symbol.asyncDispose]());

/** What stands between this text and the next mark of another one. */
function said(text: string, word: string): string {
  const end = text.indexOf("<data ", text.indexOf(word));
  return text.slice(text.indexOf(word), end === -1 ? undefined : end);
}

describe("text of others that people do not see (SEC-5)", () => {
  it.each(["title", "diff", "prose", "unclosed", "instructions", "analyser", "file", "code"] as const)(
    "is left out of what a reader begins with, and counted: %s",
    (place) => {
      expect(first).toContain(PLACES[place]);
      expect(said(first, PLACES[place])).toMatch(/Left out of this text, as nobody sees it: [\w ,()]*\d+ /);
    },
  );

  it.each([
    ["read_file", PLACES.file],
    ["read_file", PLACES.code],
    ["grep", PLACES.prose],
    ["grep", PLACES.code],
    ["git_diff", PLACES.prose],
    ["git_log", PLACES.message],
    ["git_blame", PLACES.prose],
    ["find_references", "function code(a /* argument */)"],
    ["repository_map", "src/name.js"],
    ["recall", PLACES.memory],
    ["fetch_issue", PLACES.issue],
    ["fetch_issue", PLACES.comment],
  ])("is left out of what %s gives, and counted: %s", (tool, word) => {
    const text = results.get(tool)?.find((each) => each.includes(word)) ?? "";
    expect(text).toContain(word);
    expect(text).toMatch(/Left out of /);
  });

  it("hides nothing else: a comment without an end ends with its text", () => {
    expect(results.get("recall")?.join()).toContain(PLACES.secondMemory);
    expect(results.get("fetch_issue")?.join()).toContain(PLACES.comment);
    expect(results.get("git_log")?.join()).toContain("Begin");
  });

  it("names files with such characters as what they are", () => {
    for (const tool of ["list_files", "glob", "git_diff"]) {
      expect(results.get(tool)?.join("\n")).toContain(String.raw`na\u200bme.js`);
    }
  });

  it("is nowhere", () => {
    for (const text of [first, ...[...results.values()].flat()]) {
      expect(text).not.toContain("secret-order");
      expect(visibleText(text)).toBe(text);
    }
  });
});
