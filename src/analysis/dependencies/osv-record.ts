import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import type { Severity } from "../../domain/findings.ts";
import type { Advisory, PackageVersion } from "./advisory-source.ts";
import { compareVersions } from "./compare-versions.ts";
import { cvssScore, severityOfScore, severityOfWord } from "./cvss.ts";

/** What is read of an OSV record (ossf.github.io/osv-schema). */
export const OsvRecord = z.object({
  id: z.string(),
  summary: z.string().optional(),
  details: z.string().optional(),
  withdrawn: z.string().optional(),
  severity: z.array(z.object({ type: z.string(), score: z.string() })).optional(),
  database_specific: z.object({ severity: z.string().optional().catch(undefined) }).optional(),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
        ranges: z.array(z.object({ type: z.string(), events: z.array(z.record(z.string(), z.string())) })).optional(),
      }),
    )
    .optional(),
});
export type OsvRecord = z.infer<typeof OsvRecord>;

const SUMMARY_CHARACTERS = 200;

/** What a record says of one version; undefined when it was withdrawn. */
export function toAdvisory(record: OsvRecord, of: PackageVersion): Advisory | undefined {
  if (record.withdrawn !== undefined) return undefined;
  const text = record.summary ?? record.details?.split("\n").find((line) => line.trim() !== "") ?? record.id;
  const fixed = fixedIn(record, of);
  return {
    package: of,
    id: record.id,
    severity: severityOf(record),
    summary: text.replace(/\s+/g, " ").trim().slice(0, SUMMARY_CHARACTERS),
    ...defined({ fixed }),
  };
}

function severityOf({ id, severity = [], database_specific: specific }: OsvRecord): Severity {
  if (id.startsWith("MAL-")) return "critical";
  const score = severity.flatMap(({ score }) => cvssScore(score) ?? []).at(0);
  if (score !== undefined) return severityOfScore(score);
  return severityOfWord(specific?.severity ?? "") ?? "warning";
}

/** The end of the range that the version lies in; without one the lowest later version that any range ends with. */
function fixedIn({ affected = [] }: OsvRecord, of: PackageVersion): string | undefined {
  const ends = affected
    .filter((entry) => entry.package === undefined || entry.package.name.toLowerCase() === of.name.toLowerCase())
    .flatMap((entry) => entry.ranges ?? [])
    .filter(({ type }) => type !== "GIT")
    .flatMap(({ events }) => events.flatMap((event) => event.fixed ?? []));
  const compare = (a: string, b: string) => compareVersions(of.ecosystem, a, b);
  return ends.filter((end) => compare(end, of.version) > 0).sort(compare)[0];
}
