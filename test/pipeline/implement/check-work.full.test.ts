import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGraphReader } from "../../../src/analysis/map/read-graph.ts";
import { createIdMaker } from "../../../src/domain/ids.ts";
import { RepoConfig } from "../../../src/domain/repo-config.ts";
import { checkAndMend } from "../../../src/pipeline/implement/work/check-work.ts";
import { formatWork, type RoundContext } from "../../../src/pipeline/implement/work/round.ts";
import { commitDecision } from "../../../src/store/commit-decision.ts";
import { closeStore, openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { openSandbox } from "../../../src/workspace/sandbox/open-sandbox.ts";
import type { Sandbox } from "../../../src/workspace/sandbox/sandbox.ts";
import { PLAN } from "../../e2e/implementer.ts";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { treeOfFiles } from "../../workspace/working-tree/tree-fixture.ts";
import { subject } from "../review/story.ts";

const BEFORE = "export const a = 1;\n";
const MANIFEST = '{ "name": "cart", "type": "module", "scripts": { "test": "node --test" } }\n';
const TEST = `import { equal } from "node:assert";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "../a.js";
test("is formatted", () => equal(readFileSync("a.js", "utf8"), "export const a = 2;\\n"));
`;
/** Its tests need what the build writes. */
const BUILT = [
  { path: "package.json", content: MANIFEST },
  {
    path: "build.js",
    content: `import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
const text = readFileSync("a.js", "utf8");
if (text.includes(process.argv[2])) throw new Error("cannot build " + text);
mkdirSync("out", { recursive: true });
writeFileSync("out/a.js", text);
`,
  },
  {
    path: "test/a.test.js",
    content:
      'import { test } from "node:test";\nimport "../a.js";\nimport "../out/a.js";\ntest("is built", () => undefined);\n',
  },
];
const OF_NODE = [
  { path: "package.json", content: MANIFEST },
  { path: "test/a.test.js", content: TEST },
];

type Passed = Extract<Awaited<ReturnType<typeof check>>, { checks: unknown }>;

const folder = mkdtempSync(join(tmpdir(), "forge-format-"));
let store: Store;
beforeAll(async () => {
  store = await openStore({ url: `file:${join(folder, "forge.db")}` });
});
afterAll(async () => {
  await closeStore(store);
  rmSync(folder, { recursive: true });
});

/** What a task changed is checked, at level 2. @returns what was said of it, and how many copies were written out for that */
async function check(files: readonly { path: string; content: string }[] = [], tools: object = {}) {
  await using fixture = await treeOfFiles([{ path: "a.js", content: BEFORE }, ...files]);
  const mirror = fixture.mirror();
  const tree = await fixture.open({ mirror, sandbox: (await openSandbox()) as Sandbox });
  const { signal } = new AbortController();
  const change = { path: "a.js", before: Buffer.from(BEFORE), content: Buffer.from("export const a=2\n") };
  await setLevel(store, 2);
  expect(await tree.files.change([change], signal)).toEqual({ ok: true });
  let copies = 0;
  const sent: string[] = [];
  const opened: AsyncDisposable[] = [];
  const context = {
    workspace: {
      tree,
      mirror,
      limits: { timeLimitMs: 600_000, iterations: 5 },
      leftUsd: async () => 1,
      instructions: [],
      tests: {},
      paths: [],
      // The agent stops without a result.
      agents:
        () =>
        async (_agent: unknown, { task }: { readonly task: string }) => {
          sent.push(task);
          return { ok: false, reason: "it stopped", report: { costUsd: 0 } };
        },
      progress: { say: () => undefined },
      readGraph: createGraphReader({ files: tree.files, scratch: fixture.scratchRoot, immutable: false }),
      // Packages are laid into each copy.
      installIn: async () => {
        copies += 1;
      },
    },
    job: { signal, subject },
    run: { resumes: 0, configuration: RepoConfig.parse({ tools }), plan: { plan: PLAN }, feedback: [], gates: [] },
    tools: { show: async () => ({ files: [] }), near: async () => ({ files: [] }), make: () => [] },
    dependencies: { ai: { redact: (text: string) => text }, scratchRoot: fixture.scratchRoot, store },
  } as unknown as RoundContext;
  const round = { commits: [], answers: [], notDone: [], testsAdded: 0, validated: true, memories: [] };
  const openBase = async () => {
    const base = await fixture.open({ mirror: fixture.mirror(), sandbox: (await openSandbox()) as Sandbox });
    opened.push(base);
    return base.clone;
  };
  try {
    const said = await checkAndMend({ ...context, openBase }, round, "task");
    const listed = await tree.files.list(signal);
    return { ...said, copies, sent, paths: listed.ok ? listed.paths : [] };
  } finally {
    for (const each of opened) await each[Symbol.asyncDispose]();
  }
}

describeInSandbox("IMPL-1: the check of a task", () => {
  it("writes out no copy of the work where there is nothing to run", async () => {
    const { copies, checks } = (await check()) as Passed;
    expect({ checks }).toEqual({
      checks: {
        failing: [],
        notRun: ["No way to run tests was found: name one as `tools.test` in `.github/forge.yml`."],
      },
    });
    expect(copies).toBe(0);
  });

  it("runs the tests that reach it in a copy, in which it is formatted already (SAFE-4)", async () => {
    const { copies, checks } = (await check(OF_NODE)) as Passed;
    expect({ checks }).toMatchObject({ checks: { failing: [], notRun: [], tests: { passed: 1, failed: 0 } } });
    expect(copies).toBe(1);
  });

  it("builds first where the tests need it, in the copy alone", async () => {
    const { checks, paths } = (await check(BUILT, { build: ["node", "build.js", "never"] })) as Passed;
    expect(checks).toEqual({ tests: { runner: "node:test", passed: 1, failed: 0 }, failing: [], notRun: [] });
    expect(paths).toEqual(["a.js", "build.js", "package.json", "test/a.test.js"]);
  });

  it("sends a build back that the work broke, with what the build says", async () => {
    const { sent, ...said } = await check(BUILT, { build: ["node", "build.js", "2"] });
    expect(said).toMatchObject({ halt: { reason: "it stopped" } });
    expect(sent).toEqual([expect.stringMatching(/the build[\s\S]*cannot build export const a = 2/)]);
  });

  it("does not blame the work for a build that was broken before", async () => {
    const { checks, sent } = (await check(BUILT, { build: ["node", "build.js", "export"] })) as Passed;
    expect(checks).toEqual({ failing: [], notRun: ["The build fails without this work too."] });
    expect(sent).toEqual([]);
  });
});

it("SAFE-4: what Forge wrote is formatted from level 2 on, where the file was formatted before, and nothing else is touched", async () => {
  const files = [
    { path: "a.js", content: BEFORE },
    { path: "hand.js", content: "export const table = [\n  [1,   2],\n];\n" },
    { path: "other.js", content: "export const x = 1;\n" },
  ];
  const wrote = "export const a=() => {\n  let b = [ 1,2 ]\n  return b\n}\n";
  const tidy = "export const a = () => {\n  const b = [1, 2];\n  return b;\n};\n";
  const written = async (level: number, cap?: number) => {
    await using fixture = await treeOfFiles(files);
    const mirror = fixture.mirror();
    const tree = await fixture.open({ mirror });
    const { signal } = new AbortController();
    const change = (path: string, before: string | undefined, content: string) => {
      const old = before === undefined ? {} : { before: Buffer.from(before) };
      return { path, before: undefined, ...old, content: Buffer.from(content) };
    };
    const changes = [
      change("a.js", BEFORE, wrote),
      change("hand.js", files[1]!.content, `${files[1]!.content}export const b=2\n`),
    ];
    expect(await tree.files.change([...changes, change("new.js", undefined, wrote)], signal)).toEqual({ ok: true });
    await setLevel(store, level);
    const configuration = RepoConfig.parse({ safety: cap === undefined ? {} : { automation_level: cap } });
    const context = {
      workspace: { tree, mirror },
      job: { signal, subject },
      run: { configuration },
      dependencies: { store, scratchRoot: fixture.scratchRoot },
    } as unknown as RoundContext;
    const round: { formatted?: number } = {};
    await formatWork(context, round);
    const now = await tree.files.readMany(["a.js", "hand.js", "new.js", "other.js"], signal);
    return { formatted: round.formatted, files: [...now].map(([path, text]) => [path, text.toString()]) };
  };
  const same = [
    ["hand.js", `${files[1]!.content}export const b=2\n`],
    ["new.js", wrote],
    ["other.js", files[2]!.content],
  ];
  expect(await written(1)).toEqual({ formatted: undefined, files: [["a.js", wrote], ...same] });
  expect(await written(2, 1)).toEqual({ formatted: undefined, files: [["a.js", wrote], ...same] });
  expect(await written(2)).toEqual({ formatted: 2, files: [["a.js", tidy], ...same] });
});

let changes = 0;
async function setLevel(store: Store, level: number): Promise<void> {
  const standing = { level, carries: {}, by: "ana", at: "2026-11-01T10:00:00.000Z" };
  await commitDecision(store, {
    ...{ appends: [], at: standing.at, makeId: createIdMaker(), source: "test" },
    repository: [{ kind: "levelled", subject, standing, after: changes }],
  });
  changes += 1;
}
