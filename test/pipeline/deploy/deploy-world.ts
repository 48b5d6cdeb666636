import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { Coverage } from "../../../src/domain/coverage.ts";
import { defined } from "../../../src/domain/defined.ts";
import {
  type DeployFacts,
  type DeployRequest,
  EnvironmentSettings,
  environmentSubject,
} from "../../../src/domain/deployments.ts";
import { createIdMaker } from "../../../src/domain/ids.ts";
import type { DeployInput } from "../../../src/domain/inputs.ts";
import { DEFAULT_REPO_CONFIG } from "../../../src/domain/repo-config.ts";
import type { Sample } from "../../../src/domain/samples.ts";
import { type EnvironmentSubject, type NumberedSubject, type Role, subjectKey } from "../../../src/domain/subjects.ts";
import { replayDeployment } from "../../../src/pipeline/deploy/evolve.ts";
import { standingOf } from "../../../src/pipeline/deploy/standing-of.ts";
import { readEnvironment } from "../../../src/pipeline/deploy/work/observe-deployment.ts";
import { handleInput } from "../../../src/pipeline/runs/handle-input.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { closeStore, openStore } from "../../../src/store/open-store.ts";
import { findLatestRun } from "../../../src/store/runs/read-runs.ts";
import type { Store } from "../../../src/store/store.ts";
import { temporaryFolder } from "../../store/databases.ts";

const repository = { id: 7, owner: "ana", name: "shop", installationId: 1 };
export const OLD = "a".repeat(40);
export const NEW = "b".repeat(40);
export const PULL: NumberedSubject = { kind: "pull_request", repository, number: 12 };
/** Of one merge, looked at as it was merged. */
export const COVERED: Coverage = {
  requires: ["review", "tests"],
  from: { sha: OLD, by: "record" },
  landings: [{ sha: NEW, title: "Sum right", commits: 2, pull: 12, waivers: [], lacks: [] }],
  beyond: 0,
};
const ANA = { login: "ana", id: 2, kind: "user" } as const;

type Told = DeployInput extends infer I
  ? I extends DeployInput
    ? Omit<I, "subject" | "at" | "newRunId">
    : never
  : never;

/** A deployment that is told what happens to it, on a real database. */
export interface DeployWorld {
  readonly store: Store;
  readonly subject: EnvironmentSubject;
  /** Minutes that have passed. */
  minutes: number;
  tell(what: Told): Promise<string | undefined>;
  request(more?: Partial<DeployRequest>): Promise<string>;
  /** @param level the one that counts for the version, where nobody asked for it */
  observe(facts?: Partial<DeployFacts>, settings?: Partial<EnvironmentSettings>, level?: number): Promise<void>;
  /** A command by somebody, in a comment of its own. */
  say(
    name: string,
    args?: object,
    by?: { readonly login: string; readonly id: number; readonly role?: Role },
    target?: { readonly from?: string },
  ): Promise<string | undefined>;
  probe(step: number, sample: Partial<Sample>): Promise<void>;
  /** Kinds of all effects that were planned. */
  planned(): Promise<readonly string[]>;
  standing(): Promise<ReturnType<typeof standingOf>>;
  environment(): ReturnType<typeof readEnvironment>;
}

export function deployWorld(environment: "staging" | "production" = "production"): DeployWorld {
  const folder = temporaryFolder();
  const makeId = createIdMaker();
  const subject = environmentSubject(repository, environment);
  let store: Store;
  let run = "";
  let comments = 0;
  const start = Date.parse("2026-11-20T10:00:00.000Z");
  beforeEach(async () => {
    store = await openStore({ url: `file:${join(folder(), "forge.db")}` });
    world.minutes = 0;
  });
  afterEach(() => closeStore(store));
  const at = () => new Date(start + world.minutes * 60_000).toISOString();
  const world: DeployWorld = {
    ...{ subject, minutes: 0 },
    get store() {
      return store;
    },
    tell: async (what) => {
      const input = { ...what, subject, at: at(), newRunId: makeId() } as DeployInput;
      return (await handleInput({ store, makeId }, input)).ignored;
    },
    request: async (more = {}) => {
      const deploy: DeployRequest = {
        environment,
        sha: NEW,
        by: ANA,
        cause: "merge",
        id: "merged:12",
        about: PULL,
        ...more,
      };
      await world.tell({ type: "deploy.requested", deploy });
      run = (await findLatestRun(store, subject))?.traceId ?? "";
      return run;
    },
    observe: async (facts = {}, settings = {}, level) => {
      const change = {
        number: 12,
        title: "Sum right",
        author: "ben",
        risk: "medium",
        reviewed: "approve",
        open: 0,
        blocking: 0,
      } as const;
      const known: DeployFacts = {
        ...{ sha: NEW, ref: "main", previous: OLD, merged: true, older: false, changes: [change], more: 0, direct: 0 },
        ...{ migrations: [], risk: "medium", coverage: COVERED, ...facts },
      };
      const seen = {
        ...{ settings: EnvironmentSettings.parse(settings), environment, gates: DEFAULT_REPO_CONFIG.gates },
        ...{ separate: true, watched: ["errors"], facts: known, onward: false },
        ...defined({ level }),
      };
      await world.tell({ type: "deploy.observed", runId: run, seen });
    },
    say: async (name, args = {}, by = ANA, target = {}) => {
      comments += 1;
      const { role = "maintain", ...who } = { role: "maintain" as Role, ...by };
      const before = (await readEvents(store, subjectKey(subject))).length;
      await world.tell({
        ...{ type: "command.given", source: { kind: "issue_comment", id: String(comments) }, index: 0, givenOn: PULL },
        ...{
          by: { kind: "user", ...who },
          role,
          parsed: { command: { name, ...args } } as never,
          alone: true,
          plain: false,
        },
        ...(name === "deploy" ? { target: { sha: NEW, ...target } } : {}),
      });
      run = (await findLatestRun(store, subject))?.traceId ?? run;
      const said = (await readEvents(store, subjectKey(subject))).slice(before);
      const refused = said.find((event) => event.type === "command.refused");
      return refused?.type === "command.refused" ? refused.payload.refusal.reason : undefined;
    },
    probe: async (step, { ...sample }) => {
      const to = at();
      const from = new Date(Date.parse(to) - 60_000).toISOString();
      const whole: Sample = { at: to, from, to, weight: 5, metrics: [], ...sample };
      await world.tell({ type: "deploy.probed", runId: run, step, sample: whole });
    },
    planned: async () => (await store.read.all<{ kind: string }>("select kind from effects")).map(({ kind }) => kind),
    standing: async () => {
      const state = replayDeployment(await readEvents(store, run));
      if (!state) throw new Error("there is no deployment");
      return standingOf(state);
    },
    environment: () => readEnvironment({ store }, subject),
  };
  return world;
}

/** Requests and errors of both versions, side by side. */
export function errors(canary: readonly [number, number], control: readonly [number, number]): Pick<Sample, "metrics"> {
  const counts = ([requests, failed]: readonly [number, number]) =>
    ({ is: "counts", requests, errors: failed }) as const;
  return {
    metrics: [
      { metric: "errors", bad: "up", canary: counts(canary), control: counts(control), baseline: "concurrent" },
    ],
  };
}
