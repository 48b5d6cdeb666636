import { environmentSubject } from "../domain/deployments.ts";
import type { LearntEvent } from "../domain/events.ts";
import { storedPayload } from "../domain/memories.ts";
import type { ProductionFault } from "../domain/production-feedback.ts";
import type { Subject } from "../domain/subjects.ts";
import type { Memory } from "../memory/open-memory.ts";
import { refusedText } from "../pipeline/commands/read-teaching.ts";
import { followFault } from "../pipeline/runs/decision.ts";
import { submit } from "../pipeline/runs/handle-input.ts";
import { workBehind } from "../pipeline/runs/implementation-of.ts";
import { readFacts } from "../pipeline/runs/subject.ts";
import type { Redact } from "../safety/redact.ts";
import { visibleText } from "../safety/visible-text.ts";
import { addJobs } from "../store/jobs/add-jobs.ts";
import type { Fence } from "../store/jobs/fence.ts";
import { readReviews } from "../store/runs/read-runs.ts";
import { fallByFault } from "./fall-by-fault.ts";
import { type JudgeDependencies, judgeFault } from "./judge-outcome.ts";

export interface FaultDependencies extends JudgeDependencies {
  readonly memory: Pick<Memory, "prepare">;
  readonly redact: Redact;
}

interface Faulted {
  /** The pull request that brought it; where that is not known, where people hear of it. */
  readonly subject: Subject;
  readonly fault: ProductionFault;
  readonly fence: Fence;
  readonly signal: AbortSignal;
}

/**
 * Learns from a fault of a change that production showed (PROD-1). It marks the run that made the change, or the last review that let it pass.
 * It counts a missed fault in the record, lowers the level, and remembers the outcome. Each happens once for each fault, however often
 * production reports the fault.
 */
export async function learnFault(dependencies: FaultDependencies, faulted: Faulted): Promise<void> {
  const { subject, fault, fence } = faulted;
  const cause = `production:${fault.id}`;
  const { causes } = await readFacts(dependencies.store, subject);
  if (causes.has(cause)) return;
  const run = fault.pull === undefined ? undefined : await runBehind(dependencies, subject);
  if (run) await submit(dependencies, faulted, { type: "production.traced", runId: run.runId, fault }, run.subject);
  if (fault.pull !== undefined) await judgeFault(dependencies, faulted, fault.commit);
  // An error is a miss of the run that it is tied to; what was rolled back was let pass by Forge in any case.
  if (run || fault.is === "rollback") await fallByFault(dependencies, faulted);
  const { repository } = subject;
  // After the fall: the level that is left says whether Forge begins by itself.
  if (fault.fingerprint !== undefined) {
    const environment = environmentSubject(repository, fault.environment);
    await addJobs(dependencies.store, [followFault(environment, fault.fingerprint, dependencies.now())]);
  }
  const prepared = await prepare(dependencies, faulted);
  if (!prepared) return;
  const events: LearntEvent[] = [{ type: "memory.stored", payload: storedPayload(prepared, cause) }];
  await submit(
    dependencies,
    { subject, fence },
    { type: "learning.observed", cause, events, memories: [prepared.memory] },
  );
}

/** The work on an issue that the pull request came of; else its newest review. */
async function runBehind(
  { store }: FaultDependencies,
  subject: Subject,
): Promise<{ readonly runId: string; readonly subject: Subject } | undefined> {
  const work = await workBehind(store, subject);
  if (work) return work;
  const [latest] = await readReviews(store, subject);
  return latest && { runId: latest.runId, subject };
}

/** What is remembered, so that a later review or implementation meets it; undefined where the words of production are orders or secrets. */
async function prepare({ memory, redact }: FaultDependencies, { subject, fault, signal }: Faulted) {
  const { is, what, file, pull, environment, sha } = fault;
  // Of a rollback the deployment itself has remembered it.
  if (is === "rollback") return undefined;
  const said = visibleText(redact(what)).replace(/\s+/g, " ").trim();
  const place = file === undefined ? "" : ` in ${file}`;
  const content = `A change${place} (#${pull}) passed review and tests, and caused an error in ${environment}: ${said}.`;
  if (refusedText(content) !== undefined) return undefined;
  const { installationId, id: repositoryId } = subject.repository;
  return memory.prepare(
    {
      ...{ scope: { installationId, repositoryId }, type: "semantic", origin: "outcome" },
      ...{ content, context: `deployed as ${sha.slice(0, 7)}`, tags: ["production", environment], cites: [] },
    },
    signal,
  );
}
