import type { LockedPackage } from "./locked-package.ts";

export interface LockChange {
  /** Packages and versions that the old file did not have, each once. */
  readonly added: readonly AddedPackage[];
  /** The same version with another hash of the same kind: what was published under it is not what was reviewed. */
  readonly rehashed: readonly LockedPackage[];
  /** The first package from each host that nothing came from before. */
  readonly newHosts: readonly { readonly package: LockedPackage; readonly host: string }[];
}

export interface AddedPackage {
  readonly package: LockedPackage;
  /** Other versions of it in the old file; empty for a new dependency. */
  readonly before: readonly LockedPackage[];
}

export function compareLocks(old: readonly LockedPackage[], now: readonly LockedPackage[]): LockChange {
  const oldByName = Map.groupBy(old, ({ name }) => name);
  const seen = new Set<string>();
  const added: AddedPackage[] = [];
  const rehashed: LockedPackage[] = [];
  for (const one of now) {
    const key = `${one.name}\0${one.version}`;
    if (one.source === "link" || seen.has(key)) continue;
    seen.add(key);
    const before = oldByName.get(one.name) ?? [];
    const same = before.filter(({ version }) => version === one.version);
    if (same.length === 0) added.push({ package: one, before });
    else if (isRehashed(one, same)) rehashed.push(one);
  }
  return { added, rehashed, newHosts: newHosts(old, now) };
}

function isRehashed(one: LockedPackage, same: readonly LockedPackage[]): boolean {
  if (one.source !== "registry") return false;
  const [kind, hash] = splitHash(one.integrity);
  const known = same.flatMap(({ integrity }) => {
    const [oldKind, oldHash] = splitHash(integrity);
    return oldKind === kind && oldHash !== undefined ? [oldHash] : [];
  });
  return hash !== undefined && known.length > 0 && !known.includes(hash);
}

/** `sha512-...`, `h1:...`, `10c0/...`: the name of the hash, and the hash. A list of several is not compared. */
function splitHash(integrity: string | undefined): readonly [kind?: string, hash?: string] {
  const match = /^([A-Za-z0-9]+)[-:/](\S+)$/.exec(integrity ?? "");
  return match ? [match[1] ?? "", match[2] ?? ""] : [];
}

function newHosts(old: readonly LockedPackage[], now: readonly LockedPackage[]): LockChange["newHosts"] {
  const known = new Set(old.flatMap((one) => hostOf(one) ?? []));
  if (known.size === 0) return [];
  return now.flatMap((one) => {
    const host = hostOf(one);
    if (host === undefined || known.has(host)) return [];
    known.add(host);
    return [{ package: one, host }];
  });
}

function hostOf({ source, address }: LockedPackage): string | undefined {
  return source === "registry" ? /^https?:\/\/([^/:@]+)/.exec(address ?? "")?.[1] : undefined;
}
