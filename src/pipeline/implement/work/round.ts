import type { ImplementerOutput } from "../../../agents/implementer/output.ts";
import { formatFiles } from "../../../analysis/lint-files.ts";
import { fileMetadata, parseDiff } from "../../../analysis/parse-diff.ts";
import { defined } from "../../../domain/defined.ts";
import type { FeedbackAnswer, WorkChecks, WorkCommit } from "../../../domain/implementation.ts";
import { UNSAID_LEVEL } from "../../../domain/ladder.ts";
import { readRepositoryFacts } from "../../../store/runs/repository-facts.ts";
import { openCommitFiles } from "../../../workspace/files/commit-files.ts";
import { headOf, type Planned, type Working } from "../implementation.ts";
import type { OpenBase } from "./open-base.ts";
import type { PhaseWorkspace } from "./open-phase-workspace.ts";
import { pathsOf } from "./scope-of-work.ts";
import type { ImplementerTools } from "./tools-of-implementer.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** The results of a round so far. */
export interface Round {
  readonly commits: WorkCommit[];
  readonly answers: FeedbackAnswer[];
  readonly notDone: string[];
  testsAdded: number;
  validated: boolean;
  /** Of the last piece of work. */
  checks?: WorkChecks;
  /** Ids that its agents named, of any memories. */
  readonly memories: string[];
  /** The level that let Forge format any of it. */
  formatted?: number;
}

/** Where a round is worked on, and with what. */
export interface RoundContext {
  readonly dependencies: WorkDependencies;
  readonly job: WorkJob;
  readonly run: Planned | Working;
  readonly workspace: PhaseWorkspace;
  readonly tools: ImplementerTools;
  readonly openBase: OpenBase;
}

/** Adds what an agent handed in. */
export function note(
  round: Round,
  { tests_added: tests, validated, not_done: notDone, memories = [] }: ImplementerOutput,
): void {
  round.memories.push(...memories);
  round.testsAdded += tests.length;
  round.validated &&= validated;
  if (notDone !== undefined) round.notDone.push(notDone);
}

/**
 * Commits what changed. After an interruption the commit may have been made already: then it is the head, though no event says so.
 */
export async function commitAll(
  { dependencies, run, workspace }: Pick<RoundContext, "dependencies" | "run" | "workspace">,
  message: string,
  taskId?: string,
): Promise<WorkCommit | undefined> {
  const { tree } = workspace;
  const before = tree.head();
  const made = await tree.commit({ message, author: await dependencies.author(), at: dependencies.now() });
  const told = new Set([
    headOf(run),
    tree.base,
    ...run.tasksDone.flatMap(({ commit }) => (commit ? [commit.sha] : [])),
  ]);
  const sha = "unchanged" in made ? (told.has(before) ? undefined : before) : made.sha;
  if (sha === undefined) return undefined;
  await workspace.keep();
  return { sha, subject: message.split("\n", 1)[0] ?? "", ...defined({ taskId }) };
}

/** From this level on Forge formats what it wrote by itself, and fixes simple lint in it (SAFE-4). */
const FORMATS_FROM = 2;

/**
 * Formats what changed since the last commit and fixes simple lint in it, where the files came out of a formatter unchanged before the work, and
 * the level of the repository lets Forge. Neither changes a meaning; where they cannot be run the work stays as it is.
 */
export async function formatWork(context: RoundContext, round: Pick<Round, "formatted">): Promise<void> {
  const { dependencies, job, run, workspace } = context;
  const { tree, mirror } = workspace;
  const { store, scratchRoot } = dependencies;
  const { subject, signal } = job;
  const { level = UNSAID_LEVEL } = await readRepositoryFacts(store, subject.repository.id);
  const allowed = Math.min(level.level, run.configuration.safety.automation_level ?? level.level);
  if (allowed < FORMATS_FROM) return;
  const { files: listed, patch } = await tree.changedSince(tree.head());
  const written = await parseDiff(patch, fileMetadata(listed));
  const hunksOf = new Map(written.files.map(({ path, hunks }) => [path, hunks]));
  const paths = pathsOf(listed);
  const base = openCommitFiles({ mirror, commit: tree.base, scratch: scratchRoot });
  const [now, before] = await Promise.all([tree.files.readMany(paths, signal), base.readMany(paths, signal)]);
  const files = [...now].flatMap(([path, text]) => {
    const old = before.get(path);
    return old ? [[path, { now: text, before: old, hunks: hunksOf.get(path) ?? [] }] as const] : [];
  });
  const formatted = await formatFiles(new Map(files), { scratchRoot, signal });
  const changes = [...formatted].map(([path, content]) => ({ path, content, before: now.get(path) }));
  if (changes.length === 0) return;
  if ((await tree.files.change(changes, signal)).ok) round.formatted = allowed;
}

/** Whether the work was seen to be whole: by what Forge ran, and where it could run nothing by what the agent says. */
export function isValidated({ types, tests, failing }: WorkChecks, said: boolean): boolean {
  return types === undefined && tests === undefined ? said : failing.length === 0;
}
