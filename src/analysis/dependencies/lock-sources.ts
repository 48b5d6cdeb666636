import { defined } from "../../domain/defined.ts";
import type { Ecosystem } from "./advisory-source.ts";
import type { LockedPackage } from "./locked-package.ts";

/** Where the packages of an ecosystem lie that come from no other place. */
const USUAL: Readonly<Partial<Record<Ecosystem, readonly string[]>>> = {
  PyPI: ["pypi.org", "files.pythonhosted.org", "pypi.python.org"],
  RubyGems: ["rubygems.org", "index.rubygems.org"],
  Packagist: [
    "api.github.com",
    "github.com",
    "codeload.github.com",
    "gitlab.com",
    "bitbucket.org",
    "repo.packagist.org",
  ],
};

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
    const place = placeOf(address ?? "");
    const isUsual = (USUAL[one.ecosystem] ?? []).some((host) => place === `https://${host}`);
    if (address !== undefined && !isUsual && !others.has(place)) others.set(place, address);
  }
  if (others.size > 0) return [...others.values()].slice(0, MOST_HOSTS).map((address) => ({ ...one, address }));
  return [first === undefined ? one : { ...one, address: first }];
}

/** Scheme and host; an address without them as it is. */
function placeOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}

/** `sha256:0a1b` and `sha256=0a1b` of several archives of one package as one text, in an order of its own: `sha256-0a1b sha256-2c3d`. */
export function joinHashes(written: readonly (string | undefined)[]): { readonly integrity?: string } {
  const hashes = written.flatMap((one) => (one === undefined ? [] : [one.replace(/[:=]/, "-")]));
  const integrity = [...new Set(hashes)].sort().join(" ");
  return defined({ integrity: integrity === "" ? undefined : integrity });
}
