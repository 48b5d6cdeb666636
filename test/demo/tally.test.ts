import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ISSUE, REQUEST } from "../../demo/implement/issue.ts";
import type { Conversation } from "../../demo/model/conversation.ts";
import { ADD_BY_READING, ADD_BY_RUNNING, DESCRIBE, HOLD_TO_THE_LIMIT, SUM_LINE } from "../../demo/model/tally/edits.ts";
import { implement } from "../../demo/model/tally/implementer.ts";
import { planWork } from "../../demo/model/tally/planner.ts";
import type { ScriptedReply } from "../../simulator/models/scripted-model.ts";

const run = promisify(execFile);
const TOOLS = ["edit_file", "run_tests", "run_command", "complete"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "demo-tally-"));
  cpSync("fixtures/projects/tally", folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

type Edits = typeof ADD_BY_RUNNING;

function edit(edits: Edits): void {
  for (const { path, old_text: old, new_text: text } of edits) {
    const before = readFileSync(join(folder, path), "utf8");
    expect(before.split(old), `${path} has it once`).toHaveLength(2);
    writeFileSync(
      join(folder, path),
      before.replace(old, () => text),
    );
  }
}

/** The tests of the project, as it is now. */
async function failing(): Promise<string[]> {
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const options = { cwd: folder, env };
  // One process for all files: each file in its own takes four times as long.
  const args = ["--test", "--test-isolation=none", "--test-reporter=tap"];
  const { stdout } = await run(process.execPath, args, options).catch((error) => error);
  expect(stdout).toMatch(/^# tests \d+$/m);
  return [...stdout.matchAll(/^not ok \d+ - (.+)$/gm)].map(([, name]) => name);
}

const only = (edits: Edits, path: string) => edits.filter((one) => one.path.startsWith(path));

describe("the project of the demo", () => {
  it("needs no package, and says how things are done", () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect([dependencies, devDependencies]).toEqual([undefined, undefined]);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(["AGENTS.md", "README.md", ".github"]));
  });

  it("passes its tests as it is and with the first attempt, which runs what it reads", async () => {
    expect(await failing()).toEqual([]);
    edit(ADD_BY_RUNNING);
    edit(DESCRIBE);
    expect(await failing()).toEqual([]);
    const added = (text: string) => run(process.execPath, ["bin/tally.js", "add", "ana", text, "x"], { cwd: folder });
    await expect(added("process.exit(7)+1")).rejects.toMatchObject({ code: 7 });
  });

  it("has a test for each fault that fails while the fault is there", async () => {
    edit(ADD_BY_RUNNING);
    edit(only(ADD_BY_READING, "test/"));
    expect(await failing()).toEqual(["the parts of a sum are amounts, and nothing of it is run"]);
    edit(only(ADD_BY_READING, "src/"));
    expect(readFileSync(join(folder, "src/amount.js"), "utf8")).toContain(SUM_LINE);
    edit(only(HOLD_TO_THE_LIMIT, "test/"));
    expect(await failing()).toEqual(["a sum is at most what a line of the file holds"]);
    edit(only(HOLD_TO_THE_LIMIT, "src/"));
    expect(await failing()).toEqual([]);
  });
});

function calls(reply: ScriptedReply): { name: string; input: Record<string, unknown> }[] {
  return "calls" in reply ? (reply.calls ?? []).map(({ name, input }) => ({ name, input: input as never })) : [];
}

const talk = (task: string, ...results: string[]): Conversation => ({ task, results });
const names = (reply: ScriptedReply) => calls(reply).map(({ name }) => name);

describe("the script that implements", () => {
  it("looks at the code before it plans, and asks about another issue than that of the story", () => {
    expect(names(planWork(talk(ISSUE.title)))).toEqual(["read_file", "grep"]);
    expect(names(planWork(talk(ISSUE.title, "code")))).toEqual(["complete"]);
    expect(names(planWork(talk("Something else")))).toEqual(["ask_human"]);
  });

  it("edits and tries what it did in one step, then hands in; without a sandbox it says that nothing was run", () => {
    const task = "Your task:\nRead a sum as an amount";
    expect(names(implement(talk(task), TOOLS))).toEqual(["edit_file", "edit_file", "edit_file", "run_tests"]);
    expect(calls(implement(talk(task, "passed"), TOOLS))[0]?.input).toMatchObject({ validated: true });
    expect(names(implement(talk(task), ["edit_file", "complete"]))).not.toContain("run_tests");
    const [handed] = calls(implement(talk(task, "edited"), ["edit_file", "complete"]));
    expect(handed?.input).toMatchObject({ validated: false, not_done: expect.stringContaining("not executed") });
    const other = calls(implement(talk("Your task:\nDescribe sums where amounts are described"), TOOLS));
    expect(other.map(({ name }) => name)).toEqual(["edit_file", "edit_file", "run_command"]);
  });

  it.each([
    ["F-7K2Q", "Text is run as code by eval().", true, "fix"],
    ["P1", REQUEST, true, "fix"],
    ["P1", "Make it blue.", false, undefined],
  ])("answers %s, %s", (id, said, done, type) => {
    const task = `The feedback, one piece:\n${said}\n\nWork on exactly that and answer each: ${id}. You have 50 steps`;
    const [handed] = calls(implement(talk(task, "edited"), TOOLS));
    expect(handed?.input.answers).toEqual([{ id, done, answer: expect.any(String) }]);
    expect((handed?.input.commit as { type?: string } | undefined)?.type).toBe(type);
  });
});
