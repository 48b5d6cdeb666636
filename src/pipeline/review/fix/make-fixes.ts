import { governsWhat } from "../../../agents/governing-files.ts";
import { coAuthorLine } from "../../../agents/implementer/commit-message.ts";
import { commandKey, fixTrace } from "../../../domain/command-source.ts";
import { defined } from "../../../domain/defined.ts";
import { ForgeError } from "../../../domain/errors.ts";
import { editsOf, isOpen } from "../../../domain/findings.ts";
import type { FixLeftOut } from "../../../domain/fixes.ts";
import type { FixesMade } from "../../../domain/inputs.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import type { Actor } from "../../../domain/subjects.ts";
import type { DeadJob, JobContext } from "../../../queue/ports.ts";
import type { Fence } from "../../../store/jobs/fence.ts";
import { readLedger } from "../../../store/runs/ledger.ts";
import { storeWorkTree } from "../../../store/runs/put-work-tree.ts";
import type { FileChange } from "../../../workspace/files/repository-files.ts";
import type { Signature } from "../../../workspace/working-tree/git-object.ts";
import { openWorkingTree, type WorkingTree } from "../../../workspace/working-tree/working-tree.ts";
import { fetchEnds } from "../../change/fetch-ends.ts";
import { refusalOf } from "../../commands/tell-outcome.ts";
import { handleInput, type InputDependencies } from "../../runs/handle-input.ts";
import type { PullRequestFacts, PullRequestHost } from "../../runs/ports.ts";
import { runPhase } from "../../runs/run-phase.ts";
import { readFacts } from "../../runs/subject.ts";
import { checkFixes } from "./check-fixes.ts";
import type { WantedFix } from "./fit-fixes.ts";

export interface FixDependencies extends InputDependencies {
  readonly host: Pick<PullRequestHost, "readPullRequest" | "remote">;
  readonly mirrorRoot: string;
  readonly scratchRoot: string;
  /** The author of the commits. */
  readonly author: () => Promise<Signature>;
}

type FixJob = JobPayload<"fix">;

/**
 * Applies the suggested fixes that somebody asked for to the head of a pull request, in a working tree of its own, and keeps them as one
 * commit, which an effect pushes. The same job makes the same commit, so that one that is done twice changes nothing.
 */
export function makeFixes(dependencies: FixDependencies, job: FixJob, context: JobContext): Promise<void> {
  const { signal, fence } = context;
  const run = async () => {
    if (await isOver(dependencies, job)) return;
    const facts = await dependencies.host.readPullRequest(job.subject, signal);
    await tell(dependencies, job, await outcomeOf(dependencies, job, facts, context), fence);
  };
  return runPhase({ signal, now: dependencies.now, run });
}

/** Whether its commit was made by an earlier attempt, which must not be replaced, or it was settled. */
async function isOver({ store }: FixDependencies, { subject, source, index }: FixJob): Promise<boolean> {
  const { fixing } = await readFacts(store, subject);
  return fixing?.key !== commandKey(source, index) || fixing.prepared !== undefined;
}

/** The queue has given it up: the person who asked is told. */
export async function giveUpFixes(dependencies: InputDependencies, job: FixJob, { error }: DeadJob): Promise<void> {
  await tell(dependencies, job, { refusal: refusalOf(error) });
}

/** What comes of it on the pull request as it is now; without facts it is gone. */
async function outcomeOf(
  dependencies: FixDependencies,
  job: FixJob,
  facts: PullRequestFacts | undefined,
  context: JobContext,
): Promise<FixesMade["outcome"]> {
  const { headSha } = job;
  if (!facts) return { refusal: { reason: "cannot_push", why: "gone" } };
  const { open, ends } = facts;
  if (!open) return { refusal: { reason: "closed", name: "fix" } };
  if (ends.headSha !== headSha) return { refusal: { reason: "branch_moved", headSha, movedTo: ends.headSha } };
  return make(dependencies, job, facts, context);
}

async function make(
  dependencies: FixDependencies,
  job: FixJob,
  { ends }: PullRequestFacts,
  context: JobContext,
): Promise<FixesMade["outcome"]> {
  const { host, mirrorRoot, scratchRoot, store, author, now } = dependencies;
  const { subject, by, at } = job;
  const { signal, fence } = context;
  const { wanted, left } = await findWanted(dependencies, job);
  const mirror = await fetchEnds({ subject, ends, mirrorRoot, remote: host.remote(subject.repository), signal });
  await using tree = await openWorkingTree({ mirror, base: ends.headSha, scratchRoot, signal });
  const files = new Map<string, Buffer | undefined>();
  for (const { file } of wanted.flatMap(({ fix }) => editsOf(fix)))
    if (!files.has(file)) files.set(file, await readText(tree, file, signal));
  const checked = await checkFixes(files, wanted, { scratchRoot, signal });
  left.push(...checked.left);
  const applied = checked.applied.map(({ findingId }) => findingId);
  const changes: FileChange[] = [...checked.contents].map(([path, content]) => ({
    ...{ path, content, before: files.get(path) },
  }));
  if (changes.length === 0) return { left };
  const written = await tree.files.change(changes, signal);
  if (!written.ok) throw new ForgeError("fixes_unwritten", written.detail, { source: "tool", recoverability: "none" });
  // The moment of the command, not of this attempt.
  const made = await tree.commit({ message: fixCommitMessage(applied, by), author: await author(), at });
  if ("unchanged" in made) return { left };
  await storeWorkTree(store, { runId: fixTrace(job), tree: await tree.snapshot(), at: now(), fence });
  return { prepared: { branch: ends.headRef, onto: ends.headSha, headSha: made.sha, applied, left } };
}

/** What is still open of what was asked for, in that order. What decides what runs is changed by people only, as in work on issues (SEC-5). */
async function findWanted({ store }: FixDependencies, { subject, findings }: FixJob) {
  const ledger = new Map((await readLedger(store, subject)).map((entry) => [entry.finding.id, entry]));
  const wanted: WantedFix[] = [];
  const left: FixLeftOut[] = [];
  for (const findingId of findings) {
    const entry = ledger.get(findingId);
    const { fix, file = "" } = entry?.finding ?? {};
    const governed = fix && editsOf(fix).find((edit) => governsWhat(edit.file) !== undefined)?.file;
    const what = governed === undefined ? undefined : governsWhat(governed);
    if (!entry || !isOpen(entry) || !fix) left.push({ findingId, file, why: "closed" });
    else if (what !== undefined) left.push({ findingId, file: governed ?? file, why: "governing", what });
    else wanted.push({ findingId, fix });
  }
  return { wanted, left };
}

async function readText({ files }: WorkingTree, path: string, signal: AbortSignal): Promise<Buffer | undefined> {
  const read = await files.read(path, signal);
  return read.ok ? read.content : undefined;
}

async function tell(
  { store, makeId, now }: InputDependencies,
  { subject, source, index, by, thread }: FixJob,
  outcome: FixesMade["outcome"],
  fence?: Fence,
): Promise<void> {
  const asked = { subject, source, index, by, ...defined({ thread }) };
  const input = { type: "fixes.made", ...asked, outcome, at: now(), newRunId: makeId() } as const;
  await handleInput({ store, makeId }, input, fence);
}

const IDS_PER_LINE = 8;

/** The message of a commit of suggested fixes: which findings it is for, and who had them committed. Nothing in it is a model's word. */
export function fixCommitMessage(findingIds: readonly string[], by: Actor): string {
  const count = findingIds.length;
  const header = count === 1 ? "fix: apply a suggested fix of Forge" : `fix: apply ${count} suggested fixes of Forge`;
  const lines: string[] = [];
  for (let at = 0; at < count; at += IDS_PER_LINE) lines.push(findingIds.slice(at, at + IDS_PER_LINE).join(", "));
  const email = `${by.id > 0 ? `${by.id}+` : ""}${by.login}@users.noreply.github.com`;
  return [header, "", ...lines, "", ...coAuthorLine({ name: by.login, email }), ""].join("\n");
}
