import type { Scope } from "../../../agents/implementer/scope.ts";
import { secrets as secretsAnalyser } from "../../../analysis/analysers/secrets.ts";
import { lintFiles } from "../../../analysis/lint-files.ts";
import { ForgeError } from "../../../domain/errors.ts";
import type { Feedback } from "../../../domain/implementation.ts";
import { DEFAULT_REPO_CONFIG } from "../../../domain/repo-config.ts";
import type { WorkingTree } from "../../../workspace/working-tree/working-tree.ts";

export interface Inspected {
  readonly tree: WorkingTree;
  readonly scope: Scope;
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
}

/**
 * What the files must not have when they are committed, as feedback for whoever wrote them: secrets (SEC-6), and changes of files that
 * neither the plan nor a person allows, as a program that was run may have made (SEC-5).
 */
export async function problemsIn({ tree, scope, scratchRoot, signal }: Inspected): Promise<Feedback[]> {
  const { files } = await tree.changedSince(tree.head());
  const changed = [
    ...new Set(files.flatMap(({ oldPath, newPath }) => [oldPath, newPath].filter((path) => path !== undefined))),
  ];
  const stray = changed.flatMap((path): Feedback[] => {
    const place = scope(path);
    if (place.is === "inside") return [];
    const message = `${place.reason} Put the file back as it was.`;
    return [{ from: "review", id: `S-${path}`, findingId: "", severity: "error", file: path, line: 1, message }];
  });
  const there = files.flatMap(({ newPath }) => (newPath === undefined ? [] : [newPath]));
  const contents = await tree.files.readMany(there, signal);
  if (contents.size === 0) return stray;
  const { observations, failed } = await lintFiles({
    files: contents,
    configuration: DEFAULT_REPO_CONFIG,
    analysers: [secretsAnalyser],
    scratchRoot,
    signal,
  });
  // What was not searched is not committed: the work is tried again, and stands still when that does not help.
  if (failed[0] !== undefined) {
    const message = `The files could not be searched for secrets before they are committed: ${failed[0]}`;
    throw new ForgeError("secrets_unchecked", message, { source: "tool", severity: "high", recoverability: "auto" });
  }
  const secrets = observations.filter(({ secret }) => secret);
  return [
    ...stray,
    ...secrets.map(({ file, line, message }, index): Feedback => {
      const said = `${message} A secret is never committed: take it out, and read it from the environment instead.`;
      return { from: "review", id: `K-${index + 1}`, findingId: "", severity: "critical", file, line, message: said };
    }),
  ];
}
