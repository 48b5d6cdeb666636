import { defined } from "../../domain/defined.ts";
import type { Ecosystem } from "./advisory-source.ts";
import type { KnownBlocks } from "./formats/known-blocks.ts";
import type { YamlNode } from "./formats/yaml-node.ts";

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
  /** Is inside the archive of another package: nothing is fetched for it. */
  readonly bundled?: boolean;
  /** First and last line of its entry, 1-based. */
  readonly line: number;
  readonly endLine: number;
}

/** What a lock file holds. */
export interface LockReading {
  readonly packages: readonly LockedPackage[];
  /** The first line that no package manager writes into such a file, 1-based; the packages are those of all other lines. */
  readonly strange?: number;
  /** What it was read from, for those who ask whether it is in step with a manifest. */
  readonly parsed?: ParsedLock;
}

/** The contents of a lock file in the form that its parser gives, one of them. */
export interface ParsedLock {
  /** Of JSON and TOML. */
  readonly table?: Readonly<Record<string, unknown>>;
  /** Of YAML. */
  readonly documents?: readonly YamlNode[];
  /** Of Yarn, by the patterns at their heads. */
  readonly entries?: ReadonlyMap<string, YamlNode>;
  /** A list of requirements as it is written, whose comments say who asked for what, and what Bundler wrote. */
  readonly text?: string;
}

/** A lock file that does not have the form its name promises. */
export interface LockFileFault {
  readonly fault: string;
  /** 1-based, where it is known. */
  readonly line?: number;
}

/** @param known entries of a text that was read before, in which nothing was wrong; takes those of this one */
export type LockFileReader = (text: string, known?: KnownBlocks) => LockReading | LockFileFault;

/** @param strange as `LockReading` has it, or infinite where there is none */
export function lockReading(
  packages: readonly LockedPackage[],
  strange = Number.POSITIVE_INFINITY,
  parsed?: ParsedLock,
): LockReading {
  return { packages, ...defined({ strange: Number.isFinite(strange) ? strange : undefined, parsed }) };
}

/** Which of the sources an address or specifier belongs to. */
export function sourceOf(address: string | undefined): LockedPackage["source"] {
  if (address === undefined) return "registry";
  const written = address.trim();
  if (/^(?:git[+:@]|github:|gitlab:|bitbucket:|gist:|ssh:)|\.git(?:#|$)|^https?:\/\/codeload\./i.test(written))
    return "git";
  if (/^(?:link|workspace|portal):/i.test(written)) return "link";
  // What `exec:` names is a program of the repository that makes the package.
  if (/^(?:file:|exec:|\.{0,2}\/)/i.test(written)) return "file";
  // GitLab has its archives and releases behind the sign that npm has before the file.
  if (/\/-\/(?:archive|releases|jobs|raw)\//.test(written)) return "url";
  if (/^https?:/i.test(written)) return /\/-\/|\/download\/|\/api\//.test(written) ? "registry" : "url";
  if (isShortcut(written)) return "git";
  return /^[a-z]+:\/\//i.test(written) ? "url" : "registry";
}

/** `owner/name` is a repository on GitHub; the name of a package has its slash behind a scope. */
function isShortcut(written: string): boolean {
  const [path = ""] = written.split("#", 1);
  return /^[\w-][\w.-]*$/.test(path.split("/", 1).join()) && path.split("/").length === 2 && !written.includes(" ");
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Leaves out what is undefined, so that optional fields are absent. */
export function lockedPackage(
  fields: Omit<LockedPackage, "address" | "integrity" | "installScript" | "bundled"> & {
    address?: string | undefined;
    integrity?: string | undefined;
    installScript?: boolean | undefined;
    bundled?: boolean | undefined;
  },
): LockedPackage {
  // One by one: a lock file may have 60,000 packages, and most have none of these.
  const { address, integrity, installScript, bundled, ecosystem, name, version, source, line, endLine } = fields;
  const one: { -readonly [Field in keyof LockedPackage]: LockedPackage[Field] } = {
    ...{ ecosystem, name, version, source, line, endLine },
  };
  if (address !== undefined) one.address = address;
  if (integrity !== undefined) one.integrity = integrity;
  if (installScript) one.installScript = true;
  if (bundled) one.bundled = true;
  return one;
}
