import { readFileSync } from "node:fs";
import { table, writtenFrom } from "./table.ts";

const SOURCE = "src/learning/meters.ts";
const ROW = /\b(gauge|counter)\(\s*"(\w+)",\s*"([^"]+)"(?:,\s*\[([^\]]*)\])?/g;

const INTRODUCTION = `# Metrics

${writtenFrom(SOURCE)}

\`/metrics\` serves these in the text format of Prometheus. It exists only if \`FORGE_METRICS_PORT\` or \`FORGE_METRICS_TOKEN\` is set
([environment](environment.md)). With the port, Forge serves them on a port of their own, on the address of \`HOST\`. With the token, they are next to
the webhooks, for requests with \`Authorization: Bearer <token>\`. No label names a repository, a pull request, a run or a person.

A name that ends in \`_total\` counts since this process started. Forge reads the others from the database at each scrape. All processes read the
same database, so take the highest value of a gauge (\`max by (kind, state) (forge_jobs)\`) and the sum of a counter.
`;

const AFTER = `
[deploy/prometheus/alerts.yml](../../deploy/prometheus/alerts.yml) has alert rules that say what to do. They expect a scrape job named \`forge\`.
[deploy/grafana/forge.json](../../deploy/grafana/forge.json) is a dashboard to import into Grafana.
`;

/** docs/reference/metrics.md. */
export function metricsPage(): string {
  const rows = [...readFileSync(SOURCE, "utf8").matchAll(ROW)].map(([, kind, name, help, labels = ""]) => [
    `\`${name}\``,
    kind!,
    labels
      .match(/\w+/g)
      ?.map((label) => `\`${label}\``)
      .join(", ") ?? "",
    help!,
  ]);
  return [INTRODUCTION, table(["Metric", "Type", "Labels", "Meaning"], rows), AFTER].join("\n");
}
