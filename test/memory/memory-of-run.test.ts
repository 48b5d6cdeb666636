import { expect, it } from "vitest";
import type { NewEvent } from "../../src/domain/events.ts";
import { memoryOfRun } from "../../src/memory/memory-of-run.ts";
import type { MemoryPort } from "../../src/tools/ports.ts";
import { lesson, memories, SHOP } from "./fixtures.ts";

const open = memories();

async function openRun() {
  const memory = await open();
  const log: NewEvent[] = [];
  const run = memoryOfRun({
    memory,
    scope: SHOP,
    agentType: "reviewer",
    source: "01RUN",
    record: (event) => void log.push(event),
  });
  return { memory, log, run };
}

it("MEM-2: records what a run remembered and recalled, in the scope and under the source that it was given", async () => {
  const { log, run } = await openRun();
  const asTool: MemoryPort = run;
  const note = { kind: "semantic", content: "Prices are cents.", keywords: ["money"], tags: ["db"] } as const;
  expect(await asTool.remember(note, new AbortController().signal)).toEqual({ id: expect.stringMatching(/^M-/) });
  await run.learn([{ kind: "episodic", content: "The money test failed.", context: "", tags: [], confidence: 1 }]);
  const notes = await asTool.recall({ text: "money", tags: [], limit: 5, signal: new AbortController().signal });
  expect(notes).toEqual([expect.objectContaining({ kind: "semantic", content: "Prices are cents.", confidence: 0.5 })]);
  expect((await run.bearingOn("money", 500)).map(({ content }) => content)).toEqual(["Prices are cents."]);
  const reflected = await run.bearingOn("money", 500, "reflection");
  expect(reflected.map(({ content }) => content)).toContain("The money test failed.");
  expect(reflected[0]!.provenance.sourceEvent).toBe("01RUN");
  expect(log.map(({ type }) => type)).toEqual([
    "memory.stored",
    "memory.stored",
    "memory.recalled",
    "memory.recalled",
    "memory.recalled",
  ]);
});

it("tells a model why a note was not kept, instead of failing", async () => {
  const { memory, log, run } = await openRun();
  const refused = { refused: expect.stringContaining("cannot be remembered") };
  expect(await run.remember({ kind: "semantic", content: "x".repeat(3_000), tags: [] })).toEqual(refused);
  await memory.remember(lesson("Use yarn."));
  await memory.store.queue.alone([{ sql: "update memories set archived = 1", args: [] }]);
  expect(await run.remember({ kind: "semantic", content: "Use yarn.", tags: [] })).toEqual({
    refused: expect.stringContaining("put away"),
  });
  expect(log).toEqual([]);
});
