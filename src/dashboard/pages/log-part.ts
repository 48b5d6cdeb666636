import { html } from "hono/html";
import { phaseName } from "../../github/words/view-words.ts";
import { duration, usd } from "../../github/words/wording.ts";
import { viewLog } from "../../pipeline/views/view-log.ts";
import type { LogLine } from "../../store/events/read-log-page.ts";
import { numberIn, type PageAsked } from "../page-route.ts";
import { LOG } from "../words.ts";
import { type Markup, shown } from "./layout.ts";

/** The log of a run, event by event, a page of it. */
export async function logPart(asked: PageAsked, runId: string, reasoning: boolean): Promise<Markup> {
  const after = numberIn(asked.query("after"));
  const { lines, next } = await viewLog(asked.dependencies.store, runId, { after, reasoning });
  return html`<section id="log" data-live aria-labelledby="log-title"><h2 id="log-title">${LOG.title}</h2>
${!reasoning && html`<p class="facts">${LOG.withoutReasoning}</p>`}
${lines.length === 0 ? html`<p class="none">${LOG.none}</p>` : html`<ol class="log">${lines.map(lineOf)}</ol>`}
<p class="more">${after > 0 && html`<a href="?#log">${LOG.first}</a> `}${next !== undefined && html`<a href="?after=${next}#log">${LOG.next}</a>`}</p></section>`;
}

function lineOf({ version, at, type, phase, by, durationMs, usd: cost, payload, characters }: LogLine): Markup {
  const facts = [
    ...(phase ? [phaseName(phase)] : []),
    ...(by ? [`by ${shown(by)}`] : []),
    ...(durationMs === null ? [] : [duration(durationMs)]),
    ...(cost === null ? [] : [usd(cost)]),
  ].join(" · ");
  const cut = characters > payload.length ? html`<p class="facts">${LOG.cut(characters)}</p>` : undefined;
  return html`<li><details id="e${version}"><summary><span class="number">${version}</span> <time datetime="${at}">${at.slice(11, 19)}</time> <code>${type}</code> <span class="facts">${facts}</span></summary><pre tabindex="0">${shown(payload, 4_000)}</pre>${cut}</details></li>`;
}
