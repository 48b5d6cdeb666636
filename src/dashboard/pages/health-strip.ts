import { html } from "hono/html";
import { span } from "../../github/words/view-words.ts";
import { usd } from "../../github/words/wording.ts";
import { readHealth } from "../../store/health.ts";
import type { PageAsked } from "../page-route.ts";
import { HEALTH, SANDBOX_WORDS } from "../words.ts";
import { type Markup, time } from "./layout.ts";

/** A job that waits for longer than this waits too long. */
const SLOW_MS = 60_000;

/** How this Forge does, in a line of facts. Operators alone see when something last happened: that tells of all repositories. */
export async function healthStrip({ dependencies, visitor, now }: PageAsked, usdToday: number): Promise<Markup> {
  const { store, process } = dependencies;
  const { lastWebhook, readySince, deadJobs, lastModelCall } = await readHealth(store, now.toISOString());
  const waited = readySince === null ? 0 : Math.max(0, now.getTime() - Date.parse(readySince));
  const facts: readonly (readonly [string, Markup | string, boolean])[] = [
    ...(visitor.isOperator
      ? ([
          [HEALTH.webhook, lastWebhook === null ? HEALTH.never : time(lastWebhook, now), true],
          [HEALTH.queue, waited < 1_000 ? HEALTH.nothingWaits : span(waited), waited < SLOW_MS],
          [HEALTH.dead, String(deadJobs), deadJobs === 0],
          [HEALTH.money, `${usd(usdToday)} of ${usd(process.dayLimitUsd)}`, usdToday < process.dayLimitUsd],
        ] as const)
      : ([[HEALTH.money, usd(usdToday), true]] as const)),
    [HEALTH.sandbox, SANDBOX_WORDS[process.sandbox()], process.sandbox() !== "broken"],
    visitor.isOperator && process.hasModel
      ? [HEALTH.lastModel, lastModelCall === null ? HEALTH.never : time(lastModelCall, now), true]
      : [HEALTH.models, process.hasModel ? HEALTH.on : HEALTH.noModel, true],
    [HEALTH.advisories, process.asksAdvisories ? HEALTH.on : HEALTH.off, true],
  ];
  return html`<dl class="health" id="health" aria-label="${HEALTH.title}" data-live>${facts.map(
    ([name, value, isWell]) =>
      html`<div class="${isWell ? "well" : "ill"}"><dt>${name}</dt><dd>${!isWell && html`<span aria-hidden="true">⚠ </span>`}${value}</dd></div>`,
  )}</dl>`;
}
