import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { AdvisorySource } from "../../analysis/dependencies/advisory-source.ts";
import type { AnalysisCache } from "../../analysis/open-analysis-cache.ts";
import type { RunLimit } from "../../domain/command-arguments.ts";
import type { Command } from "../../domain/commands.ts";
import { defined } from "../../domain/defined.ts";
import type { IssueSnapshot } from "../../domain/implementation.ts";
import type { IssueCommandGiven } from "../../domain/inputs.ts";
import type { Refusal } from "../../domain/refusals.ts";
import { type Actor, numberOf, type RepositoryRef, type Subject, subjectKey } from "../../domain/subjects.ts";
import { readEvents } from "../../store/events/read-events.ts";
import { findLatestRun, listRuns } from "../../store/runs/read-runs.ts";
import type { PackageSource } from "../../workspace/install/install-packages.ts";
import { type Checkout, type CheckoutBase, readCheckoutBase } from "../../workspace/local/checkout.ts";
import { listForgeBranches } from "../../workspace/local/local-branch.ts";
import type { ProcessAi } from "../ai/ai-dependencies.ts";
import { replayImplementation } from "../implement/evolve.ts";
import { type Implementation, openGates } from "../implement/implementation.ts";
import { pullSubject } from "../implement/step.ts";
import { type HandleInputPorts, handleInput } from "../runs/handle-input.ts";

/** Dependencies of runs on a checkout. */
export interface LocalDependencies extends HandleInputPorts {
  readonly checkout: Checkout;
  /** As `repositoryOf` names the checkout. Ids of findings depend on it. */
  readonly repository: RepositoryRef;
  readonly ai: ProcessAi;
  readonly mirrorRoot: string;
  /** Folder for scratch space; everything in it may be deleted. */
  readonly scratchRoot: string;
  readonly packages: PackageSource;
  /** Keys the fingerprints of secrets. */
  readonly fingerprintKey: Buffer;
  readonly advisories?: AdvisorySource;
  readonly analysisCache?: AnalysisCache;
  /** ISO 8601. */
  readonly now: () => string;
}

/** One run on a checkout. */
export interface LocalRun {
  readonly runId: string;
  /** The task, as an issue of this checkout. */
  readonly subject: Subject;
  readonly base: CheckoutBase;
}

export interface LocalTask {
  /** One line. */
  readonly title: string;
  readonly body: string;
  readonly base: CheckoutBase;
  /** Of the branch: `forge/<number>-…`. */
  readonly number: number;
  readonly planOnly: boolean;
}

/** Who gave the task. At a terminal that is also who answers, but a second look is not the first one: both are told apart in the log. */
const ASKING: Actor = { login: "the command line", id: 1, kind: "user" };
const ANSWERING: Actor = { login: "the terminal", id: 2, kind: "user" };

/** The checkout as a repository: the same id for the same place, whichever worktree of it is used. */
export function repositoryOf({ commonDirectory, workTree }: Checkout): RepositoryRef {
  const id = createHash("sha256").update(commonDirectory).digest().readUIntBE(0, 6) || 1;
  return { id, owner: "local", name: basename(workTree) || "checkout", installationId: 1 };
}

/** The smallest number that neither a run on this checkout nor a branch of it has. */
export async function freeNumber({ store, checkout }: Pick<LocalDependencies, "store" | "checkout">): Promise<number> {
  const runs = await listRuns(store, { limit: 1_000_000 });
  const ofBranches = (await listForgeBranches(checkout)).map((branch) =>
    Number(/^forge\/(\d+)/.exec(branch)?.[1] ?? 0),
  );
  return Math.max(0, ...runs.map(({ subject }) => numberOf(subject)), ...ofBranches) + 1;
}

/** Begins a run. Nothing is done before `workLocally`; it goes on in any process that opens the same store. */
export async function startLocally(
  dependencies: Pick<LocalDependencies, "store" | "makeId" | "now" | "repository" | "ai">,
  { title, body, base, number, planOnly }: LocalTask,
): Promise<LocalRun | { readonly refusal: Refusal }> {
  const subject: Subject = { kind: "issue", repository: dependencies.repository, number };
  const at = dependencies.now();
  const { redact } = dependencies.ai;
  const snapshot: IssueSnapshot = {
    title: redact(title),
    body: { by: ASKING, role: "admin", at, text: redact(body) },
    labels: [],
    comments: [],
    leftOut: { comments: 0, characters: 0 },
  };
  const refusal = await give(dependencies, subject, { name: planOnly ? "plan" : "implement" }, snapshot);
  if (refusal) return { refusal };
  const run = await findLatestRun(dependencies.store, subject);
  return { runId: run!.traceId, subject, base };
}

/** A command of the person at the terminal. @returns why it was not carried out */
export async function give(
  { store, makeId, now }: Pick<LocalDependencies, "store" | "makeId" | "now">,
  subject: Subject,
  command: Command,
  snapshot?: IssueSnapshot,
): Promise<Refusal | undefined> {
  const input: IssueCommandGiven = {
    type: "command.given",
    subject,
    at: now(),
    newRunId: makeId(),
    source: { kind: "label", id: makeId() },
    index: 0,
    by: snapshot ? ASKING : ANSWERING,
    role: "admin",
    parsed: { command },
    alone: false,
    plain: false,
    issue: { open: true, ...defined({ snapshot }) },
  };
  const { events } = await handleInput({ store, makeId }, input);
  const refused = events.find((event) => event.type === "command.refused");
  return refused?.payload.refusal;
}

export async function readLocalRun(
  { store }: Pick<LocalDependencies, "store">,
  { runId }: Pick<LocalRun, "runId">,
): Promise<Implementation | undefined> {
  return replayImplementation(await readEvents(store, runId));
}

/** Keys of the jobs of one run: those of others on the same checkout stay where they are. */
export function keysOf(issue: Subject): string[] {
  const { repository } = issue;
  return [subjectKey(issue), subjectKey(pullSubject(issue, numberOf(issue))), `effects:${repository.id}`];
}

interface Resuming {
  readonly runId: string;
  /** For the next agent. */
  readonly instructions?: string;
  /** A limit that is raised first. */
  readonly extend?: { readonly limit: RunLimit; readonly amount: number };
}

type Dependencies = Pick<LocalDependencies, "store" | "makeId" | "now" | "checkout">;

/** Takes a run up again: one that was interrupted, stopped, failed, or whose gate was not answered. */
export async function resumeLocally(
  dependencies: Dependencies,
  { runId, instructions, extend }: Resuming,
): Promise<LocalRun | { readonly refusal: Refusal }> {
  await timeOut(dependencies, runId);
  const before = await readLocalRun(dependencies, { runId });
  if (!before) return { refusal: { reason: "nothing_to_resume" } };
  const { subject } = before;
  if (extend) {
    const refusal = await give(dependencies, subject, { name: "extend", ...extend });
    if (refusal) return { refusal };
  }
  const run = (await readLocalRun(dependencies, { runId })) ?? before;
  if (run.end && run.end.is !== "failed") return { refusal: { reason: "nothing_to_resume" } };
  const said = defined({ instructions });
  const refusal = run.end
    ? await give(dependencies, subject, { name: "retry" })
    : run.stopped || instructions !== undefined
      ? await give(dependencies, subject, { name: "resume", ...said })
      : undefined;
  if (refusal) return { refusal };
  return { runId, subject, base: run.base ?? (await readCheckoutBase(dependencies.checkout)) };
}

/** A gate that was not answered in time stops the run, so that it is asked anew rather than answered late. */
async function timeOut(dependencies: Dependencies, runId: string): Promise<void> {
  const run = await readLocalRun(dependencies, { runId });
  if (!run?.configuration || !run.base) return;
  const { configuration, base, subject } = run;
  const at = dependencies.now();
  if (!openGates(run).some(({ deadline }) => Date.parse(deadline) <= Date.parse(at))) return;
  const observed = { type: "work.observed", runId, attempt: 1, open: true, configuration, base } as const;
  await handleInput(dependencies, { ...observed, subject, at, newRunId: dependencies.makeId() });
}
