import { defined } from "../../domain/defined.ts";
import type { LockedPackage } from "./locked-package.ts";
import { isMirrored, registryOf, urlOf } from "./package-address.ts";

/** More hosts for one package are no lock file of anybody. */
const MOST_HOSTS = 5;

/**
 * The package once for each host that it may be fetched from and that is not a usual one of its ecosystem, so that a single archive from
 * elsewhere shows among many from the registry; without such a host once, with the first address.
 * @param addresses the registry first, then those of archives
 */
export function withAddresses(one: LockedPackage, addresses: readonly (string | undefined)[]): LockedPackage[] {
  const [first] = addresses;
  const others = new Map<string, string>();
  for (const address of addresses) {
    if (address === undefined) continue;
    const from = { ...one, address };
    const isUsual = !isMirrored(from) && urlOf(address)?.protocol === "https:";
    const place = `${urlOf(address)?.protocol} ${registryOf(from) ?? address}`;
    if (!isUsual && !others.has(place)) others.set(place, address);
  }
  if (others.size > 0) return [...others.values()].slice(0, MOST_HOSTS).map((address) => ({ ...one, address }));
  return [first === undefined ? one : { ...one, address: first }];
}

/** `sha256:0a1b` and `sha256=0a1b` of several archives of one package as one text, in an order of its own: `sha256-0a1b sha256-2c3d`. */
export function joinHashes(written: readonly (string | undefined)[]): { readonly integrity?: string } {
  const hashes = written.flatMap((one) => (one === undefined ? [] : [one.replace(/[:=]/, "-")]));
  const integrity = [...new Set(hashes)].sort().join(" ");
  return defined({ integrity: integrity === "" ? undefined : integrity });
}
