import { html } from "hono/html";
import { moment } from "../../github/words/wording.ts";
import type { Visitor } from "../visitor.ts";
import { span } from "../words.ts";

/** A piece of a page: whatever is put into one is escaped. */
export type Markup = ReturnType<typeof html>;

export interface Page {
  readonly title: string;
  /** Of the style sheet, with what tells its versions apart. */
  readonly style: string;
  readonly visitor?: Visitor | undefined;
  readonly body: Markup;
}

/** A whole page. Nothing in it is code or style: the policy that goes with it lets neither run. */
export function layout({ title, style, visitor, body }: Page): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Forge</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><a class="home" href="/">Forge</a>${visitor && whoIsHere(visitor)}</header>
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>
`;
}

function whoIsHere({ login, isOperator, formToken }: Visitor): Markup {
  return html`<form method="post" action="/auth/sign-out"><span>${login}${isOperator && " (operator)"}</span>
<input type="hidden" name="token" value="${formToken}"><button>Sign out</button></form>`;
}

/** A moment as people say it, with the moment itself behind it. `ago`: "2 h ago", else "in 2 h". */
export function time(at: string, now: Date): Markup {
  const difference = Date.parse(at) - now.getTime();
  const said = difference > 0 ? `in ${span(difference)}` : `${span(difference)} ago`;
  return html`<time datetime="${at}" title="${moment(at)}">${said}</time>`;
}

/** A page that says one thing. */
export function notice(title: string, what: string, more?: Markup): Markup {
  return html`<section class="notice"><h1>${title}</h1><p>${what}</p>${more}</section>`;
}
