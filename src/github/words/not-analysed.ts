import type { ReviewCoverage } from "../../domain/review-report.ts";
import { count } from "./wording.ts";

/**
 * What may run and no analyser reads, in a few words: "src/main.rs (Rust)", "3 files (Go, Rust)"; undefined where there is none. The text
 * is not neutral yet.
 */
export function notAnalysed({ searchedOnly = [] }: ReviewCoverage): string | undefined {
  const [first] = searchedOnly;
  if (first === undefined) return undefined;
  if (searchedOnly.length === 1) return `${first.path} (${first.reason})`;
  return `${count(searchedOnly.length, "file")} (${[...new Set(searchedOnly.map(({ reason }) => reason))].sort().join(", ")})`;
}
