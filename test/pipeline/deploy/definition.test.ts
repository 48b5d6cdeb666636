import { expect, it } from "vitest";
import {
  DEPLOY_MARKS,
  DEPLOY_STAGES,
  DEPLOYMENT,
  type DeployMark,
  type DeployStage,
} from "../../../src/pipeline/deploy/definition.ts";
import { stageOf, stageWith } from "../../../src/pipeline/deploy/deployment.ts";
import { replayDeployment } from "../../../src/pipeline/deploy/evolve.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { deployWorld, errors, NEW, OLD } from "./deploy-world.ts";

const FINE = errors([20_000, 40], [380_000, 760]);
const BAD = errors([20_000, 4_000], [380_000, 760]);
const EVA = { login: "eva", id: 3 };

/** The stages that the definition lets this one lead to. */
function after(stage: DeployStage): DeployStage[] {
  const { next, answers, out } = DEPLOYMENT.stages[stage];
  const exits = [...next, ...(answers ? [answers.yes, answers.no] : [])].map(({ to }) => to);
  // Guards, people who object or go back, and failures end it; what is out may go back by a step more.
  return [...exits, ...(stage === "ended" ? [] : (["ended"] as const)), ...(out ? (["deploying"] as const) : [])];
}

const STEPS = ["begun", "there"] as const satisfies readonly DeployMark[];

it("PIPE-1: a deployment with any marks is in exactly one stage of the definition", () => {
  const counted = new Map<DeployStage | undefined, number>();
  for (let bits = 0; bits < 2 ** DEPLOY_MARKS.length; bits += 1) {
    const told = new Set(DEPLOY_MARKS.filter((_, i) => (bits >> i) % 2 === 1));
    // A step that is there was begun.
    if (told.has(STEPS[1]) && !told.has(STEPS[0])) continue;
    const isAt = (stage: DeployStage) => {
      const { marks } = DEPLOYMENT.stages[stage];
      return DEPLOY_MARKS.every((mark) => marks[mark] === undefined || marks[mark] === told.has(mark));
    };
    const stage = stageWith((mark) => told.has(mark));
    expect(DEPLOY_STAGES.filter(isAt), [...told].join()).toEqual([stage]);
    counted.set(stage, (counted.get(stage) ?? 0) + 1);
  }
  expect([...counted.keys()].toSorted()).toEqual(DEPLOY_STAGES.toSorted());
});

it("PIPE-1: each stage is led to from the first one, and leads to the end", () => {
  const reach = (from: DeployStage) => {
    const reached = new Set<DeployStage>([from]);
    for (const stage of reached) {
      const { next, answers } = DEPLOYMENT.stages[stage];
      for (const { to } of [...next, ...(answers ? [answers.yes, answers.no] : [])]) reached.add(to);
    }
    return reached;
  };
  expect([...reach("pending")].toSorted()).toEqual(DEPLOY_STAGES.toSorted());
  for (const stage of DEPLOY_STAGES) expect([...reach(stage)], stage).toContain("ended");
});

it("PIPE-1: the last exit of a stage has no condition, so that each deployment finds one", () => {
  for (const stage of DEPLOY_STAGES) {
    const { next, answers } = DEPLOYMENT.stages[stage];
    if (stage === "ended") expect(next).toEqual([]);
    else expect(answers !== undefined || next.at(-1)?.if === undefined, stage).toBe(true);
  }
});

const world = deployWorld();

/** What happens to a deployment goes along the definition, which names each exit. */
async function walk(run: string, ...acts: (() => Promise<unknown>)[]): Promise<string[]> {
  const stage = async () => {
    const state = replayDeployment(await readEvents(world.store, run));
    if (!state) throw new Error("there is no deployment");
    return stageOf(state);
  };
  const gone: DeployStage[] = [await stage()];
  for (const act of acts) {
    await act();
    const [before, now] = [gone.at(-1)!, await stage()];
    if (now === before) continue;
    expect(after(before), `${before} to ${now}`).toContain(now);
    gone.push(now);
  }
  return gone;
}

it("PIPE-1: a deployment goes from stage to stage as the definition has it, enters their phases, and goes back from there", async () => {
  const tested = (run: string) => () =>
    world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "1 passed, 0 failed." });
  const done = (run: string, step: number) => () =>
    world.tell({ type: "deploy.stepped", runId: run, step, outcome: { is: "done" } });
  const later = (minutes: number, step: number, seen: typeof FINE) => async () => {
    world.minutes += minutes;
    await world.probe(step, seen);
  };
  const settings = { steps: [50, 100] };
  const first = await world.request({ sha: OLD, id: "merged:1" });
  const good = await walk(
    first,
    () => world.observe({ sha: OLD, previous: undefined }, settings),
    tested(first),
    () => world.say("approve", {}, EVA),
    done(first, 0),
    later(11, 0, FINE),
    done(first, 1),
    later(11, 1, FINE),
    later(61, 1, FINE),
  );
  expect(good.join(" ")).toBe("pending verifying asking deploying baking deploying baking watching ended");
  const events = await readEvents(world.store, first);
  const phases = events.flatMap((event) => (event.type === "phase.entered" ? event.payload.phase : []));
  expect(phases).toEqual(["verification", "deployment", "monitoring"]);

  const second = await world.request({ sha: NEW, id: "merged:2" });
  const bad = await walk(
    second,
    () => world.observe({}, settings),
    tested(second),
    () => world.say("approve", {}, EVA),
    done(second, 0),
    ...[1, 1, 1, 1].map((minutes) => later(minutes, 0, BAD)),
    done(second, 1),
  );
  expect(bad.join(" ")).toBe("pending verifying asking deploying baking deploying ended");
  expect(await world.standing()).toMatchObject({ end: { outcome: "rolled_back" } });
});
