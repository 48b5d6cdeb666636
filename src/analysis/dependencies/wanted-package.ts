import type { Ecosystem } from "./advisory-source.ts";
import { isRecord } from "./locked-package.ts";

/** One dependency as a manifest asks for it. */
export interface WantedPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** As it is written: `^4`, `==1.2.3`; empty where any version will do. */
  readonly wanted: string;
  /** Where only one version will do: that one. */
  readonly version?: string;
}

/** Undefined for a text that does not have the form its name promises. */
export type ManifestReader = (text: string) => readonly WantedPackage[] | undefined;

/** "1.2.3", "=1.2.3" or "v1.2.3" as the one version that it is. */
export function exact(wanted: string): string | undefined {
  const version = wanted
    .trim()
    .replace(/^[=v]+/, "")
    .trim();
  return /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version) ? version : undefined;
}

export function wantedPackage(
  ecosystem: Ecosystem,
  name: string,
  wanted: string,
  version: string | undefined,
): WantedPackage {
  return { ecosystem, name, wanted, ...(version === undefined ? {} : { version }) };
}

/** A value as an object; empty for every other one. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
