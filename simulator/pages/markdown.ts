// Markdown as GitHub shows it: tables, folds, suggestions; other HTML is shown as text, and what is commented out is not shown.
import { Marked } from "marked";
import { escapeHtml, type Html, trusted } from "./html.ts";

export interface MarkdownOptions {
  /** In comments a line break is one, in files and check-runs it is a space. */
  readonly breaks: boolean;
  /** The lines that a suggestion would replace. */
  readonly suggestionOver?: readonly string[];
}

/** Tags without attributes that GitHub lets through and that people use in comments. */
const ALLOWED = /^<\/?(?:details|summary|br|sub|sup|kbd|b|i|em|strong|code|hr)(?: open)?\s*\/?>$/i;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const SAFE_LINK = /^(?:https?:|mailto:|\/|#)/i;

export function markdown(text: string, options: MarkdownOptions): Html {
  const marked = new Marked({
    gfm: true,
    breaks: options.breaks,
    async: false,
    renderer: {
      html: ({ text: tag }) => allowedOnly(tag),
      link({ href, tokens }) {
        return link(href, this.parser.parseInline(tokens));
      },
      // what a page shows must not ask other machines for anything
      image: ({ href, text: alt }) => link(href, `[image: ${escapeHtml(alt)}]`),
      table(token) {
        const cell = (tag: "th" | "td") => (each: (typeof token.header)[number]) =>
          `<${tag}>${this.parser.parseInline(each.tokens)}</${tag}>`;
        const head = token.header.map(cell("th")).join("");
        const rows = token.rows.map((row) => `<tr>${row.map(cell("td")).join("")}</tr>`).join("");
        return `<div class="table"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
      },
      code: ({ text: code, lang }) =>
        lang === "suggestion"
          ? suggestion(code, options.suggestionOver ?? [])
          : `<pre><code>${escapeHtml(code)}</code></pre>`,
    },
  });
  return trusted(`<div class="markdown">${marked.parse(text) as string}</div>`);
}

function link(href: string, shown: string): string {
  return SAFE_LINK.test(href) ? `<a href="${escapeHtml(href)}" rel="nofollow">${shown}</a>` : shown;
}

function allowedOnly(source: string): string {
  return source
    .replace(COMMENT, "")
    .split(/(<[^>]*>)/)
    .map((part) => (ALLOWED.test(part) ? part : escapeHtml(part)))
    .join("");
}

function suggestion(code: string, over: readonly string[]): string {
  const row = (kind: string, line: string) =>
    `<tr class="${kind}"><td class="sign"></td><td class="code">${escapeHtml(line)}</td></tr>`;
  const rows = [
    ...over.map((line) => row("deleted", line)),
    ...(code === "" ? [] : code.split("\n")).map((line) => row("added", line)),
  ];
  return `<div class="suggestion"><div class="title">Suggested change</div><table class="diff">${rows.join("")}</table></div>`;
}
