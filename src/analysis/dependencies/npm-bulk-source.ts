import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import { trimEndOf } from "../../domain/trim-characters.ts";
import type { Advisory, AdvisoryAnswer, AdvisorySource, PackageVersion } from "./advisory-source.ts";
import { ADVISORY_LIMITS, askService } from "./ask-service.ts";
import { satisfies } from "./compare-versions.ts";
import { severityOfWord } from "./cvss.ts";

const BulkAnswer = z.record(
  z.string(),
  z.array(
    z.object({
      id: z.union([z.number(), z.string()]),
      url: z.string().optional(),
      title: z.string().optional(),
      severity: z.string().optional(),
      vulnerable_versions: z.string(),
    }),
  ),
);

/**
 * Asks an npm registry as `npm audit` does (docs.npmjs.com/cli/commands/npm-audit, "bulk advisory endpoint").
 * @param url of the registry
 */
export function createNpmBulkSource(url: string): AdvisorySource {
  const endpoint = `${trimEndOf(url, "/")}/-/npm/v1/security/advisories/bulk`;
  return {
    ecosystems: ["npm"],
    async query(packages, signal): Promise<AdvisoryAnswer> {
      const known = packages.filter(({ ecosystem }) => ecosystem === "npm");
      const asked = known.slice(0, ADVISORY_LIMITS.packages);
      if (asked.length === 0) return { advisories: [] };
      const byName = Map.groupBy(asked, ({ name }) => name);
      const question = Object.fromEntries([...byName].map(([name, of]) => [name, of.map(({ version }) => version)]));
      const answer = await askService(endpoint, signal, question);
      if ("failed" in answer)
        return {
          ...{ advisories: [], unanswered: known },
          unchecked: `the advisory service did not answer (${answer.failed})`,
        };
      const parsed = BulkAnswer.safeParse(answer.value);
      if (!parsed.success)
        return { advisories: [], unanswered: known, unchecked: "the advisory service's answer has another form" };
      const advisories = asked.flatMap((one) =>
        (parsed.data[one.name] ?? [])
          .filter(({ vulnerable_versions: ranges }) => satisfies(one.version, ranges))
          .map((entry) => toAdvisory(one, entry)),
      );
      if (asked.length === known.length) return { advisories };
      const unchecked = `only the first ${asked.length} packages were asked for`;
      return { advisories, unchecked, unanswered: known.slice(asked.length) };
    },
  };
}

function toAdvisory(of: PackageVersion, entry: z.infer<typeof BulkAnswer>[string][number]): Advisory {
  const range = entry.vulnerable_versions.split("||").find((one) => satisfies(of.version, one));
  const fixed = /<\s*([^\s=|]+)/.exec(range ?? "")?.[1];
  return {
    package: of,
    id: /GHSA-[\w-]+/.exec(entry.url ?? "")?.[0] ?? String(entry.id),
    severity: severityOfWord(entry.severity ?? "") ?? "warning",
    summary: (entry.title ?? "").replace(/\s+/g, " ").slice(0, 200) || "no description",
    ...defined({ fixed }),
  };
}
