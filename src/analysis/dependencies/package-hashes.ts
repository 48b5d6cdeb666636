import type { LockedPackage } from "./locked-package.ts";

/** How hard it is to make another archive with the same hash; a client ignores what it does not know. */
const STRENGTHS: Readonly<Record<string, number>> = { md5: 1, sha1: 2, sha224: 3, sha256: 4, sha384: 5, sha512: 6 };
/** Kinds of a single program, such as `h1:` of Go and `10c0/` of Yarn: it writes no other. */
const OWN_KIND = 6;

/** Hashes of an archive by their kind: a client takes the strongest kind, and accepts each hash of it. */
export type Hashes = ReadonlyMap<string, readonly string[]>;

/** `sha512-...`, `h1:...`, `10c0/...`, or several of them: the kind of the hash, and the hash. */
export function hashesOf({ integrity }: LockedPackage): Hashes {
  const hashes = new Map<string, string[]>();
  for (const word of (integrity ?? "").split(/\s/)) {
    const [, kind = "", sign, hash = ""] = /^([A-Za-z0-9]+)([-:/])(\S+)$/.exec(word) ?? [];
    if (sign === undefined) continue;
    // Options after a question mark are not part of the hash.
    const [value = ""] = sign === "-" ? hash.split("?", 1) : [hash];
    const key = sign === "-" ? kind.toLowerCase() : `${kind}${sign}`;
    const values = hashes.get(key) ?? [];
    hashes.set(key, values);
    values.push(value);
  }
  return hashes;
}

/** @returns 0 for an archive that nothing is compared with */
export function strengthOf(hashes: Hashes): number {
  return [...hashes.keys()].reduce((most, kind) => Math.max(most, strengthOfKind(kind)), 0);
}

function strengthOfKind(kind: string): number {
  return /[:/]$/.test(kind) ? OWN_KIND : (STRENGTHS[kind] ?? 0);
}
