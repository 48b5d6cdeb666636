import type { Annotation } from "../records.ts";
import { type Html, html } from "./html.ts";

/** GitHub shows an annotation's text as it is, never as Markdown. */
export function annotationCard(check: string, annotation: Annotation): Html {
  const {
    annotation_level: level,
    start_line: start,
    end_line: end,
    path,
    title,
    message,
    raw_details: raw,
  } = annotation;
  const lines = start === end ? `line ${end}` : `lines ${start} to ${end}`;
  return html`<section class="annotation ${level}"><header>Check ${level} on ${lines} in <span class="place">${path}</span> <span class="faint">${check}</span></header>
${title && html`<h3>${title}</h3>`}<pre class="plain">${message}</pre>${raw && html`<details><summary>raw details</summary><pre class="plain">${raw}</pre></details>`}</section>`;
}
