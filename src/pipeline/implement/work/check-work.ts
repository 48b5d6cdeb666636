import { sayCall } from "../../../agents/implementer/find-type-check.ts";
import { chooseTests } from "../../../analysis/tests/choose-tests.ts";
import { defined } from "../../../domain/defined.ts";
import type { Feedback, WorkChecks } from "../../../domain/implementation.ts";
import { runProgramInClone } from "../../../tools/run/clone-program.ts";
import { isTestOf, nameOfCommand, takesFiles } from "../../../tools/run/test-command.ts";
import type { Clone } from "../../../workspace/clone.ts";
import type { SandboxResult } from "../../../workspace/sandbox/sandbox.ts";
import { buildProject, openBuilt } from "../../testing/build-project.ts";
import { cleaned } from "../../testing/conclude-testing.ts";
import { type TestContext, whySandboxFailed } from "../../testing/execute-tests.ts";
import { prepareTests } from "../../testing/prepare-tests.ts";
import { runFiles, type SeenFailure } from "../../testing/run-files.ts";
import { settleFailures } from "../../testing/settle-failures.ts";
import { type Halt, haltOf } from "./halt-work.ts";
import { type CopyLater, copyLater, type OpenBase } from "./open-base.ts";
import { formatWork, note, type Round, type RoundContext } from "./round.ts";
import { allPathsOf, pathsOf } from "./scope-of-work.ts";
import { workOn } from "./work-on-feedback.ts";

/** How often an agent is sent back for what its work broke; then the review and the tests of the whole say it. */
const MOST_ROUNDS = 2;
/** Of the phase's time for one look: the whole is tested again when it is done. */
const SHARE = 0.15;
const LONGEST_MS = 10 * 60_000;
/** So many failures are sent back in one round: what they have in common shows in the first ones. */
const MOST_SENT = 20;
const MESSAGE_CHARACTERS = 3_000;
const MOST_ERRORS = 40;
/** Of the time of one look. */
const BUILD_SHARE = 0.5;

/**
 * Checks the types and runs the tests that a piece of work affects, and has the agent mend what fails because of it (IMPL-1). What failed before
 * the work is not its fault, and what stays broken is said.
 */
export async function checkAndMend(
  context: RoundContext,
  round: Round,
  key: string,
): Promise<{ readonly checks: WorkChecks } | { readonly halt: Halt }> {
  const again = context.run.resumes === 0 ? "" : `-${context.run.resumes}`;
  for (let attempt = 1; ; attempt += 1) {
    // What is checked is what will be committed.
    await formatWork(context, round);
    const { checks, problems } = await checkWork(context);
    if (problems.length === 0 || attempt > MOST_ROUNDS) return { checks };
    const outcome = await workOn(context, `${key}-checks${again}-${attempt}`, problems);
    if (!outcome.ok) return { halt: haltOf(outcome) };
    const { commit: _ofTheTask, ...output } = outcome.output;
    note(round, { ...output, validated: true });
  }
}

const NO_SANDBOX = "There is no sandbox to run anything in.";

interface CheckContext extends Omit<TestContext, "clone"> {
  readonly copy: CopyLater;
  /** The files of the work, as they are in the copy before anything has run there. */
  readonly written: Clone["files"];
}

interface Checked {
  readonly checks: WorkChecks;
  /** Failures caused by the work, for the implementer. */
  readonly problems: readonly Feedback[];
}

async function checkWork(context: RoundContext): Promise<Checked> {
  const { workspace, job, dependencies } = context;
  const { tree } = workspace;
  const { redact } = dependencies.ai;
  const { signal } = job;
  const { files } = await tree.changedSince(tree.head());
  if (files.length === 0) return { checks: { failing: [], notRun: [] }, problems: [] };
  if (!tree.clone) return { checks: { failing: [], notRun: [NO_SANDBOX] }, problems: [] };
  workspace.progress.say({ doing: "checking" });
  // What compilers and tests leave behind is no part of the work. With nothing to run there is no copy.
  const state = async () => ({ base: tree.base, snapshot: await tree.snapshot() });
  await using copy = copyLater(dependencies, job, workspace, state);
  const place: CheckContext = {
    copy,
    written: tree.clone.files,
    redact,
    scratchRoot: dependencies.scratchRoot,
    signal,
  };
  try {
    const types = await checkTypes(context, place);
    const tests = await runAffected(context, place, { changed: allPathsOf(files), present: pathsOf(files) });
    return {
      checks: {
        ...defined({ types: types.types, tests: tests.tests }),
        failing: [...types.problems, ...tests.problems].map(({ message, name }) => `${name}: ${firstLine(message)}`),
        notRun: [...types.notRun, ...tests.notRun],
      },
      problems: [...types.problems, ...tests.problems],
    };
  } catch (error) {
    return { checks: { failing: [], notRun: [whySandboxFailed(error, signal)] }, problems: [] };
  }
}

type Failing = Extract<Feedback, { from: "tests" }>;

function timeOf({ workspace }: RoundContext): number {
  return Math.min(LONGEST_MS, workspace.limits.timeLimitMs * SHARE);
}

async function checkTypes(
  context: RoundContext,
  { copy, redact, signal }: CheckContext,
): Promise<Pick<WorkChecks, "types" | "notRun"> & { readonly problems: readonly Failing[] }> {
  const call = context.workspace.typeCheck;
  const clone = call && (await copy.open());
  if (!clone) return { notRun: [], problems: [] };
  const run = async (place: Clone) => {
    const end = await runProgramInClone(
      { clone: place, redact },
      { ...call, args: [...call.args], folder: "", timeoutMs: timeOf(context) },
      { signal },
    );
    return { end, lines: `${end.stdout.toString("utf8")}\n${end.stderr.toString("utf8")}`.split("\n") };
  };
  const { end, lines } = await run(clone);
  if (end.code === 0) return { types: "passed", notRun: [], problems: [] };
  const base = cameToEnd(end) ? await context.openBase() : undefined;
  const before = base && (await run(base));
  if (!before || !cameToEnd(before.end))
    return { notRun: [`The type check (${sayCall(call)}) came to no end here.`], problems: [] };
  const known = new Set(before.lines.map(withoutPlace));
  const fresh = lines.filter((line) => line.trim() !== "" && !known.has(withoutPlace(line)));
  const errors = fresh.filter((line) => /\berror\b/i.test(line));
  if (before.end.code !== 0 && errors.length === 0)
    return { notRun: ["The types have faults that were there before."], problems: [] };
  const message = await cleaned((errors.length > 0 ? errors : fresh).slice(0, MOST_ERRORS).join("\n"), redact);
  // The file is shown to the implementer: often the work never touched it.
  const [, file] = /^([^\s:()]{1,300})[:(]\d/.exec(errors[0] ?? "") ?? [];
  const problem: Failing = { from: "tests", id: "TYPES", name: "the type check", message, ...defined({ file }) };
  return { types: "failed", notRun: [], problems: [problem] };
}

function cameToEnd({ limitHit, code }: SandboxResult): boolean {
  return limitHit === undefined && code !== 127 && code !== null;
}

/** Lines move, faults stay. */
function withoutPlace(line: string): string {
  return line.replace(/[:(]\d+[:,]\d+\)?/g, "").trim();
}

async function runAffected(
  context: RoundContext,
  { copy, written, ...rest }: CheckContext,
  { changed, present }: { readonly changed: readonly string[]; readonly present: readonly string[] },
): Promise<Pick<WorkChecks, "tests" | "notRun"> & { readonly problems: readonly Failing[] }> {
  const { workspace, run } = context;
  const { tools } = run.configuration;
  const nothing = (...notRun: readonly string[]) => ({ notRun: [...notRun], problems: [] });
  const needed = async () => {
    const clone = await copy.open();
    if (clone === undefined) throw new Error(NO_SANDBOX);
    return clone;
  };
  const looked: Clone = { files: written, run: async (spec) => (await needed()).run(spec) };
  const plan = await prepareTests({ ...rest, clone: looked }, tools, workspace.packagesMissing);
  if ("notRun" in plan) return nothing(plan.notRun);
  const graph = await workspace.readGraph(rest.signal);
  const isTest = (path: string) => isTestOf(plan.command, path);
  // The risk is looked at when all of the work is done.
  const wish = {
    changed: changed.map((path) => ({ path, status: "modified" }) as const),
    risk: "low",
    isTest,
  } as const;
  const { covering } = await chooseTests(written, graph, wish, rest.signal);
  const files = [...new Set([...covering.files, ...present.filter(isTest)])];
  if (files.length === 0 && takesFiles(plan.command)) return nothing("No test reaches what was changed.");
  const wanted = takesFiles(plan.command) ? files : undefined;
  const testContext: TestContext = { ...rest, clone: await needed() };
  workspace.progress.say({ doing: "checking", ...defined({ testFiles: wanted?.length }) });
  const deadline = performance.now() + timeOf(context);
  const left = () => Math.max(0, deadline - performance.now());
  let built: ReturnType<OpenBase> | undefined;
  const openBase: OpenBase = () => {
    built ??= openBuilt(context.openBase, rest, tools.build, left() * BUILD_SHARE);
    return built;
  };
  // The copy is not the work: what a build leaves behind is not committed.
  const broken = await buildProject(testContext, tools.build, left() * BUILD_SHARE);
  if (broken) return judgeBuild(broken, openBase, rest.redact);
  const ran = await runFiles(testContext, plan, { files: wanted, timeoutMs: left() / 2, cover: [] });
  const settled = await settleFailures({ testContext, plan, failures: ran.failures, files: wanted, openBase, left });
  const bugs = settled.failures.filter((failure) => failure.class === "bug");
  if (ran.passed === 0 && bugs.length === 0)
    return nothing(settled.failures[0]?.cause ?? "No test could be run that was not failing before.");
  const sent = bugs.slice(0, MOST_SENT).entries();
  const problems = await Array.fromAsync(sent, async ([at, { seen }]): Promise<Failing> => {
    const { name, file, message } = seen;
    const said = (await cleaned(message, testContext.redact)).slice(0, MESSAGE_CHARACTERS);
    return {
      from: "tests",
      id: `T${at + 1}`,
      name: await cleaned(name, testContext.redact),
      message: said,
      ...defined({ file }),
    };
  });
  const tests = { runner: nameOfCommand(plan.command), passed: ran.passed, failed: bugs.length };
  return { tests, notRun: [], problems };
}

/** A build that the work broke goes back; one that was broken before is only said. */
async function judgeBuild(
  { message, limit }: SeenFailure,
  openBase: OpenBase,
  redact: TestContext["redact"],
): Promise<Omit<WorkChecks, "failing"> & { readonly problems: readonly Failing[] }> {
  if (limit !== undefined) return { notRun: ["The build came to no end in the time for one look."], problems: [] };
  if (!(await openBase())) return { notRun: ["The build fails without this work too."], problems: [] };
  const said = await cleaned(message, redact);
  return { notRun: [], problems: [{ from: "tests", id: "BUILD", name: "the build", message: said }] };
}

function firstLine(text: string): string {
  return (text.trim().split("\n", 1)[0] ?? "").slice(0, 200);
}
