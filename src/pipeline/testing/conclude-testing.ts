import type { RunAgent } from "../../agents/reviewer/ports.ts";
import { type FailureAnalysis, testerAgent, testerTask } from "../../agents/tester/tester-agent.ts";
import { isTestPath } from "../../analysis/classify-file.ts";
import type { ImportGraph } from "../../analysis/map/import-graph.ts";
import { type PresentedFile, presentFile } from "../../analysis/present-change.ts";
import { findEnvironmentFault } from "../../analysis/tests/environment-fault.ts";
import { FILE_ITSELF, RUN_ITSELF } from "../../analysis/tests/test-results.ts";
import { defined } from "../../domain/defined.ts";
import type { TestFailure, TestOutcome } from "../../domain/test-report.ts";
import type { Redact } from "../../safety/redact.ts";
import { cleanText } from "../../tools/data/clean-text.ts";
import { nameOfCommand } from "../../tools/run/test-command.ts";
import type { Tool } from "../../tools/tool.ts";
import type { Clone } from "../../workspace/clone.ts";
import { presentFiles } from "../change/present-files.ts";
import { factsOf, type NotRun, type TestPlan } from "./prepare-tests.ts";
import type { Ran, SeenFailure } from "./run-files.ts";
import { coverChange, type FirstRun } from "./run-selection.ts";
import type { Settled, SettledFailure } from "./settle-failures.ts";
import type { TestingDependencies, TestingRequest } from "./testing-request.ts";

/** The outcome of a run, without facts that do not depend on it. */
export type Done = Omit<TestOutcome, "headSha" | "weakened" | "durationMs">;

export const MOST_FAILURES = 50;
const MESSAGE_CHARACTERS = 3_000;
const ORDER: readonly TestFailure["class"][] = ["bug", "environment", "flaky", "existing"];

/** A project that cannot be built has no tests that could be run; the change is to blame where it could be built before. */
export async function concludeBuild(
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
    runner: await cleaned(nameOfCommand(plan.command), redact),
    ...{ files: 0, passed: 0, failed: 1, skipped: 0, flaky: [] },
    failures: [await failureOf({ seen: broken, class: "bug" }, redact)],
    coverageMissing: "The project could not be built.",
  };
}

export interface Findings {
  readonly plan: TestPlan;
  readonly graph: ImportGraph;
  readonly first: FirstRun;
  readonly settled: Settled;
}

/** @throws what `runAgent` throws when the run has to wait */
export async function conclude(
  dependencies: TestingDependencies,
  request: TestingRequest,
  { plan, graph, first, settled }: Findings,
): Promise<Done | NotRun> {
  const { ran, selection, note, cover } = first;
  const { redact, runAgent, testerTools, iterations } = dependencies;
  const added = new Set(request.change.files.flatMap(({ path, status }) => (status === "added" ? [path] : [])));
  const never = neverRan(settled, ran.passed, (file) => added.has(file));
  if (never !== undefined) return { notRun: never };
  if (ran.passed + ran.failed + ran.skipped === 0)
    return { notRun: "The runner found no test in the files that it was given.", nothingToRun: true };
  const runner = nameOfCommand(plan.command);
  const ordered = await Array.fromAsync(settled.failures, (failure) => failureOf(failure, redact));
  ordered.sort((a, b) => ORDER.indexOf(a.class) - ORDER.indexOf(b.class));
  const failures = runAgent
    ? await analyseFailures(ordered, await presented(request.change), runner, {
        runAgent,
        tools: testerTools,
        redact,
        iterations,
      })
    : ordered;
  const { flaky } = settled;
  const unsteady = await Array.fromAsync(flaky.slice(0, MOST_FAILURES), ({ name, file }) =>
    cleaned(file === undefined ? name : `${file} > ${name}`, redact),
  );
  const blamed = settled.failures.some((failure) => failure.class !== "existing");
  return {
    outcome: blamed ? "failed" : "passed",
    ...(note === undefined ? {} : { reason: await cleaned(note, redact) }),
    runner: await cleaned(runner, redact),
    selection,
    files: ran.files ?? first.files?.length ?? plan.tests.length,
    passed: ran.passed + flaky.length,
    failed: Math.max(settled.failures.length, ran.failed - flaky.length),
    skipped: ran.skipped,
    failures: failures.slice(0, MOST_FAILURES),
    ...(isBlameless(settled) ? { blameless: true } : {}),
    flaky: unsteady,
    ...(ran.coverage
      ? { coverage: coverChange(request.change, cover, ran.coverage, graph), reached: ran.coverage.total }
      : { coverageMissing: first.coverageMissing }),
  };
}

/** As Forge itself saw it: what a model says of a failure later never takes the blame from it. */
function isBlameless({ failures }: Settled): boolean {
  const fresh = failures.filter((failure) => failure.class !== "existing");
  return fresh.length > 0 && fresh.every((failure) => failure.class === "environment");
}

/** Where nothing passes and all that fails lacks a package or a program, nothing of the change was tested. */
export function missingForAll(
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

/** Where nothing passes, here and before the change, or the runner itself breaks down, nothing is known of the change. */
function neverRan({ failures }: Settled, passed: number, isNew: (file: string) => boolean): string | undefined {
  // A runner that is not the project's, or a place that lacks something: whatever it is, it says nothing of the change. A test that the
  // change adds has nothing to be compared with: where all older ones fail as before, it fails with them.
  const older = failures.filter(({ seen: { file } }) => file === undefined || !isNew(file));
  if (passed === 0 && older.length > 0 && older.every((failure) => failure.class === "existing")) {
    const cause = older.find((failure) => failure.cause !== undefined)?.cause ?? older[0]?.seen.message.slice(-500);
    return `Every test fails, before the change as well: nothing was tested. ${cause ?? ""}`.trim();
  }
  const broken = failures.find(({ seen }) => seen.name === RUN_ITSELF);
  if (broken?.class !== "existing" || passed > 0) return undefined;
  return `The tests cannot be run, before the change either: ${broken.cause ?? broken.seen.message.slice(-500)}`;
}

async function failureOf({ seen, class: kind, cause }: SettledFailure, redact: Redact): Promise<TestFailure> {
  return {
    name: await cleaned(seen.name, redact),
    ...(seen.file === undefined ? {} : { file: await cleaned(seen.file, redact) }),
    message: (await cleaned(seen.message, redact)).slice(0, MESSAGE_CHARACTERS),
    class: kind,
    ...(cause === undefined ? {} : { cause: await cleaned(cause, redact) }),
  };
}

/** Deleted files are told by their names. */
async function presented(change: TestingRequest["change"]): Promise<PresentedFile[]> {
  const gone = change.files.filter(({ status }) => status === "deleted");
  return [...(await presentFiles(change)), ...gone.map(({ path }) => presentFile({ path }))];
}

/** Foreign text without secrets and what is not seen. */
export async function cleaned(text: string, redact: Redact): Promise<string> {
  return (await cleanText(text, { redact, prose: false, names: "none" })).lines.join("\n");
}

interface AnalysisDependencies {
  readonly runAgent: RunAgent;
  /** The tester's tools: reading ones, and `run_tests`. */
  readonly tools: readonly Tool[];
  readonly redact: Redact;
  readonly iterations?: number | undefined;
}

/** Causes that one look is about; more could not be kept apart. */
const MOST_AT_ONCE = 10;

/**
 * Lets a model look for the causes of real failures, however many there are (TEST-1): of those that fail in the same way it is shown one. Where
 * it does not get to its end, or leaves one out, that failure stays as it was. A model's word changes what a failure is called, never whether it
 * is one.
 * @throws whatever `runAgent` throws when the run has to wait for a person or a provider
 */
export async function analyseFailures(
  failures: readonly TestFailure[],
  change: readonly PresentedFile[],
  runner: string,
  { runAgent, tools, redact, iterations }: AnalysisDependencies,
): Promise<TestFailure[]> {
  const causes = [
    ...Map.groupBy(
      failures.filter(({ class: kind }) => kind === "bug"),
      causeKey,
    ).values(),
  ];
  const told = new Map<TestFailure, FailureAnalysis>();
  for (let first = 0; first < causes.length; first += MOST_AT_ONCE) {
    const group = causes.slice(first, first + MOST_AT_ONCE);
    const shown = group.map(([one, ...alike]) => ({ ...one!, alike: alike.map(({ name }) => name) }));
    const agent = testerAgent(tools, iterations);
    const task = await testerTask({ failures: shown, change, runner, steps: agent.iterationLimit, redact });
    const outcome = await runAgent(agent, { key: `tester/${first / MOST_AT_ONCE + 1}`, task });
    // What ended one look, such as the money, ends the next.
    if (!outcome.ok) break;
    for (const said of outcome.output.failures)
      for (const failure of group[said.failure - 1] ?? []) told.set(failure, said);
  }
  return failures.map((failure) => {
    const said = told.get(failure);
    if (said === undefined) return failure;
    const { fix, confidence } = said;
    return {
      ...failure,
      class: said.class,
      cause: redact(said.cause),
      // Confidence is that of the fix: without one there is nothing to be sure of.
      ...(fix === undefined ? {} : { fix: redact(fix), ...defined({ confidence }) }),
    };
  });
}

/** The same for failures that say the same and come from the same line of code that is no test's own. */
function causeKey({ name, file, message }: TestFailure): string {
  const said = (message.split("\n", 1)[0] ?? "").replace(/\d+/g, "#");
  const frames = message.matchAll(/(?<![\w@./-])([\w@./-]{1,300}\.(?:[cm]?[jt]sx?|py|go|rs)):(\d{1,7})/g);
  const [place] = [...frames].filter(
    ([, path = ""]) => path !== file && !path.includes("node_modules") && !isTestPath(path),
  );
  if (place) return `${said} at ${place[0]}`;
  return name === FILE_ITSELF ? said : `${file ?? ""} ${name}`;
}
