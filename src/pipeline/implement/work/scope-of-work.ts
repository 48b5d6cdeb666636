import { filesOfFeedback } from "../../../agents/implementer/feedback-task.ts";
import { type Scope, scopeOf, withScope, writtenPaths } from "../../../agents/implementer/scope.ts";
import type { RunAgent } from "../../../agents/reviewer/ports.ts";
import type { Looked, Planned, Working } from "../implementation.ts";
import type { PhaseWorkspace } from "./open-phase-workspace.ts";

/** The agents of a round, each held to what the work is about as it stands now. */
export async function agentsOf({
  run,
  workspace,
}: {
  readonly run: Planned | Working;
  readonly workspace: PhaseWorkspace;
}): Promise<RunAgent> {
  const scope = await scopeFor(run, workspace);
  return workspace.agents((policy) => withScope(policy, scope));
}

/** Where the work may write now: what the plan and the branch name, what feedback names, and what people allowed (SEC-5). */
export async function scopeFor(
  { plan, configuration, gates, feedback }: Planned | Working,
  { tree, paths: now }: PhaseWorkspace,
): Promise<Scope> {
  const { files } = await tree.changedSince(tree.base);
  // What is not committed is what is being judged.
  const loose = new Set(pathsOf((await tree.changedSince(tree.head())).files));
  const changed = pathsOf(files).filter((path) => !loose.has(path));
  const added = new Set(files.flatMap(({ oldPath, newPath }) => (oldPath === undefined && newPath ? [newPath] : [])));
  const paths = now.filter((path) => !added.has(path));
  // What feedback names may be changed for it; a call that a person approved names its files.
  const allowed = [...filesOfFeedback(feedback), ...approvedPaths(gates)];
  return scopeOf(plan.plan, { paths, changed, protectedPaths: configuration.review.protected_paths, allowed });
}

/** Paths of files as they are after a change. */
export function pathsOf(files: readonly { readonly newPath?: string | undefined }[]): string[] {
  return files.flatMap(({ newPath }) => (newPath === undefined ? [] : [newPath]));
}

/** Paths of files as they are after a change and as they were before it: what is gone may still be read or imported. */
export function allPathsOf(
  files: readonly { readonly oldPath?: string | undefined; readonly newPath?: string | undefined }[],
): string[] {
  const paths = files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]);
  return [...new Set(paths.filter((path) => path !== undefined))];
}

/** Paths in the calls of tools that people approved in this run. */
function approvedPaths(gates: Looked["gates"]): string[] {
  return gates.flatMap(({ question, standing }) => {
    if (question.type !== "tool_call" || standing.is !== "approved") return [];
    // What was too long to be shown was not approved in full: it stays closed.
    if (question.input.length < question.inputCharacters) return [];
    try {
      return writtenPaths(question.tool, JSON.parse(question.input));
    } catch {
      return [];
    }
  });
}
