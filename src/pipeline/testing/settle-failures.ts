import { type EnvironmentFault, findEnvironmentFault } from "../../analysis/tests/environment-fault.ts";
import { RUN_ITSELF } from "../../analysis/tests/test-results.ts";
import type { TestFailure } from "../../domain/test-report.ts";
import { takesFiles } from "../../tools/run/test-command.ts";
import type { Clone } from "../../workspace/clone.ts";
import type { TestContext } from "./execute-tests.ts";
import { flakyOf, keyOf, keysOf } from "./flaky-tests.ts";
import { factsOf, type TestPlan } from "./prepare-tests.ts";
import { type Ran, runFiles, runOneByOne, type SeenFailure } from "./run-files.ts";

export interface SettledFailure {
  readonly seen: SeenFailure;
  readonly class: TestFailure["class"];
  readonly cause?: string;
}

export interface Settled {
  readonly failures: readonly SettledFailure[];
  /** Failed once, and passed when repeated. */
  readonly flaky: readonly SeenFailure[];
}

export interface SettleSpec {
  readonly testContext: TestContext;
  readonly plan: TestPlan;
  readonly failures: readonly SeenFailure[];
  /** The files that were run; undefined: all. */
  readonly files: readonly string[] | undefined;
  /** Undefined where there is none. */
  readonly openBase: () => Promise<Clone | undefined>;
  /** Milliseconds that are left, as it stands. */
  readonly left: () => number;
}

/** With more failing files than this the change is broken as a whole: repeating all of it says nothing new. */
const MOST_REPEATED = 60;
/** Of the time that is left: the rest is for what stood before the change. */
const REPEAT_SHARE = 0.5;
/** Below this nothing more is started. */
const LEAST_MS = 2_000;

/** Repeats what failed, looks whether it failed before the change as well, and says of each failure what it is (TEST-1). */
export async function settleFailures(spec: SettleSpec): Promise<Settled> {
  const { testContext, plan, failures, left } = spec;
  if (failures.length === 0) return { failures: [], flaky: [] };
  // What hangs was stopped with the others first and alone then: that is twice.
  const once = failures.filter(({ limit, name }) => limit === undefined || name === RUN_ITSELF);
  const again = once.length === 0 ? undefined : await repeat(spec, testContext, once, left() * REPEAT_SHARE);
  const flaky = again === undefined ? [] : flakyOf(once, again);
  const standing = failures.filter((failure) => !flaky.includes(failure));
  const base = await runOnBase(spec, standing);
  const facts = factsOf(plan);
  const settled = standing.map((seen): SettledFailure => {
    const fault = findEnvironmentFault(seen.message, facts);
    const because = causeOf(seen, fault);
    if (base?.failed.has(keyOf(seen))) return { seen, class: "existing", ...because };
    // What runs to its end before the change and not after it was broken by the change.
    const cameToEnd = base !== undefined && seen.file !== undefined && base.files.has(seen.file);
    if (seen.limit !== undefined) {
      const hangs = seen.limit === "time" && seen.name !== RUN_ITSELF;
      return { seen, class: hangs || cameToEnd ? "bug" : "environment", ...because };
    }
    if (fault !== undefined) return { seen, class: "environment", ...because };
    return { seen, class: "bug", ...because };
  });
  return { failures: settled, flaky };
}

function causeOf({ limit, message, name }: SeenFailure, fault: EnvironmentFault | undefined): { cause?: string } {
  if (limit === "time")
    return { cause: name === RUN_ITSELF ? "All of it together takes longer than there is time." : "It hangs." };
  if (limit !== undefined) return { cause: message };
  if (fault !== undefined) return { cause: fault.cause };
  return /test timed out after \d+ms|Test timed out in \d+ms|Exceeded timeout of \d+ ms|Failed: Timeout [>(]/.test(
    message,
  )
    ? { cause: "It hangs: its time ran out." }
    : {};
}

/** Undefined where there is no time for it, or too much of it. */
async function repeat(
  { plan, files }: Pick<SettleSpec, "plan" | "files">,
  testContext: TestContext,
  failures: readonly SeenFailure[],
  timeoutMs: number,
): Promise<Ran | undefined> {
  if (timeoutMs < LEAST_MS) return undefined;
  const named =
    takesFiles(plan.command) && failures.every(({ file }) => file !== undefined && plan.tests.includes(file));
  const failing = [...new Set(failures.flatMap(({ file }) => file ?? []))];
  if (named && failing.length > MOST_REPEATED) return undefined;
  // Together they would be stopped together.
  if (named && failures.some(({ limit }) => limit !== undefined))
    return runOneByOne(testContext, plan, failing, timeoutMs);
  return runFiles(testContext, plan, { files: named ? failing : files, timeoutMs, cover: [] });
}

interface BaseRun {
  readonly failed: ReadonlySet<string>;
  /** Test files that were run there and came to their end. */
  readonly files: ReadonlySet<string>;
}

async function runOnBase(spec: SettleSpec, standing: readonly SeenFailure[]): Promise<BaseRun | undefined> {
  const { testContext, plan, left } = spec;
  if (standing.length === 0 || left() < LEAST_MS) return undefined;
  const clone = await spec.openBase();
  const listed = await clone?.files.list(testContext.signal);
  if (clone === undefined || !listed?.ok) return undefined;
  const there = new Set(listed.paths);
  // A test that was not there before cannot have failed.
  const older = standing.filter(({ file }) => file === undefined || there.has(file));
  if (older.length === 0) return undefined;
  const basePlan = { ...plan, paths: listed.paths, tests: plan.tests.filter((path) => there.has(path)) };
  const files = spec.files?.filter((path) => there.has(path));
  // Nothing of it was there, and no files would mean all of them.
  if (files?.length === 0) return undefined;
  const ran = await repeat({ plan: basePlan, files }, { ...testContext, clone }, older, left());
  if (ran === undefined) return undefined;
  const stopped = new Set(ran.failures.filter(({ limit }) => limit !== undefined).map(({ file }) => file));
  const came = older.flatMap(({ file }) => (file === undefined || stopped.has(file) ? [] : [file]));
  return { failed: keysOf(ran.failures), files: new Set(ran.passed + ran.failed > 0 ? came : []) };
}
