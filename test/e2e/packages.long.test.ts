import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import {
  type Asked,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "../../simulator/models/scripted-model.ts";
import { itNeeding } from "../needs/needing.ts";
import { noPytest } from "../needs/programs.ts";
import { boxed, noSandbox } from "../needs/sandbox.ts";
import { locksOf, type PythonIndex, startIndex } from "../workspace/test-index.ts";
import {
  MANAGERS,
  plugAndPlayProject,
  pythonProject,
  RUNNER_NAMES,
  type SeededProject,
  seededProject,
  tapProject,
  typescriptProject,
  workspaceProject,
} from "./projects.ts";
import { openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

/** What a project needs is installed once for all of these tests, as one Forge would: a repository each, in one organisation. */
const KEPT = mkdtempSync(join(tmpdir(), "forge-test-packages-"));
let world: World | undefined;
let model: ScriptedModel | undefined;
/** The project whose change is under review. */
let reviewed: SeededProject | undefined;

/** Python's packages come from a registry of the operator's own. */
let index: PythonIndex | undefined;

/** Connections to registries since a review began: all of them are the proxy's. */
let connections: string[] = [];
const count = (message: unknown) =>
  (message as { socket: Socket }).socket.once("lookup", (_error, _address, _family, host) => {
    if (/registry\./.test(host)) connections.push(host);
  });
beforeEach(() => subscribe("net.client.socket", count));
afterEach(() => void unsubscribe("net.client.socket", count));
afterAll(async () => {
  await world?.end();
  await model?.stop();
  await index?.[Symbol.asyncDispose]();
  rmSync(KEPT, { recursive: true, force: true });
});

/** Claims the seeded fault, and shows it by a test. */
function readAsScripted({ messages }: Asked): ScriptedReply {
  const { fault, demonstration } = reviewed!;
  const text = JSON.stringify(messages);
  if (text.includes("Your task is to refute each claim")) {
    const judgements = [{ claim: 1, verdict: "stands", reason: "no count", demonstration }];
    return { calls: [{ name: "complete", input: { judgements } }] };
  }
  const claim = {
    ...{ file: fault.file, line: fault.line, quote: fault.quote, kind: "logic", severity: "error", confidence: 0.9 },
    claim: "The count of an item is not multiplied in.",
    scenario: "Two items for 3 cost 3, not 6.",
    fix: { start_line: fault.line, end_line: fault.line, replacement: fault.fix },
  };
  return { calls: [{ name: "complete", input: { summary: "Sums prices.", findings: [claim] } }] };
}

async function openWorld(): Promise<World> {
  model ??= await startScriptedModel(readAsScripted);
  const own = index === undefined ? {} : { FORGE_PYTHON_INDEX: `http://${index.host}/simple` };
  world ??= await createWorld({ environment: { ...model.environment, ...own, FORGE_PACKAGES: KEPT } });
  return world;
}

/** Opens a pull request with the change and waits for its review. */
async function review({ github, settled }: World, name: string, branch: string, change: SeededProject["change"]) {
  connections = [];
  index?.asked.splice(0);
  const repository = `acme/${name}`;
  const { number } = await openPull(world!, change, { repository, branch });
  await settled();
  const pull = github.pullRequest(repository, number);
  const body = pull.reviewComments.find(({ inReplyTo }) => inReplyTo === null)?.body ?? "no comment";
  const [check] = pull.checkRuns;
  return { conclusion: check?.conclusion, summary: check?.summary ?? "", body };
}

/** Every manager with every runner, and what is different in other ways. `FORGE_TEST_CELL` is a pattern of names to run alone. */
const CELLS: readonly (readonly [name: string, project: SeededProject])[] = [
  ...MANAGERS.flatMap((manager) =>
    RUNNER_NAMES.map((runner) => [`${manager} and ${runner}`, seededProject(manager, runner)] as const),
  ),
  ...RUNNER_NAMES.map((runner) => [`Plug'n'Play and ${runner}`, plugAndPlayProject(runner)] as const),
  ["tap", tapProject()],
  ["TypeScript and node:test", typescriptProject("node:test")],
  ["TypeScript and mocha", typescriptProject("mocha")],
  ["a workspace", workspaceProject()],
];
const asked = new RegExp(process.env.FORGE_TEST_CELL ?? "");
/** What pip installs by. */
const LOCKS = ["uv", "Poetry"] as const;
beforeAll(async () => {
  if (noPytest === undefined && LOCKS.some((kind) => asked.test(`${kind} and pytest`))) index = await startIndex();
});
/** Longer than Forge's own limits of all that happens in one together: what is slow or hangs is named by Forge, not by this. */
const CELL_MS = 20 * 60_000;

async function tryCell(cell: string, project: SeededProject): Promise<void> {
  reviewed = project;
  const open = await openWorld();
  const name = `shop-${cell.replace(/\W+/g, "-")}`;
  await open.github.createRepository("acme", name, {
    private: false,
    files: { "README.md": "# Shop\n", ...project.base, ".github/forge.yml": "review:\n  ai: always\n" },
    collaborators: { ana: "admin" },
  });
  const first = await review(open, name, "topic", project.change);
  // The summary says what could not be installed, and why.
  expect(first.summary).toContain("AI (1 verified");
  expect(first).toMatchObject({ conclusion: "failure" });
  expect(first.summary.includes("own type check did not run")).toBe(cell.startsWith("TypeScript"));
  expect(first.body).toContain("**Verified**: the test below fails on this head and passes with the suggestion.");
  const second = await review(open, name, "again", { ...project.change, "README.md": "Again.\n" });
  expect(second.summary).toContain("AI (1 verified");
  expect(second).toMatchObject({ conclusion: "failure" });
  expect([...connections, ...(index?.asked ?? [])]).toEqual([]);
}

boxed.each(CELLS.filter(([name]) => asked.test(name)))(
  "REV-4: %s: a seeded fault is shown, and a second review installs nothing",
  tryCell,
  CELL_MS,
);

itNeeding(noSandbox ?? noPytest).each(LOCKS.filter((kind) => asked.test(`${kind} and pytest`)))(
  "REV-4: %s and pytest: a seeded fault is shown, and a second review installs nothing",
  (kind) => tryCell(`${kind}-and-pytest`, pythonProject(locksOf(index!.hash)[LOCKS.indexOf(kind)]!)),
  CELL_MS,
);
