import type { OutlineMemory } from "../../../analysis/map/read-graph.ts";
import type { DeployStanding } from "../../../domain/deployments.ts";
import type { Subject } from "../../../domain/subjects.ts";
import type { Fence } from "../../../store/jobs/fence.ts";
import type { PackageSource } from "../../../workspace/install/install-packages.ts";
import type { Mirror } from "../../../workspace/mirror.ts";
import type { WorkingTree } from "../../../workspace/working-tree/working-tree.ts";
import type { ProcessAi } from "../../ai/ai-dependencies.ts";
import type { InputDependencies } from "../../runs/handle-input.ts";
import type { IssueHost, PullRequestHost, ReadReview } from "../../runs/ports.ts";

/** Dependencies of the work on issues. */
export interface WorkDependencies extends InputDependencies {
  readonly host: PullRequestHost & IssueHost;
  readonly ai: ProcessAi;
  /** Reviews of the work are runs of another kind. */
  readonly readReview: ReadReview;
  /** How the deployments stand that an issue has to do with. */
  readonly readStandings: (issue: Subject) => Promise<readonly DeployStanding[]>;
  /** Folder of all mirrors. */
  readonly mirrorRoot: string;
  /** Folder for scratch space; everything in it may be deleted. */
  readonly scratchRoot: string;
  readonly packages: PackageSource;
  /** Outlines of files that were read before. */
  readonly outlines: OutlineMemory;
  /** The author of the commits: Forge's own account on GitHub. */
  readonly author: () => Promise<{ readonly name: string; readonly email: string }>;
}

export interface WorkJob {
  readonly runId: string;
  /** The issue. */
  readonly subject: Subject;
  /** Counted from 1. */
  readonly attempt: number;
  readonly fence: Fence;
  readonly signal: AbortSignal;
  /** Hands files from one phase to the next; without it each opens them anew. */
  readonly trees?: WorkTreeStore;
  /** Takes work that no phase waits for, but the job's end. */
  readonly afterwards?: (work: Promise<unknown>) => void;
}

/** The files of a run, and the mirror that they came from. */
export type OpenTree = WorkingTree & { readonly mirror: Mirror };

/**
 * Keeps the files of a phase that only read them for the phase that follows in the same job: a file system takes up to a millisecond
 * for each file that is written out anew.
 */
interface WorkTreeStore extends AsyncDisposable {
  /** The tree is the store's from now on. It was not written to, and no program ran in it. */
  put(tree: OpenTree): Promise<void>;
  /** The tree that was left, where it stands at this commit: the taker closes it. Another one is closed. */
  take(commit: string): Promise<OpenTree | undefined>;
}

export function createWorkTreeStore(): WorkTreeStore {
  let left: OpenTree | undefined;
  const lift = () => {
    const tree = left;
    left = undefined;
    return tree;
  };
  const clear = async () => lift()?.[Symbol.asyncDispose]();
  return {
    put: async (tree) => {
      await clear();
      left = tree;
    },
    take: async (commit) => {
      if (left?.head() === commit && left.base === commit) return lift();
      await clear();
      return undefined;
    },
    [Symbol.asyncDispose]: clear,
  };
}
