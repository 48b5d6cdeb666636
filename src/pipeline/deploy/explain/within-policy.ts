/**
 * Whether a model may propose these shares of the traffic instead of the planned ones, which follow the risk or the settings: they rise to 100 %
 * in more steps, and no step has more of the traffic than the planned one. In percent.
 */
export function isWithinPolicy(proposed: readonly number[], planned: readonly number[]): boolean {
  const rises = proposed.every((share, at) => share > (proposed[at - 1] ?? 0));
  const isCareful = planned.every((share, at) => (proposed[at] ?? 100) <= share);
  return rises && isCareful && proposed.at(-1) === 100 && proposed.length > planned.length;
}
