import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { lacksOf } from "../../../src/domain/coverage.ts";
import { type Environment, EnvironmentSettings, environmentSubject, Way } from "../../../src/domain/deployments.ts";
import type { FeedbackReceived } from "../../../src/domain/inputs.ts";
import { RepoConfig } from "../../../src/domain/repo-config.ts";
import type { Measured, Sample } from "../../../src/domain/samples.ts";
import { askToDeploy, needsPerson } from "../../../src/pipeline/deploy/ask-to-deploy.ts";
import type { Observed, StepState } from "../../../src/pipeline/deploy/deployment.ts";
import { withAlerts } from "../../../src/pipeline/deploy/feedback/decide-alert.ts";
import { judge } from "../../../src/pipeline/deploy/judge/judge.ts";
import { judgeStep } from "../../../src/pipeline/deploy/judge-step.ts";
import { beginNext, inTime, nextLook } from "../../../src/pipeline/deploy/steps.ts";
import { releasedFix } from "../../../src/pipeline/deploy/work/follow-fault.ts";
import { observeDeployment, settingsOf } from "../../../src/pipeline/deploy/work/observe-deployment.ts";
import { NOTHING } from "../../../src/pipeline/runs/decision.ts";
import { NO_FACTS } from "../../../src/pipeline/runs/subject-facts.ts";
import { closeStore, openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { scratchFolder } from "../../analysis/change-of.ts";

const repository = { id: 7, owner: "ana", name: "shop", installationId: 1 };
const SHA = "b".repeat(40);
const START = Date.parse("2026-11-20T10:00:00.000Z");
const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString();

/** What is seen of the settings of an environment: its step, the question to a person, when it is looked at, and what follows from what was read. */
export const deployedTo = (environment: Environment) => (configuration: RepoConfig) => {
  const settings = settingsOf(configuration, environment) ?? EnvironmentSettings.parse({});
  const run = observedWith(environment, settings);
  const begun = beginNext(run).events;
  const step = stepOf(begun);
  const there: StepState = { ...step, doneAt: at(0) };
  const out = { ...run, phase: "deployment", steps: [there] } as Observed;
  const watched = { ...out, phase: "monitoring", watchedSince: at(0) } as Observed;
  return [
    begun,
    needsPerson(run, {}),
    releasedFix(watched, 12, at(70)),
    lacksOf({ lacks: ["not_tested"] }, settings.requires),
    questionOf(run),
    nextLook(out, at(1)),
    inTime(run, step, { is: "waiting" }, at(5)),
    inTime(run, step, { is: "running" }, at(30)),
    ...[5, 15, 30, 45].map((minutes) =>
      typesOf(judgeStep(VIEW, out, there, sample([0, 0], [0, 0], minutes), at(minutes))),
    ),
    ...[5, 70].map((minutes) =>
      typesOf(judgeStep(VIEW, watched, there, sample([0, 1_000], [0, 1_000], minutes), at(minutes))),
    ),
    withAlerts({ active: watched, facts: NO_FACTS, feedback: NO_FEEDBACK }, NOTHING, alertAt(at(5))).appends.map(
      ({ events }) => events.length,
    ),
    ...READ.flatMap(([canary, control]) =>
      (["concurrent", "none"] as const).map((baseline) => {
        const looks = [1, 2].map((minutes) => sample(canary, control, minutes, baseline));
        const { is, follows, metrics } = judge(settings.judge, looks, true);
        return [is, follows, metrics];
      }),
    ),
  ];
};

const VIEW = { gates: [], environment: {}, repository: {} };
const NO_FEEDBACK = {
  ...{ counted: new Set<string>(), known: new Map(), issues: 0 },
  today: { heard: 0, others: 0, othersTold: 0, changes: 0 },
};

function alertAt(startsAt: string): FeedbackReceived {
  const feedback = { is: "alert", id: "1", fingerprint: "f", name: "HighErrorRate", labels: {}, summary: "" } as const;
  return {
    ...{ type: "feedback.received", subject: environmentSubject(repository, "production"), at: startsAt },
    ...{ newRunId: "n", messages: [{ ...feedback, resolved: false, startsAt }], suspicions: new Map() },
  };
}

/** Errors of so many requests, of the new version and of the one before. */
const READ = [
  [
    [4, 1_000],
    [4, 1_000],
  ],
  [
    [700, 10_000],
    [400, 10_000],
  ],
  [
    [40, 20_000],
    [38, 20_000],
  ],
  [
    [200, 1_000],
    [40, 1_000],
  ],
] as const;

type Read = readonly [number, number];

function sample(canary: Read, control: Read, minutes: number, baseline: Measured["baseline"] = "concurrent"): Sample {
  const counts = ([errors, requests]: Read) => ({ is: "counts", requests, errors }) as const;
  const value = (ms: number) => ({ is: "value", value: ms, of: 1_000 }) as const;
  const common = { bad: "up", baseline: "concurrent" } as const;
  const metrics: Measured[] = [
    { ...common, metric: "errors", canary: counts(canary), control: counts(control) },
    ...(canary[1] > 0
      ? [{ ...common, baseline, metric: "latency_p95", canary: value(120), control: value(119) } satisfies Measured]
      : []),
  ];
  return { at: at(minutes), from: at(minutes - 1), to: at(minutes), weight: 50, metrics };
}

function observedWith(environment: Environment, settings: EnvironmentSettings): Observed {
  const lacking = { sha: SHA, title: "Push", commits: 1, waivers: [], lacks: [] };
  const from = { sha: "a".repeat(40), by: "record" } as const;
  const coverage = { requires: settings.requires, from, landings: [lacking], beyond: 0 };
  const facts = {
    ...{ sha: SHA, ref: "main", merged: true, older: false, changes: [], more: 0, direct: 1, migrations: [], coverage },
  };
  const subject = environmentSubject(repository, environment);
  const by = { login: "ana", id: 2, kind: "user" } as const;
  return {
    ...{ kind: "deploy", runId: "run-1", version: 3, subject, startedAt: at(0), status: "running", phases: [] },
    ...{ gates: [], steps: [], deploy: { environment, sha: SHA, by, cause: "merge", id: "merged:12" } },
    observed: {
      ...{ settings, environment, gates: RepoConfig.parse({}).gates, facts, separate: true, back: "a".repeat(40) },
      watched: settings.judge.queries,
    },
  };
}

function stepOf(events: ReturnType<typeof beginNext>["events"]): StepState {
  const started = events.find((event) => event.type === "deployment.started");
  if (started?.type !== "deployment.started") throw new Error("no step was begun");
  return { planned: started.payload.step, startedAt: at(0), outcome: { is: "waiting" }, samples: [] };
}

function questionOf(run: Observed): unknown {
  const [, asked] = askToDeploy({ gates: [] }, run, at(0)).events;
  return asked?.type === "gate.requested" && asked.payload.question;
}

const typesOf = ({ events }: ReturnType<typeof judgeStep>) => events.map(({ type }) => type);

/** How the environment is called on GitHub. */
export function namedOnGitHub(environment: Environment): (configuration: RepoConfig) => Promise<unknown> {
  let store: Store;
  beforeAll(async () => {
    store = await openStore({ url: `file:${join(scratchFolder(), "forge.db")}` });
  });
  afterAll(() => closeStore(store));
  return async ({ deploy }) => {
    const text = JSON.stringify({ deploy: { [environment]: deploy[environment] ?? { way: Way.enum.deployment } } });
    const host = {
      readFile: async () => text,
      readOrganisationFile: async () => undefined,
      readBranchHead: async () => ({ ref: "main", sha: SHA }),
    };
    const deployHost = { mayDeploy: async () => true, compare: async () => ({ is: "same", files: [] }) };
    const watchedBy = () => ({ metrics: true, saturation: false, health: false });
    const dependencies = { store, host, deployHost, watchedBy, now: () => at(0) } as never;
    // Going back reads no repository.
    const observed = observedWith(environment, EnvironmentSettings.parse({}));
    const run = { ...observed, deploy: { ...observed.deploy, cause: "rollback" as const } };
    const seen = await observeDeployment(dependencies, { signal: new AbortController().signal }, run);
    return "environment" in seen ? seen.environment : seen;
  };
}
