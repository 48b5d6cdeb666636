import { defined } from "../../../domain/defined.ts";
import type { WorkCommit } from "../../../domain/implementation.ts";
import { headOf } from "../implementation.ts";
import type { RoundContext } from "./round.ts";

/**
 * Commits what changed. After an interruption the commit may have been made already: then it is the head, and nobody was told of it.
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
