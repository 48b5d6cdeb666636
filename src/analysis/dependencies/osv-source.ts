import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import type { Severity } from "../../domain/findings.ts";
import { trimEndOf } from "../../domain/trim-characters.ts";
import {
  type Advisory,
  type AdvisoryAnswer,
  type AdvisorySource,
  ECOSYSTEMS,
  type PackageVersion,
} from "./advisory-source.ts";
import { ADVISORY_LIMITS, askService } from "./ask-service.ts";
import { compareVersions } from "./compare-versions.ts";
import { cvssScore, severityOfScore, severityOfWord } from "./cvss.ts";
import { createMemoryCache } from "./memory-cache.ts";

const BatchAnswer = z.object({
  results: z.array(
    z
      .object({
        vulns: z.array(z.object({ id: z.string() })).optional(),
        next_page_token: z.string().optional(),
      })
      .nullable(),
  ),
});

/** OSV takes as many questions in one request. */
const BATCH = 1_000;
const PAGES = 5;
const CACHE = { entries: 20_000, lifeMs: 3_600_000 };

/**
 * Asks a service with the interface of OSV (google.github.io/osv.dev/api): which advisories there are for each version, then each
 * advisory once. Answers are kept for an hour.
 * @param url without a path, for instance of a mirror of one's own
 */
export function createOsvSource(url: string, now: () => number = Date.now): AdvisorySource {
  const base = trimEndOf(url, "/");
  const idsOf = createMemoryCache<readonly string[]>(CACHE, now);
  const records = createMemoryCache<OsvRecord>(CACHE, now);

  async function query(packages: readonly PackageVersion[], signal: AbortSignal): Promise<AdvisoryAnswer> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(ADVISORY_LIMITS.totalMs)]);
    const asked = packages.slice(0, ADVISORY_LIMITS.packages);
    const failed =
      (await learnIds(
        asked.filter((one) => idsOf.get(keyOf(one)) === undefined),
        limited,
      )) ?? (packages.length > asked.length ? `only the first ${asked.length} packages were asked for` : undefined);
    const found = asked.flatMap((one) => (idsOf.get(keyOf(one)) ?? []).map((id) => ({ one, id })));
    const unread = await learnRecords([...new Set(found.map(({ id }) => id))], limited);
    const advisories = found.flatMap(({ one, id }): Advisory[] => {
      const record = records.get(id);
      const unknown = { package: one, id, severity: "warning", summary: "its description could not be read" } as const;
      const advisory = record === undefined ? unknown : toAdvisory(record, one);
      return advisory === undefined ? [] : [advisory];
    });
    const unchecked = failed ?? unread;
    const open = packages.filter((one) => idsOf.get(keyOf(one)) === undefined);
    return { advisories, ...defined({ unchecked, unanswered: open.length > 0 ? open : undefined }) };
  }

  /** @returns why not all are known now */
  async function learnIds(packages: readonly PackageVersion[], signal: AbortSignal): Promise<string | undefined> {
    for (let start = 0; start < packages.length; start += BATCH) {
      const failed = await learnBatch(packages.slice(start, start + BATCH), signal);
      if (failed !== undefined) return failed;
    }
    return undefined;
  }

  async function learnBatch(batch: readonly PackageVersion[], signal: AbortSignal): Promise<string | undefined> {
    const ids = batch.map((): string[] => []);
    let open = batch.map((_, at) => ({ at, page: undefined as string | undefined }));
    for (let page = 0; open.length > 0 && page < PAGES; page += 1) {
      const queries = open.map(({ at, page: token }) => ({
        ...toQuery(batch[at]!),
        ...defined({ page_token: token || undefined }),
      }));
      const answer = await askService(`${base}/v1/querybatch`, signal, { queries });
      if ("failed" in answer) return didNotAnswer(answer.failed);
      const parsed = BatchAnswer.safeParse(answer.value);
      if (!parsed.success || parsed.data.results.length !== open.length)
        return didNotAnswer("its answer has another form");
      open = open.flatMap(({ at }, index) => {
        const result = parsed.data.results[index];
        ids[at]?.push(...(result?.vulns ?? []).map(({ id }) => id));
        return result?.next_page_token ? [{ at, page: result.next_page_token }] : [];
      });
    }
    batch.forEach((one, at) => {
      idsOf.set(keyOf(one), ids[at] ?? []);
    });
    return undefined;
  }

  async function learnRecords(ids: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    const missing = ids.filter((id) => records.get(id) === undefined);
    const queue = missing.slice(0, ADVISORY_LIMITS.advisories);
    let failed = missing.length > queue.length ? `only ${queue.length} advisories were read` : undefined;
    const work = async () => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
        const answer = await askService(`${base}/v1/vulns/${encodeURIComponent(id)}`, signal);
        const record = "failed" in answer ? undefined : OsvRecord.safeParse(answer.value);
        if (record?.success) records.set(id, record.data);
        else failed ??= didNotAnswer("failed" in answer ? answer.failed : "an advisory has another form");
      }
    };
    await Promise.all(Array.from({ length: ADVISORY_LIMITS.concurrency }, work));
    return failed;
  }

  return { ecosystems: ECOSYSTEMS, query };
}

function didNotAnswer(why: string): string {
  return `the advisory service did not answer (${why})`;
}

function keyOf({ ecosystem, name, version }: PackageVersion): string {
  return `${ecosystem}\0${name}\0${version}`;
}

/** Go's versions stand in OSV without their letter. */
function toQuery({ ecosystem, name, version }: PackageVersion) {
  return { package: { name, ecosystem }, version: ecosystem === "Go" ? version.replace(/^v/, "") : version };
}

/** What is read of an OSV record (ossf.github.io/osv-schema). */
const OsvRecord = z.object({
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
type OsvRecord = z.infer<typeof OsvRecord>;

const SUMMARY_CHARACTERS = 200;

/** What a record says of one version; undefined when it was withdrawn. */
function toAdvisory(record: OsvRecord, of: PackageVersion): Advisory | undefined {
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
