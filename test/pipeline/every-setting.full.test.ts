import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deployerAgent } from "../../src/agents/deployer/deployer-agent.ts";
import { findChecks } from "../../src/agents/implementer/find-type-check.ts";
import { createPolicy } from "../../src/agents/library.ts";
import { assessRisk } from "../../src/analysis/risk/assess-risk.ts";
import { gatherRiskFacts } from "../../src/analysis/risk/gather-risk-facts.ts";
import { type Environment, EnvironmentSettings, firstEnvironment } from "../../src/domain/deployments.ts";
import type { Finding } from "../../src/domain/findings.ts";
import type { GateQuestion } from "../../src/domain/gates.ts";
import { RepoConfig } from "../../src/domain/repo-config.ts";
import { chosenModels, createModels } from "../../src/llm/create-models.ts";
import type { Memory } from "../../src/memory/open-memory.ts";
import { timeLimitOf } from "../../src/pipeline/ai/agents-without-run.ts";
import { policyOf } from "../../src/pipeline/ai/ai-dependencies.ts";
import { readInstructions } from "../../src/pipeline/ai/find-instructions.ts";
import { openGatekeeper } from "../../src/pipeline/ai/gatekeeper.ts";
import { limitsOf } from "../../src/pipeline/ai/open-budget.ts";
import { openRunMemory } from "../../src/pipeline/ai/open-run-memory.ts";
import { limitsOfPhase } from "../../src/pipeline/implement/work/phase-limits.ts";
import { aiNeed } from "../../src/pipeline/review/ai/ai-need.ts";
import { readLearnt } from "../../src/pipeline/review/work/measure-risk.ts";
import type { LimitedPhase } from "../../src/pipeline/runs/definition.ts";
import { requestGate } from "../../src/pipeline/runs/gates/gate-rules.ts";
import { worksWithoutMemory } from "../../src/safety/held-out.ts";
import { runCommand } from "../../src/tools/run-command.ts";
import { call, done, fail } from "../agents/kit.ts";
import { analyse, changedFile, scratchFolder } from "../analysis/change-of.ts";
import { REDACT } from "../hostile/model/ai-powers.ts";
import { deployedTo, namedOnGitHub } from "./deploy/deploy-settings.ts";
import { agentAtWork, programsOf, reading } from "./every-setting-kit.ts";
import { aPlan, begun, inReview, inTesting, reviewed, tested, A as WORKED } from "./implement/story.ts";
import { A, finding, finished, given, headChanged, mergeLook, OWN, observed, subject } from "./review/story.ts";

const signal = new AbortController().signal;

/** Settings that are not the usual ones, and what is seen of their effect: something that is another one without them. */
type Row = readonly [settings: object, effect: (configuration: RepoConfig) => unknown];

const pull =
  (to: Parameters<typeof observed>[2] = {}) =>
  (configuration: RepoConfig) =>
    given(headChanged(A), observed("run-a", A, { configuration, ...to })).types("run-a");

const posted = (rounds: number) => (configuration: RepoConfig) => {
  const story = given(headChanged(A), observed("run-a", A, { configuration }));
  story.when(finished("run-a", [finding("one"), finding("two")], { rounds }));
  return story.effects.flatMap((effect) => (effect.kind === "review.post" ? [effect.payload] : []));
};

/** What Forge says on GitHub at level 2 of a change of low risk with these findings. */
const verdictOn = (findings: Finding[]) => async (configuration: RepoConfig) => {
  const story = given(headChanged(A), observed("run-a", A, { configuration }));
  story.level = { level: 2, carries: { fix: 2 }, by: "ana", at: "", changes: 1 };
  story.when(finished("run-a", findings, { risk: assessRisk(await risk(configuration)), task: "fix" }));
  return story.effects.flatMap((effect) => (effect.kind === "review.verdict" ? [effect.payload.is] : []));
};

const testedAtRisk = async (configuration: RepoConfig) => {
  const story = given(headChanged(A), observed("run-a", A, { configuration }));
  const files = [{ path: "a.ts", kind: "code" as const, addedLines: 60, deletedLines: 0, pureRename: false }];
  story.when(finished("run-a", [], { risk: assessRisk({ ...(await risk(configuration)), files }) }));
  return story.types(OWN);
};

const heldUp = async (configuration: RepoConfig) => {
  const story = given(headChanged(A), observed("run-a", A, { configuration }));
  story.when(
    finished("run-a", [], { risk: assessRisk({ ...(await risk(configuration)), protectedPaths: ["src/a.txt"] }) }),
  );
  return story.effects.map(({ payload }) => ("conclusion" in payload ? payload.conclusion : undefined));
};

/** Whose approval a migration waits for. */
const waitsFor = async (configuration: RepoConfig) => {
  const story = given(headChanged(A), observed("run-a", A, { configuration }));
  story.when(finished("run-a", [], { risk: assessRisk({ ...(await risk(configuration)), migrations: ["a.sql"] }) }));
  return story.effects.map(({ payload }) => ("report" in payload ? payload.report : undefined));
};

const risk = (configuration: RepoConfig) => {
  const files = [changedFile("src/a.txt", "a();\n")];
  const contents = new Map([["src/a.txt", Buffer.from("a();\n")]]);
  return gatherRiskFacts({
    files,
    contents,
    oldContents: new Map(),
    configuration,
    scratchRoot: scratchFolder(),
    signal,
  });
};

const covered = async (configuration: RepoConfig) =>
  (await analyse({ "src/a.ts": "a();\n" }, { configuration, analysers: [] })).coverage;

const instructed = (configuration: RepoConfig) => {
  const host = { listFiles: async () => undefined, readFile: async () => undefined };
  return readInstructions(host, subject.repository, [{ path: "src/a.ts" }], configuration, signal);
};

const read = ({ review }: RepoConfig) => {
  const risk = undefined;
  return aiNeed({ ai: review.ai, risk, configured: true, authorRole: "write", trusted: true, openFindings: false });
};

const checks = ({ tools }: RepoConfig) => findChecks([], () => undefined, tools);

const models = async (configuration: RepoConfig) => {
  const endpoints = { anthropic: { apiKey: "a" }, openai: { apiKey: "b" } };
  const made = await createModels({ ...endpoints, toolCalling: "native", prices: {} }, chosenModels(configuration));
  return made.configured && [made.strong, made.fast].map(([{ provider, id }]) => `${provider}/${id}`);
};

const operator = { dayLimitUsd: 200, installationDayUsd: 30 };
const work =
  (phase: LimitedPhase, workedMs = 0) =>
  (configuration: RepoConfig) => {
    const took = { planning: { times: 1, durationMs: workedMs, costUsd: 0 } };
    const run = { runId: "run-1", subject, took, configuration } as never;
    const { check, ...limits } = limitsOfPhase(run, phase, { usd: 0, iterations: 0, minutes: 0 }, operator);
    return [limits, check({ now: 0, calls: 0, totalCalls: 0, spentUsd: 0, activeMs: 1 })];
  };
const review = (configuration: RepoConfig) => limitsOf({ subject, runId: "run-1", configuration }, operator);
const explained = (configuration: RepoConfig) => [
  limitsOf({ subject, runId: "words:run-1", configuration }, operator, "deployment"),
  timeLimitOf(configuration, "deployment"),
  deployerAgent([], configuration.safety.iterations.deployment).iterationLimit,
];

const asked = (configuration: RepoConfig) => {
  const story = begun(configuration);
  story.when(aPlan("low", 6));
  return story.standings();
};
const risky = (configuration: RepoConfig) => {
  const story = begun(configuration);
  story.when(aPlan("high"));
  if (story.standings().length > 0) story.command({ name: "approve" }, { id: 1, login: "ana", role: "write" } as never);
  return [story.standings(), story.refusal];
};
const gapped = (configuration: RepoConfig) => {
  const story = inTesting("low", configuration);
  const missed = [{ path: "src/a.ts", ranges: [[1, 9] as const] }];
  const coverage = { covered: 1, executable: 10, files: [], missed } as never;
  return story.when(tested(WORKED, { coverage })).types;
};

/** What follows from a review that blocks, and from tests that fail in a known way. */
const sentBack = (configuration: RepoConfig) => {
  const story = inReview(configuration);
  return story.when(reviewed(WORKED, { found: 1 })).types;
};
const failing = (configuration: RepoConfig) => {
  const failures = [{ name: "a", message: "b", class: "bug" as const, fix: "c", confidence: 0.9 }];
  return inTesting("low", configuration).when(tested(WORKED, { outcome: "failed", failed: 1, failures })).types;
};

const decided = (configuration: RepoConfig) => {
  const tool = runCommand({ clone: {} as never, redact: REDACT, programs: ["node"] });
  const policy = createPolicy({ deny: [], ...policyOf(configuration, { machineUsdPerHour: 1 }) });
  return policy({
    id: "1",
    tool: tool as never,
    input: { program: "node", args: [], folder: "", timeout_seconds: 600 },
  });
};

const CHANGE = { reasons: [], treeSha: "t", pull: 1 };
const QUESTIONS: { readonly [Type in GateQuestion["type"]]: GateQuestion } = {
  tool_call: { type: "tool_call" } as never,
  cost_overrun: { type: "cost_overrun", usedUsd: 1, limitUsd: 2, next: "it goes on" },
  architecture_approval: { type: "architecture_approval", revision: 1, risk: "low", reasons: [], highUsd: 1 },
  question: { type: "question", agentId: "a", question: "Which?", phase: "planning" },
  security_finding: { type: "security_finding", ...CHANGE },
  high_risk_change: { type: "high_risk_change", ...CHANGE },
  test_failure: { type: "test_failure", ...CHANGE, tried: [] },
  bounces_used: { type: "bounces_used", cause: "review", limit: 3, reasons: [], tried: [] },
  production_deploy: { type: "production_deploy" } as never,
};
const gate = (type: GateQuestion["type"]) => (configuration: RepoConfig) => {
  const about = { question: QUESTIONS[type], headSha: A, needs: "write" as const };
  const { deadline, unanswered } = requestGate(
    { runId: "r", subject, configuration },
    [],
    about,
    "2026-11-01T10:00:00Z",
  ).gate;
  return [deadline, unanswered];
};
const gateHours = (type: GateQuestion["type"]): Row => [{ gates: { [type]: { hours: 3 } } }, gate(type)];

const circles = (configuration: RepoConfig) => agentAtWork(configuration, () => call(["fail", { path: "a" }]));
/** Each call makes the history longer, as the provider counts it. */
const readingOn = (configuration: RepoConfig) =>
  agentAtWork(
    configuration,
    (_, at) => {
      const usage = { inputTokens: at * 2_500, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 10 };
      return at < 10 ? { ...call(["read", { path: `${at}` }]), usage } : done();
    },
    { contextWindow: 24_000 },
  );
const failedOnce = (configuration: RepoConfig) =>
  agentAtWork(configuration, (_, at) => (at === 0 ? call(["fail", {}]) : done()));
const cheap = (configuration: RepoConfig) => agentAtWork(configuration, () => done());
const silent = (configuration: RepoConfig) =>
  agentAtWork(configuration, () => fail({ class: "overloaded", message: "busy" }));

/** One subject in ten works without memory, whatever is configured. */
const remembering = [1, 2, 3, 4, 5].map((number) => ({ ...subject, number })).find((each) => !worksWithoutMemory(each));

const recalled = async (configuration: RepoConfig) => {
  const limits: unknown[] = [];
  const memory = {
    recall: async ({ limit }: { readonly limit?: number }) => {
      limits.push(limit);
      throw new Error("seen");
    },
  } as unknown as Memory;
  const request = {
    subject: remembering,
    runId: "r",
    now: () => "",
    title: "",
    change: { files: [] },
    configuration,
  } as never;
  const { agent } = openRunMemory(memory, request, REDACT);
  await agent?.bearingOn(10).catch(() => undefined);
  return limits;
};

/** What the history said of the repository, as far as a review takes it into account. */
const historyIn = (configuration: RepoConfig) => {
  const learnt = join(scratchFolder(), "learnt.json");
  writeFileSync(learnt, JSON.stringify({ version: 1, head: "a".repeat(40), at: "2026-01-01T00:00:00.000Z", past: [] }));
  return readLearnt({ places: { learnt } } as never, configuration.review.learn_risk);
};

const ENVIRONMENT: Readonly<Record<string, object>> = {
  way: { way: "program" },
  workflow: { workflow: ".github/workflows/deploy.yml" },
  steps: { steps: [50, 100] },
  bake_minutes: { bake_minutes: 20 },
  probe_seconds: { probe_seconds: 10 },
  start_minutes: { start_minutes: 4 },
  finish_minutes: { finish_minutes: 20 },
  watch_minutes: { watch_minutes: 600 },
  ask_minutes: { ask_minutes: 1 },
  quiet_minutes: { quiet_minutes: 5 },
  roll_back_on: { roll_back_on: ["HighErrorRate"] },
  requires: { requires: ["review"] },
  "judge.degraded": { judge: { degraded: 1.9 } },
  "judge.rollback": { judge: { rollback: 20 } },
  "judge.min_requests": { judge: { min_requests: 100_000 } },
  "judge.min_errors": { judge: { min_errors: 100_000 } },
  "judge.objective.error_rate": { judge: { objective: { error_rate: 0.05 } } },
  "judge.objective.latency_p95_ms": { judge: { objective: { latency_p95_ms: 1 } } },
  "judge.queries": { judge: { queries: ["orders"] } },
};
const environmentRows = (environment: Environment): [string, Row][] => [
  ...Object.entries(ENVIRONMENT).map(([key, part]): [string, Row] => [
    `deploy.${environment}.${key}`,
    [{ deploy: { [environment]: part } }, deployedTo(environment)],
  ]),
  [
    `deploy.${environment}.github_environment`,
    [{ deploy: { [environment]: { github_environment: "live" } } }, namedOnGitHub(environment)],
  ],
];

const safety = (part: object): object => ({ safety: part });
const ROWS: Readonly<Record<string, Row>> = {
  "project.name": [{ project: { name: "Shop" } }, cheap],
  "project.language": [{ project: { language: "Go" } }, cheap],
  "review.on_pr": [{ review: { on_pr: false } }, pull()],
  "review.drafts": [{ review: { drafts: true } }, pull({ draft: true })],
  "review.authors.exclude": [{ review: { authors: { exclude: ["ana"] } } }, pull()],
  "review.labels.exclude": [{ review: { labels: { exclude: ["wip"] } } }, pull({ labels: ["wip"] })],
  "review.base_branches": [{ review: { base_branches: ["release"] } }, pull()],
  "review.comments": [{ review: { comments: "blocking" } }, posted(0)],
  "review.max_comments": [{ review: { max_comments: 1 } }, posted(0)],
  "review.max_rounds": [{ review: { max_rounds: 1 } }, posted(2)],
  "review.paths.include": [{ review: { paths: { include: ["docs"] } } }, covered],
  "review.paths.exclude": [{ review: { paths: { exclude: ["src"] } } }, covered],
  "review.ai": [{ review: { ai: "never" } }, read],
  "review.high_risk": [{ review: { high_risk: "say" } }, heldUp],
  "review.architects": [{ review: { architects: ["cleo"] } }, waitsFor],
  "review.tests": [{ review: { tests: "never" } }, testedAtRisk],
  "review.path_instructions": [
    { review: { path_instructions: [{ path: "src/**", instructions: "Look." }] } },
    instructed,
  ],
  "review.protected_paths": [{ review: { protected_paths: ["src/**"] } }, risk],
  "review.path_weights": [{ review: { path_weights: { "src/**": 20 } } }, risk],
  "review.learn_risk": [{ review: { learn_risk: false } }, historyIn],
  "tools.test": [{ tools: { test: ["make", "check"] } }, programsOf],
  "tools.build": [{ tools: { build: ["make"] } }, programsOf],
  "tools.typecheck": [{ tools: { typecheck: ["tsc", "-b"] } }, checks],
  "tools.lint": [{ tools: { lint: ["standard"] } }, checks],
  "tools.missing_tests": [{ tools: { missing_tests: "report" } }, gapped],
  "tools.analysers": [{ tools: { analysers: [{ name: "own", command: ["own"], format: "sarif" }] } }, covered],
  "llm.provider": [{ llm: { provider: "openai" } }, models],
  "llm.model": [{ llm: { model: "m" } }, models],
  "llm.fast_model": [{ llm: { fast_model: "m" } }, models],
  "safety.cost.planning": [safety({ cost: { planning: 1 } }), work("planning")],
  "safety.cost.implementation": [safety({ cost: { implementation: 1 } }), work("implementation")],
  "safety.cost.deployment": [safety({ cost: { deployment: 1 } }), explained],
  "safety.cost.testing": [safety({ cost: { testing: 1 } }), work("testing")],
  "safety.cost.review": [safety({ cost: { review: 1 } }), review],
  "safety.cost.run": [safety({ cost: { run: 1 } }), work("planning")],
  "safety.cost.subject": [safety({ cost: { subject: 1 } }), (all) => [work("planning")(all), review(all)]],
  "safety.cost.day": [safety({ cost: { day: 1 } }), (all) => [work("planning")(all), review(all)]],
  "safety.time.planning": [safety({ time: { planning: 1 } }), work("planning")],
  "safety.time.implementation": [safety({ time: { implementation: 1 } }), work("implementation")],
  "safety.time.deployment": [safety({ time: { deployment: 1 } }), explained],
  "safety.time.testing": [safety({ time: { testing: 1 } }), work("testing")],
  "safety.time.review": [safety({ time: { review: 1 } }), (all) => reading(all, 5)],
  "safety.time.run": [safety({ time: { run: 1 } }), work("implementation", 120_000)],
  "safety.iterations.planning": [safety({ iterations: { planning: 1 } }), work("planning")],
  "safety.iterations.implementation": [safety({ iterations: { implementation: 1 } }), work("implementation")],
  "safety.iterations.deployment": [safety({ iterations: { deployment: 1 } }), explained],
  "safety.iterations.testing": [safety({ iterations: { testing: 1 } }), work("testing")],
  "safety.iterations.review": [safety({ iterations: { review: 9 } }), (all) => reading(all, 0)],
  "safety.iterations.run": [safety({ iterations: { run: 1 } }), work("planning")],
  "safety.confirm_over_usd": [safety({ confirm_over_usd: 7 }), asked],
  "safety.separation_of_duties": [safety({ separation_of_duties: false }), risky],
  "safety.approve": [safety({ approve: ["run_command"] }), decided],
  "safety.approve_over_usd": [safety({ approve_over_usd: 0.01 }), decided],
  "safety.gates.architecture_approval": [safety({ gates: { architecture_approval: "off" } }), risky],
  "review.approve": [{ review: { approve: true } }, verdictOn([])],
  "review.request_changes": [{ review: { request_changes: true } }, verdictOn([finding("one", { severity: "error" })])],
  "safety.automation_level": [
    safety({ automation_level: 0 }),
    async (all) => {
      const story = given(headChanged(A), observed("run-a", A, { configuration: all }));
      const fix = { file: "src/a.ts", startLine: 4, endLine: 4, before: "a", after: "b" };
      story.when(finished("run-a", [finding("one", { fix })]));
      return story.effects.flatMap((effect) => (effect.kind === "review.post" ? [effect.payload.findings] : []));
    },
  ],
  "safety.merge": [
    safety({ merge: "own" }),
    (all) => {
      const story = given(headChanged(A));
      story.when({
        ...{ subject, at: "2026-11-01T11:00:00.000Z", newRunId: "x" },
        ...mergeLook({ wants: all.safety.merge }),
      });
      return story.facts().merging?.is;
    },
  ],
  "safety.gates.cost_overrun": [
    safety({ gates: { cost_overrun: "ask" } }),
    (all) => openGatekeeper([], all, undefined),
  ],
  "max_bounces.review": [{ max_bounces: { review: 0 } }, sentBack],
  "max_bounces.tests": [{ max_bounces: { tests: 0 } }, failing],
  "gates.tool_call.hours": gateHours("tool_call"),
  "gates.tool_call.on_timeout": [{ gates: { tool_call: { on_timeout: "reject" } } }, gate("tool_call")],
  "gates.cost_overrun.hours": gateHours("cost_overrun"),
  "gates.cost_overrun.on_timeout": [{ gates: { cost_overrun: { on_timeout: "approve" } } }, gate("cost_overrun")],
  "gates.architecture_approval.hours": gateHours("architecture_approval"),
  "gates.architecture_approval.on_timeout": [
    { gates: { architecture_approval: { on_timeout: "reject" } } },
    gate("architecture_approval"),
  ],
  "gates.question.hours": gateHours("question"),
  "gates.question.on_timeout": [{ gates: { question: { on_timeout: "reject" } } }, gate("question")],
  "gates.security_finding.hours": gateHours("security_finding"),
  "gates.security_finding.on_timeout": [
    { gates: { security_finding: { on_timeout: "reject" } } },
    gate("security_finding"),
  ],
  "gates.high_risk_change.hours": gateHours("high_risk_change"),
  "gates.high_risk_change.on_timeout": [
    { gates: { high_risk_change: { on_timeout: "reject" } } },
    gate("high_risk_change"),
  ],
  "gates.test_failure.hours": gateHours("test_failure"),
  "gates.test_failure.on_timeout": [{ gates: { test_failure: { on_timeout: "reject" } } }, gate("test_failure")],
  "gates.bounces_used.hours": gateHours("bounces_used"),
  "gates.bounces_used.on_timeout": [{ gates: { bounces_used: { on_timeout: "reject" } } }, gate("bounces_used")],
  "gates.production_deploy.hours": gateHours("production_deploy"),
  "deploy.after_merge": [
    { deploy: { after_merge: "staging" } },
    ({ deploy }) => firstEnvironment({ deploy: { ...deploy, staging: EnvironmentSettings.parse({}) } }),
  ],
  "deploy.staging.approval": [{ deploy: { staging: { approval: true } } }, deployedTo("staging")],
  ...Object.fromEntries([...environmentRows("staging"), ...environmentRows("production")]),
  "loop.stagnation": [{ loop: { stagnation: 5 } }, circles],
  "loop.compress_at": [{ loop: { compress_at: 0.3 } }, readingOn],
  "loop.keep_recent": [{ loop: { keep_recent: 1 } }, readingOn],
  "loop.reflection.enabled": [{ loop: { reflection: { enabled: false } } }, failedOnce],
  "loop.reflection.usd": [{ loop: { reflection: { usd: 0 } } }, failedOnce],
  "loop.reflection.from_usd": [{ loop: { reflection: { from_usd: 0 } } }, cheap],
  "loop.retry.attempts": [{ loop: { retry: { attempts: 4 } } }, silent],
  "loop.retry.pause_seconds": [{ loop: { retry: { pause_seconds: 1 } } }, silent],
  "memory.enabled": [{ memory: { enabled: false } }, (all) => Promise.all([recalled(all), cheap(all)])],
  "memory.recalled": [{ memory: { recalled: 2 } }, recalled],
  "memory.tokens": [{ memory: { tokens: 400 } }, cheap],
};

describe("CONF-1: configuration does what it says", () => {
  it("every key of the schema has a row here, and every row its key", () => {
    const schema = JSON.parse(readFileSync("forge.schema.json", "utf8"));
    expect(Object.keys(ROWS).sort()).toEqual(leavesOf(schema).sort());
  });

  it.each(Object.entries(ROWS))("%s", async (key, [settings, effect]) => {
    // The row is about its key and nothing else.
    expect(pathsOf(settings)).toEqual([key]);
    const usual = await effect(RepoConfig.parse({}));
    expect(await effect(RepoConfig.parse({}))).toEqual(usual);
    expect(await effect(RepoConfig.parse(settings))).not.toEqual(usual);
  });
});

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

function leavesOf({ properties }: Schema, path = ""): string[] {
  if (properties === undefined) return [path];
  return Object.entries(properties).flatMap(([name, below]) => leavesOf(below, path === "" ? name : `${path}.${name}`));
}

/** Settings have one key at each level, down to what the schema calls a value. */
function pathsOf(settings: object): string[] {
  const known = Object.keys(ROWS);
  const walk = (value: unknown, path: string): string[] => {
    if (known.includes(path) || typeof value !== "object" || value === null) return [path];
    return Object.entries(value).flatMap(([name, below]) => walk(below, path === "" ? name : `${path}.${name}`));
  };
  return walk(settings, "");
}
