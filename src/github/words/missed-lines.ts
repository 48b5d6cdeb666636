import type { DiffCoverage } from "../../domain/test-report.ts";
import { count, foreignCode, type Wording } from "./wording.ts";

const MAXIMUM_FILES = 8;
const MAXIMUM_RANGES = 8;

/** "`src/a.ts` 3 to 5, 9, `src/b.ts` 12": changed lines that no test reached; undefined when there are none. */
export function missedLines({ missed }: DiffCoverage, wording: Wording): string | undefined {
  const files = missed.filter(({ ranges }) => ranges.length > 0);
  if (files.length === 0) return undefined;
  const named = files.slice(0, MAXIMUM_FILES).map(({ path, ranges }) => {
    const shown = ranges.slice(0, MAXIMUM_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
    const rest = ranges.length - shown.length;
    return `${foreignCode(path, wording)} ${shown.join(", ")}${rest > 0 ? ` and ${count(rest, "more place")}` : ""}`;
  });
  const rest = files.length - named.length;
  return `${named.join("; ")}${rest > 0 ? `; and ${count(rest, "more file")}` : ""}`;
}
