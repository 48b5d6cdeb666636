import { type CommandSource, commandKey } from "../../domain/command-source.ts";
import { ENVIRONMENTS, environmentSubject } from "../../domain/deployments.ts";
import type { Subject } from "../../domain/subjects.ts";
import type { Store } from "../../store/store.ts";
import { workBehind } from "../runs/implementation-of.ts";
import { readFacts } from "../runs/subject.ts";

/**
 * Whether a command was settled before its worker died, wherever that was: on its issue or pull request, on the work that this belongs to, or
 * on an environment. What a command means depends on what waits, which it has changed: read again it would mean something else.
 */
export async function wasSettled(
  store: Store,
  place: Subject,
  { source, index }: { readonly source: CommandSource; readonly index: number },
): Promise<boolean> {
  const work = await workBehind(store, place);
  const environments = ENVIRONMENTS.map((environment) => environmentSubject(place.repository, environment));
  const key = commandKey(source, index);
  for (const subject of [place, ...environments, ...(work ? [work.subject] : [])]) {
    if ((await readFacts(store, subject)).settled.has(key)) return true;
  }
  return false;
}
