import { html } from "hono/html";
import type { RateLimit } from "../../github/rate-limits.ts";
import { span } from "../../github/words/view-words.ts";
import { usd } from "../../github/words/wording.ts";
import { type ProcessReport, viewProcess } from "../../pipeline/views/view-process.ts";
import {
  CONTENT_PER_HOUR,
  CONTENT_PER_MINUTE,
  POINTS_PER_MINUTE,
  POINTS_PER_WRITE,
} from "../../safety/write-budget.ts";
import type { DashboardDependencies } from "../dashboard-dependencies.ts";
import type { PageRoute } from "../page-route.ts";
import { HEALTH, PROCESS, SANDBOX_WORDS } from "../words.ts";
import { dataTable } from "./data-table.ts";
import { DELIVERIES_PATH } from "./deliveries-page.ts";
import { type Markup, shown, time } from "./layout.ts";
import { runAddress } from "./run-line.ts";

/** How this installation does, for operators: queue, workers, what was given up, and what is set up (OPS-2). */
export const PROCESS_PAGE: PageRoute = {
  path: "/process",
  // To everybody else there is no such page.
  show: async ({ visitor, dependencies, now }) =>
    visitor.isOperator
      ? { title: PROCESS.title, body: html`${await processBody(dependencies, now)}${deliveriesLink}` }
      : undefined,
};

const deliveriesLink = html`<section aria-labelledby="deliveries"><h2 id="deliveries">${PROCESS.deliveries}</h2><p><a href="${DELIVERIES_PATH}">${PROCESS.toDeliveries}</a></p></section>`;

/** The page of the process without what is around it. */
export async function processBody(
  { store, process: facts }: Pick<DashboardDependencies, "store" | "process">,
  now: Date,
): Promise<Markup> {
  const report = await viewProcess(store, now.toISOString());
  return html`<h1>${PROCESS.title}</h1>
<section id="set-up" data-live aria-labelledby="set-up-title"><h2 id="set-up-title">${PROCESS.setup}</h2>${setUp(report, facts, now)}</section>
<section id="queue" data-live aria-labelledby="queue-title"><h2 id="queue-title">${PROCESS.queue}</h2>${queueTable(report, now)}</section>
<section id="workers" data-live aria-labelledby="workers-title"><h2 id="workers-title">${PROCESS.workers}</h2>${workersTable(report, now)}</section>
<section id="budgets" data-live aria-labelledby="budgets-title"><h2 id="budgets-title">${PROCESS.budgets}</h2><p class="facts">${PROCESS.budgetsHow}</p>${writesTable(report, facts.rateLimits(), now)}</section>
<section id="limits" data-live aria-labelledby="limits-title"><h2 id="limits-title">${PROCESS.limits}</h2><p class="facts">${PROCESS.limitsHow}</p>${limitsTable(facts.rateLimits(), now)}</section>
<section id="dead" data-live aria-labelledby="dead-title"><h2 id="dead-title">${PROCESS.given}</h2>${deadList(report)}</section>`;
}

function setUp({ health, usdToday }: ProcessReport, facts: DashboardDependencies["process"], now: Date): Markup {
  const at = (moment: string | null) => (moment === null ? HEALTH.never : time(moment, now));
  const models = facts.models.length === 0 ? HEALTH.on : shown(facts.models.join(", "));
  const rows: readonly (readonly [string, Markup | string, boolean])[] = [
    [HEALTH.webhook, at(health.lastWebhook), true],
    [HEALTH.sandbox, SANDBOX_WORDS[facts.sandbox()], facts.sandbox() !== "broken"],
    [HEALTH.models, facts.hasModel ? models : HEALTH.noModel, true],
    [HEALTH.lastModel, at(health.lastModelCall), true],
    [HEALTH.money, `${usd(usdToday)} of ${usd(facts.dayLimitUsd)}`, usdToday < facts.dayLimitUsd],
    [HEALTH.advisories, facts.asksAdvisories ? HEALTH.on : HEALTH.off, true],
    [PROCESS.version, facts.version, true],
    [PROCESS.node, process.versions.node, true],
  ];
  return html`<dl class="health">${rows.map(
    ([name, value, isWell]) =>
      html`<div class="${isWell ? "well" : "ill"}"><dt>${name}</dt><dd>${!isWell && html`<span aria-hidden="true">⚠ </span>`}${value}</dd></div>`,
  )}</dl>`;
}

function queueTable({ kinds }: ProcessReport, now: Date): Markup {
  const rows = kinds.map(({ kind, queued, running, dead, readySince }) => [
    html`<code>${kind}</code>`,
    queued,
    running,
    dead,
    readySince === null ? PROCESS.none : span(now.getTime() - Date.parse(readySince)),
  ]);
  const heads = [PROCESS.kind, PROCESS.queued, PROCESS.running, PROCESS.dead, PROCESS.oldest];
  return dataTable("numbers", PROCESS.queue, heads, rows, PROCESS.noJobs);
}

function workersTable({ workers }: ProcessReport, now: Date): Markup {
  const rows = workers.map(({ owner, jobs, leaseUntil }) => [
    html`<code>${shown(owner)}</code>`,
    jobs,
    time(leaseUntil, now),
  ]);
  return dataTable("numbers", PROCESS.workers, [PROCESS.worker, PROCESS.jobs, PROCESS.lease], rows, PROCESS.noWorkers);
}

function writesTable({ writes }: ProcessReport, limits: readonly RateLimit[], now: Date): Markup {
  const rows = writes.map(({ installationId, contentInHour, contentInMinute, anyInMinute, pausedUntil }) => [
    installationName(limits.find((limit) => limit.installationId === installationId) ?? { installationId }),
    PROCESS.of(contentInHour, CONTENT_PER_HOUR),
    PROCESS.of(contentInMinute, CONTENT_PER_MINUTE),
    PROCESS.of(anyInMinute, POINTS_PER_MINUTE / POINTS_PER_WRITE),
    pausedUntil === null ? PROCESS.none : time(pausedUntil, now),
  ]);
  const heads = [PROCESS.account, PROCESS.inHour, PROCESS.inMinute, PROCESS.anyInMinute, PROCESS.paused];
  return dataTable("numbers", PROCESS.budgets, heads, rows, PROCESS.noWrites);
}

function installationName({ account, installationId }: Partial<Pick<RateLimit, "account" | "installationId">>): string {
  return installationId === undefined ? PROCESS.ownAccount : shown(account ?? PROCESS.installation(installationId));
}

function limitsTable(limits: readonly RateLimit[], now: Date): Markup {
  const rows = limits.map(({ resource, remaining, limit, resetAt, ...whose }) => [
    installationName(whose),
    html`<code>${resource}</code>`,
    remaining.toLocaleString("en-US"),
    limit.toLocaleString("en-US"),
    time(resetAt, now),
  ]);
  const heads = [PROCESS.account, PROCESS.resource, PROCESS.remaining, PROCESS.limit, PROCESS.reset];
  return dataTable("numbers", PROCESS.limits, heads, rows, PROCESS.noLimits);
}

function deadList({ dead }: ProcessReport): Markup {
  if (dead.length === 0) return html`<p class="none">${PROCESS.noGiven}</p>`;
  return html`<ul class="lines">${dead.map(
    ({ kind, runId, error }) =>
      html`<li><p><code>${kind}</code>${runId !== null && html` <a href="${runAddress(runId)}"><code>${runId}</code></a>`}</p>${error !== null && html`<p class="facts">${shown(error, 500)}</p>`}</li>`,
  )}</ul>`;
}
