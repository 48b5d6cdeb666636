import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { environmentSubject } from "../../src/domain/deployments.ts";
import { compareReplay } from "../../src/pipeline/compare-replay.ts";
import { readLetThrough } from "../../src/pipeline/deploy/rule/let-through.ts";
import { readEnvironment } from "../../src/pipeline/deploy/work/observe-deployment.ts";
import { findActiveRun, listRuns } from "../../src/store/runs/read-runs.ts";
import { createWorld, type World } from "../e2e/world.ts";
import { until } from "../until.ts";
import { stateOf } from "./go-on.ts";
import { heard, letGo, operatorsProgram } from "./tell-deployments.ts";

const FOLDER = "fixtures/stored/2026-11-27";

let world: World | undefined;
const folder = mkdtempSync(join(tmpdir(), "forge-stored-"));
afterEach(async () => {
  await world?.end();
  rmSync(folder, { recursive: true, force: true });
});

it("PIPE-7, DATA-1, DEP-1: deployments of environments that were stored as numbers go on: step, hold, what is queued, gate and rule", async () => {
  const { at, places } = stateOf(FOLDER);
  const program = operatorsProgram(folder);
  program.says("running");
  world = await createWorld({ kept: { folder: FOLDER, at }, environment: { FORGE_DEPLOY_PROGRAM: program.file } });
  const { github } = world;
  const { store } = world.forge!;
  const runs = await listRuns(store, { limit: 100 });
  const { repository } = runs.find(({ subject }) => subject.repository.name === "shop")!.subject;
  const [staging, production] = (["staging", "production"] as const).map((each) =>
    environmentSubject(repository, each),
  );
  const [first, second, third] = ["production", "staging", "queued"].map((what) => places[what]?.number ?? 0);
  const stateOfStaging = () => readEnvironment({ store }, staging!);
  expect(await findActiveRun(store, production!)).toMatchObject({ status: "waiting" });
  expect(await findActiveRun(store, staging!)).toMatchObject({ status: "running" });
  expect(await stateOfStaging()).toMatchObject({ hold: { why: "a sale runs" }, next: { about: { number: third } } });
  const guarded = github.workflows("acme/guarded").runs().at(-1)?.id ?? 0;
  const answered = sql`select trace_id as trace from events where type = 'rule.answered'`;
  const [answer] = await store.read.all<{ trace: string }>(answered);
  const id = Number(answer?.trace.split(":")[1]);
  const rules = {
    kind: "environment",
    repository: { ...repository, id, name: "guarded" },
    environment: "other",
  } as const;
  const letThrough = await readLetThrough(store, rules, "production");
  expect([...(letThrough?.runs ?? [])]).toEqual([guarded]);

  program.says("done");
  await heard(world, second!, "runs in staging");
  // What was queued has its turn now, and the hold keeps it out.
  await heard(world, third!, "was refused", "Staging is held");
  github.comment("acme/shop", second!, { body: "/forge release staging", by: "ana" });
  await until(async () => (await stateOfStaging()).hold === undefined);
  await letGo(world, first!, "production");
  await heard(world, first!, "runs in production");
  await world.expectGoodManners();
  for (const { traceId } of await listRuns(store, { limit: 100 })) {
    expect((await compareReplay(store, traceId)).differences).toEqual([]);
  }
});
