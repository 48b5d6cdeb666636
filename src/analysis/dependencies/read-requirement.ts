import { parseRequirement } from "./requirement.ts";
import { type WantedPackage, wantedPackage } from "./wanted-package.ts";

/** A requirement as Python writes it: `name[extra] == 1.2 ; marker`. The first word of a sentence is none. */
export function readRequirement(written: string): WantedPackage[] {
  const { name, wanted, version, address } = parseRequirement(written) ?? {};
  if (name === undefined || wanted === undefined) return [];
  return [wantedPackage("PyPI", name, address === undefined ? wanted : `@ ${address}`, version)];
}

/** `==1.2` is one version, `==1.*` is many. */
export function pinned(wanted: string): string | undefined {
  return /^\(?\s*===?\s*([\w.!+-]+)\s*\)?$/.exec(wanted)?.[1];
}
