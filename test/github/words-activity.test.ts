import { expect, it } from "vitest";
import { progressOutput } from "../../src/github/words/check/check-text.ts";
import { activityWords } from "../../src/github/words/work/activity-words.ts";
import { headSha, wording } from "./samples.ts";

const tool = (name: string, rest: object = {}) => ({ doing: "tool", tool: name, ...rest }) as const;

it.each([
  ["asking claude-sonnet-5-5 for the plan", { doing: "thinking", model: "claude-sonnet-5-5", purpose: "plan" }],
  ["asking m about the change, 12 files read", { doing: "thinking", model: "m", purpose: "review", files: 12 }],
  ["asking the model", { doing: "thinking" }],
  ["reading 12 files", tool("read_file", { about: "src/a.ts", files: 12 })],
  ["reading src/a.ts", tool("read_file", { about: "src/a.ts", files: 1 })],
  ["running a command", tool("run_command")],
  ["running tests", tool("run_tests")],
  ["using constructor", tool("constructor")],
  ["checking types and choosing tests", { doing: "checking" }],
  ["running the tests in 46 files", { doing: "testing", testFiles: 46 }],
  ["running the tests in 1 file", { doing: "checking", testFiles: 1 }],
] as const)("GH-12: %s", (words, activity) => {
  expect(activityWords(activity)).toBe(words);
});

it("GH-12, GH-15: the check says it while the review goes on, and a name in it can do nothing", () => {
  const activity = { doing: "thinking", model: "claude-sonnet-5-5", purpose: "verification" } as const;
  expect(progressOutput({ headSha, check: "forge/review", activity }, wording)).toEqual({
    title: "Reviewing: asking claude-sonnet-5-5 to verify a finding",
    summary: `\`${headSha.slice(0, 7)}\` is being reviewed. Nothing to do.\n\nNow: asking \`claude-sonnet-5-5\` to verify a finding.`,
  });
  const hostile = tool("read_file", { about: "a`b@mona\n# x".repeat(40) });
  const { title, summary } = progressOutput({ headSha, check: "forge/review", activity: hostile }, wording);
  expect(title.length).toBeLessThanOrEqual(80);
  expect(title).not.toContain("\n");
  expect(summary.split("\n")).toHaveLength(3);
});

it("GH-12: so does the check of tests", () => {
  const activity = { doing: "testing", testFiles: 46 } as const;
  expect(progressOutput({ headSha, check: "forge/tests", activity }, wording)).toEqual({
    title: "Testing: running the tests in 46 files",
    summary: `The tests that the change at \`${headSha.slice(0, 7)}\` affects are run. Nothing to do.\n\nNow: running the tests in 46 files.`,
  });
});
