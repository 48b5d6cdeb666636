import type { WorkCommit } from "../../../domain/implementation.ts";
import { headOf } from "../implementation.ts";
import type { Site } from "./round.ts";

/**
 * Commits what changed. After an interruption the commit may have been made already: then it is the head, and nobody was told of it.
 */
export async function commitAll(
  { powers, run, shop }: Pick<Site, "powers" | "run" | "shop">,
  message: string,
  taskId?: string,
): Promise<WorkCommit | undefined> {
  const { tree } = shop;
  const before = tree.head();
  const made = await tree.commit({ message, author: await powers.author(), at: powers.now() });
  const told = new Set([
    headOf(run),
    tree.base,
    ...run.tasksDone.flatMap(({ commit }) => (commit ? [commit.sha] : [])),
  ]);
  const sha = "unchanged" in made ? (told.has(before) ? undefined : before) : made.sha;
  if (sha === undefined) return undefined;
  await shop.keep();
  return { sha, subject: message.split("\n", 1)[0] ?? "", ...(taskId === undefined ? {} : { taskId }) };
}
