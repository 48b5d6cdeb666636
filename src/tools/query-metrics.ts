import { z } from "zod";
import type { Measured, Reading } from "../domain/samples.ts";
import type { Redact } from "../safety/redact.ts";
import { RESULT_CHARACTERS } from "./data/cut.ts";
import { showText } from "./data/show-text.ts";
import type { MetricsPort } from "./ports.ts";
import { type Tool, ToolFailure } from "./tool.ts";

const Input = z.object({
  names: z.array(z.string().min(1).max(100)).min(1).max(10).describe("Names of metrics"),
  minutes: z.number().int().min(1).max(180).default(10).describe("How long a time is read, up to the last look"),
});
type Input = z.infer<typeof Input>;

export interface QueryMetricsDependencies {
  readonly metrics: MetricsPort;
  readonly redact: Redact;
}

/** Reads what the operator lets be read, by name: a model writes no query (TOOLS-3). */
export function queryMetrics({ metrics, redact }: QueryMetricsDependencies): Tool<Input> {
  return {
    name: "query_metrics",
    description: `Reads metrics of the version that is deployed and of the one before it, over one stretch of time. Names: ${metrics.names.join(", ")}.`,
    inputSchema: Input,
    readOnly: true,
    timeoutMs: 120_000,
    run: async ({ names, minutes }, { signal }) => {
      const unknown = names.filter((name) => !metrics.names.includes(name));
      if (unknown.length > 0) {
        const said = unknown.map((name) => JSON.stringify(name)).join(", ");
        throw new ToolFailure("not_found", `There is no metric ${said}. There are: ${metrics.names.join(", ")}.`);
      }
      const { from, to, metrics: read } = await metrics.read(minutes, signal);
      const wanted = names.map((name) =>
        describe(
          name,
          read.find(({ metric }) => metric === name),
        ),
      );
      const text = [`from ${from} to ${to}`, ...wanted].join("\n");
      return {
        text: await showText({ from: "metrics", text, prose: false, maxCharacters: RESULT_CHARACTERS }, redact),
      };
    },
  };
}

function describe(name: string, measured: Measured | undefined): string {
  if (!measured) return `${name}: nothing was read`;
  const { canary, control, baseline } = measured;
  const beside = baseline === "concurrent" ? "the version before, at the same time" : "the version before, earlier";
  return `${name}: new version ${inWords(canary)}; ${baseline === "none" ? "nothing to compare it with" : `${beside} ${inWords(control)}`}`;
}

/** Numbers as they were read; latencies are in milliseconds. */
function inWords(reading: Reading): string {
  switch (reading.is) {
    case "counts":
      return `${reading.errors} of ${reading.requests} requests failed`;
    case "value":
      return `${reading.value}${reading.of === undefined ? "" : ` (of ${reading.of} observations)`}`;
    case "series":
      return `${reading.values.join(", ")} (one number for each part of the time)`;
    case "none":
      return `no number: ${reading.why.replaceAll("_", " ")}${reading.detail === undefined ? "" : `, ${reading.detail}`}`;
  }
}
