import { type Html, html, type Part } from "./html.ts";

export interface Page {
  readonly title: string;
  /** Breadcrumbs after the name of the site. */
  readonly path: readonly { readonly name: string; readonly href: string }[];
  readonly body: Part;
  /** Something is going on: the page looks again, unless somebody is writing on it. */
  readonly busy?: boolean;
}

const LOOK_AGAIN = `setTimeout(function look() {
  const filled = [...document.querySelectorAll("textarea, input")].some((field) => field.value !== field.defaultValue);
  const writing = filled || document.activeElement?.closest("form");
  if (writing) setTimeout(look, 2000);
  else location.reload();
}, 2000);`;

export function layout({ title, path, body, busy = false }: Page): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/-/style.css">
</head>
<body>
<header class="site"><a href="/">GitHub on this machine</a>${path.map(({ name, href }) => html` <span>/</span> <a href="${href}">${name}</a>`)}</header>
<main>${body}</main>
${busy && html`<script>${{ html: LOOK_AGAIN } satisfies Html}</script>`}
</body>
</html>
`;
  return page.html;
}
