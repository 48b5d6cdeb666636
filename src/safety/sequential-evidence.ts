/** What evidence has come to. */
export interface Evidence {
  /** Natural logarithm; above ln(1 / alpha) it is wrong with a chance of at most alpha, however often somebody looks. */
  readonly log: number;
  /** Place of the look from which on it speaks most strongly: where a change began. */
  readonly since: number;
}

/**
 * Evidence for a change after these looks, by betting (an e-process): each look multiplies what was staked by the likelihood of an
 * alternative over that of no change, which without a change grows by no factor on average, so that it ever reaches 1 / alpha with a chance
 * of at most alpha (Ville's inequality). The stake is spread over the alternatives and over all places where the change may have begun.
 * @param looks the logarithms of these likelihood ratios, oldest first: a row for each look, at least one, a column for each alternative
 * @param most what one look may add: one burst must not carry it alone. A bet that pays less than is due stays fair.
 */
export function evidenceOfChange(looks: readonly (readonly number[])[], most = Number.POSITIVE_INFINITY): Evidence {
  const alternatives = looks[0]?.length ?? 0;
  const sums = new Array<number>(alternatives).fill(0);
  // 1 / (place × (place + 1)) adds up to 1; the rest, not staked yet, is 1 / (looks + 1).
  const total = [-Math.log(looks.length + 1)];
  let since = 0;
  let strongest = Number.NEGATIVE_INFINITY;
  for (let place = looks.length - 1; place >= 0; place -= 1) {
    looks[place]!.forEach((one, at) => {
      sums[at]! += Math.min(most, one);
    });
    const log = logOfSum(sums) - Math.log(alternatives) - Math.log((place + 1) * (place + 2));
    total.push(log);
    if (log >= strongest) [strongest, since] = [log, place];
  }
  return { log: logOfSum(total), since };
}

/**
 * How strongly a split of events between two sides speaks for a rate that is `ratio` times `against` on the first: the logarithm of the
 * likelihood ratio of k1 of k1 + k0 events, binomial. What raises both rates alike cancels, as does a share of the exposure that changes.
 * @param first events and exposure (requests) of the first side; need not be whole
 */
export function splitLogRatio(first: Counts, second: Counts, ratio: number, against = 1): number {
  const odds = first.exposure / second.exposure;
  const share = (times: number) => (times * odds) / (1 + times * odds);
  return (
    first.events * Math.log(share(ratio) / share(against)) +
    second.events * Math.log((1 - share(ratio)) / (1 - share(against)))
  );
}

/** The same for events of one side against a known rate, each at most 1. */
export function knownRateLogRatio({ events, exposure }: Counts, rate: number, against: number): number {
  return events * Math.log(rate / against) + (exposure - events) * Math.log((1 - rate) / (1 - against));
}

export interface Counts {
  readonly events: number;
  /** More than 0. */
  readonly exposure: number;
}

/**
 * The upper end of the one-sided interval of a share (Wilson's score, with a correction for the whole numbers that counts are).
 * @param z 1.64 for 95 %, 2.33 for 99 %
 */
export function upperShare({ events, exposure: n }: Counts, z: number): number {
  const share = Math.min(1, (events + 0.5) / n);
  const centre = share + (z * z) / (2 * n);
  const spread = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return Math.min(1, (centre + spread) / (1 + (z * z) / n));
}

/**
 * How much more counts vary from look to look than chance explains (Pearson's chi-square over its degrees of freedom): errors that come in
 * clusters prove less each. At least 1, at most 10; 1 where nothing is known.
 */
export function dispersionOf(counts: readonly Counts[]): number {
  const used = counts.filter(({ exposure }) => exposure > 0);
  const events = used.reduce((sum, one) => sum + one.events, 0);
  const exposure = used.reduce((sum, one) => sum + one.exposure, 0);
  if (used.length < 3 || events === 0 || events >= exposure) return 1;
  const share = events / exposure;
  const sum = used.reduce(
    (total, one) => total + (one.events - one.exposure * share) ** 2 / (one.exposure * share * (1 - share)),
    0,
  );
  return Math.min(10, Math.max(1, sum / (used.length - 1)));
}

function logOfSum(logs: readonly number[]): number {
  const largest = Math.max(...logs);
  if (largest === Number.NEGATIVE_INFINITY) return largest;
  return largest + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - largest), 0));
}
