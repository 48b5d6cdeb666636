import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect } from "vitest";
import {
  type Asked,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "../../simulator/models/scripted-model.ts";
import { boxed } from "../needs/sandbox.ts";
import {
  MANAGERS,
  RUNNER_NAMES,
  type SeededProject,
  seededProject,
  typescriptProject,
  workspaceProject,
} from "./projects.ts";
import { openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

/** What a project needs is installed once for all of these tests, as one Forge would. */
const KEPT = mkdtempSync(join(tmpdir(), "forge-test-packages-"));
afterAll(() => rmSync(KEPT, { recursive: true, force: true }));

let world: World | undefined;
let model: ScriptedModel | undefined;
/** Connections to registries since the test began: all of them are the proxy's. */
let connections: string[] = [];
const count = (message: unknown) =>
  (message as { socket: Socket }).socket.once("lookup", (_error, _address, _family, host) => {
    if (/registry\./.test(host)) connections.push(host);
  });
beforeEach(() => {
  connections = [];
  subscribe("net.client.socket", count);
});
afterEach(async () => {
  unsubscribe("net.client.socket", count);
  await world?.end();
  await model?.stop();
  [world, model] = [undefined, undefined];
});

/** Claims the seeded fault as long as it is there, and shows it by a test. */
function readerOf({ fault, demonstration }: SeededProject) {
  return ({ messages }: Asked): ScriptedReply => {
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
  };
}

async function review(project: SeededProject) {
  model = await startScriptedModel(readerOf(project));
  const files = { ...project.base, ".github/forge.yml": "review:\n  ai: always\n" };
  const environment = { ...model.environment, FORGE_PACKAGES: KEPT };
  world = await createWorld({ files, environment });
  await openPull(world, project.change, { branch: "topic" });
  await world.settled();
  return verdictOf(world);
}

function verdictOf({ github }: World, number = 1) {
  const pull = github.pullRequest("acme/shop", number);
  const [check] = pull.checkRuns;
  const body = pull.reviewComments.find(({ inReplyTo }) => inReplyTo === null)?.body ?? "no comment";
  return { conclusion: check?.conclusion, summary: check?.summary ?? "", body };
}

/** Every manager with every runner, and what is different in other ways. `FORGE_TEST_CELL` is a pattern of names to run alone. */
const CELLS: readonly (readonly [name: string, project: SeededProject])[] = [
  ...MANAGERS.flatMap((manager) =>
    RUNNER_NAMES.map((runner) => [`${manager} and ${runner}`, seededProject(manager, runner)] as const),
  ),
  ["TypeScript and node:test", typescriptProject("node:test")],
  ["TypeScript and mocha", typescriptProject("mocha")],
  ["a workspace", workspaceProject()],
];
const asked = new RegExp(process.env.FORGE_TEST_CELL ?? "");

boxed.each(CELLS.filter(([name]) => asked.test(name)))(
  "REV-4: %s: a seeded fault is shown, and a second review installs nothing",
  async (_, project) => {
    const first = await review(project);
    expect(first.summary).toContain("AI (1 verified");
    expect(first).toMatchObject({ conclusion: "failure" });
    expect(first.body).toContain("**Verified**: the test below fails on this head and passes with the suggestion.");
    connections = [];
    await openPull(world!, { ...project.change, "README.md": "Again.\n" }, { branch: "again" });
    await world!.settled();
    const second = verdictOf(world!, 2);
    expect(second.summary).toContain("AI (1 verified");
    expect(second).toMatchObject({ conclusion: "failure" });
    expect(connections).toEqual([]);
  },
);
