import type { Severity } from "../../domain/findings.ts";

export const ECOSYSTEMS = ["npm", "PyPI", "Go", "crates.io", "RubyGems", "Packagist", "Maven", "NuGet", "Pub"] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

/** One published version, by the names of the OSV format. */
export interface PackageVersion {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
}

/** A known vulnerability of one version. */
export interface Advisory {
  readonly package: PackageVersion;
  /** `GHSA-...`, `CVE-...`, `MAL-...`: the advisory's own. */
  readonly id: string;
  readonly severity: Severity;
  /** One line, in the publisher's words. */
  readonly summary: string;
  /** The lowest version without it, where one is known. */
  readonly fixed?: string;
}

export interface AdvisoryAnswer {
  readonly advisories: readonly Advisory[];
  /** Why this is not everything, in words that follow "not checked:". Absent when every package was asked for. */
  readonly unchecked?: string;
  /** Packages that no answer came for, or that are more than one question may hold. Absent where there are none. */
  readonly unanswered?: readonly PackageVersion[];
}

/** Knows vulnerabilities by package and version. Never throws for a service that does not answer: that is `unchecked`. */
export interface AdvisorySource {
  readonly ecosystems: readonly Ecosystem[];
  /** Knows which names there are; without it nobody is asked whether a package exists. */
  readonly registries?: RegistrySource;
  query(packages: readonly PackageVersion[], signal: AbortSignal): Promise<AdvisoryAnswer>;
}

export type PackageName = Pick<PackageVersion, "ecosystem" | "name">;

export interface RegistryAnswer {
  /** Names that their registry does not have. */
  readonly missing: readonly PackageName[];
  /** Names of which nobody knows, and why, in words that follow "not asked about:". */
  readonly unanswered: readonly PackageName[];
  readonly unchecked?: string;
}

/** Knows which names registries have. Never throws for a registry that does not answer: that is `unchecked`. */
export interface RegistrySource {
  readonly ecosystems: readonly Ecosystem[];
  /** @param names each once, of `ecosystems`; the first `MOST_NAMES` are asked about */
  query(names: readonly PackageName[], signal: AbortSignal): Promise<RegistryAnswer>;
}
