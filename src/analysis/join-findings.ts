import { type Observation, SEVERITIES } from "../domain/findings.ts";
import { type Fingerprinted, fingerprint, type KnownFinding } from "./fingerprint.ts";
import type { SourceFile } from "./source-file.ts";
import { synthesise } from "./synthesise.ts";

export interface Joined {
  readonly observations: Fingerprinted[];
  readonly beyondLimit: number;
}

/**
 * What a model found beside what the analysers found (REV-3): the same cause at the same place is said once, by the one that can prove
 * it, and nothing is quoted from a line that holds a secret.
 */
export async function joinFindings(
  found: readonly Fingerprinted[],
  ai: readonly Observation[],
  context: {
    readonly sources: ReadonlyMap<string, SourceFile>;
    readonly key: Buffer;
    readonly known: readonly KnownFinding[];
  },
): Promise<Joined> {
  const fresh = ai.filter((claim) => !found.some((other) => isSamePlaceAndKind(claim, other)));
  const identified = await fingerprint(fresh, context.sources, context.key, context.known);
  const { kept, beyondLimit } = synthesise([...found, ...identified]);
  return { observations: kept, beyondLimit };
}

/** What was executed stands for itself, and a warning does not swallow an error. */
function isSamePlaceAndKind(claim: Observation, other: Observation): boolean {
  if (claim.verified || SEVERITIES.indexOf(other.severity) < SEVERITIES.indexOf(claim.severity)) return false;
  return (
    claim.file === other.file &&
    claim.category === other.category &&
    claim.line <= other.endLine &&
    other.line <= claim.endLine
  );
}
