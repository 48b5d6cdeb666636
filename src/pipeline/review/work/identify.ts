import type { Fingerprinted } from "../../../analysis/fingerprint.ts";
import type { Finding, LedgerEntry } from "../../../domain/findings.ts";
import { findingId } from "../../../domain/ids.ts";
import { type Subject, subjectKey } from "../../../domain/subjects.ts";

/** Which of these ids the repository has given away, and to which fingerprint on which subject. */
export type TakenIds = (
  ids: readonly string[],
) => Promise<ReadonlyMap<string, { fingerprint: string; subjectNumber: number }>>;

/** Longest id that is tried; 32^8 ids are enough for any repository. */
const LONGEST = 8;

/**
 * Gives observations their identity (GH-3a): the id they have in the ledger, else the shortest that no other finding of the repository
 * has.
 */
export async function identify(
  observations: readonly Fingerprinted[],
  subject: Subject,
  ledger: readonly LedgerEntry[],
  takenIds: TakenIds,
): Promise<Finding[]> {
  const of = subjectKey(subject);
  const ids = new Map(ledger.map(({ finding }) => [finding.fingerprint, finding.id]));
  const used = new Set(ids.values());
  let unnamed = observations.filter(({ fingerprint }) => !ids.has(fingerprint));
  for (let length = 4; unnamed.length > 0 && length <= LONGEST; length += 1) {
    const wanted = new Map(unnamed.map(({ fingerprint }) => [fingerprint, findingId(fingerprint, of, length)]));
    const taken = await takenIds([...wanted.values()]);
    for (const [fingerprint, id] of wanted) {
      if (taken.has(id) || used.has(id)) continue;
      ids.set(fingerprint, id);
      used.add(id);
    }
    unnamed = unnamed.filter(({ fingerprint }) => !ids.has(fingerprint));
  }
  return observations.flatMap((observation) => {
    const id = ids.get(observation.fingerprint);
    return id ? [{ ...observation, id }] : [];
  });
}
