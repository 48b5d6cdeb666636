import type { Coverage, Landing, Requirement } from "../../../domain/coverage.ts";
import { defined } from "../../../domain/defined.ts";
import { type DeployedChange, higherRisk } from "../../../domain/deployments.ts";
import type { RiskLevel } from "../../../domain/risk.ts";
import { numberOf, type RepositoryRef } from "../../../domain/subjects.ts";
import type { Redact } from "../../../safety/redact.ts";
import { redactBeginning } from "../../../safety/redact-beginning.ts";
import type { Store } from "../../../store/store.ts";
import { listBranchSteps } from "../../../workspace/branch-steps.ts";
import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import { mirrorOf, needed } from "../../change/fetch-ends.ts";
import type { PullRequestHost, ReadHeadReviews } from "../../runs/ports.ts";
import type { DeployHost } from "../work/ports.ts";
import { groupSteps, type StepGroup } from "./group-steps.ts";
import { judgeLanding, strangeLanding } from "./judge-landing.ts";
import { readMergedHead } from "./merged-head.ts";
import { type PullRecord, readPullRecords, reviewOf } from "./pull-record.ts";

export interface CoverageDependencies {
  readonly store: Store;
  readonly host: Pick<PullRequestHost, "remote">;
  readonly deployHost: Pick<DeployHost, "readLanded">;
  readonly readHeadReviews: ReadHeadReviews;
  readonly mirrorRoot: string;
  readonly redact: Redact;
}

export interface CoverageRange {
  readonly repository: RepositoryRef;
  /** The default branch. */
  readonly branch: string;
  readonly sha: string;
  readonly from: Coverage["from"];
  readonly requires: readonly Requirement[];
}

/** Steps of the branch that are looked at: between two versions, and where it is not known what runs. */
export const COVERAGE_LIMITS = { steps: 100, withoutBeginning: 30 } as const;

/** What a version brings, with what the record has of it. */
export interface Brought {
  readonly coverage: Coverage;
  /** Pull requests, newest first. */
  readonly changes: readonly DeployedChange[];
  /** Commits that came by no whole pull request into this branch: by a push, or by one that was merged into another branch. */
  readonly direct: number;
}

/**
 * Makes the record of what a version brings over the one that runs (DEP-4): git tells the steps of the branch and what a merge of a head gives,
 * GitHub which pull request each came by, and Forge's own log what was looked at.
 * @throws ForgeError `change_unreadable` where the commits cannot be fetched; RetryLater `github_unavailable`
 */
export async function readCoverage(
  dependencies: CoverageDependencies,
  { repository, branch, sha, from, requires }: CoverageRange,
  signal: AbortSignal,
): Promise<Brought> {
  const { host, deployHost, mirrorRoot, redact } = dependencies;
  const mirror = mirrorOf(repository, mirrorRoot, host.remote(repository));
  needed(await fetchCommits(mirror, { shas: [sha, ...(from ? [from.sha] : [])], signal }));
  const most = from ? COVERAGE_LIMITS.steps : COVERAGE_LIMITS.withoutBeginning;
  const { steps, beyond } = needed(await listBranchSteps(mirror, { from: from?.sha, to: sha, most, signal }));
  const pulls = await deployHost.readLanded(
    repository,
    steps.map((step) => step.sha),
    signal,
  );
  const landings: Landing[] = [];
  const changes = new Map<number, DeployedChange>();
  const groups = groupSteps(steps, pulls, branch);
  const numbers = groups.flatMap(({ pull }) => pull?.number ?? []);
  const records = await readPullRecords(dependencies, repository, numbers);
  let direct = 0;
  for (const group of groups) {
    const record = group.pull && records.get(group.pull.number);
    if (!group.pull || !record) {
      const landing = strangeLanding(group);
      landings.push(landing);
      direct += landing.commits;
      continue;
    }
    const merged = await readMergedHead(mirror, group, record.reviews, signal);
    const landing = judgeLanding(group, record, merged);
    landings.push(landing);
    changes.set(group.pull.number, changeOf(group, record, landing, redact));
  }
  const named = landings.map((landing) => ({ ...landing, title: redactBeginning(landing.title, redact) }));
  const all = [...changes.values()];
  return {
    // Where it is not known what runs, it is not known either what is new.
    coverage: {
      ...{ requires: [...requires], landings: named, beyond },
      ...defined({ from, risk: from && riskOf(all, direct) }),
    },
    changes: all,
    direct,
  };
}

/** The highest risk of what it brings; undefined where one is not known that may be the highest. What nobody saw before is high at least (SAFE-4). */
function riskOf(changes: readonly DeployedChange[], direct: number): RiskLevel | undefined {
  const risks = changes.map(({ risk }) => risk);
  const highest = risks.reduce<RiskLevel | undefined>(higherRisk, direct > 0 ? "high" : undefined);
  const isKnown = !risks.includes(undefined) || highest === "high" || highest === "critical";
  return isKnown ? highest : undefined;
}

function changeOf({ pull, steps }: StepGroup, record: PullRecord, landing: Landing, redact: Redact): DeployedChange {
  const head = landing.review?.headSha ?? landing.head;
  const review = head === undefined ? undefined : reviewOf(record.reviews, head);
  const { work } = record;
  return {
    ...{
      number: pull?.number ?? 0,
      title: redactBeginning(pull?.title ?? steps[0].title, redact),
      author: pull?.author ?? "ghost",
    },
    ...{ open: record.open, blocking: review?.blocking ?? 0 },
    ...defined({ reviewed: review?.decision, risk: review?.risk }),
    ...(work ? { implements: { issue: numberOf(work.subject), runId: work.runId } } : {}),
    ...(landing.waivers.length > 0 ? { overridden: true } : {}),
    ...(landing.tests ? { tests: landing.tests === "not_run" ? ("skipped" as const) : landing.tests } : {}),
  };
}
