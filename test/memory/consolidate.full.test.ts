import { expect, it, vi } from "vitest";
import { tendMemory } from "../../src/app/read-database.ts";
import type { NewEvent } from "../../src/domain/events.ts";
import { createIdMaker } from "../../src/domain/ids.ts";
import { subjectKey } from "../../src/domain/subjects.ts";
import { consolidate } from "../../src/memory/consolidate.ts";
import { normalised } from "../../src/memory/endpoint-embedding.ts";
import { ALIKE, linkAlike } from "../../src/memory/near-duplicates.ts";
import { localEmbedder, type Memory, tidyMemories } from "../../src/memory/open-memory.ts";
import { planPruning } from "../../src/memory/plan-pruning.ts";
import { statementOf } from "../../src/memory/usable.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { deleteInstallation } from "../../src/store/delete-installation.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { memoryLog, readPatterns } from "../../src/store/memories/consolidation.ts";
import { listMemories } from "../../src/store/memories/read-memories.ts";
import type { Store } from "../../src/store/store.ts";
import fc from "../properties.ts";
import { decision, pullRequest, run } from "../store/fixtures.ts";
import { changed, daysLater, lesson, memories, SHOP, START } from "./fixtures.ts";

const open = memories();
const never = new AbortController().signal;

function tidy(store: Store, at = START, makeId = createIdMaker()) {
  return consolidate({ store, embedder: localEmbedder(), now: () => at, makeId }, SHOP, never);
}

async function told(store: Store) {
  const events = await readEvents(store, memoryLog(SHOP));
  const gone = events.flatMap((event) => (event.type === "memory.pruned" ? event.payload.memories : []));
  const tidied = events.flatMap((event) => (event.type === "memory.consolidated" ? [event.payload] : []));
  return {
    pruned: gone.map(({ memoryId, why }) => `${memoryId} ${why}`),
    linked: tidied.flatMap(({ linked = [] }) => linked.map(({ memoryId }) => memoryId)),
    patterns: tidied.flatMap(({ pattern }) => pattern ?? []),
  };
}

const known = async (store: Store) =>
  (await listMemories(store, [SHOP], 1_000)).toSorted((a, b) => a.sequence - b.sequence);
const archivedOf = async (store: Store) =>
  (await known(store)).flatMap(({ content, putAway }) => (putAway ? [`${content} ${putAway.why}`] : []));

async function recalled(memory: Memory, text: string, purpose: "task" | "reflection" = "task") {
  const { items } = await memory.recall({ scope: SHOP, text, purpose, budgetTokens: 5_000 });
  return items.map(({ content }) => content);
}

it("MEM-4: finds what is near as comparing each with each does", async () => {
  const vectors = fc.array(
    fc.tuple(fc.nat(5), fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 40, maxLength: 40 })),
    {
      maxLength: 30,
    },
  );
  await fc.assert(
    fc.asyncProperty(vectors, fc.nat(3), async (made, apart) => {
      const all = made.map(([from, noise], at) => {
        const base = Float32Array.from({ length: 40 }, (_, place) => Math.sin((from + 1) * (place + 1)));
        return at % 7 === 6 ? undefined : normalised(base.map((value, place) => value + noise[place]! / 12));
      });
      const differ = (one: number, other: number) => apart > 0 && one % apart !== other % apart;
      const expected: number[] = [];
      for (const [at, vector] of all.entries()) {
        const cosine = (other: number) => vector!.reduce((sum, value, place) => sum + value * all[other]![place]!, 0);
        const first = expected.findIndex(
          (leader, other) => vector && leader === other && all[other] && cosine(other) >= ALIKE && !differ(at, other),
        );
        expected.push(first === -1 ? at : first);
      }
      expect([...(await linkAlike(all, differ))]).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

it("MEM-4: archives what faded, was not used or is contradicted, and the least believed beyond the limit", async () => {
  const held = (content: string, change: Partial<Parameters<typeof planPruning>[0][number]> = {}) => ({
    ...{ id: content, type: "semantic" as const, content, createdAt: START, lastUsedAt: START, accessCount: 0 },
    ...{ cites: [], confidence: 0.5, ...change },
  });
  const plan = async (all: ReturnType<typeof held>[], now = START, most = 100) =>
    (
      await planPruning(
        all,
        all.map(({ content }) => statementOf(content)),
        now,
        most,
      )
    ).map(({ id, why }) => `${id} ${why}`);

  expect(await plan([held("a", { confidence: 0.19 }), held("b", { confidence: 0.2 })])).toEqual(["a faded"]);
  expect(await plan([held("a"), held("b", { lastUsedAt: daysLater(1) })], daysLater(90))).toEqual(["a unused"]);
  // A clock that runs behind by a year.
  expect(await plan([held("a")], daysLater(-365))).toEqual([]);
  expect(await plan([held("a"), held("b", { confidence: 0.6 }), held("c", { confidence: 0.4 })], START, 2)).toEqual([
    "c beyond_limit",
  ]);

  const [yes, no] = ["Invoices use integer cents everywhere.", "Never use integer cents for invoices everywhere."];
  expect(await plan([held(yes), held(no, { confidence: 0.6 })])).toEqual([`${yes} contradicted`]);
  expect(await plan([held(yes, { type: "episodic" }), held(no, { confidence: 0.6 })])).toEqual([]);
  expect(await plan([held(yes, { restoredAt: START }), held(no, { confidence: 0.6 })])).toEqual([]);
  expect(
    await plan([held(yes, { agentType: "planner" }), held(no, { agentType: "reviewer", confidence: 0.6 })]),
  ).toEqual([]);
  // What rests on code shows by its use that the code is there.
  const cites = [{ path: "src/a.ts", fingerprint: "f" }];
  expect(await plan([held(yes), held(no, { confidence: 0.6, cites })])).toEqual([]);
  expect(await plan([held(yes), held(no, { confidence: 0.6, cites, accessCount: 1 })])).toEqual([
    `${yes} contradicted`,
  ]);
});

it("MEM-4: of what says the same one is recalled, and opposites are not the same", async () => {
  const memory = await open();
  const same = (number: number) =>
    `Retry the payment gateway with backoff after a timeout (order ${String.fromCharCode(97 + number)}).`;
  for (let number = 1; number <= 20; number += 1) await memory.remember(lesson(same(number), { confidence: 0.4 }));
  // It is believed more and may not be put to use: both stay.
  const cites = [{ path: "src/a.ts", fingerprint: "f" }];
  await memory.remember(
    lesson("Never retry the payment gateway with backoff after a timeout (order d).", { agentType: "planner", cites }),
  );
  await memory.remember(lesson("The gateway has a sandbox for payment tests.", { keywords: ["retry"] }));
  expect((await recalled(memory, "retry payment gateway timeout")).length).toBe(10);
  await tidy(memory.store);
  const after = await recalled(memory, "retry payment gateway timeout");
  expect(after).toHaveLength(2);
  expect(after).toContain("The gateway has a sandbox for payment tests.");
  const all = await known(memory.store);
  expect(all.slice(0, 20).every(({ group }) => group === all[0]!.sequence)).toBe(true);
  expect(all.slice(20).map(({ group, sequence }) => group === sequence)).toEqual([true, true]);
  expect((await told(memory.store)).linked).toEqual(all.slice(1, 20).map(({ id }) => id));
  // The first of them goes: the rest still counts as one.
  await commitDecision(memory.store, decision({ appends: [], memories: [{ kind: "forgotten", id: all[0]!.id }] }));
  expect(await recalled(memory, "retry payment gateway timeout")).toHaveLength(2);
  expect(await tidy(memory.store)).toMatchObject({ linked: 18, pruned: 0, archived: 0 });
  expect(await tidy(memory.store)).toMatchObject({ linked: 0 });
});

it("MEM-4: what was archived comes back by a person's word and by being learnt again, and stays", async () => {
  const memory = await open();
  const { id } = await memory.remember(lesson("Cache in Redis."));
  const opposite = await memory.remember(lesson("Do not cache in Redis."));
  await changed(memory.store, { memoryIds: [opposite.id], use: "applied", cause: "merged" }, START);
  await tidy(memory.store, START);
  expect(await archivedOf(memory.store)).toEqual(["Cache in Redis. contradicted"]);
  expect(await memory.remember(lesson("Cache in Redis."))).toMatchObject({ archived: true });
  const { store } = memory;
  await commitDecision(store, decision({ appends: [], run: [run("run-1", "completed")] }));
  // On a connection of its own, as beside a running server.
  const said = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const forge = (...args: string[]) => tendMemory(args, { DATABASE_URL: store.url }, () => START);
  await forge("list", "Acme/shop", "redis", "--put-away");
  await forge("restore", id.slice(0, 6).toLowerCase());
  await expect(forge("restore", id)).rejects.toMatchObject({ code: "memory_not_archived" });
  await forge("show", id);
  await forge("list", "acme/shop");
  await forge("consolidate", "acme/shop");
  const text = said.mock.calls.map(([line]) => String(line)).join("");
  said.mockRestore();
  expect(text).toContain(
    `${id}  put away on 2026-11-02: contradicted by ${opposite.id}  Cache in Redis.\n${id} is used again\n${id}\n`,
  );
  expect(text).toContain(`${opposite.id}  `);
  expect(text).toContain("2 looked at\n");
  await expect(forge("list", "acme/other")).rejects.toThrow("nothing is on record of acme/other");
  expect((await readEvents(store, memoryLog(SHOP))).map(({ type }) => type)).toEqual([
    "memory.pruned",
    "memory.restored",
  ]);
  await tidy(memory.store, START);
  expect(await archivedOf(memory.store)).toEqual([]);
  // Nobody used either for a quarter of a year; one is learnt again then.
  await tidy(memory.store, daysLater(100));
  expect((await archivedOf(memory.store)).sort()).toEqual(["Cache in Redis. faded", "Do not cache in Redis. faded"]);
  expect(await memory.remember(lesson("Cache in Redis."))).toMatchObject({ archived: false });
  expect(await recalled(memory, "redis")).toEqual(["Cache in Redis."]);
});

it("MEM-4: a death between two steps counts nothing twice and loses nothing", async () => {
  const memory = await open();
  for (let at = 0; at < 120; at += 1) await memory.remember(lesson(`Note ${at} about thing${at} and matter${at}.`));
  const everything = (await known(memory.store)).map(({ id }) => `${id} faded`);
  const makeId = createIdMaker();
  for (const steps of [1, 1]) {
    let left = steps;
    const dying = () => {
      if (left-- === 0) throw new Error("killed");
      return makeId();
    };
    await expect(tidy(memory.store, daysLater(60), dying)).rejects.toThrow("killed");
  }
  const before = (await told(memory.store)).pruned;
  expect(before).toHaveLength(100);
  await tidy(memory.store, daysLater(60));
  expect((await told(memory.store)).pruned.toSorted()).toEqual(everything.toSorted());
  expect(await archivedOf(memory.store)).toHaveLength(120);
});

it("MEM-4: tidies each repository once a day, those with work later, and none for a clock that went back", async () => {
  const clock = { now: START };
  const memory = await open({ now: () => clock.now });
  const { store } = memory;
  for (let id = 1; id <= 30; id += 1)
    await memory.remember(lesson(`Of ${id}.`, { scope: { installationId: 7, repositoryId: id } }));
  const subject = pullRequest(1, 7, 3);
  await commitDecision(
    store,
    decision({ jobs: [{ kind: "judge", key: "judge:1", payload: { subject }, runAt: START }] }),
  );
  const turn = () => tidyMemories({ store, memory, now: () => clock.now, makeId: createIdMaker() }, never);
  expect([await turn(), await turn(), await turn()].map((done) => done?.scopes)).toEqual([20, 9, undefined]);
  clock.now = daysLater(1.1);
  expect((await turn())?.scopes).toBe(20);
  // Its job is not due yet by that clock.
  clock.now = daysLater(-300);
  expect([await turn(), await turn()].map((done) => done?.scopes)).toEqual([20, 10]);
  expect(await turn()).toBeUndefined();
  expect(await listMemories(store, [{ installationId: 7, repositoryId: 1 }], 5)).toMatchObject([{ archived: false }]);
});

const EPISODE = "The end-to-end suite failed as the port was taken; waiting for the server to close mended it.";

/** A run that asked `query` and was given `items`, and what became of them. */
async function stored(
  store: Store,
  number: number,
  query: string,
  items: string[],
  uses: [string, "applied" | "dismissed"][] = [],
) {
  const subject = pullRequest(number);
  const provenance = { origin: "model" as const, cites: [], confidence: 0.5 };
  const asked: NewEvent = {
    type: "memory.recalled",
    payload: {
      ...{ query, tokens: 10, beyondBudget: 0, wordsOnly: false, durationMs: 1 },
      items: items.map((memoryId) => ({ memoryId, type: "semantic", score: 1, similarity: 0.3, provenance })),
    },
  };
  const applied = uses.map(([id, use], at): NewEvent => {
    return {
      type: "memory.applied",
      payload: { memoryIds: [id], use, during: "merge", cause: `merged ${number} ${at}` },
    };
  });
  const appends = [
    { traceId: `run-${number}`, expectedVersion: 0, events: [asked] },
    ...(applied.length > 0 ? [{ traceId: subjectKey(subject), expectedVersion: 0, events: applied }] : []),
  ];
  await commitDecision(store, decision({ appends, run: [run(`run-${number}`, "completed", { subject })] }));
}

async function seen(memory: Memory, times: number) {
  const ids: string[] = [];
  for (let at = 1; at <= times; at += 1) {
    const episode = lesson(`${EPISODE} Attempt ${at}.`, {
      type: "episodic",
      sourceEvent: `run-${at}`,
      metadata: { outcome: "failure" },
    });
    ids.push((await memory.remember(episode)).id);
  }
  return ids;
}

it("MEM-4: what was seen in three runs becomes a pattern in its episodes' place once a replay shows that nothing is lost", async () => {
  const memory = await open();
  const { store } = memory;
  const question = "e2e suite failed: port taken by the server";
  const ids = await seen(memory, 2);
  await tidy(store);
  expect(await readPatterns(store, SHOP)).toEqual([]);
  ids.push(...(await seen(memory, 3)).slice(2));
  // The same again in one run is no further sight of it.
  await seen(memory, 3);
  expect(await tidy(store)).toMatchObject({ proposed: 1, promoted: 0 });
  expect(await recalled(memory, question)).toEqual([]);
  expect(await readPatterns(store, SHOP)).toMatchObject([
    {
      state: "proposed",
      kind: "failure",
      frequency: 3,
      successRate: 0,
      pattern: `${EPISODE} Attempt 1.`,
      episodes: ids,
    },
  ]);
  for (let number = 1; number <= 4; number += 1) await stored(store, number, question, []);
  expect(await tidy(store)).toMatchObject({ proposed: 0, promoted: 1 });
  expect(await recalled(memory, question)).toEqual([`${EPISODE} Attempt 1.`]);
  expect(
    (await memory.recall({ scope: SHOP, text: question, purpose: "reflection", budgetTokens: 500 })).items,
  ).toMatchObject([{ type: "procedural" }]);
  // A later one joins it.
  await seen(memory, 4);
  await tidy(store);
  expect(await recalled(memory, question, "reflection")).toHaveLength(1);
  expect((await told(store)).patterns.map(({ state, frequency }) => `${state} ${frequency}`)).toEqual([
    ...["proposed 3", "standing 3", "standing 4"],
  ]);
  // Forgotten, it gives their place back to its episodes, and is not proposed again.
  const { id } = (await readPatterns(store, SHOP))[0]!;
  await commitDecision(store, decision({ appends: [], memories: [{ kind: "forgotten", id }] }));
  expect(await tidy(store)).toMatchObject({ proposed: 0, promoted: 0 });
  expect(await recalled(memory, question)).toEqual([]);
  expect(await recalled(memory, question, "reflection")).toHaveLength(1);
  expect(JSON.stringify(await readPatterns(store, SHOP))).not.toContain("port");
});

it.each([
  ["what rested on an episode was dismissed", (ids: string[]) => [ids[0]!], "dismissed", 0],
  ["a memory that helped would be pushed out", () => Array.from({ length: 10 }, (_, at) => `M-${at}`), "applied", 0],
  ["an episode that helped would be missed", (ids: string[]) => [ids[0]!], "applied", 1],
] as const)("MEM-4: a pattern loses a replay where %s", async (_why, itemsOf, use, other) => {
  const memory = await open();
  const ids = await seen(memory, 3);
  const questions = ["e2e suite failed: port taken by the server", "unrelated zebra crossing"];
  for (let number = 1; number <= 4; number += 1) await stored(memory.store, number, questions[0]!, []);
  const items = itemsOf(ids);
  await stored(memory.store, 5, questions[other]!, items, [[items.at(0)!, use]]);
  expect(await tidy(memory.store)).toMatchObject({ proposed: 1, promoted: 0, refused: 1 });
  expect(await recalled(memory, questions[0]!)).toEqual([]);
  expect(await tidy(memory.store)).toMatchObject({ proposed: 0, refused: 0 });
});

it("DATA-2: patterns and what was done to memories go with their installation", async () => {
  const memory = await open();
  await seen(memory, 3);
  await tidy(memory.store);
  expect(await readPatterns(memory.store, SHOP)).toHaveLength(1);
  await deleteInstallation(memory.store, 7);
  expect(await readPatterns(memory.store, SHOP)).toEqual([]);
  expect(await readEvents(memory.store, memoryLog(SHOP))).toEqual([]);
});
