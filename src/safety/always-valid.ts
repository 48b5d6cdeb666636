/**
 * How strongly a record speaks for a rate of failures below a limit: the likelihood of the record, averaged over all rates below the limit,
 * over its likelihood at the limit. A repository that stands at the limit or above it ever sees 20 with a chance of at most 1 in 20, however
 * often somebody looks (Ville's inequality); a confidence bound of 95 % that is looked at after each run promises no such thing.
 * @param limit above 0 and below 1
 * @returns 1 for an empty record; `Infinity` where it is beyond all doubt
 */
export function evidenceBelow(limit: number, { runs, failures }: Counted): number {
  // ∫ p^k (1-p)^(n-k) dp from 0 to the limit is a tail of a binomial distribution: summed from its first term, which cancels.
  const odds = limit / (1 - limit);
  let term = 1;
  let sum = 1;
  for (let j = failures + 1; j <= runs; j += 1) {
    term *= ((runs + 1 - j) / (j + 1)) * odds;
    sum += term;
    if (term < sum * Number.EPSILON && (runs + 1 - j) * odds < j + 1) break;
  }
  return sum / (failures + 1);
}

/** A record as it counts: runs whose outcome is known, and how many of them failed. */
export interface Counted {
  readonly runs: number;
  readonly failures: number;
}

/** Evidence at which a limit counts as kept: wrong at most once in 20 repositories that stand at the limit. */
export const CONVINCING = 20;

/**
 * Evidence at which a limit counts as broken: of 500 repositories that fail half as often as the limit none gets there in 500 runs, and
 * half of those that fail twice as often do in 34 (limit 20 %) and 159 (5 %); `npm run bench:learning -- promotions` prints it.
 */
const BROKEN = Math.log(100);

/**
 * Whether the latest of these outcomes, oldest first, show that failures became more frequent than the limit allows: a cumulated sum of
 * log-likelihoods of twice the limit over the limit, which good runs bring back to 0 (CUSUM). It sees a change long before an average does.
 */
export function hasDrifted(limit: number, failed: readonly boolean[]): boolean {
  const broken = Math.min(2 * limit, (1 + limit) / 2);
  const step = { failure: Math.log(broken / limit), success: Math.log((1 - broken) / (1 - limit)) };
  let sum = 0;
  for (const one of failed) {
    sum = Math.max(0, sum + (one ? step.failure : step.success));
    if (sum >= BROKEN) return true;
  }
  return false;
}
