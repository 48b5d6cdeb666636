import type { DiffRow } from "./diff-rows.ts";
import { type Html, html, type Part } from "./html.ts";

const SIGNS: Readonly<Record<DiffRow["kind"], string>> = { hunk: "", added: "+", deleted: "-", context: " ", note: "" };

/** A unified diff; `after` gives what stands below a row, over its whole width. */
export function diffTable(rows: readonly DiffRow[], after: (row: DiffRow) => Part = () => null): Html {
  return html`<table class="diff">${rows.map((row) => [diffRow(row), below(after(row))])}</table>`;
}

function diffRow({ kind, left, right, text }: DiffRow): Html {
  if (kind === "hunk") return html`<tr class="hunk"><td colspan="2"></td><td class="code">${text}</td></tr>`;
  return html`<tr class="${kind}" data-line="${right ?? ""}"><td class="number">${left}</td><td class="number">${right}</td><td class="code"><span class="sign" aria-hidden="true">${SIGNS[kind]}</span>${text}</td></tr>`;
}

function below(part: Part): Part {
  const isEmpty = !part || (Array.isArray(part) && part.length === 0);
  return isEmpty ? null : html`<tr class="below"><td colspan="3"><div class="stack">${part}</div></td></tr>`;
}
