import { html } from "hono/html";
import type { ListedRepository } from "../../github/person-host.ts";
import { type MetricsReport, MOST_DAYS } from "../../learning/follow-metrics.ts";
import { METRICS_WORDS } from "../metrics-words.ts";
import { numberIn, type PageRoute } from "../page-route.ts";
import { NO_REPOSITORIES } from "../words.ts";
import { allMetricsPart } from "./all-metrics-part.ts";
import { endsPart } from "./ends-part.ts";
import { findingsPart } from "./findings-part.ts";
import { type Markup, shown } from "./layout.ts";
import { meanPart } from "./mean-part.ts";
import { memoryPart } from "./memory-part.ts";
import { precisionPart } from "./precision-part.ts";
import { sharePart } from "./share-part.ts";

/** Periods that can be chosen, each with the days that one bar or point of it is of. */
const PERIODS = [
  { days: 7, step: 1 },
  { days: 30, step: 1 },
  { days: MOST_DAYS, step: 7 },
] as const;
const [, USUAL] = PERIODS;

/** Repositories that can be chosen; others by their number in the address. */
const MOST_CHOICES = 200;

/** What comes of reviews and runs, in the repositories that the visitor may see (MET-1). The period and the repository are part of the address. */
export const METRICS_PAGE: PageRoute = {
  // Not at /metrics, where monitoring systems read Prometheus' text.
  path: "/insights",
  show: async ({ metrics, visitor, repositoryIds, now, query }) => {
    const { title } = METRICS_WORDS;
    const heading = html`<h1>${title}</h1>`;
    // What happens changes each number by little: the page stays as it was loaded.
    const isStill = true;
    if (!visitor.isOperator && repositoryIds?.length === 0)
      return { title, isStill, body: html`${heading}<p class="said">${NO_REPOSITORIES}</p>` };
    const [asked, chosen] = [numberIn(query("days")), numberIn(query("repository"))];
    if (chosen > 0 && repositoryIds?.includes(chosen) === false) return undefined;
    const period = PERIODS.find(({ days }) => days === asked) ?? USUAL;
    const report = await metrics.report({ ...period, repositoryIds: chosen > 0 ? [chosen] : repositoryIds, now });
    const body = html`${heading}
<nav class="periods" aria-label="${METRICS_WORDS.period}">${PERIODS.map(
      ({ days }) =>
        html`<a href="/insights?days=${days}${chosen > 0 && `&repository=${chosen}`}"${days === period.days && html` aria-current="page"`}>${METRICS_WORDS.days(days)}</a>`,
    )}</nav>
${choice(await visitor.repositories(), chosen, period.days)}
<p class="facts">${METRICS_WORDS.what(report.now.from, report.now.to)}${report.since !== undefined && ` ${METRICS_WORDS.since(report.since)}`}</p>
${isEmpty(report) ? emptyPart() : partsOf(report)}`;
    return { title, isStill, body };
  },
};

function partsOf(report: MetricsReport): Markup {
  return html`<div class="metrics">${findingsPart(report)}${sharePart("first_pass", report)}
${precisionPart("layer", report)}${precisionPart("rule", report)}${precisionPart("model", report)}
${meanPart("seconds_to_check", report)}${meanPart("seconds_to_answer", report)}
${meanPart("cost_of_run", report)}${meanPart("bounces_of_run", report)}
${endsPart(report)}${memoryPart(report)}${sharePart("rollbacks_false", report)}
${allMetricsPart(report)}</div>`;
}

/** A form to choose one repository by; none where there is no choice. */
function choice(listed: ReadonlyMap<number, ListedRepository>, chosen: number, days: number): Markup {
  if (listed.size < 2) return html``;
  const options = [...listed]
    .map(([id, { fullName }]) => ({ id, fullName }))
    .sort((a, b) => a.fullName.localeCompare(b.fullName))
    .slice(0, MOST_CHOICES)
    .map(
      ({ id, fullName }) => html`<option value="${id}" ${id === chosen ? "selected" : ""}>${shown(fullName)}</option>`,
    );
  return html`<form class="filters" method="get" action="/insights" aria-label="${METRICS_WORDS.choose}">
<input type="hidden" name="days" value="${days}">
<label>${METRICS_WORDS.repository} <select name="repository"><option value="">${METRICS_WORDS.all}</option>${options}</select></label>
<button>${METRICS_WORDS.show}</button></form>`;
}

function emptyPart(): Markup {
  return html`<p class="said">${METRICS_WORDS.none.what} ${METRICS_WORDS.none.next}</p>`;
}

function isEmpty({ now, before }: MetricsReport): boolean {
  return [now, before].every(({ counts }) => counts.names("metric").every(({ of, sum }) => of + sum === 0));
}
