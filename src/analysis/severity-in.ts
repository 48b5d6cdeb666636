import type { Severity } from "../domain/findings.ts";

/** From here on nothing in a test explains it either. */
const CERTAIN = 0.95;

interface WeighedRule {
  readonly severity: Severity;
  readonly confidence: number;
  /** About tests, or as wrong in them as elsewhere. */
  readonly inTests?: true;
}

/**
 * Tests do on purpose what is a mistake elsewhere (compare a value with itself, drop an error, read what may be missing: the test fails
 * then, as it should) and open no way in. What most rules report there is a remark.
 */
export function severityIn({ test }: { readonly test: boolean }, rule: WeighedRule): Severity {
  return test && rule.inTests === undefined && rule.confidence < CERTAIN ? "info" : rule.severity;
}
