import { describePoint, type Point } from "../points.ts";
import { type DeployWorld, REPOSITORY } from "./deploy-world.ts";
import { unwatched } from "./watched.ts";

/** Long enough for GitHub's lists to have followed, and for deliveries that failed twice to be asked for again. */
const DOWN_MS = 600_000;

/** Two merges: the first version is let go on by a person, as there is nothing to compare it with; the second is bad and goes back. */
export interface Merged {
  readonly good: number;
  readonly bad: number;
  readonly shas: string[];
}

export interface Told {
  readonly merged: Merged;
  /** Where processes died. */
  readonly deaths: readonly Point[];
  /** Points that were never reached. */
  readonly missed: readonly Point[];
  /** Everything that was done, in order, where nobody was killed. */
  readonly points: readonly Point[];
  /** What was wrong right after a death. */
  readonly faults: readonly string[];
}

/**
 * Tells the story from the first merge to the issue after the rollback; Forge dies at the points, one after the other, and is started again.
 * @throws Error when Forge does not come to rest
 */
export async function tellDeployments(world: DeployWorld, points: readonly Point[] = []): Promise<Told> {
  const { chaos } = world;
  const waiting = [...points];
  const deaths: Point[] = [];
  const faults: string[] = [];
  await world.start();
  await world.rest();
  const merged: Merged = { good: await propose(world, "count"), bad: await propose(world, "label"), shas: [] };
  await world.rest();
  await world.start(waiting[0]);
  for (;;) {
    const died = await world
      .rest(() => wordFor(world, merged) !== undefined)
      .catch((error: Error) => {
        const last = deaths.at(-1);
        throw new Error(`${last ? `after ${describePoint(last)}: ` : ""}${error.message}`);
      });
    if (died) {
      const point = waiting.shift()!;
      deaths.push(point);
      const found = await chaos.read(unwatched);
      faults.push(...found.map((fault) => `after ${describePoint(point)}: ${fault}`));
      await chaos.github.idle();
      await chaos.age(DOWN_MS);
      await world.start(waiting[0]);
      continue;
    }
    if (await actAsPeople(world, merged)) continue;
    const reached = chaos.forge.reached();
    await world.start();
    return { merged, deaths, missed: waiting, points: reached, faults };
  }
}

/** A pull request that Forge reviews and finds nothing in. */
async function propose({ chaos: { github } }: DeployWorld, name: string): Promise<number> {
  const files = { [`src/${name}.ts`]: `export function ${name}(text: string): number {\n  return text.length;\n}\n` };
  await github.commit(REPOSITORY, name, { files, message: `Add ${name}`, author: "ana" });
  const { number } = await github.openPullRequest(REPOSITORY, { title: `Add ${name}`, head: name, by: "ana" });
  return number;
}

/** What people do next, going by what GitHub shows them; whether there was anything. */
async function actAsPeople(world: DeployWorld, merged: Merged): Promise<boolean> {
  const { github } = world.chaos;
  const word = wordFor(world, merged);
  if (word) {
    github.comment(REPOSITORY, word.on, { by: "ana", body: word.body });
    return true;
  }
  const next = [merged.good, merged.bad].find((number) => !github.pullRequest(REPOSITORY, number).merged);
  if (next === undefined) return false;
  const sha = await github.mergePullRequest(REPOSITORY, next, "ana");
  if (next === merged.bad) world.metrics.bad.add(sha);
  merged.shas.push(sha);
  return true;
}

/** What Forge asks people for and nobody has said: a yes to the gate, and a word where nothing can be told of a step. */
function wordFor({ chaos: { github } }: DeployWorld, merged: Merged): { on: number; body: string } | undefined {
  for (const on of [merged.good, merged.bad]) {
    const { comments } = github.pullRequest(REPOSITORY, on);
    const said = new Set(comments.filter(({ by }) => by === "ana").map(({ body }) => body));
    for (const { body, by } of comments) {
      if (by === "ana") continue;
      const gate = /\/forge approve (G-\d+)/.exec(body)?.[1];
      const step = on === merged.good ? UNCLEAR.exec(body)?.[1] : undefined;
      const words = [
        gate && `/forge approve ${gate} it was looked at`,
        step && `/forge promote production step ${step} was looked at`,
      ];
      const due = words.find((word) => word && !said.has(word));
      if (due) return { on, body: due };
    }
  }
  return undefined;
}

/** The comment offers this command then. Its sentence will not do: a reworded one would leave the question without an answer. */
const UNCLEAR = /step (\d) of 2.*\/forge promote production <reason>/s;
