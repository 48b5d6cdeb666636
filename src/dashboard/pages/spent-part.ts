import { html } from "hono/html";
import { phaseName, RUN, SPENT } from "../../github/words/view-words.ts";
import { usd } from "../../github/words/wording.ts";
import type { SpentRow } from "../../store/spend/read-spend.ts";
import { table } from "./data-table.ts";
import { type Markup, shown } from "./layout.ts";

/** What the models of a run cost, by phase. */
export function spentPart(spent: readonly SpentRow[]): Markup {
  const number = (value: number) => value.toLocaleString("en-US");
  const rows = spent.map(
    ({ phase, model, calls, usd: cost, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }) => [
      ...[shown(phaseName(phase)), shown(model), calls],
      ...[number(inputTokens + cacheReadTokens + cacheWriteTokens), number(outputTokens), usd(cost)],
    ],
  );
  const heads = [SPENT.phase, SPENT.model, SPENT.calls, SPENT.read, SPENT.written, SPENT.cost];
  return html`<section aria-labelledby="cost"><h2 id="cost">${RUN.cost}</h2>${
    spent.length === 0
      ? html`<p class="none">${RUN.noCost}</p>`
      : table({ of: "costs", label: SPENT.table, heads, rows })
  }</section>`;
}
