import { type Subject, subjectKey } from "../../../domain/subjects.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import type { Store } from "../../../store/store.ts";
import type { LetThrough } from "../work/ports.ts";

/**
 * The runs of workflows that may have deployed to an environment since it asks Forge, by number: those that Forge let through, and those whose jobs
 * it left waiting, which an administrator can start. A run that it refused, or that never asked, deployed nothing there, whatever it says of itself.
 * What ran before the first of them asked nobody.
 * @param log whose log has the answers: the environment, or the one that all environments of others share
 * @param environment as GitHub names it
 * @returns undefined where Forge was never asked
 */
export async function readLetThrough(store: Store, log: Subject, environment: string): Promise<LetThrough | undefined> {
  const last = new Map<number, string>();
  for (const event of await readEvents(store, subjectKey(log))) {
    if (event.type !== "rule.answered") continue;
    const { asked, answer } = event.payload;
    if (asked.environment.toLowerCase() === environment.toLowerCase()) last.set(asked.workflowRunId, answer.is);
  }
  if (last.size === 0) return undefined;
  const runs = new Set([...last].flatMap(([run, is]) => (is === "rejected" ? [] : [run])));
  return { runs, since: Math.min(...last.keys()) };
}
