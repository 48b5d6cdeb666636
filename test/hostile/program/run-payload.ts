import { goodMind } from "../../e2e/implementer.ts";
import type { HostileWorld } from "./hostile-world.ts";
import { leaks } from "./leaks.ts";
import { leftovers, processesLeft, type Snapshot } from "./leftovers.ts";
import type { Files, Ground, Payload, Seen } from "./payload.ts";
import type { Watched } from "./watched-program.ts";

/** Memory of the program, whatever it is sent. */
const MEMORY = { ownMiB: 1_024, familyMiB: 3_072 };
/** How long its main thread may be held. Judged by `npm run hostile`, never by a test: on a busy machine it would waver. */
const TIMES = { busyMs: 250, asleepMs: 2_000, healthMs: 1_000 };
const MEBI = 2 ** 20;

let grounds = 0;

/** An organisation of its own on which Forge is installed, with one repository. */
async function openGround(world: HostileWorld, base: Files): Promise<Ground & { close(): Promise<void> }> {
  const { github, app } = world;
  grounds += 1;
  const owner = `acme-${grounds}`;
  github.createAccount(owner, "Organization", { members: { ana: "admin" } });
  await github.createRepository(owner, "shop", {
    private: false,
    files: { "README.md": "# Shop\n", ...base },
    collaborators: { ana: "admin", ben: "write" },
  });
  const installation = github.installApp(app, owner);
  return {
    world,
    repository: `${owner}/shop`,
    close: async () => {
      github.uninstall(installation);
      await world.settled();
    },
  };
}

export interface Looks {
  readonly before: Snapshot;
  /** What came of it, as people see it, before it is looked at. */
  readonly onSeen?: (seen: Seen) => void;
  /** Whether it is left alive in the end. */
  readonly spared?: boolean;
  /** Whether the time for which its main thread is held counts too. */
  readonly isTimed?: boolean;
}

/** What is wrong; both empty when it held. */
export interface Result {
  /** With the program: another payload needs another one. */
  readonly broken: readonly string[];
  /** With what it said and did. */
  readonly wrong: readonly string[];
}

/** Lets a payload loose on the program, looks at everything, kills it, starts it again and looks once more. */
export async function runPayload(
  world: HostileWorld,
  payload: Payload,
  { before, onSeen, spared = false, isTimed = false }: Looks,
): Promise<Result> {
  const since = { requests: world.github.requests.length, asked: world.asked.length };
  const ground = await openGround(world, payload.base ?? {});
  world.mind = payload.mind ?? goodMind;
  await world.program.watched();
  const broken: string[] = [];
  const note = (when: string, found: readonly string[]) => broken.push(...found.map((fault) => `${when}: ${fault}`));
  const number = await payload.strike(ground);
  note("at work", restless(await world.settled()));
  onSeen?.({ ground, number, since });
  note("at work", watchFaults(await world.program.watched(), payload, isTimed));
  const wrong = [...leaks(world, since), ...((await payload.faults?.({ ground, number, since })) ?? [])];
  note("at rest", world.program.isAlive() ? leftovers(world, before) : []);
  if (!spared) note("killed", await killAndStart(world, payload, { before, isTimed }));
  await ground.close();
  return { broken, wrong: [...wrong, ...leaks(world, since)].filter((each, at, all) => all.indexOf(each) === at) };
}

async function killAndStart(
  world: HostileWorld,
  payload: Payload,
  { before, isTimed }: { readonly before: Snapshot; readonly isTimed: boolean },
): Promise<string[]> {
  await world.program.kill();
  const left = await processesLeft(world);
  const refusal = await world.start().then(
    () => undefined,
    (error: Error) => error.message.slice(0, 400),
  );
  if (refusal !== undefined) return [...left, refusal];
  const busy = restless(await world.settled());
  return [
    ...left,
    ...busy,
    ...watchFaults(await world.program.watched(), payload, isTimed),
    ...leftovers(world, before),
  ];
}

function restless(busy: string | undefined): string[] {
  return busy === undefined ? [] : [`never at rest: ${busy}`];
}

function watchFaults(seen: Watched, { memoryMiB = MEMORY.familyMiB }: Payload, isTimed: boolean): string[] {
  const above = (what: string, value: number, limit: number, unit: string) =>
    value > limit ? [`${what} ${Math.round(value)} ${unit}, not ${limit}`] : [];
  return [
    ...seen.faults,
    ...(isTimed
      ? [
          ...above("main thread blocked for", seen.busyMs, TIMES.busyMs, "ms"),
          ...above("main thread asleep within a turn for", seen.asleepMs, TIMES.asleepMs, "ms"),
          ...above("/healthz took processor time of", seen.healthMs, TIMES.healthMs, "ms"),
        ]
      : []),
    ...above("memory of the server:", seen.ownBytes / MEBI, MEMORY.ownMiB, "MiB"),
    ...above("memory with all that it started:", seen.familyBytes / MEBI, memoryMiB, "MiB"),
    ...above("memory that is nobody's:", seen.unmappedBytes / MEBI, memoryMiB, "MiB"),
  ];
}
