import type { MetricFacts } from "../domain/metrics.ts";
import { metricLines } from "../github/words/command/metrics-text.ts";
import { plainLine } from "../safety/plain-line.ts";
import { UsageError } from "./dispatch.ts";
import { parseOptions } from "./parse-options.ts";

interface Out {
  write(text: string): unknown;
}

export interface MetricsDependencies {
  /** The number of a repository, or undefined where this Forge knows none of that name. */
  repositoryId(owner: string, name: string): Promise<number | undefined>;
  measure(repositoryId: number | undefined): Promise<MetricFacts>;
}

/** `forge metrics`: what can be counted in the log, over all repositories or for one. */
export async function runMetrics(
  args: readonly string[],
  { repositoryId, measure }: MetricsDependencies,
  out: Out,
): Promise<number> {
  const { values } = parseOptions(args, {
    options: { json: { type: "boolean", default: false }, repository: { type: "string" } },
  });
  const facts = await measure(await chosen(values.repository, repositoryId));
  if (values.json) {
    out.write(`${JSON.stringify(facts, null, 2)}\n`);
    return 0;
  }
  const lines = metricLines(facts).map(([label, text]) => `  ${plainLine(label).padEnd(44)}  ${text}`);
  const head = `${values.repository ?? "all repositories"}, ${facts.from.slice(0, 10)} to ${facts.to.slice(0, 10)}, against the 30 days before:`;
  out.write(
    `${lines.length === 0 ? "nothing to count in the last 60 days" : [plainLine(head), ...lines].join("\n")}\n`,
  );
  return 0;
}

async function chosen(
  given: string | undefined,
  repositoryId: MetricsDependencies["repositoryId"],
): Promise<number | undefined> {
  if (given === undefined) return undefined;
  const [owner, name, ...more] = given.split("/");
  if (!owner || !name || more.length > 0)
    throw new UsageError(`--repository is owner/name, not ${JSON.stringify(given)}`);
  const id = await repositoryId(owner, name);
  if (id === undefined) throw new UsageError(`nothing is on record of ${given}`);
  return id;
}
