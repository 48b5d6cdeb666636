import { SEVERITIES, type Severity } from "../../domain/findings.ts";
import { count } from "./wording.ts";

const NOUNS = {
  critical: (number: number) => `${number} critical`,
  error: (number: number) => count(number, "error"),
  warning: (number: number) => count(number, "warning"),
  info: (number: number) => count(number, "note"),
} as const;

/** "1 critical, 2 errors", the gravest first; empty when there is none. */
export function severityCounts(severities: readonly Severity[]): string {
  return SEVERITIES.toReversed()
    .flatMap((severity) => {
      const number = severities.filter((other) => other === severity).length;
      return number === 0 ? [] : [NOUNS[severity](number)];
    })
    .join(", ");
}
