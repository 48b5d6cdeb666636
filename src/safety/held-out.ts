import { createHash } from "node:crypto";
import type { Finding } from "../domain/findings.ts";
import { type Subject, subjectKey } from "../domain/subjects.ts";

/** One in so many hidden findings is shown all the same, and one in so many subjects is worked on without memory. */
const PROBE_OF = 20;
const ARM_OF = 10;

/**
 * Whether a finding that a class would hide is shown all the same (MEM-6): told by its identity, so that it is always the same one and nobody
 * can choose it.
 */
export function isProbe({ fingerprint }: Pick<Finding, "fingerprint">): boolean {
  return drawn(`probe ${fingerprint}`, PROBE_OF);
}

/**
 * Whether the runs of a subject work without memory (MEM-6): nothing is recalled and nothing is hidden by learning, so that the worth of
 * both can be measured. Every repository draws by itself.
 */
export function worksWithoutMemory(subject: Subject): boolean {
  const [kind, repository, number] = subjectKey(subject).split(":");
  return drawn(`memory ${repository} ${kind} ${number}`, ARM_OF);
}

function drawn(text: string, of: number): boolean {
  return createHash("sha256").update(text).digest().readUInt32BE(0) % of === 0;
}
