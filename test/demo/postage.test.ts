import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ERROR, WISH } from "../../demo/deploy/issues.ts";
import type { Conversation } from "../../demo/model/conversation.ts";
import { implementPostage, planPostage } from "../../demo/model/postage/script.ts";
import type { ScriptedReply } from "../../simulator/models/scripted-model.ts";

const TOOLS = ["edit_file", "write_file", "run_tests", "complete"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "demo-postage-"));
  cpSync("fixtures/projects/postage/base", folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const talk = (task: string, ...results: string[]): Conversation => ({ task, results });

function calls(reply: ScriptedReply | undefined): { name: string; input: Record<string, never> }[] {
  return reply && "calls" in reply
    ? (reply.calls ?? []).map(({ name, input }) => ({ name, input: input as never }))
    : [];
}

/** The task of the plan for an issue. */
function taskFor(issue: string): string {
  const [plan] = calls(planPostage(talk(issue, "code")));
  const { tasks } = plan!.input as unknown as { tasks: readonly { title: string }[] };
  return `Your task:\n${tasks[0]?.title}`;
}

/** Does what the script says, and runs the tests of the project. Resolves with those that fail. */
async function work(task: string): Promise<string[]> {
  for (const { name, input } of calls(implementPostage(talk(task), TOOLS))) {
    const { path, old_text: old, new_text: text, content } = input as Record<string, string>;
    if (name === "write_file") writeFileSync(join(folder, path!), content!);
    if (name !== "edit_file") continue;
    const before = readFileSync(join(folder, path!), "utf8");
    expect(before.split(old!), `${path} has it once`).toHaveLength(2);
    writeFileSync(
      join(folder, path!),
      before.replace(old!, () => text!),
    );
  }
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const args = ["--test", "--test-isolation=none", "--test-reporter=tap"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch((error) => error);
  expect(stdout).toMatch(/^# tests [1-9]/m);
  return [...stdout.matchAll(/^not ok \d+ - (.+)$/gm)].map(([, name]) => name);
}

/** How many of so many customers at once get no number. */
async function failed(customers: number): Promise<number> {
  const script = `import { startApp } from "./test/ask.js";
    const ask = startApp();
    let failed = 0;
    for (let i = 0; i < ${customers}; i += 1) if (ask("/postage?grams=1&to=DE").code === 500) failed += 1;
    console.log(failed);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
  });
  return Number(stdout);
}

it("the wish is built with a fault that its tests do not see, and the error leads to a fix", async () => {
  expect(await work(taskFor(WISH.title))).toEqual([]);
  expect([await failed(90), await failed(100)]).toEqual([0, 10]);
  expect(await work(taskFor(`In production: Error: ${ERROR}`))).toEqual([]);
  expect(await failed(100)).toBe(0);
});

it("looks at the code before it plans, and leaves other projects to other scripts", () => {
  expect(calls(planPostage(talk(WISH.title))).map(({ name }) => name)).toEqual(["read_file"]);
  expect(planPostage(talk("Something else"))).toBe(undefined);
  expect(implementPostage(talk("Your task:\nSomething else"), TOOLS)).toBe(undefined);
});
