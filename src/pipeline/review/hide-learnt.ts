import type { Finding } from "../../domain/findings.ts";
import type { HiddenCount, Hiding } from "../../domain/hiding.ts";
import type { Subject } from "../../domain/subjects.ts";
import { isInClass } from "../../safety/finding-class.ts";
import { isProbe, worksWithoutMemory } from "../../safety/held-out.ts";
import { coveringDismissal } from "./compare-with-ledger.ts";
import type { SubjectView } from "./view.ts";

export interface Hidden {
  readonly finding: Finding;
  readonly hidingId: string;
}

/**
 * Takes out what learning hides in this repository (MEM-6): new findings of a class that a person approved. One in twenty stays, marked as a
 * probe, and so does what people have seen here before: it would look as if it were mended. Subjects without memory hide nothing.
 */
export function hideLearnt(
  findings: readonly Finding[],
  { ledger, repository }: Pick<SubjectView, "ledger" | "repository">,
  subject: Subject,
): { readonly shown: readonly Finding[]; readonly hidden: readonly Hidden[] } {
  const on = worksWithoutMemory(subject) ? [] : (repository.hidings ?? []).filter(({ state }) => state === "on");
  const known = new Map(ledger.map(({ finding }) => [finding.fingerprint, finding]));
  const shown: Finding[] = [];
  const hidden: Hidden[] = [];
  for (const finding of findings) {
    const seen = known.get(finding.fingerprint);
    const hidingId =
      seen === undefined && !coveringDismissal(finding, repository.dismissals)
        ? classFor(finding, on)?.class.id
        : undefined;
    if (hidingId !== undefined && !isProbe(finding)) hidden.push({ finding, hidingId });
    else {
      const probe = seen ? seen.probe : hidingId;
      shown.push(probe === undefined ? finding : { ...finding, probe });
    }
  }
  return { shown, hidden };
}

function classFor(finding: Finding, hidings: readonly Hiding[]): Hiding | undefined {
  return hidings.find((hiding) => isInClass(finding, hiding.class));
}

/** How many each class hid. */
export function countHidden(hidden: readonly Hidden[]): HiddenCount[] {
  const counts = new Map<string, number>();
  for (const { hidingId } of hidden) counts.set(hidingId, (counts.get(hidingId) ?? 0) + 1);
  return [...counts].map(([hidingId, findings]) => ({ hidingId, findings }));
}
