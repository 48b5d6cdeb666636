/** "under 1 s", "42 s", "3 min 5 s", "1 h 2 min". */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 1) return "under 1 s";
  if (seconds < 60) return `${seconds} s`;
  const [large, small, units] =
    seconds < 3600
      ? [Math.floor(seconds / 60), seconds % 60, ["min", "s"]]
      : [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), ["h", "min"]];
  return small === 0 ? `${large} ${units[0]}` : `${large} ${units[0]} ${small} ${units[1]}`;
}

/** "$0.18"; a cost is never rounded to nothing. */
export function usd(amount: number): string {
  return amount > 0 && amount < 0.01 ? "under $0.01" : `$${amount.toFixed(2)}`;
}
