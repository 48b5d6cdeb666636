import { html } from "hono/html";
import { phaseName, RUN, SPENT } from "../../github/words/view-words.ts";
import { usd } from "../../github/words/wording.ts";
import type { SpentRow } from "../../store/spend/read-spend.ts";
import { type Markup, shown } from "./layout.ts";

/** What the models of a run cost, by phase. */
export function spentPart(spent: readonly SpentRow[]): Markup {
  const rows = spent.map(
    ({ phase, model, calls, usd: cost, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }) =>
      html`<tr><td>${shown(phaseName(phase))}</td><td>${shown(model)}</td><td>${calls}</td><td>${(inputTokens + cacheReadTokens + cacheWriteTokens).toLocaleString("en-US")}</td><td>${outputTokens.toLocaleString("en-US")}</td><td>${usd(cost)}</td></tr>`,
  );
  const heads = [SPENT.phase, SPENT.model, SPENT.calls, SPENT.read, SPENT.written, SPENT.cost];
  return html`<section aria-labelledby="cost"><h2 id="cost">${RUN.cost}</h2>${
    spent.length === 0
      ? html`<p class="none">${RUN.noCost}</p>`
      : html`<div class="wide" tabindex="0" role="group" aria-label="${SPENT.table}"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
  }</section>`;
}
