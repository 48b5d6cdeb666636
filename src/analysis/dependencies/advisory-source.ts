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
  query(packages: readonly PackageVersion[], signal: AbortSignal): Promise<AdvisoryAnswer>;
}
