import type { Lack, Landing, Waiver } from "../../../domain/coverage.ts";
import { defined } from "../../../domain/defined.ts";
import type { HeadReview } from "../../runs/ports.ts";
import type { StepGroup } from "./group-steps.ts";
import { type PullRecord, reviewOf, testsOf, waiversOf } from "./pull-record.ts";

/** What git shows of a pull request that landed. */
export interface MergedHead {
  /** The head that was merged. */
  readonly head: string;
  /** The branch has exactly the files that merging this head gives. */
  readonly sameFiles: boolean;
  /** Whether a review that began at this merge base looked at all that the head brings. */
  readonly looksAtAll: (mergeBaseSha: string) => boolean;
  /** Other reviewed heads with the same files on the same base. */
  readonly alike: ReadonlySet<string>;
}

/** One step of the branch that no pull request brought into it. */
export function strangeLanding({ steps, strange }: StepGroup): Landing {
  const [step] = steps;
  const lack: Lack = strange?.is ?? "direct";
  const about = strange && {
    pull: strange.pull.number,
    ...(lack === "other_branch" ? { other: strange.pull.base } : {}),
  };
  return { ...landed(steps), ...defined(about ?? {}), sha: step.sha, waivers: [], lacks: [lack] };
}

/**
 * Whether a pull request that landed is covered (DEP-4): git says which head was merged and that nothing else came with it; the record says what
 * was looked at on exactly that head. Whatever is not known for good is a lack.
 * @param merged undefined where the head cannot be read
 */
export function judgeLanding(group: StepGroup, record: PullRecord, merged: MergedHead | undefined): Landing {
  const { steps, pull } = group;
  const about = { ...landed(steps), ...defined({ pull: pull?.number }) };
  if (!merged) return { ...about, waivers: [], lacks: ["unreadable"] };
  const { head } = merged;
  const counted = [head, ...merged.alike];
  const review = counted.map((one) => reviewOf(record.reviews, one)).find((one) => one && isFinished(one));
  const shown = review ?? reviewOf(record.reviews, head);
  const waivers = waiversOf(record, shown, head);
  const { tests, lack } = testsOf(record, head);
  const ofReview = lacksOfReview(shown, record.reviews, merged, waivers);
  const ofTests = lack === undefined || (lack === "tests_failed" && isWaived(waivers, lack)) ? [] : [lack];
  return {
    ...about,
    ...{ head, waivers, lacks: [...(merged.sameFiles ? [] : ["other_files" as const]), ...ofReview.lacks, ...ofTests] },
    ...defined({
      tests,
      other: ofReview.other,
      review: shown && { runId: shown.runId, headSha: shown.headSha, outcome: shown.is },
    }),
  };
}

function landed(steps: StepGroup["steps"]): Pick<Landing, "sha" | "title" | "commits"> {
  const [{ sha, title }] = steps;
  return { sha, title, commits: steps.reduce((sum, { commits }) => sum + commits, 0) };
}

function isFinished({ mergeBaseSha, is }: HeadReview): boolean {
  return mergeBaseSha !== undefined && is !== "running";
}

/** What ran and spoke against it can be let pass; that nothing ran cannot. */
function isWaived(waivers: readonly Waiver[], lack: Lack): boolean {
  const of = lack === "tests_failed" ? "tests" : "review";
  return waivers.some((one) => one.of === of && (lack === "needs_person" || one.how === "override"));
}

interface ReviewLacks {
  readonly lacks: readonly Lack[];
  readonly other?: string | undefined;
}

function lacksOfReview(
  review: HeadReview | undefined,
  reviews: readonly HeadReview[],
  { looksAtAll }: MergedHead,
  waivers: readonly Waiver[],
): ReviewLacks {
  if (!review) {
    const [other] = reviews.filter(({ mergeBaseSha }) => mergeBaseSha !== undefined);
    return other ? { lacks: ["other_head"], other: other.headSha } : { lacks: ["not_reviewed"] };
  }
  const lack = review.is === "human_required" && review.blocking > 0 ? "blocking" : LACK_OF[review.is];
  const base: Lack[] = review.mergeBaseSha !== undefined && !looksAtAll(review.mergeBaseSha) ? ["other_base"] : [];
  const isPassed = (lack === "blocking" || lack === "needs_person") && isWaived(waivers, lack);
  const lacks = lack === undefined || isPassed ? base : [lack, ...base];
  return { lacks, other: review.is === "left_out" ? review.leftOut : undefined };
}

/** What a review's end means here; undefined where it covers. */
const LACK_OF: Readonly<Record<HeadReview["is"], Lack | undefined>> = {
  approved: undefined,
  advisory: undefined,
  changes_requested: "blocking",
  human_required: "needs_person",
  needs_look: "needs_person",
  incomplete: "incomplete",
  left_out: "left_out",
  running: "review_running",
  stopped: "review_stopped",
  failed: "review_failed",
  cancelled: "review_cancelled",
};
