import { CONVINCING, evidenceBelow, hasDrifted } from "../../src/safety/always-valid.ts";
import { median, type Result } from "../report.ts";
import { seeded } from "./seeded.ts";

/** Runs of each repository, and how many repositories are followed. */
const RUNS = 500;
const REPOSITORIES = 2_000;

/** Levels with a limit, as the specification has them (SAFE-4): share of failures, and the successes that are asked for in any case. */
const LEVELS = [
  { level: 2, limit: 0.2, successes: 50 },
  { level: 3, limit: 0.05, successes: 200 },
];

/**
 * What the rules of promotion and demotion come to, by simulation: repositories whose runs fail at a known rate, looked at after each of 500
 * runs. Baseline: an upper confidence bound of 95 % (Wilson) that is looked at as often.
 */
export function measurePromotions(seed: number): Result[] {
  return LEVELS.flatMap(({ level, limit, successes }) => {
    const follow = (rate: number) => {
      const random = seeded(seed + level);
      return Array.from({ length: REPOSITORIES }, () => {
        return followOne(limit, successes, () => random() < rate);
      });
    };
    const share = (of: readonly number[], runs = RUNS) => (100 * of.filter((at) => at <= runs).length) / of.length;
    const [atLimit, half, fifth, double] = [limit, limit / 2, limit / 5, 2 * limit].map(follow) as [
      Followed[],
      Followed[],
      Followed[],
      Followed[],
    ];
    const name = (what: string) => `level ${level} (limit ${100 * limit} %): ${what}`;
    const promoted = (all: readonly Followed[]) => all.map((one) => one.promoted);
    const demoted = (all: readonly Followed[]) => all.map((one) => one.demoted);
    const wrong = share(promoted(atLimit));
    const early = share(promoted(half), 90);
    return [
      {
        name: name("promoted wrongly, at the limit"),
        value: wrong,
        unit: "%",
        baseline: share(atLimit.map((one) => one.promotedByBound)),
        goal: "at most 5",
        met: wrong <= 5,
      },
      {
        name: name("promoted within 90 runs, at half the limit"),
        value: early,
        unit: "%",
        ...(level === 2 ? { goal: "at least 50", met: early >= 50 } : {}),
      },
      { name: name("promoted within 500 runs, at half the limit"), value: share(promoted(half)), unit: "%" },
      { name: name("half are promoted after, at half the limit"), value: median(promoted(half)), unit: "runs" },
      { name: name("half are promoted after, at a fifth of it"), value: median(promoted(fifth)), unit: "runs" },
      { name: name("demoted within 500 runs, at half the limit"), value: share(demoted(half)), unit: "%" },
      { name: name("half are demoted after, at twice the limit"), value: median(demoted(double)), unit: "runs" },
    ];
  });
}

/** After which run a repository was promoted or demoted; infinite where that did not happen. */
interface Followed {
  readonly promoted: number;
  readonly promotedByBound: number;
  readonly demoted: number;
}

function followOne(limit: number, successes: number, fails: () => boolean): Followed {
  const failed: boolean[] = [];
  const first = { promoted: Number.POSITIVE_INFINITY, promotedByBound: Number.POSITIVE_INFINITY };
  for (let runs = 1, failures = 0; runs <= RUNS; runs += 1) {
    failed.push(fails());
    if (failed.at(-1)) failures += 1;
    if (runs - failures < successes) continue;
    if (evidenceBelow(limit, { runs, failures }) >= CONVINCING) first.promoted = Math.min(first.promoted, runs);
    if (upperBound(runs, failures) < limit) first.promotedByBound = Math.min(first.promotedByBound, runs);
  }
  return { ...first, demoted: firstDrift(limit, failed) };
}

/** The first prefix that shows a drift, by halving: a longer one shows it too. */
function firstDrift(limit: number, failed: readonly boolean[]): number {
  if (!hasDrifted(limit, failed)) return Number.POSITIVE_INFINITY;
  let [below, at] = [0, failed.length];
  while (at - below > 1) {
    const middle = (below + at) >> 1;
    if (hasDrifted(limit, failed.slice(0, middle))) at = middle;
    else below = middle;
  }
  return at;
}

/** Wilson's upper bound of one side, 95 %. */
function upperBound(runs: number, failures: number): number {
  const z = 1.6449;
  const share = failures / runs;
  const middle = share + (z * z) / (2 * runs);
  const spread = z * Math.sqrt((share * (1 - share)) / runs + (z * z) / (4 * runs * runs));
  return (middle + spread) / (1 + (z * z) / runs);
}
