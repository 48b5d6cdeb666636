import { html } from "hono/html";
import { timeWords } from "../../github/words/view-words.ts";
import { cut, moment } from "../../github/words/wording.ts";
import { visibleText } from "../../safety/visible-text.ts";
import type { Visitor } from "../visitor.ts";
import { LAYOUT, LIVE } from "../words.ts";

/** A piece of a page: whatever is put into one is escaped. */
export type Markup = ReturnType<typeof html>;

export interface Page {
  readonly title: string;
  /** Of the style sheet and the script, with what tells their versions apart. */
  readonly style: string;
  readonly script: string;
  readonly visitor?: Visitor | undefined;
  readonly body: Markup;
  readonly search?: string | undefined;
  /** The last place of the log when the page was made, and the run that it is about: the page hears of later events. */
  readonly live?: { readonly place: string; readonly run?: string | undefined } | undefined;
}

/** A whole page. Nothing in it is code or style: the policy that goes with it lets neither run. */
export function layout({ title, style, script, visitor, body, search = "", live }: Page): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Forge</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
${live && html`<script type="module" src="${script}"></script>`}
</head>
<body>
<a class="skip" href="#main">${LAYOUT.skip}</a>
<header><nav aria-label="${LAYOUT.pages}"><a class="home" href="/">Forge</a>${visitor && html`<a href="/runs">${LAYOUT.runs}</a>`}${visitor?.isOperator && html`<a href="/process">${LAYOUT.process}</a>`}</nav>${
    visitor &&
    html`<form class="find" method="get" action="/runs" role="search" aria-label="${LAYOUT.search}"><input name="q" aria-label="${LAYOUT.searchFor}" placeholder="${LAYOUT.searchFor}" value="${search}" maxlength="100" autocomplete="off"><button>${LAYOUT.find}</button></form>`
  }${visitor && whoIsHere(visitor)}</header>
<main id="main" tabindex="-1"${live && html` data-place="${live.place}" data-run="${live.run ?? ""}"`}>
${body}
</main>
${live && html`<p id="live" class="facts" role="status" data-on="${LIVE.on}" data-lost="${LIVE.lost}" data-ended="${LIVE.ended}"></p>`}
</body>
</html>
`;
}

function whoIsHere({ login, isOperator, formToken }: Visitor): Markup {
  return html`<form method="post" action="/auth/sign-out"><span>${login}${isOperator && " (operator)"}</span>
<input type="hidden" name="token" value="${formToken}"><button>${LAYOUT.signOut}</button></form>`;
}

/** Text of others as people may see it: without characters that hide or turn others around, and cut. */
export function shown(text: string, maximum = 200): string {
  return cut(visibleText(text.slice(0, maximum * 4)), maximum);
}

/** The same, with what stands between backticks as code. */
export function prose(text: string, maximum?: number): Markup {
  const parts = shown(text, maximum).split("`");
  // A backtick without a partner is text.
  const isPaired = parts.length % 2 === 1;
  return html`${parts.map((part, index) => (index % 2 === 0 || !isPaired ? `${index > 0 && !isPaired ? "`" : ""}${part}` : html`<code>${part}</code>`))}`;
}

/** A moment as people say it, with the moment itself behind it. `ago`: "2 h ago", else "in 2 h". */
export function time(at: string, now: Date): Markup {
  return html`<time datetime="${at}" title="${moment(at)}">${timeWords(at, now)}</time>`;
}

/** A page that says one thing. */
export function notice(title: string, what: string, more?: Markup): Markup {
  return html`<section class="notice"><h1>${title}</h1><p>${what}</p>${more}</section>`;
}
