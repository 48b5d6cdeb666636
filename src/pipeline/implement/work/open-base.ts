import type { Clone } from "../../../workspace/clone.ts";
import { openSandbox } from "../../../workspace/sandbox/open-sandbox.ts";
import {
  openWorkingTree,
  type WorkingTree,
  type WorkingTreeSpec,
} from "../../../workspace/working-tree/working-tree.ts";
import type { Looked } from "../implementation.ts";
import type { PhaseWorkspace } from "./open-phase-workspace.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** Undefined where there is no sandbox to run anything in. */
export type OpenBase = () => Promise<Clone | undefined>;

/** The tree before the work, written out when a failure has to be compared. */
export function openBases(
  dependencies: WorkDependencies,
  job: WorkJob,
  { base }: Looked,
  workspace: PhaseWorkspace,
): CopyLater {
  return copyLater(dependencies, job, workspace, async () => ({ base: base.sha }));
}

export interface CopyLater extends AsyncDisposable {
  readonly open: OpenBase;
}

/** A copy of the repository as it was or is, written out when somebody needs it first. */
export function copyLater(
  dependencies: WorkDependencies,
  job: WorkJob,
  workspace: PhaseWorkspace,
  of: () => Promise<Pick<WorkingTreeSpec, "base" | "snapshot">>,
): CopyLater {
  let opened: WorkingTree | undefined;
  const open = async (): Promise<Clone | undefined> => {
    opened ??= await openCopy(dependencies, job, workspace, await of());
    return opened?.clone;
  };
  return { open, [Symbol.asyncDispose]: async () => opened?.[Symbol.asyncDispose]() };
}

/**
 * A copy of the repository with its packages, for programs that leave in it what they like; undefined where there is no sandbox to run any in.
 */
async function openCopy(
  { scratchRoot }: WorkDependencies,
  { signal }: WorkJob,
  { mirror, installIn }: PhaseWorkspace,
  of: Pick<WorkingTreeSpec, "base" | "snapshot">,
): Promise<WorkingTree | undefined> {
  const sandbox = await openSandbox();
  if ("unavailable" in sandbox) return undefined;
  const copy = await openWorkingTree({ ...of, mirror, scratchRoot, sandbox, signal });
  await installIn(copy).catch(async (error) => {
    await copy[Symbol.asyncDispose]();
    throw error;
  });
  return copy;
}
