import type { BranchStep } from "../../../workspace/branch-steps.ts";
import type { LandedPull } from "../work/ports.ts";

/** Steps of a branch that one pull request brought, or one step that none did. */
export interface StepGroup {
  /** Newest first; several only where a pull request was rebased or pushed as it is. */
  readonly steps: readonly [BranchStep, ...BranchStep[]];
  /** The pull request that GitHub says was merged as the newest of them into this branch. */
  readonly pull?: LandedPull;
  /** GitHub names a pull request for it, but it was merged into another branch, or as a commit that is not among them. */
  readonly strange?: { readonly pull: LandedPull; readonly is: "other_branch" | "part_of_pull" };
}

/**
 * Puts the steps of a branch together by the pull request that brought them. Only what GitHub says was merged into this very branch as one of
 * them counts; older commits belong to it as long as GitHub names the same pull request for them, and no other was merged as one of them.
 * @param pullsOf what GitHub names for each step
 */
export function groupSteps(
  steps: readonly BranchStep[],
  pullsOf: ReadonlyMap<string, readonly LandedPull[]>,
  branch: string,
): StepGroup[] {
  const groups: StepGroup[] = [];
  for (let at = 0; at < steps.length; ) {
    const step = steps[at]!;
    const pull = mergedAs(step, pullsOf, branch);
    const group = [step] as [BranchStep, ...BranchStep[]];
    at += 1;
    if (!pull) {
      groups.push({ steps: group, ...strangeOf(step, pullsOf, branch) });
      continue;
    }
    // A merge brings its commits by its second parent: what is older on the branch came otherwise.
    const alone = step.parents.length > 1;
    while (!alone && at < steps.length && belongsTo(steps[at]!, pull, pullsOf, branch)) {
      group.push(steps[at]!);
      at += 1;
    }
    groups.push({ steps: group, pull });
  }
  return groups;
}

type Pulls = ReadonlyMap<string, readonly LandedPull[]>;

function mergedAs({ sha }: BranchStep, pulls: Pulls, branch: string): LandedPull | undefined {
  return pulls.get(sha)?.find(({ mergedAs: as, base }) => as === sha && base === branch);
}

function belongsTo(step: BranchStep, { number }: LandedPull, pulls: Pulls, branch: string): boolean {
  if (step.parents.length > 1 || mergedAs(step, pulls, branch)) return false;
  return pulls.get(step.sha)?.some((one) => one.number === number && one.base === branch) ?? false;
}

function strangeOf({ sha }: BranchStep, pulls: Pulls, branch: string): Pick<StepGroup, "strange"> {
  const all = pulls.get(sha) ?? [];
  const here = all.find(({ base }) => base === branch);
  if (here) return { strange: { pull: here, is: "part_of_pull" } };
  const [elsewhere] = all;
  return elsewhere ? { strange: { pull: elsewhere, is: "other_branch" } } : {};
}
