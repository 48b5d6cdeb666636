import { html } from "hono/html";
import { subjectName } from "../../domain/subjects.ts";
import { DELIVERED, GATE, SECTIONS } from "../../github/words/view-words.ts";
import { GATES_SHOWN, viewOverview } from "../../pipeline/views/view-overview.ts";
import type { Delivered } from "../../store/runs/overview.ts";
import { doneWords } from "../action-words.ts";
import { numberIn, type PageAsked, type PageRoute } from "../page-route.ts";
import { FIRST, LAYOUT, NO_REPOSITORIES } from "../words.ts";
import { gateLine } from "./gate-line.ts";
import { healthStrip } from "./health-strip.ts";
import { type Markup, prose, shown, time } from "./layout.ts";
import { addressOf } from "./places.ts";
import { lines, runAddress, runLine } from "./run-line.ts";

/** What waits for a person, what runs, what failed or is parked, and what was merged and deployed (OPS-2). */
export const FIRST_PAGE: PageRoute = {
  path: "/",
  show: async (asked) => {
    const { dependencies, visitor, repositoryIds, now } = asked;
    const { store, origin } = dependencies;
    const afterGates = numberIn(asked.query("after"));
    const of = repositoryIds ? { repositoryIds } : {};
    const overview = await viewOverview(store, { ...of, now, afterGates });
    const seesNone = !visitor.isOperator && (await visitor.repositories()).size === 0;
    const said = asked.done && prose(doneWords(asked.done));
    const { waiting, atWork, failed, parked, delivered } = overview;
    const gates = await Promise.all(overview.gates.map((gate) => gateLine(gate, asked, "first")));
    const following = afterGates + overview.gates.length;
    const place = { now, origin };
    const heading = html`<h1>${waiting === 0 ? SECTIONS.nothing : GATE.waiting(waiting)}</h1>`;
    // Nothing can be in any list.
    if (seesNone)
      return { title: FIRST.title, body: html`<h1>${FIRST.title}</h1><p class="said">${NO_REPOSITORIES}</p>` };
    const body = html`${heading}
${said && html`<p class="said" role="status">${said}</p>`}
${await healthStrip(asked, overview.usdToday)}
${section(
  "waits",
  html`${lines(gates, waiting === 0 ? SECTIONS.waits.none : SECTIONS.waits.noMore)}${
    following < waiting &&
    html`<p class="more"><a href="/?after=${afterGates + GATES_SHOWN}">${GATE.more(waiting - following)}</a></p>`
  }${afterGates > 0 && html`<p class="more"><a href="/">${LAYOUT.toFirst}</a></p>`}`,
)}
${section(
  "runs",
  lines(
    atWork.map((run) => runLine(run, place)),
    SECTIONS.runs.none,
  ),
)}
${section(
  "failed",
  html`${lines(
    [...failed, ...parked].map((run) => runLine(run, place)),
    SECTIONS.failed.none,
  )}<p class="more"><a href="/runs?status=failed">${FIRST.allFailed}</a> · <a href="/runs?status=waiting">${FIRST.allWaiting}</a></p>`,
)}
${section(
  "delivered",
  lines(
    delivered.map((each) => deliveredLine(each, asked)),
    SECTIONS.delivered.none,
  ),
)}`;
    return { title: FIRST.title, body };
  },
};

/** A part of the page that updates by itself. */
function section(name: Exclude<keyof typeof SECTIONS, "nothing">, content: Markup): Markup {
  return html`<section aria-labelledby="${name}" id="${name}-section" data-live><h2 id="${name}">${SECTIONS[name].title}</h2>
${content}</section>`;
}

function deliveredLine({ subject, is, at, runId, title }: Delivered, { now, dependencies }: PageAsked): Markup {
  return html`<li class="run"><p><span class="badge ${is}">${DELIVERED[is]}</span> <a href="${runAddress(runId)}">${title ? shown(title) : subjectName(subject)}</a>
<a class="subject" href="${addressOf(subject, dependencies.origin)}">${subjectName(subject)}</a></p>
<p class="facts">${time(at, now)}</p></li>`;
}
