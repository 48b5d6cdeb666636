import type { MemoryScope } from "../domain/memories.ts";
import { fadedConfidence } from "../memory/confidence.ts";
import type { Consolidated } from "../memory/consolidate.ts";
import { plainLine } from "../safety/plain-line.ts";
import type { StoredMemory } from "../store/memories/memory-row.ts";
import { UsageError } from "./dispatch.ts";
import { oneOf, parseOptions } from "./parse-options.ts";

interface Out {
  write(text: string): unknown;
}

export interface MemoryCommandDependencies {
  /** The scope of a repository; undefined where this Forge knows none of that name. */
  scopeOf(owner: string, name: string): Promise<MemoryScope | undefined>;
  /** What is known there: about the words, or what is believed most; or what was put away. */
  list(
    scope: MemoryScope,
    asked: { readonly query: string | undefined; readonly putAway: boolean; readonly limit: number },
  ): Promise<{ readonly items: readonly StoredMemory[]; readonly more: number }>;
  /** Those whose id begins so, anywhere. */
  find(prefix: string): Promise<readonly StoredMemory[]>;
  restore(memory: StoredMemory): Promise<void>;
  consolidate(scope: MemoryScope): Promise<Consolidated>;
  /** ISO 8601. */
  now(): string;
}

const ACTIONS = ["list", "show", "restore", "consolidate"] as const;

/** `forge memory`: what is known of a repository, what was put away and why, and bringing it back. */
export async function runMemory(
  args: readonly string[],
  dependencies: MemoryCommandDependencies,
  out: Out,
): Promise<number> {
  const { values, positionals } = parseOptions(args, {
    options: {
      json: { type: "boolean", default: false },
      "put-away": { type: "boolean", default: false },
      limit: { type: "string", default: "20" },
    },
    allowPositionals: true,
  });
  const [said = "", first, ...words] = positionals;
  const action = oneOf("the first word", ACTIONS, said);
  if (first === undefined)
    throw new UsageError(
      `${action} takes ${action === "list" || action === "consolidate" ? "a repository" : "a memory"}`,
    );
  const write = (facts: object, text: string) => out.write(values.json ? `${JSON.stringify(facts, null, 2)}\n` : text);
  switch (action) {
    case "list": {
      const asked = {
        query: words.length > 0 ? words.join(" ") : undefined,
        putAway: values["put-away"],
        limit: limitOf(values.limit),
      };
      const found = await dependencies.list(await scopeNamed(first, dependencies), asked);
      write({ items: found.items.map(bare), more: found.more }, listed(found, asked.putAway, dependencies.now()));
      return 0;
    }
    case "show": {
      const memory = await one(first, dependencies);
      write(bare(memory), shown(memory, dependencies.now()));
      return 0;
    }
    case "restore": {
      const memories = await Promise.all([first, ...words].map((id) => one(id, dependencies)));
      for (const memory of memories) await dependencies.restore(memory);
      const ids = memories.map(({ id }) => id);
      write({ restored: ids }, `${ids.join(", ")} ${ids.length === 1 ? "is" : "are"} used again\n`);
      return 0;
    }
    case "consolidate": {
      const done = await dependencies.consolidate(await scopeNamed(first, dependencies));
      write(done, tidied(done));
      return 0;
    }
  }
}

async function scopeNamed(given: string, { scopeOf }: MemoryCommandDependencies): Promise<MemoryScope> {
  const [owner, name, ...more] = given.split("/");
  if (!owner || !name || more.length > 0)
    throw new UsageError(`a repository is owner/name, not ${JSON.stringify(given)}`);
  const scope = await scopeOf(owner, name);
  if (scope === undefined) throw new UsageError(`nothing is on record of ${given}`);
  return scope;
}

async function one(prefix: string, { find }: MemoryCommandDependencies): Promise<StoredMemory> {
  const [memory, ...others] = await find(prefix);
  if (memory === undefined) throw new UsageError(`there is no memory ${JSON.stringify(prefix)}`);
  if (others.length > 0)
    throw new UsageError(`${JSON.stringify(prefix)} is ${[memory, ...others].map(({ id }) => id).join(" or ")}`);
  return memory;
}

function limitOf(given: string): number {
  const limit = Number(given);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
    throw new UsageError(`--limit is a number from 1 to 1000, not ${JSON.stringify(given)}`);
  return limit;
}

/** Without its vector. */
function bare({ embedding: _embedding, ...memory }: StoredMemory) {
  return memory;
}

const MOST_SHOWN = 160;

function listed(
  { items, more }: { readonly items: readonly StoredMemory[]; readonly more: number },
  putAway: boolean,
  now: string,
): string {
  if (items.length === 0) return putAway ? "nothing was put away\n" : "nothing is known\n";
  const lines = items.map(
    (memory) => `${memory.id}  ${standing(memory, now)}  ${plainLine(memory.content).slice(0, MOST_SHOWN)}`,
  );
  return `${[...lines, ...(more > 0 ? [`and ${more.toLocaleString("en-US")} more`] : [])].join("\n")}\n`;
}

const WHY = {
  faded: "faded",
  unused: "not used for 90 days",
  contradicted: "contradicted",
  beyond_limit: "beyond 10,000 of the repository",
} as const;

/** How far it is believed today, or why it is put away. */
function standing({ archived, putAway, confidence, lastUsedAt, replacedBy }: StoredMemory, now: string): string {
  if (archived) {
    const by = putAway?.by === undefined ? "" : ` by ${putAway.by}`;
    return putAway ? `put away on ${putAway.at.slice(0, 10)}: ${WHY[putAway.why]}${by}` : "put away";
  }
  return `${fadedConfidence(confidence, lastUsedAt, now).toFixed(2)}${replacedBy === undefined ? "" : `, told by ${replacedBy}`}`;
}

function shown(memory: StoredMemory, now: string): string {
  const { taughtBy, origin, thread, sourceEvent, cites } = memory;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["", memory.content],
    ["when", memory.context],
    ["standing", standing(memory, now)],
    ["kind", memory.type],
    ["from", [origin, taughtBy?.login, thread, sourceEvent].filter((part) => part !== undefined).join(", ")],
    ["rests on", cites.map(({ path }) => path).join(", ")],
    [
      "used",
      `${memory.accessCount} times, last on ${memory.lastUsedAt.slice(0, 10)}; learned on ${memory.createdAt.slice(0, 10)}`,
    ],
  ];
  const lines = facts.flatMap(([label, text]) => (text ? [`  ${label.padEnd(9)} ${plainLine(text)}`] : []));
  return `${[memory.id, ...lines].join("\n")}\n`;
}

function tidied({ looked, linked, pruned, archived, proposed, promoted, refused }: Consolidated): string {
  const counts = [
    `${looked.toLocaleString("en-US")} looked at`,
    `${linked} say the same as an earlier one`,
    `${archived} put away for their age`,
    `${pruned} put away as contradicted or beyond the limit`,
    `${proposed} patterns proposed, ${promoted} promoted, ${refused} refused`,
  ];
  return `${counts.join("\n")}\n`;
}
