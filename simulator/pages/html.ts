/** Text that is HTML already. Everything else is escaped where it is put into a page. */
export interface Html {
  readonly html: string;
}

export type Part = Html | string | number | null | undefined | false | readonly Part[];

/** A piece of a page: html`<b>${name}</b>`. Values are escaped, pieces and lists of pieces are not, and nothing is left out as "false". */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return { html: strings.map((text, at) => text + (at < values.length ? render(values[at]) : "")).join("") };
}

export function trusted(text: string): Html {
  return { html: text };
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return "html" in part ? part.html : part.map(render).join("");
}
