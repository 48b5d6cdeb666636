import { html } from "hono/html";
import { PROCESS } from "../words.ts";
import type { Markup } from "./layout.ts";

/** A table that scrolls by itself where the screen is narrow, or a sentence for an empty one. `of`: what all but its first column have. */
export function dataTable(
  of: "numbers" | "words",
  what: string,
  heads: readonly string[],
  rows: readonly (readonly (Markup | string | number)[])[],
  none: string,
): Markup {
  if (rows.length === 0) return html`<p class="none">${none}</p>`;
  return html`<div class="wide ${of}" tabindex="0" role="group" aria-label="${PROCESS.table(what)}"><table><thead><tr>${heads.map(
    (head) => html`<th scope="col">${head}</th>`,
  )}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}
