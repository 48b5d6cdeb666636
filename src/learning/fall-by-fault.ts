import type { ProductionFault } from "../domain/production-feedback.ts";
import type { Subject } from "../domain/subjects.ts";
import { type InputDependencies, submit } from "../pipeline/runs/handle-input.ts";
import { fallBy } from "../safety/ladder.ts";
import type { Fence } from "../store/jobs/fence.ts";
import { readReviews } from "../store/runs/read-runs.ts";
import { readRepositoryFacts } from "../store/runs/repository-facts.ts";

interface Falling {
  /** The pull request that brought it; where that is not known, where people hear of it. */
  readonly subject: Subject;
  readonly fault: ProductionFault;
  readonly fence: Fence;
}

/**
 * A version that was rolled back, or that caused an error in production, takes the level of the repository down at once, whatever its record
 * says (SAFE-4): once for each fault, and once for each version. It stands where Forge had spoken against the change, and a person merged it.
 */
export async function fallByFault(dependencies: InputDependencies, falling: Falling): Promise<void> {
  const { store } = dependencies;
  const { subject, fault } = falling;
  const { level } = await readRepositoryFacts(store, subject.repository.id);
  if (!level) return;
  const is = fault.is === "rollback" ? "rolled_back" : "production_error";
  const down = fallBy({ is, version: fault.sha }, level);
  if (!down || (fault.pull !== undefined && (await wasAgainst(dependencies, subject)))) return;
  const cause = `fell:${fault.id}`;
  const { to, miss, ...carried } = down;
  const payload = { cause, from: level.level, level: to, ...carried, miss, after: level.changes };
  await submit(dependencies, falling, {
    ...{ type: "learning.observed", cause },
    events: [{ type: "level.demoted", payload }],
  });
}

async function wasAgainst({ store }: InputDependencies, subject: Subject): Promise<boolean> {
  const [latest] = await readReviews(store, subject);
  return latest !== undefined && latest.completed.blocking > 0;
}
