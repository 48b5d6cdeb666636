import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { createAgentLoop } from "../../../src/agents/agent-loop.ts";
import { promptInjection, secretsInOutput } from "../../../src/agents/guardrails.ts";
import { implementTask } from "../../../src/agents/implementer/implement-task.ts";
import { feedbackAgent, implementerAgent } from "../../../src/agents/implementer/implementer-agent.ts";
import { refuseOutside, scopeOf, withScope } from "../../../src/agents/implementer/scope.ts";
import { createPolicy } from "../../../src/agents/loop/policy.ts";
import { createGraphReader } from "../../../src/analysis/map/read-graph.ts";
import { createReadLog } from "../../../src/tools/read-file.ts";
import { USUAL_PROGRAMS } from "../../../src/tools/run-command.ts";
import { implementerTools } from "../../../src/tools/toolsets.ts";
import { openClone } from "../../../src/workspace/clone.ts";
import type { Sandbox } from "../../../src/workspace/sandbox/sandbox.ts";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { temporaryFolder } from "../../workspace/sandbox-machine.ts";
import { call, kit, type Reply, scripted } from "../kit.ts";
import { plan, redact } from "../planner/fixture.ts";

const FILES: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
  "src/sum.js": "export const sum = (a, b) => a - b;\n",
  "src/other.js": "export const other = 1;\n",
  "test/sum.test.js":
    "import test from 'node:test'; import assert from 'node:assert'; import { sum } from '../src/sum.js';\n" +
    "test('adds nothing', () => assert.equal(sum(0, 0), 0));\n",
  ".github/workflows/ci.yml": "on: push\n",
};
const WORK = plan({
  tasks: [{ ...plan().tasks[0]!, title: "Mend the sum", files: ["src/sum.js", "test/sum.test.js"] }],
});
const RESULT = {
  summary: "It adds now.",
  files_changed: ["src/sum.js", "test/sum.test.js"],
  tests_added: ["adds"],
  validated: true,
  commit: { type: "fix", subject: "add instead of subtracting" },
};

const mend = ["edit_file", { path: "src/sum.js", old_text: "a - b", new_text: "a + b" }] as const;
const test = [
  "edit_file",
  {
    path: "test/sum.test.js",
    old_text: "test('adds nothing'",
    new_text: "test('adds', () => assert.equal(sum(2, 3), 5));\ntest('adds nothing'",
  },
] as const;

interface Over {
  readonly feedback?: readonly { readonly id: string }[];
  readonly someoneToAsk?: boolean;
}

/** The implementer over a real folder in the real sandbox, as a pipeline would set it up, answered by a script. */
async function workshop(sandbox: Sandbox, script: readonly Reply[], over: Over = {}) {
  const { feedback, someoneToAsk = true } = over;
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const clone = await openClone({ folder: root, sandbox });
  const scope = scopeOf(WORK, { paths: Object.keys(FILES), protectedPaths: [] });
  const [task] = WORK.tasks;
  const files = task!.files.map((path) => ({ path, text: FILES[path]! }));
  const place = { instructions: [], testing: "`node --test`", steps: 50, leftUsd: 10, redact };
  const start = await implementTask({ ...place, plan: WORK, task: task!, done: [], files, wishes: [] });
  const reads = createReadLog();
  for (const path of start.read) reads.note(path, Buffer.from(FILES[path]!));
  const tools = implementerTools({
    ...{ clone, redact, reads, programs: USUAL_PROGRAMS, changedPaths: [], refusePath: refuseOutside(scope) },
    readGraph: createGraphReader({ files: clone.files, scratch: root, immutable: false }),
    lint: async () => ({ ok: false, reason: "unavailable" }) as never,
  });
  const model = scripted(script);
  const box = kit(model, {
    context: { task: start.task, shares: { memories: 0, conversation: 0, environment: 0 }, sources: {} },
    policy: withScope(createPolicy({ deny: [], ask: [] }), scope),
    someoneToAsk,
    guardrails: [promptInjection, secretsInOutput(redact)],
  });
  const agent = feedback ? feedbackAgent(tools, feedback) : implementerAgent(tools);
  const loop = createAgentLoop(agent, box.dependencies);
  const textOf = (path: string) => readFileSync(join(root, path), "utf8");
  const results = (at: number) => JSON.stringify(model.requests[at]?.messages.at(-1));
  const filesNow = () => {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = entries.map(({ parentPath, name }) => relative(root, join(parentPath, name)));
    return Object.fromEntries(paths.map((path) => [path, textOf(path)]));
  };
  return { ...box, model, loop, scope, textOf, filesNow, results };
}

describeInSandbox("the implementer", (sandbox) => {
  it("IMPL-1: edits what its first message showed, runs the tests that it affects, and hands in a commit", async () => {
    const run = ["run_tests", { affected_by: ["src/sum.js"] }] as const;
    const script = [call(test, run), call(mend, run), call(["complete", RESULT])];
    const { loop, results, textOf, model } = await workshop(sandbox, script);
    const { standing, totalCalls } = await loop.run();
    expect(standing).toMatchObject({ is: "ended", end: { reason: "completed", output: RESULT } });
    expect(totalCalls).toBe(3);
    expect(results(1)).toContain("node:test: 1 passed, 1 failed");
    expect(results(2)).toContain("node:test: 2 passed, 0 failed");
    expect(textOf("src/sum.js")).toBe("export const sum = (a, b) => a + b;\n");
    const names = model.requests[0]!.tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["edit_file", "write_file", "apply_patch", "run_command", "run_tests", "run_linter"]),
    );
    expect(names.filter((name) => /commit|push|github/i.test(name))).toEqual([]);
  });

  it("LOOP-15: a file outside the plan waits for a person; allowed, exactly that edit is made", async () => {
    const other = ["write_file", { path: "src/other.js", content: "export const other = 2;\n" }] as const;
    const script = [call(["read_file", { path: "src/other.js" }]), call(other), call(["complete", RESULT])];
    const { loop, textOf } = await workshop(sandbox, script);
    const waiting = await loop.run();
    expect(waiting.standing).toMatchObject({
      is: "waiting",
      wait: { for: "approval", tool: "write_file", reason: '"src/other.js" is not among the files of the plan.' },
    });
    expect(textOf("src/other.js")).toBe(FILES["src/other.js"]);
    await loop.run({ by: "approval", verdict: { is: "approved" } });
    expect(textOf("src/other.js")).toBe("export const other = 2;\n");
  });

  it("SEC-5: a workflow that the plan does not name is closed, and the model is told why", async () => {
    const path = ".github/workflows/ci.yml";
    const script = [
      call(["read_file", { path }]),
      call(["write_file", { path, content: "x" }]),
      call(["complete", RESULT]),
    ];
    const { loop, textOf, results } = await workshop(sandbox, script);
    const { standing } = await loop.run();
    expect(standing).toMatchObject({ end: { reason: "completed" } });
    expect(results(2)).toContain("is a workflow of GitHub Actions, and the plan does not name it");
    expect(textOf(path)).toBe("on: push\n");
  });

  it("SEC-5: one that obeys whatever it reads changes nothing beyond the plan unseen, where nobody is there to ask", async () => {
    const sneak =
      "fs.mkdirSync('.github/actions', { recursive: true }); fs.writeFileSync('.github/actions/x.yml', 'x')";
    const patch = "--- /dev/null\n+++ b/.github/workflows/evil.yml\n@@ -0,0 +1 @@\n+on: push\n";
    const script = [
      call(["read_file", { path: "src/other.js" }], ["read_file", { path: ".github/workflows/ci.yml" }]),
      call(
        ["write_file", { path: ".github/workflows/ci.yml", content: "evil" }],
        ["edit_file", { path: "./.github//workflows/ci.yml", old_text: "push", new_text: "pull_request_target" }],
        ["apply_patch", { patch }],
        ["write_file", { path: "CODEOWNERS", content: "* @eve" }],
        ["write_file", { path: ".git/hooks/pre-commit", content: "evil" }],
        ["write_file", { path: "../escaped.js", content: "evil" }],
        ["edit_file", { path: "src/other.js", old_text: "1", new_text: "2" }],
        ["write_file", { path: "package.json", content: "{}" }],
        ["run_command", { program: "node", args: ["-e", sneak] }],
      ),
      call(["complete", RESULT]),
    ];
    const { loop, filesNow, scope, model } = await workshop(sandbox, script, { someoneToAsk: false });
    await loop.run();
    const outcomes = model.requests[2]?.messages.at(-1)?.content.map((block) => "isError" in block && block.isError);
    expect(outcomes).toEqual([true, true, true, true, true, true, true, true, false]);
    const now = filesNow();
    expect(now).toEqual({ ...FILES, ".github/actions/x.yml": "x" });
    expect(scope(".github/actions/x.yml").is).not.toBe("inside");
  });

  it("SEC-6: a secret is not written", async () => {
    const secret = [
      "write_file",
      { path: "test/key.test.js", content: "const key = 's3cret-value-of-a-key';" },
    ] as const;
    const { loop, results, textOf } = await workshop(sandbox, [call(secret), call(["complete", RESULT])]);
    await loop.run();
    expect(results(1)).toContain("it holds a secret. Leave the secret out.");
    expect(() => textOf("test/key.test.js")).toThrow(/ENOENT/);
  });

  it("IMPL-2: cannot finish before every piece of feedback has its answer", async () => {
    const answer = (id: string) => ({ id, done: id === "F1", answer: "It adds now." });
    const script = [
      call(mend, ["complete", { ...RESULT, answers: [answer("F1")] }]),
      call(["complete", { ...RESULT, answers: [answer("F1"), answer("F2")] }]),
    ];
    const { loop, results, textOf } = await workshop(sandbox, script, { feedback: [{ id: "F1" }, { id: "F2" }] });
    const { standing } = await loop.run();
    expect(results(1)).toContain("no answer to F2: answer each, also what you did not do");
    expect(standing).toMatchObject({ end: { output: { answers: [answer("F1"), answer("F2")] } } });
    expect(textOf("src/sum.js")).toContain("a + b");
  });
});
