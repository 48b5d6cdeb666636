import { afterAll, expect, it } from "vitest";
import { WAYS } from "../../../src/domain/deployments.ts";
import { createDeployWorld, type DeployWorld } from "./deploy-world.ts";
import { deployFaults } from "./faults.ts";
import { outcomeOf } from "./outcome.ts";
import { tellDeployments } from "./tell-deployments.ts";

const LIMIT_MS = 1_500_000;

/** In the order of the story, each after the one before: whoever starts again goes on to the next. All of them: `npm run chaos`. */
const DEATHS = {
  deployment: [
    "before commit: events run.started",
    "after commit: events deployment.observed, phase.entered",
    "after POST /issues/comments/n/reactions",
    "before POST /deployments",
    "after POST /deployments",
    "after commit: events deployment.promoted, deployment.started, command.received",
    "before commit: events deployment.progressed",
    "after commit: events deployment.judged, deployment.completed, run.completed, environment.deployed",
    "after POST /deployments/n/statuses",
    "before commit: events deployment.judged, deployment.rolled_back, deployment.started",
    "after commit: events deployment.judged, deployment.rolled_back, deployment.started",
    "after POST /deployments",
    "after commit: events deployment.progressed, deployment.completed, run.completed, environment.deployed, environment.held",
    "after POST /issues",
    "after POST /api/graphql",
  ],
  workflow_dispatch: [
    "after commit: events gate.approved, deployment.started, command.received",
    "before POST /actions/workflows/deploy.yml/dispatches",
    "after POST /actions/workflows/deploy.yml/dispatches",
    "after commit: events deployment.judged, deployment.rolled_back, deployment.started",
  ],
  program: [
    "after commit: events gate.approved, deployment.started, command.received",
    "before commit: events deployment.progressed",
    "after commit: events deployment.progressed",
    "before commit: events deployment.progressed, deployment.completed, run.completed, environment.deployed, environment.held",
  ],
} as const;

const worlds: DeployWorld[] = [];
afterAll(() => Promise.all(worlds.map((world) => world.end())));

it.concurrent.each(WAYS)(
  "DEP-1, DEP-2, GH-13: killed again and again from the merge to the rollback, by way of %s, no step is done twice, none is lost, and somebody always watches",
  async (way) => {
    const [calm, killed] = await Promise.all([createDeployWorld(way), createDeployWorld(way)]);
    worlds.push(calm, killed);
    const expected = await outcomeOf(calm, (await tellDeployments(calm)).merged);
    const told = await tellDeployments(
      killed,
      DEATHS[way].map((name) => ({ name, occurrence: 1 })),
    );
    expect(told.missed).toEqual([]);
    expect(await deployFaults(killed, told, expected)).toEqual([]);
  },
  LIMIT_MS,
);
