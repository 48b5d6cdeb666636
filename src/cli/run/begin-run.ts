import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import { numberOf } from "../../domain/subjects.ts";
import { KINDS } from "../../pipeline/kinds.ts";
import {
  freeNumber,
  type LocalDependencies,
  type LocalRun,
  readLocalRun,
  resumeLocally,
  startLocally,
} from "../../pipeline/local/local-run.ts";
import { openRecording, type RecordingFile } from "../../pipeline/local/recording.ts";
import { viewRuns } from "../../pipeline/views/view-runs.ts";
import { findRunsBeginning, type ListedRun } from "../../store/runs/overview.ts";
import { hasLooseChanges, readCheckoutBase, readCheckoutTree } from "../../workspace/local/checkout.ts";
import { listForgeBranches } from "../../workspace/local/local-branch.ts";
import { UsageError } from "../dispatch.ts";
import { findRun } from "../find-run.ts";
import type { RunArguments } from "./arguments.ts";
import { refusalWords } from "./gate-words.ts";

type Dependencies = LocalDependencies;

/**
 * Begins a run with what was typed, before anything is spent.
 * @throws UsageError; ForgeError `base_not_found`, `run_refused`
 */
export async function beginRun(
  dependencies: Dependencies,
  given: RunArguments,
  terminal: { readonly in: NodeJS.ReadableStream },
  say: (text: string) => void,
): Promise<LocalRun> {
  const { checkout } = dependencies;
  const task = await readTask(given, terminal);
  const base = await readCheckoutBase(checkout, given.base);
  const number = given.number ?? (await freeNumber(dependencies));
  const isOf = new RegExp(`^forge/${number}(?:-|$)`);
  const taken = (await listForgeBranches(checkout)).find((name) => isOf.test(name));
  if (taken !== undefined) {
    throw new UsageError(`there is a branch ${taken} already: delete it, or choose another --number`);
  }
  if (await hasLooseChanges(checkout)) {
    say(`what is not committed here is not part of the work: it begins at ${base.ref} (${base.sha.slice(0, 7)})`);
  }
  return orRefused(await startLocally(dependencies, { ...task, base, number, planOnly: given.planOnly }));
}

/**
 * Takes up the run that is meant.
 * @throws UsageError that names the runs it could be; ForgeError `run_refused`
 */
export async function takeUpRun(
  dependencies: Dependencies,
  { resume = "", text, extend }: RunArguments,
): Promise<LocalRun> {
  const { store } = dependencies;
  const own = (rows: readonly ListedRun[]) => rows.filter(({ kind }) => KINDS[kind].resumable);
  const latest = async () => own((await viewRuns(store, {})).runs);
  const [last] = await latest();
  const finder = { find: async (prefix: string) => own(await findRunsBeginning(store, prefix)), latest };
  const run = resume === "last" && last ? last : await findRun(finder, resume);
  return orRefused(await resumeLocally(dependencies, { runId: run.runId, ...defined({ instructions: text, extend }) }));
}

/** Begins the recording of a run, or goes on with it. @throws ForgeError as `openRecording` */
export async function recordRun(dependencies: Dependencies, local: LocalRun, path: string): Promise<RecordingFile> {
  const { runId, subject, base } = local;
  const run = await readLocalRun(dependencies, local);
  const tree = await readCheckoutTree(dependencies.checkout, base.sha);
  const { title = "", body } = run?.issue ?? {};
  const task = { title, body: body?.text ?? "", planOnly: run?.planOnly ?? false };
  const { repository } = subject;
  const number = numberOf(subject);
  const ids = { repositoryId: repository.id, fingerprintKey: dependencies.fingerprintKey.toString("hex") };
  const begin = { is: "run", version: 1, runId, task, number, ...ids, base: { ...base, tree } } as const;
  return openRecording(path, begin, dependencies.ai.redact);
}

function orRefused(begun: Awaited<ReturnType<typeof startLocally>>): LocalRun {
  if (!("refusal" in begun)) return begun;
  throw new ForgeError("run_refused", refusalWords(begun.refusal), { source: "validation", recoverability: "manual" });
}

const MOST_TITLE = 200;
/** GitHub's limit for the text of an issue. */
const MOST_CHARACTERS = 65_536;

/** The task as an issue: its first line is the title. @throws UsageError */
async function readTask(
  { text: given, issue }: Pick<RunArguments, "text" | "issue">,
  terminal: { readonly in: NodeJS.ReadableStream },
): Promise<{ readonly title: string; readonly body: string }> {
  const whole = given ?? (await readIssue(issue!, terminal));
  const [first = "", ...rest] = whole.trim().split(/\r?\n/);
  const line = first.replace(/^#+\s*/, "").trim();
  if (line === "") throw new UsageError("the task is empty");
  if (whole.length > MOST_CHARACTERS) throw new UsageError(`the task is longer than ${MOST_CHARACTERS} characters`);
  const body = rest.join("\n").trim();
  if (line.length <= MOST_TITLE) return { title: line, body };
  return { title: `${line.slice(0, MOST_TITLE - 1)}…`, body: [line, body].join("\n\n").trim() };
}

async function readIssue(path: string, terminal: { readonly in: NodeJS.ReadableStream }): Promise<string> {
  if (path === "-") return text(terminal.in);
  return readFile(path, "utf8").catch((error: Error) => {
    throw new UsageError(`the task cannot be read from ${path}: ${error.message}`);
  });
}
