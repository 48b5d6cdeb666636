import { readEvents } from "../../src/store/events/read-events.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import type { World } from "../../test/e2e/world.ts";

export const SHOP = "acme/shop";

/** Opens a pull request of one commit by ana, and waits until Forge has nothing left to do. */
export async function propose(
  world: World,
  {
    branch,
    title,
    files,
  }: { readonly branch: string; readonly title: string; readonly files: Readonly<Record<string, string>> },
): Promise<number> {
  await world.github.commit(SHOP, branch, { files, message: title, author: "ana" });
  const { number } = await world.github.openPullRequest(SHOP, { title, head: branch, by: "ana" });
  await world.settled();
  return number;
}

/** Whether the latest run worked without memory, as one in ten does. */
export async function isHeldOut({ forge }: World): Promise<boolean> {
  const [run] = await listRuns(forge!.store, { limit: 1 });
  const events = run ? await readEvents(forge!.store, run.traceId) : [];
  return events.some(
    (event) => event.type === "run.started" && "memory" in event.payload && event.payload.memory === "without",
  );
}
