import { html } from "hono/html";
import { APP_USES, type AppUse } from "../github/permissions.ts";
import type { RegisteredApp } from "./convert-code.ts";
import { manifestOf, registrationAddress, SETUP_PATH } from "./manifest.ts";
import { type Known, type Place, urlsOf } from "./place.ts";
import { reasonsFor, USES } from "./uses.ts";

export const STYLE_PATH = "/set-up/style.css";

/** A piece of a page: whatever is put into one is escaped. */
export type Markup = ReturnType<typeof html>;

export function page(title: string, body: Markup): string {
  return `${html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Forge</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body><main><h1>${title}</h1>
${body}
</main></body>
</html>
`}`;
}

export interface OfferPage {
  readonly place: Place;
  readonly problems: readonly string[];
  readonly known: Known;
  readonly stateFor: (use: AppUse) => string;
  readonly ownAddress: string;
}

/** A button for each use of the App, with what the App may then do and why; after a mistake only the form to correct it. */
export function offerPage({ place, problems, known, stateFor, ownAddress }: OfferPage): string {
  const { origin } = urlsOf(place);
  const owner = place.organization === "" ? "your account" : place.organization;
  const use = (each: AppUse) => html`<section aria-labelledby="${each}"><h2 id="${each}">${USES[each].title}</h2>
<p>${USES[each].does} ${USES[each].without ?? ""}</p>
<details><summary>Permissions, and what each is for</summary><dl>${reasonsFor(each).map(
    ([permission, reason]) => html`<dt><code>${permission}</code></dt><dd>${reason}</dd>`,
  )}</dl></details>
<form method="post" action="${registrationAddress(place, stateFor(each))}">
<input type="hidden" name="manifest" value="${JSON.stringify(manifestOf(place, ownAddress, each))}">
<p><button class="main" aria-describedby="${each}">Register the App on ${new URL(origin).host}</button></p></form></section>`;
  const register =
    () => html`<p>What may Forge do? You can give the App more permissions later, in its settings on GitHub.</p>
${APP_USES.map(use)}
<p>GitHub asks once more, and sends you back here. The App will belong to <strong>${owner}</strong>, and GitHub will send its webhooks to
<code>${place.forwarder ?? place.address}</code>.</p>`;
  const github =
    known.host === undefined
      ? html`<p><label for="github">GitHub</label><input id="github" name="github" value="${place.host ? origin : "github.com"}"></p>`
      : html`<p>GitHub: <code>${origin}</code>, as <code>GHE_HOST</code> says.</p>`;
  const body = html`${problems.map((problem) => html`<p class="problem" role="alert">${problem}</p>`)}
${problems.length === 0 ? register() : html``}
<form method="get" action="${SETUP_PATH}">
<h2>Elsewhere</h2>
${github}
<p><label for="organization">Organization, or nothing for your own account</label><input id="organization" name="organization" value="${place.organization}"></p>
<p><label for="address">Address at which GitHub reaches Forge</label><input id="address" name="address" value="${place.address}"></p>
<p><button>Use these</button></p></form>`;
  return page("Register the GitHub App", body);
}

/** The last page. `said`: what was done, a sentence each. */
export function readyPage(
  { slug, page: appPage }: Pick<RegisteredApp, "slug" | "page">,
  said: readonly string[],
): string {
  const body = html`${said.map((each) => html`<p>${each}</p>`)}
<p>Forge is starting now. Next, choose the repositories that it may work on:</p>
<p><a class="main" href="${appPage}/installations/new">Install ${slug}</a></p>`;
  return page("Forge is set up", body);
}

export function failedPage(message: string, again: string | undefined): string {
  const body = html`<p class="problem" role="alert">${message}</p>
<p>${again === undefined ? html`<a href="${SETUP_PATH}">Begin again</a>` : html`<a class="main" href="${again}">Try again</a>`}</p>`;
  return page("The App was not registered", body);
}

export function closedPage(): string {
  return page(
    "This page is not for you",
    html`<p>Forge is set up by the link that it printed when it started. A link is good once and for an hour; if it was used or lost, stop Forge
and start it again for a new one.</p>`,
  );
}
