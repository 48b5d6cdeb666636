import { createHash } from "node:crypto";
import { monotonicFactory } from "ulid";

/** Makes a new id; injected wherever ids are made, so that tests and the simulation are repeatable. */
export type MakeId = () => string;

/** ULIDs that increase within this process even inside one millisecond (EVT-1). */
export function createIdMaker(): MakeId {
  const next = monotonicFactory();
  return () => next();
}

/** Crockford's alphabet: no I, L, O or U, so that an id read aloud is typed right. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * The short id of a finding, `F-` and `length` characters (4 unless taken), derived from its fingerprint and its subject: the same
 * finding gets the same id on every head. When the id belongs to another finding of the repository, ask again with one more.
 */
export function findingId(fingerprint: string, subject: string, length = 4): string {
  return `F-${derived(`${subject}\n${fingerprint}`, length)}`;
}

/** The id of a memory, `M-` and 8 characters: the same text in the same scope is the same memory. Repository 0 is the organisation. */
export function memoryId(installationId: number, repositoryId: number, content: string): string {
  return `M-${derived(`${installationId}\n${repositoryId}\n${content.replace(/\s+/g, " ").trim().toLowerCase()}`, 8)}`;
}

/** The id of the pattern that has the words of an episode: another one than that of the episode itself. */
export function patternId(installationId: number, repositoryId: number, content: string): string {
  return memoryId(installationId, repositoryId, `pattern: ${content}`);
}

/** The id of a class of findings that learning hides, `H-` and 4 characters, from the first finding whose dismissal taught it. */
export function hidingId(repositoryId: number, finding: string): string {
  return `H-${derived(`${repositoryId}\n${finding}`, 4)}`;
}

function derived(text: string, length: number): string {
  const digest = createHash("sha256").update(text).digest();
  let id = "";
  for (let i = 0; i < length; i += 1) id += ALPHABET[digest[i]! & 31];
  return id;
}
