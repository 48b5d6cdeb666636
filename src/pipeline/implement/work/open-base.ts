import type { Clone } from "../../../workspace/clone.ts";
import { openSandbox } from "../../../workspace/sandbox/open-sandbox.ts";
import { openWorkingTree, type WorkingTree } from "../../../workspace/working-tree/working-tree.ts";
import type { Looked } from "../implementation.ts";
import type { PhaseWorkspace } from "./open-phase-workspace.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** Undefined where there is none to run anything in. */
export type OpenBase = () => Promise<Clone | undefined>;

/** What stood before the work, written out when something fails and its failure has to be compared. */
export function openBases(
  { scratchRoot }: WorkDependencies,
  { signal }: WorkJob,
  { base }: Looked,
  workspace: PhaseWorkspace,
): AsyncDisposable & { readonly open: OpenBase } {
  let opened: WorkingTree | undefined;
  const open = async (): Promise<Clone | undefined> => {
    if (opened) return opened.clone;
    const sandbox = await openSandbox();
    if ("unavailable" in sandbox) return undefined;
    opened = await openWorkingTree({ mirror: workspace.mirror, base: base.sha, scratchRoot, sandbox, signal });
    await workspace.installIn(opened);
    return opened.clone;
  };
  return { open, [Symbol.asyncDispose]: async () => opened?.[Symbol.asyncDispose]() };
}
