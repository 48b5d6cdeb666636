import { expect, it } from "vitest";
import { createGraphReader } from "../../../src/analysis/map/read-graph.ts";
import { RepoConfig } from "../../../src/domain/repo-config.ts";
import { checkAndMend } from "../../../src/pipeline/implement/work/check-work.ts";
import type { RoundContext } from "../../../src/pipeline/implement/work/round.ts";
import { openSandbox } from "../../../src/workspace/sandbox/open-sandbox.ts";
import type { Sandbox } from "../../../src/workspace/sandbox/sandbox.ts";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { treeOfFiles } from "../../workspace/working-tree/tree-fixture.ts";

const BEFORE = "export const a = 1;\n";
const MANIFEST = '{ "name": "cart", "type": "module", "scripts": { "test": "node --test" } }\n';
const TEST = 'import { test } from "node:test";\nimport "../a.js";\ntest("loads", () => {});\n';
const OF_NODE = [
  { path: "package.json", content: MANIFEST },
  { path: "test/a.test.js", content: TEST },
];

/** What a task changed is checked. @returns what was said of it, and how many copies were written out for that */
async function check(...files: readonly { path: string; content: string }[]) {
  await using fixture = await treeOfFiles([{ path: "a.js", content: BEFORE }, ...files]);
  const tree = await fixture.open({ sandbox: (await openSandbox()) as Sandbox });
  const { signal } = new AbortController();
  const change = { path: "a.js", before: Buffer.from(BEFORE), content: Buffer.from("export const a = 2;\n") };
  expect(await tree.files.change([change], signal)).toEqual({ ok: true });
  let copies = 0;
  const context = {
    workspace: {
      tree,
      mirror: fixture.mirror(),
      limits: { timeLimitMs: 600_000 },
      progress: { say: () => undefined },
      readGraph: createGraphReader({ files: tree.files, scratch: fixture.scratchRoot, immutable: false }),
      // Packages are laid into each copy.
      installIn: async () => {
        copies += 1;
      },
    },
    job: { signal },
    run: { resumes: 0, configuration: RepoConfig.parse({}) },
    dependencies: { ai: { redact: (text: string) => text }, scratchRoot: fixture.scratchRoot },
  } as unknown as RoundContext;
  const round = { commits: [], answers: [], notDone: [], testsAdded: 0, validated: true };
  return { ...(await checkAndMend(context, round, "task")), copies };
}

describeInSandbox("IMPL-1: the check of a task", () => {
  it("writes out no copy of the work where there is nothing to run", async () => {
    const { copies, ...said } = await check();
    expect(said).toEqual({
      checks: {
        failing: [],
        notRun: ["No way to run tests was found: name one as `tools.test` in the configuration."],
      },
    });
    expect(copies).toBe(0);
  });

  it("runs the tests that reach it in a copy", async () => {
    const { copies, ...said } = await check(...OF_NODE);
    expect(said).toMatchObject({ checks: { failing: [], notRun: [], tests: { passed: 1, failed: 0 } } });
    expect(copies).toBe(1);
  });
});
