import { html } from "hono/html";
import { PROCESS } from "../words.ts";
import type { Markup } from "./layout.ts";

type Cell = Markup | string | number;

export interface Table {
  /** What all columns but the first have; `costs`: words in the second, too. `measures`: a bar between names and numbers. */
  readonly of: "numbers" | "words" | "costs" | "measures";
  /** For people who do not see the page. */
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A table that scrolls by itself where the screen is narrow. */
export function table({ of, label, heads, rows }: Table): Markup {
  const name = (cell: Cell | undefined) =>
    of === "measures" ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`;
  return html`<div class="wide ${of}" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${heads.map(
    (head) => html`<th scope="col">${head}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ([first, ...cells]) => html`<tr>${name(first)}${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** A table, or a sentence for an empty one. */
export function dataTable(
  of: "numbers" | "words",
  what: string,
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
  none: string,
): Markup {
  if (rows.length === 0) return html`<p class="none">${none}</p>`;
  return table({ of, label: PROCESS.table(what), heads, rows });
}
