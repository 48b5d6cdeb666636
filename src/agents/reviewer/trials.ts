import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import type { TestReport } from "../../analysis/tests/test-results.ts";
import { editsOf, type SuggestedFix } from "../../domain/findings.ts";
import type { Redact } from "../../safety/redact.ts";
import { cleanText } from "../../tools/data/clean-text.ts";
import { runProgramInClone } from "../../tools/run/clone-program.ts";
import { holdToExit } from "../../tools/run/hold-to-exit.ts";
import { invokeTests } from "../../tools/run/test-invocation.ts";
import { outputOf, readTestReport } from "../../tools/run/test-report.ts";
import { isPackage, isTestFile, needsNames, type RunnerCommand } from "../../tools/run/test-runner.ts";
import { ToolFailure } from "../../tools/tool.ts";
import type { Clone } from "../../workspace/clone.ts";
import type { FileChange, WorkFiles } from "../../workspace/files/repository-files.ts";
import type { Demonstration } from "./claims.ts";
import type { Proof, Unproven } from "./grade-claim.ts";
import type { Prove, StillFails, TryFix } from "./ports.ts";

const TIMEOUT_MS = 60_000;
/** A project with more test files is not run as a whole for one suggestion. */
const MOST_TEST_FILES = 60;
const OUTPUT_LINES = 25;
/** Nothing is measured, and one test may take what all of them may. */
const PLAIN = {
  testSeconds: TIMEOUT_MS / 1_000,
  coverage: undefined,
  plugins: new Set<string>(),
  packages: new Set<string>(),
};

export interface TrialDependencies {
  /** The head of the change: nothing ever runs in it. */
  readonly head: Pick<WorkFiles, "read">;
  /** A copy of it to run one program in: whatever that leaves behind is gone for the next one. */
  readonly openCopy: () => Promise<TrialCopy>;
  /** How tests are run that lie at this path, in a workspace perhaps; undefined where no runner is known. */
  readonly runnerAt: (path: string) => Promise<RunnerCommand | undefined>;
  /** The files of the head. */
  readonly paths: readonly string[];
  /** Each file before the change; undefined where it was not there. */
  readonly before: ReadonlyMap<string, Buffer | undefined>;
  /** Whether a text of this file parses, and has no error of types that it had not before. */
  /** Why the packages of the repository are not there, where they are needed. */
  readonly packagesMissing?: string | undefined;
  readonly compiles: (path: string, text: string) => Promise<boolean>;
  readonly redact: Redact;
  readonly signal: AbortSignal;
}

/** Writable, with the sandbox around it; goes with its disposal. */
export interface TrialCopy extends AsyncDisposable {
  readonly clone: Clone;
}

export interface Trials {
  readonly prove: Prove;
  readonly stillFails: StillFails;
  readonly tryFix: TryFix;
}

/**
 * Evidence by running something (REV-4). A test that fails proves nothing by itself: it has to pass where the fault is not,
 * which is with the fix or before the change. So neither `assert(false)` nor a test that cannot be loaded is a proof, and neither is one
 * that fails the first time only: each run begins with the files as they are, and the first one is done once more at the end.
 */
export function createTrials(dependencies: TrialDependencies): Trials {
  /** By the folder of the runner. */
  const baselines = new Map<string, Promise<TestReport | undefined>>();
  return {
    prove: async (given, fix, file) => {
      const { runnerAt, paths } = dependencies;
      const runner = await runnerAt(given.path);
      const demonstration = runner && namedAsTest(given, runner);
      if (!runner) return { unproven: `no test runner is known for ${given.path}` };
      if (!demonstration) return { unproven: `${runner.runner} takes no file named ${given.path}` };
      if ([given, demonstration].some(({ path }) => paths.includes(path)))
        return { unproven: `its test would replace ${given.path}` };
      const failed = await tryOnce(dependencies, runner, [added(demonstration)], [demonstration.path]);
      if ("unproven" in failed) return failed;
      if (failed.failed === 0) return { unproven: "its test does not fail on this head" };
      const passesWith = await whereItPasses(dependencies, runner, demonstration, { fix, file });
      if (passesWith === undefined) return { unproven: "its test fails where the fault is not, too" };
      const again = await run(dependencies, runner, [added(demonstration)], [demonstration.path]);
      if (!again || again.failed === 0) return { unproven: "its test failed once and not again" };
      return { passesWith, evidence: evidenceOf(demonstration, runner, failed) };
    },
    stillFails: async (given) => {
      const runner = await dependencies.runnerAt(given.path);
      const demonstration = runner && namedAsTest(given, runner);
      if (!demonstration) return undefined;
      const report = await run(dependencies, runner, [added(demonstration)], [demonstration.path]);
      return report && report.failed > 0;
    },
    tryFix: async (fix) => {
      const changes = await applyFix(dependencies, fix);
      if (!changes) return false;
      for (const { path, content } of changes)
        if (!(await dependencies.compiles(path, content?.toString("utf8") ?? ""))) return false;
      const { paths } = dependencies;
      const tried = new Set<string>();
      for (const { path: file } of changes) {
        const runner = await dependencies.runnerAt(file);
        const { folder = "" } = runner && "folder" in runner ? runner : {};
        if (!runner || tried.has(folder)) continue;
        tried.add(folder);
        const isOwn = (path: string) => folder === "" || path.startsWith(`${folder}/`);
        const tests = paths.filter((path) => isOwn(path) && isTestFile(path, runner.runner));
        if (tests.length === 0) continue;
        // What was not tried is not offered.
        if (tests.length > MOST_TEST_FILES) return false;
        const all = needsNames(runner) ? tests : undefined;
        const before = baselines.get(folder) ?? run(dependencies, runner, [], all);
        baselines.set(folder, before);
        const withoutIt = await before;
        const withIt = await run(dependencies, runner, changes, all);
        if (withIt === undefined || withIt.failed > (withoutIt?.failed ?? 0)) return false;
      }
      return true;
    },
  };
}

/** A model names its test as it likes, and some runners take only files named as tests. Its folder, and so its imports, stay. */
function namedAsTest({ path, content }: Demonstration, { runner }: RunnerCommand): Demonstration | undefined {
  if (isTestFile(path, runner)) return { path, content };
  const named =
    runner === "pytest"
      ? path.endsWith(".py")
        ? posix.join(posix.dirname(path), `test_${posix.basename(path)}`)
        : path
      : path.replace(/(\.[cm]?[jt]sx?)$/, ".test$1");
  return isTestFile(named, runner) ? { path: named, content } : undefined;
}

async function whereItPasses(
  dependencies: TrialDependencies,
  runner: RunnerCommand,
  demonstration: Demonstration,
  { fix, file }: { readonly fix: SuggestedFix | undefined; readonly file: string },
): Promise<Proof["passesWith"] | undefined> {
  const passesAfter = async (changes: readonly FileChange[]) =>
    passes(await run(dependencies, runner, [...changes, added(demonstration)], [demonstration.path]));
  const changes = fix && (await applyFix(dependencies, fix));
  if (changes && (await passesAfter(changes))) return "fix";
  // Before a file was there, a test of it passes only by taking its absence for success.
  if (dependencies.before.has(file) && dependencies.before.get(file) === undefined) return undefined;
  const back = await takeBack(dependencies);
  if (back.length > 0 && (await passesAfter(back))) return "base";
  return undefined;
}

function passes(report: TestReport | undefined): boolean {
  return report !== undefined && report.failed === 0 && report.passed > 0;
}

/** Undefined where no result came: the runner is not installed, it took too long, the sandbox failed. */
async function run(
  dependencies: TrialDependencies,
  runner: RunnerCommand,
  changes: readonly FileChange[],
  files?: readonly string[],
): Promise<TestReport | undefined> {
  const report = await tryOnce(dependencies, runner, changes, files);
  return "unproven" in report ? undefined : report;
}

/** Characters of what a program said that are passed on. */
const LONGEST_REASON = 200;

/** Why a runner gave no report: packages that are missing come first, as without them nothing it says means anything. */
async function notStarted(
  { packagesMissing, redact }: TrialDependencies,
  { runner }: RunnerCommand,
  said: Buffer,
): Promise<Unproven> {
  if (packagesMissing !== undefined && isPackage(runner))
    return { unproven: `the packages could not be installed: ${packagesMissing}` };
  const { lines } = await cleanText(said.toString("utf8"), { redact, prose: false });
  const told = lines.map((line) => line.trim()).filter((line) => line !== "");
  const telling = told.find((line) => /\b(?:error|cannot|not found|no such)\b/i.test(line)) ?? told.at(-1);
  return { unproven: `${runner} did not start${telling === undefined ? "" : `: ${telling.slice(0, LONGEST_REASON)}`}` };
}

async function tryOnce(
  dependencies: TrialDependencies,
  runner: RunnerCommand,
  changes: readonly FileChange[],
  files?: readonly string[],
): Promise<TestReport | Unproven> {
  const { openCopy, redact, signal } = dependencies;
  const wish = { ...PLAIN, files, mark: randomBytes(12).toString("hex") };
  const { program, args, folder = "", env = {}, withLoader = false, results } = invokeTests(runner, wish);
  try {
    await using copy = await openCopy();
    const { clone } = copy;
    if (changes.length > 0 && !(await clone.files.change(changes, signal)).ok)
      return { unproven: "its test could not be written to a copy of the head" };
    const call = { program, args, folder, env, withLoader, timeoutMs: TIMEOUT_MS };
    const result = await runProgramInClone({ clone, redact }, call, { signal });
    if (result.limitHit !== undefined) return { unproven: `its test was stopped at the limit of ${result.limitHit}` };
    const report = await readTestReport({ runner: runner.runner, results, files, signal }, outputOf(result));
    if (report !== undefined) return holdToExit(report, result);
    return notStarted(dependencies, runner, result.stderr.length > 0 ? result.stderr : result.stdout);
  } catch (error) {
    if (error instanceof ToolFailure) return { unproven: `its test could not be run: ${error.message}` };
    throw error;
  }
}

function added({ path, content }: Demonstration): FileChange {
  return { path, content: Buffer.from(content), before: undefined };
}

/** All of its edits, file by file; undefined where a file is not there. */
async function applyFix({ head, signal }: TrialDependencies, fix: SuggestedFix): Promise<FileChange[] | undefined> {
  const changes: FileChange[] = [];
  for (const [path, edits] of Map.groupBy(editsOf(fix), ({ file }) => file)) {
    const read = await head.read(path, signal);
    if (!read.ok) return undefined;
    let lines = read.content.toString("utf8").split("\n");
    // From the end, so that the lines of those before stay where they are.
    for (const { startLine, endLine, after } of edits.toSorted((a, b) => b.startLine - a.startLine)) {
      const ending = lines[startLine - 1]?.endsWith("\r") ? "\r" : "";
      const fresh = after === "" ? [] : after.split("\n").map((line) => `${line}${ending}`);
      lines = [...lines.slice(0, startLine - 1), ...fresh, ...lines.slice(endLine)];
    }
    changes.push({ path, content: Buffer.from(lines.join("\n")), before: read.content });
  }
  return changes;
}

/** The change undone, file by file. */
async function takeBack({ head, before, signal }: TrialDependencies): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  for (const [path, content] of before) {
    const read = await head.read(path, signal);
    const now = read.ok ? read.content : undefined;
    if (now === undefined && content === undefined) continue;
    if (now !== undefined && content !== undefined && now.equals(content)) continue;
    changes.push({ path, content, before: now });
  }
  return changes;
}

function evidenceOf({ path, content }: Demonstration, { runner }: RunnerCommand, { failures }: TestReport): string {
  const said = failures
    .flatMap(({ name, message }) => [`FAILED ${name}`, ...message.split("\n")])
    .slice(0, OUTPUT_LINES);
  return [`// ${path} (${runner})`, content.trimEnd(), "", "// on this head:", ...said].join("\n");
}
