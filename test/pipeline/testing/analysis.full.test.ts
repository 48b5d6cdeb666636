import { expect, it } from "vitest";
import type { RunReport } from "../../../src/agents/loop/run-report.ts";
import type { AgentOutcome, RunAgent } from "../../../src/agents/reviewer/ports.ts";
import type { TesterOutput } from "../../../src/agents/tester/tester-agent.ts";
import { analyseFailures } from "../../../src/pipeline/testing/conclude-testing.ts";
import { createRedactor } from "../../../src/safety/redact.ts";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { type Files, testChange } from "./test-context.ts";

/** A model's part, and what it was asked. */
function saying(output: TesterOutput | undefined): { readonly runAgent: RunAgent; readonly asked: string[] } {
  const asked: string[] = [];
  const runAgent: RunAgent = async <Output>(
    { type }: Parameters<RunAgent>[0],
    { key, task }: { readonly key: string; readonly task: string },
  ) => {
    asked.push(`${type} ${key} ${task}`);
    const report = {} as RunReport;
    const outcome: AgentOutcome<TesterOutput> =
      output === undefined ? { ok: false, reason: "it stopped", report } : { ok: true, output, report };
    return outcome as AgentOutcome<Output>;
  };
  return { runAgent, asked };
}

const failure = (name: string, kind: "bug" | "environment" | "existing" | "flaky") => ({
  name,
  message: "no",
  class: kind,
});

it("TEST-1: a model says what is behind real failures, each by its number, and nothing of the others", async () => {
  const { runAgent, asked } = saying({
    failures: [
      { failure: 2, class: "flaky", cause: "It hangs on the clock.", confidence: 0.9 },
      { failure: 1, class: "bug", cause: "It subtracts.", fix: "Add in src/sum.js.", confidence: 0.8 },
      { failure: 7, class: "environment", cause: "Nobody asked." },
    ],
  });
  const dependencies = { runAgent, tools: [], redact: createRedactor([]) };
  const failures = [failure("a", "existing"), failure("b", "bug"), failure("c", "environment"), failure("d", "bug")];
  expect(await analyseFailures(failures, [], "vitest", dependencies)).toEqual([
    failures[0],
    { ...failures[1], cause: "It subtracts.", fix: "Add in src/sum.js.", confidence: 0.8 },
    failures[2],
    // Without a fix there is nothing to be sure of.
    { ...failures[3], class: "flaky", cause: "It hangs on the clock." },
  ]);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/^tester tester\/1 2 tests failed, run by vitest/);
});

it("TEST-1: nobody is asked where nothing is the code's fault, and no answer changes nothing", async () => {
  const none = saying({ failures: [] });
  const dependencies = { tools: [], redact: createRedactor([]) };
  const others = [failure("a", "existing"), failure("b", "environment")];
  expect(await analyseFailures(others, [], "vitest", { ...dependencies, runAgent: none.runAgent })).toEqual(others);
  expect(none.asked).toEqual([]);
  const bug = [failure("c", "bug")];
  expect(await analyseFailures(bug, [], "vitest", { ...dependencies, runAgent: saying(undefined).runAgent })).toEqual(
    bug,
  );
});

it("TEST-1: however many fail, each cause is looked at, and those that fail alike share the answer", async () => {
  const { runAgent, asked } = saying({
    failures: [{ failure: 1, class: "bug", cause: "total() throws.", fix: "Guard it.", confidence: 0.9 }],
  });
  const dependencies = { runAgent, tools: [], redact: createRedactor([]) };
  const thrown = (at: number) => ({
    ...failure(`case ${at}`, "bug"),
    file: `test/${at}.test.ts`,
    message: `no ${at} in the cart\n  at total (src/cart.ts:4:2)\n  at test/${at}.test.ts:1:1`,
  });
  const alike = Array.from({ length: 40 }, (_, at) => thrown(at));
  const others = Array.from({ length: 12 }, (_, at) => failure(`other ${at}`, "bug"));
  const analysed = await analyseFailures([...alike, ...others], [], "vitest", dependencies);
  expect(asked.map((text) => text.slice(0, 34))).toEqual([
    "tester tester/1 10 tests failed, r",
    "tester tester/2 3 tests failed, ru",
  ]);
  expect(asked[0]).toContain("fails in the same way: 39 more, such as case 1; case 2; case 3");
  expect(analysed.filter(({ cause }) => cause === "total() throws.")).toHaveLength(41);
});

const BASE: Files = {
  "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
  "sum.js": "export const sum = (a, b) => a + b;\n",
  "sum.test.js":
    "import test from 'node:test'; import assert from 'node:assert'; import { sum } from './sum.js';\ntest('adds', () => assert.equal(sum(1, 2), 3));\n",
};

describeInSandbox("analysis in the testing phase", (sandbox) => {
  it("TEST-1: a model's word never makes a failing test pass", async () => {
    const { runAgent, asked } = saying({ failures: [{ failure: 1, class: "environment", cause: "All is well." }] });
    const head = { ...BASE, "sum.js": "export const sum = (a, b) => a - b;\n" };
    expect(await testChange(sandbox, BASE, head, { runAgent })).toMatchObject({
      ...{ outcome: "failed", failed: 1, failures: [{ name: "adds", class: "environment", cause: "All is well." }] },
    });
    expect(asked[0]).toContain("-|export const sum = (a, b) => a + b;");
  });
});
