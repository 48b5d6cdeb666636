import { randomUUID } from "node:crypto";
import { sign } from "@octokit/webhooks-methods";
import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { hasTools, requireTool } from "../../scripts/tools.ts";
import { itWithTools as it } from "../needs/programs.ts";
import { shareWorld } from "./end-world.ts";
import { createWorld, SECRET, type World } from "./world.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const recorded: readonly { readonly name: string; readonly examples: readonly { [key: string]: Json }[] }[] = hasTools()
  ? (requireTool("@octokit/webhooks-examples") as typeof recorded)
  : [];
const examples = recorded.flatMap(({ name, examples: payloads }) => payloads.map((payload) => ({ name, payload })));

let world: World;
/** Requests before the first payload: an installation gets its labels. */
let begun = 0;
shareWorld(createWorld, async (made) => {
  world = made;
  await world.settled();
  begun = world.github.requests.length;
});

async function deliver(event: string, payload: unknown): Promise<number> {
  const body = JSON.stringify(payload);
  const response = await fetch(`http://127.0.0.1:${world.forge!.port}/api/github/webhooks`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-github-event": event,
      "x-github-delivery": randomUUID(),
      "x-hub-signature-256": await sign(SECRET, body),
    },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

async function deliverAll(all: readonly { readonly name: string; readonly payload: unknown }[]): Promise<number[]> {
  const statuses: number[] = [];
  for (let start = 0; start < all.length; start += 20) {
    const batch = all.slice(start, start + 20).map(({ name, payload }) => deliver(name, payload));
    statuses.push(...(await Promise.all(batch)));
  }
  await world.settled();
  return statuses;
}

function inbox() {
  return world.forge!.store.read.all<{ event: string; state: string; reason: string | null }>(
    sql`select event, state, reason from deliveries`,
  );
}

const writes = () =>
  world.github.requests.slice(begun).filter(({ method, path }) => method !== "GET" && path.startsWith("/repos/"));

it("SEC-7: the recorded payloads are all taken, each handled or ignored with a reason, and nothing is written", async () => {
  expect(examples).toHaveLength(329);
  const before = (await inbox()).length;
  const statuses = await deliverAll(examples);
  expect(new Set(statuses)).toEqual(new Set([202]));
  const rows = await inbox();
  expect(rows).toHaveLength(before + examples.length);
  expect(rows.filter(({ state }) => state !== "handled" && state !== "ignored")).toEqual([]);
  expect(rows.filter(({ state, reason }) => state === "ignored" && !reason)).toEqual([]);
  expect(writes()).toEqual([]);
});

it("SEC-7: events and actions that nobody knows are ignored with a reason", async () => {
  const { payload } = examples.find(({ name }) => name === "pull_request")!;
  const strange = [
    { name: "moon_phase", payload: { action: "waxing" } },
    { name: "pull_request", payload: { ...payload, action: "teleported" } },
    { name: "pull_request", payload: { ...payload, action: null } },
    { name: "pull_request", payload: {} },
    { name: "pull_request", payload: [] },
    { name: "pull_request", payload: null },
    { name: "pull_request", payload: "opened" },
    { name: "check_run", payload: { action: "rerequested", check_run: 7, sender: "ana" } },
    { name: "error", payload: { action: "error", event: "x" } },
    { name: "*", payload: { action: "x" } },
  ];
  const known = (await inbox()).length;
  const statuses = await deliverAll(strange);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  const rows = (await inbox()).slice(known);
  expect(rows.filter(({ state, reason }) => state !== "ignored" || !reason)).toEqual([]);
  expect(writes()).toEqual([]);
});

it("SEC-7: payloads with members missing, of wrong types or null are taken and end with a reason", async () => {
  const random = seeded(2);
  const handled = new Set([
    "pull_request",
    "check_run",
    "check_suite",
    "installation",
    "installation_repositories",
    "repository",
  ]);
  const targets = examples.filter(({ name }) => handled.has(name));
  const mutated = Array.from({ length: 400 }, () => {
    const { name, payload } = targets[Math.floor(random() * targets.length)]!;
    return { name, payload: mutate(structuredClone(payload), random) };
  });
  const statuses = await deliverAll(mutated);
  expect(statuses.filter((status) => status !== 202 && status !== 400)).toEqual([]);
  const rows = await inbox();
  expect(rows.filter(({ state }) => state !== "handled" && state !== "ignored")).toEqual([]);
  expect(rows.filter(({ state, reason }) => state === "ignored" && !reason)).toEqual([]);
  expect(writes()).toEqual([]);
});

const JUNK: readonly Json[] = [null, "", "💥", -1, 1.5, 1e308, true, [], {}, [[null]], "__proto__", "\u0000"];

/** Replaces or removes one to four members, preferably those near the root, which are the ones that are read. */
function mutate(payload: { [key: string]: Json }, random: () => number): { [key: string]: Json } {
  for (let times = 1 + Math.floor(random() * 4); times > 0; times -= 1) {
    let place = payload;
    let keys = Object.keys(place);
    while (keys.length > 0) {
      const key = keys[Math.floor(random() * keys.length)]!;
      const child = place[key]!;
      if (typeof child === "object" && child !== null && !Array.isArray(child) && random() < 0.6) {
        place = child;
        keys = Object.keys(place);
        continue;
      }
      if (random() < 0.3) delete place[key];
      else place[key] = JUNK[Math.floor(random() * JUNK.length)]!;
      break;
    }
  }
  return payload;
}

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
