import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { subjectName } from "../../src/domain/subjects.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import { createWorld, type World } from "../e2e/world.ts";
import { storedMind } from "./mind.ts";
import type { Places } from "./tell-stories.ts";

const FOLDER = "fixtures/stored";

export type State = { readonly at: string; readonly places: Places; readonly facts: Record<string, unknown> };

/** Each was made by the version of its day, with `scripts/keep-database.ts`. */
export const VERSIONS = readdirSync(FOLDER, { withFileTypes: true }).flatMap((each) => {
  return each.isDirectory() ? [join(FOLDER, each.name)] : [];
});

/** What the version said of it that made it. */
export function stateOf(folder: string): State {
  const { at, places, ...facts } = JSON.parse(readFileSync(join(folder, "state.json"), "utf8"));
  return { at, places, facts };
}

/** The world of a stored database, at the moment at which it was left, with Forge taking it up. */
export async function goOnWith(folder: string) {
  const { at, places } = stateOf(folder);
  const model = await startScriptedModel(storedMind());
  const world: World = await createWorld({ kept: { folder, at }, environment: model.environment });
  const { github } = world;
  /** The newest run there. */
  const run = async (what: string) => {
    const { repository, number } = places[what]!;
    const runs = await listRuns(world.forge!.store, { limit: 1_000 });
    return runs.find(({ subject }) => subjectName(subject) === `${repository}#${number}`)!;
  };
  return {
    ...{ world, github, places, run },
    say: async (what: string, body: string, by = "ana") => {
      const { repository, number } = places[what]!;
      github.comment(repository, number, { body, by });
      await world.settled();
    },
    statusOf: async (what: string) => (await run(what)).status,
    typesOf: async (what: string) =>
      (await readEvents(world.forge!.store, (await run(what)).traceId)).map(({ type }) => type),
    end: async () => {
      await world.end();
      await model.stop();
    },
  };
}
