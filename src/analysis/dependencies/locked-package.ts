import { defined } from "../../domain/defined.ts";
import type { Ecosystem } from "./advisory-source.ts";

/** One package as a lock file pins it. */
export interface LockedPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
  /** Where it comes from: `registry` and `link` (a folder of the same repository) are as usual. */
  readonly source: "registry" | "git" | "url" | "file" | "link";
  /** Address of the archive or repository, where the lock file names one. */
  readonly address?: string;
  /** Hash of the archive, with the name of its algorithm before it. */
  readonly integrity?: string;
  /** Runs a program of its own when it is installed. */
  readonly installScript?: boolean;
  /** First and last line of its entry, 1-based. */
  readonly line: number;
  readonly endLine: number;
}

/** What a lock file holds. */
export interface LockReading {
  readonly packages: readonly LockedPackage[];
  /** The first line that no package manager writes into such a file, 1-based; the packages are those of all other lines. */
  readonly strange?: number;
}

/** A lock file that does not have the form its name promises. */
export interface LockFileFault {
  readonly fault: string;
  /** 1-based, where it is known. */
  readonly line?: number;
}

export type LockFileReader = (text: string) => LockReading | LockFileFault;

/** @param strange as `LockReading` has it, or infinite where there is none */
export function lockReading(packages: readonly LockedPackage[], strange = Number.POSITIVE_INFINITY): LockReading {
  return Number.isFinite(strange) ? { packages, strange } : { packages };
}

/** Which of the sources an address or specifier belongs to. */
export function sourceOf(address: string | undefined): LockedPackage["source"] {
  if (address === undefined) return "registry";
  if (/^(?:git[+:@]|github:|gitlab:|bitbucket:|ssh:)|\.git(?:#|$)|^https?:\/\/codeload\./.test(address)) return "git";
  if (/^(?:link|workspace|portal):/.test(address)) return "link";
  if (/^(?:file:|\.{0,2}\/)/.test(address)) return "file";
  if (/^https?:/.test(address)) return /\/-\/|\/download\/|\/api\//.test(address) ? "registry" : "url";
  return "registry";
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Leaves out what is undefined, so that optional fields are absent. */
export function lockedPackage(
  fields: Omit<LockedPackage, "address" | "integrity" | "installScript"> & {
    address?: string | undefined;
    integrity?: string | undefined;
    installScript?: boolean | undefined;
  },
): LockedPackage {
  const { address, integrity, installScript, ...rest } = fields;
  return {
    ...rest,
    ...defined({ address, integrity, installScript: installScript || undefined }),
  };
}
