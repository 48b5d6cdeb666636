import type { Scope } from "../../../agents/implementer/scope.ts";
import type { Feedback } from "../../../domain/implementation.ts";
import type { WorkingTree } from "../../../workspace/working-tree/working-tree.ts";
import { findSecrets } from "../../change/find-secrets.ts";

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
  const secrets = await findSecrets(contents, { scratchRoot, signal });
  return [
    ...stray,
    ...secrets.map(({ file, line, message }, index): Feedback => {
      const said = `${message} A secret is never committed: take it out, and read it from the environment instead.`;
      return { from: "review", id: `K-${index + 1}`, findingId: "", severity: "critical", file, line, message: said };
    }),
  ];
}
