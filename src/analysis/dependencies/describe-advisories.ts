import type { Observation } from "../../domain/findings.ts";
import { SEVERITIES } from "../../domain/severities.ts";
import { lineText, type SourceFile } from "../source-file.ts";
import type { Advisory, Ecosystem } from "./advisory-source.ts";
import { compareVersions } from "./compare-versions.ts";
import type { LockedPackage } from "./locked-package.ts";

const CONFIDENCE = 0.9;
const NAMED_ADVISORIES = 5;

type Words = Pick<Observation, "rule" | "severity" | "confidence" | "message" | "why" | "evidence">;

/** One finding for all advisories of one version; there is at least one. */
export function describeAdvisories(advisories: readonly Advisory[]): Words {
  const ordered = advisories.toSorted(
    (a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || (a.id < b.id ? -1 : 1),
  );
  const [worst] = ordered as [Advisory, ...Advisory[]];
  const { name, version } = worst.package;
  const malicious = ordered.some(({ id }) => id.startsWith("MAL-"));
  const what = ordered.length === 1 ? "a known vulnerability" : `${ordered.length} known vulnerabilities`;
  const named = ordered.slice(0, NAMED_ADVISORIES).map(({ id }) => id);
  return {
    rule: malicious ? "dependencies/malicious" : "dependencies/vulnerable",
    severity: worst.severity,
    confidence: CONFIDENCE,
    message: malicious
      ? `${name} ${version} is known to be malicious (${worst.id}).`
      : `${name} ${version} has ${what}: ${worst.summary} (${worst.id}).`,
    why: malicious
      ? "Remove it, and treat every machine that installed it as compromised."
      : remedy(worst.package.ecosystem, ordered),
    ...(ordered.length > 1 ? { evidence: named.join(", ") + (ordered.length > named.length ? ", …" : "") } : {}),
  };
}

function remedy(ecosystem: Ecosystem, advisories: readonly Advisory[]): string {
  const fixed = advisories
    .flatMap((advisory) => advisory.fixed ?? [])
    .sort((a, b) => compareVersions(ecosystem, a, b))
    .at(-1);
  const open = advisories.filter((advisory) => advisory.fixed === undefined).map(({ id }) => id);
  if (fixed === undefined) return "No fixed version is known.";
  if (open.length > 0) return `Fixed in ${fixed}, except ${open.slice(0, NAMED_ADVISORIES).join(", ")}.`;
  return `Fixed in ${fixed}.`;
}

interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
}

/**
 * Where people look for a package: the added line of a manifest that names it, else the first added line of its entry in the lock file.
 */
export function locatePackage(
  of: Pick<LockedPackage, "name" | "line" | "endLine">,
  lock: SourceFile,
  manifests: readonly SourceFile[],
): SourceLocation {
  for (const manifest of manifests) {
    const line = [...manifest.addedLines].find((added) => names(lineText(manifest, added), of.name));
    if (line !== undefined) return { file: manifest.path, line, endLine: line };
  }
  let line = of.line;
  while (line < of.endLine && !lock.addedLines.has(line)) line += 1;
  const found = lock.addedLines.has(line) ? line : of.line;
  return { file: lock.path, line: found, endLine: found };
}

/** In quotes in JSON and TOML and Ruby, or at the beginning of the line. */
function names(line: string, name: string): boolean {
  const text = line.trim().toLowerCase();
  const wanted = name.toLowerCase();
  if (text.includes(`"${wanted}"`) || text.includes(`'${wanted}'`)) return true;
  return text.startsWith(wanted) && /^[\s=<>~![@;]/.test(text.slice(wanted.length));
}
