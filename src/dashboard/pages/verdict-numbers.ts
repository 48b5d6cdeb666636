import { html } from "hono/html";
import type { Verdict } from "../../domain/samples.ts";
import { METRIC_VERDICTS, metricValue, metricWords } from "../../github/words/deploy/verdict-text.ts";
import { REPOSITORY } from "../repository-words.ts";
import { dataTable } from "./data-table.ts";
import { type Markup, shown } from "./layout.ts";

/** Metrics that are shown; what decided comes first. */
const MOST = 10;

/** What a version was judged by, with its numbers. */
export function verdictNumbers({ metrics }: Verdict): Markup | undefined {
  if (metrics.length === 0) return undefined;
  const rows = metrics
    .slice(0, MOST)
    .map(({ metric, canary, control, is, why }) => [
      shown(metricWords(metric)),
      ...[metricValue(metric, canary), metricValue(metric, control), html`${METRIC_VERDICTS[is]}: ${shown(why)}`],
    ]);
  const { measured, fresh, before, verdict } = REPOSITORY;
  return dataTable("words", measured, [measured, fresh, before, verdict], rows, "");
}
