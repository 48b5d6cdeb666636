import type { RunAgent } from "../../agents/reviewer/ports.ts";
import type { ImportGraph } from "../../analysis/map/import-graph.ts";
import type { ReadGraph } from "../../analysis/map/read-graph.ts";
import { presentFile } from "../../analysis/present-change.ts";
import { findEnvironmentFault } from "../../analysis/tests/environment-fault.ts";
import { findWeakenedTests } from "../../analysis/tests/find-weakened-tests.ts";
import { RUN_ITSELF } from "../../analysis/tests/test-results.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { RiskLevel } from "../../domain/risk.ts";
import type { TestFailure, TestOutcome } from "../../domain/test-report.ts";
import type { Redact } from "../../safety/redact.ts";
import { cleanText } from "../../tools/data/clean-text.ts";
import { nameOfCommand } from "../../tools/run/test-command.ts";
import { type Tool, ToolFailure } from "../../tools/tool.ts";
import type { Clone } from "../../workspace/clone.ts";
import type { SandboxUnavailable } from "../../workspace/sandbox/sandbox.ts";
import type { Change } from "../read-change.ts";
import { analyseFailures } from "./analyse-failures.ts";
import { buildProject } from "./build-project.ts";
import { coverChange } from "./cover-change.ts";
import type { TestSite } from "./execute-tests.ts";
import { factsOf, type NotRun, prepareTests, type TestPlan } from "./prepare-tests.ts";
import type { Ran, SeenFailure } from "./run-files.ts";
import { type FirstRun, runSelection } from "./run-selection.ts";
import { type Settled, type SettledFailure, settleFailures } from "./settle-failures.ts";

export interface TestingPowers {
  /** A copy of the head that tests may litter, or why nothing can be run. */
  readonly clone: Clone | SandboxUnavailable;
  /** A copy of what stood before the change, as the head is prepared; asked for only when something failed. */
  readonly openBase: () => Promise<Clone | undefined>;
  /** Of the head. */
  readonly readGraph: ReadGraph;
  readonly redact: Redact;
  /** Without it no model looks at failures. */
  readonly runAgent?: RunAgent | undefined;
  /** What the tester may call. */
  readonly testerTools: readonly Tool[];
  /** A folder of ours for what is being read. */
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
  /** For everything that runs, repetitions and the base among it; milliseconds. */
  readonly timeLimitMs: number;
}

export interface TestingRequest {
  readonly headSha: string;
  readonly change: Pick<Change, "files" | "contents" | "oldContents">;
  readonly risk: RiskLevel;
  readonly tools: Pick<RepoConfig["tools"], "test" | "build">;
  /** Why the packages of the repository are not installed, in a sentence; undefined where they are, or none are needed. */
  readonly packagesMissing?: string | undefined;
}

const MOST_FAILURES = 50;
const MESSAGE_CHARACTERS = 3_000;
/** Of the time that there is. */
const BUILD_SHARE = 0.3;
const ORDER: readonly TestFailure["class"][] = ["bug", "environment", "flaky", "existing"];

/**
 * Selects the tests that a change asks for, runs them in the sandbox, repeats what fails, compares with what stood before, and says what
 * is behind each failure (TEST-1). What fails because of the place and not the code, a hanging test among it, is said and not thrown.
 * @throws the signal's reason when it is aborted, and what `runAgent` throws when the run has to wait
 */
export async function runTestingPhase(powers: TestingPowers, request: TestingRequest): Promise<TestOutcome> {
  const started = performance.now();
  const { change, headSha } = request;
  const graph = await powers.readGraph(powers.signal);
  const weakened = await findWeakenedTests(change, graph.paths, powers);
  const done = await carryOut(powers, request, graph, started + powers.timeLimitMs);
  const durationMs = Math.round(performance.now() - started);
  const rest = { headSha, weakened: weakened.slice(0, MOST_FAILURES), durationMs };
  if ("notRun" in done) {
    const nothing = { files: 0, passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] };
    return { ...rest, ...nothing, outcome: "not_run", reason: cleaned(done.notRun, powers.redact) };
  }
  return { ...rest, ...done };
}

type Done = Omit<TestOutcome, "headSha" | "weakened" | "durationMs">;

async function carryOut(
  powers: TestingPowers,
  request: TestingRequest,
  graph: ImportGraph,
  deadline: number,
): Promise<Done | NotRun> {
  const { clone, redact, signal, scratchRoot } = powers;
  if ("unavailable" in clone) return { notRun: `There is no sandbox to run tests in: ${clone.unavailable}` };
  const site: TestSite = { clone, redact, signal, scratchRoot };
  try {
    const plan = await prepareTests(site, request.tools, request.packagesMissing);
    if ("notRun" in plan) return plan;
    const left = () => Math.max(0, deadline - performance.now());
    const { build } = request.tools;
    const broken = await buildProject(site, build, left() * BUILD_SHARE);
    const openBase = () => openBuiltBase(powers, site, build, left() * BUILD_SHARE);
    if (broken !== undefined) return await concludeBuild(broken, plan, await openBase(), redact);
    const first = await runSelection(site, plan, graph, request, left);
    if ("notRun" in first) return first;
    const { files, ran } = first;
    const nothingWorks = missingForAll(ran, plan, request.packagesMissing);
    if (nothingWorks !== undefined) return { notRun: nothingWorks };
    const settled = await settleFailures({ site, plan, failures: ran.failures, files, openBase, left });
    return await conclude(powers, request, { plan, graph, first, settled });
  } catch (error) {
    signal.throwIfAborted();
    if ((error instanceof ToolFailure || error instanceof ForgeError) && error.code === "sandbox_failed")
      return { notRun: `The sandbox failed: ${error.message}` };
    throw error;
  }
}

/** Undefined where there is none, or where it cannot be built. */
async function openBuiltBase(
  powers: TestingPowers,
  site: TestSite,
  build: readonly string[] | undefined,
  timeoutMs: number,
): Promise<Clone | undefined> {
  const clone = await powers.openBase();
  return clone && (await buildProject({ ...site, clone }, build, timeoutMs)) === undefined ? clone : undefined;
}

/** A project that cannot be built has no tests that could be run; the change is to blame where it could be built before. */
async function concludeBuild(
  broken: SeenFailure,
  plan: TestPlan,
  base: Clone | undefined,
  redact: Redact,
): Promise<Done | NotRun> {
  const fault = findEnvironmentFault(broken.message, factsOf(plan));
  if (fault !== undefined) return { notRun: `The project could not be built: ${fault.cause}` };
  if (base === undefined)
    return { notRun: "The project could not be built, and neither could what stood before the change." };
  return {
    outcome: "failed",
    runner: cleaned(nameOfCommand(plan.command), redact),
    ...{ files: 0, passed: 0, failed: 1, skipped: 0, flaky: [] },
    failures: [failureOf({ seen: broken, class: "bug" }, redact)],
    coverageMissing: "The project could not be built.",
  };
}

interface Findings {
  readonly plan: TestPlan;
  readonly graph: ImportGraph;
  readonly first: FirstRun;
  readonly settled: Settled;
}

async function conclude(
  powers: TestingPowers,
  request: TestingRequest,
  { plan, graph, first, settled }: Findings,
): Promise<Done | NotRun> {
  const { ran, selection, note, cover } = first;
  const { redact, runAgent, testerTools } = powers;
  const never = neverRan(settled, ran.passed);
  if (never !== undefined) return { notRun: never };
  const runner = nameOfCommand(plan.command);
  const ordered = settled.failures
    .map((failure) => failureOf(failure, redact))
    .sort((a, b) => ORDER.indexOf(a.class) - ORDER.indexOf(b.class))
    .slice(0, MOST_FAILURES);
  const failures = runAgent
    ? await analyseFailures(ordered, presented(request.change), runner, { runAgent, tools: testerTools, redact })
    : ordered;
  const flaky = settled.flaky.map(({ name, file }) => cleaned(file === undefined ? name : `${file} > ${name}`, redact));
  const blamed = settled.failures.some((failure) => failure.class !== "existing");
  return {
    outcome: blamed ? "failed" : "passed",
    ...(note === undefined ? {} : { reason: cleaned(note, redact) }),
    runner: cleaned(runner, redact),
    selection,
    files: ran.files ?? first.files?.length ?? plan.tests.length,
    passed: ran.passed + flaky.length,
    failed: Math.max(settled.failures.length, ran.failed - flaky.length),
    skipped: ran.skipped,
    failures,
    flaky: flaky.slice(0, MOST_FAILURES),
    ...(ran.coverage
      ? { coverage: coverChange(request.change, cover, ran.coverage, graph) }
      : { coverageMissing: first.coverageMissing }),
  };
}

/** Where nothing passes and all that fails lacks a package or a program, nothing of the change was tested. */
function missingForAll(
  { failures, passed }: Ran,
  plan: TestPlan,
  packagesMissing: string | undefined,
): string | undefined {
  const facts = factsOf(plan);
  const faults = failures.map(({ message }) => findEnvironmentFault(message, facts));
  const lacking = faults.filter((fault) => fault?.kind === "packages" || fault?.kind === "program");
  if (passed > 0 || failures.length === 0 || lacking.length < failures.length) return undefined;
  const causes = [...new Set(lacking.map((fault) => fault?.cause ?? ""))].slice(0, 3);
  return [...causes, ...(packagesMissing === undefined ? [] : [packagesMissing])].join(" ");
}

/** Where the runner itself breaks down, here and before the change, nothing is known of the change. */
function neverRan({ failures }: Settled, passed: number): string | undefined {
  const broken = failures.find(({ seen }) => seen.name === RUN_ITSELF);
  if (broken?.class !== "existing" || passed > 0) return undefined;
  return `The tests cannot be run, before the change either: ${broken.cause ?? broken.seen.message.slice(-500)}`;
}

function failureOf({ seen, class: kind, cause }: SettledFailure, redact: Redact): TestFailure {
  return {
    name: cleaned(seen.name, redact),
    ...(seen.file === undefined ? {} : { file: cleaned(seen.file, redact) }),
    message: cleaned(seen.message, redact).slice(0, MESSAGE_CHARACTERS),
    class: kind,
    ...(cause === undefined ? {} : { cause: cleaned(cause, redact) }),
  };
}

function presented({ files, contents, oldContents }: TestingRequest["change"]) {
  return files.map(({ path, oldPath }) => {
    const [before, after] = [oldContents.get(path), contents.get(path)];
    return presentFile({
      path,
      ...(oldPath === undefined ? {} : { oldPath }),
      ...(Buffer.isBuffer(before) ? { before: before.toString("utf8") } : {}),
      ...(Buffer.isBuffer(after) ? { after: after.toString("utf8") } : {}),
    });
  });
}

function cleaned(text: string, redact: Redact): string {
  return cleanText(text, { redact, prose: false, named: false }).lines.join("\n");
}
