/**
 * Negative when `a` is the earlier version. By numbers from left to right; a version with letters after its numbers (`-rc.1`, `b2`)
 * comes before the one without. Good for every ecosystem that OSV knows by ranges, exact for semantic versions.
 */
export function compareVersions(a: string, b: string): number {
  const left = partsOf(a);
  const right = partsOf(b);
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = compareParts(left[at], right[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

type Part = number | string;

function partsOf(version: string): Part[] {
  const [released = ""] = version.replace(/^[v=]+/, "").split("+");
  return (released.match(/\d+|[A-Za-z]+/g) ?? []).map((part) => (/^\d/.test(part) ? Number(part) : part.toLowerCase()));
}

function compareParts(a: Part | undefined, b: Part | undefined): number {
  // `1.2` is `1.2.0`, and `1.2-rc` is before both.
  const [left, right] = [a ?? (typeof b === "string" ? 1 : 0), b ?? (typeof a === "string" ? 1 : 0)];
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  return typeof left === "string" ? -1 : 1;
}

/** Whether a version lies in ranges as npm writes them: `>=1.0.0 <1.2.3 || <0.5.0`. */
export function satisfies(version: string, ranges: string): boolean {
  return ranges.split("||").some((range) => {
    const comparators = range
      .trim()
      .split(/(?<=\d\S*)\s+/)
      .filter(Boolean);
    return comparators.every((comparator) => {
      const [, operator = "=", bound = ""] = /^(>=|<=|>|<|=)?\s*(.*)$/.exec(comparator) ?? [];
      if (bound === "" || bound === "*") return true;
      const order = compareVersions(version, bound);
      if (operator === ">=") return order >= 0;
      if (operator === "<=") return order <= 0;
      if (operator === ">") return order > 0;
      return operator === "<" ? order < 0 : order === 0;
    });
  });
}
