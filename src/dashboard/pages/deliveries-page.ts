import { html } from "hono/html";
import { sealAttempt } from "../actions/attempts.ts";
import type { PageAsked, PageRoute } from "../page-route.ts";
import { type SeenDelivery, viewDeliveries } from "../view-deliveries.ts";
import { DELIVERIES } from "../words.ts";
import { dataTable } from "./data-table.ts";
import { type Markup, shown, time } from "./layout.ts";

export const DELIVERIES_PATH = "/process/deliveries";

/** What GitHub delivered and what became of it, for operators, who can have it again (OPS-2). GitHub is asked for its list each time. */
export const DELIVERIES_PAGE: PageRoute = {
  path: DELIVERIES_PATH,
  // To everybody else there is no such page.
  show: async (asked) => {
    if (!asked.visitor.isOperator) return undefined;
    const { deliveries, notListed } = await viewDeliveries(asked.dependencies);
    const failed = deliveries.filter(({ next }) => next !== undefined);
    const body = html`<h1>${DELIVERIES.title}</h1>
<p>${DELIVERIES.how}</p>
${notListed !== undefined && html`<p class="said bad">${DELIVERIES.notListed(shown(notListed, 300))}</p>`}
<section id="failed" aria-labelledby="failed-title"><h2 id="failed-title">${DELIVERIES.failed}</h2>${table(DELIVERIES.failed, failed, DELIVERIES.noneFailed, asked)}</section>
<section id="latest" aria-labelledby="latest-title"><h2 id="latest-title">${DELIVERIES.latest}</h2>${table(DELIVERIES.latest, deliveries, DELIVERIES.none, asked)}</section>`;
    return { title: DELIVERIES.title, body, isStill: true };
  },
};

function table(what: string, deliveries: readonly SeenDelivery[], none: string, asked: PageAsked): Markup {
  const rows = deliveries.map((each) => [
    html`<code>${each.event}</code>`,
    time(each.at, asked.now),
    answerWords(each),
    endWords(each),
    again(each, asked),
    html`<code>${each.guid}</code>`,
  ]);
  return dataTable("words", what, DELIVERIES.heads, rows, none);
}

/** What Forge answered to GitHub, as GitHub has it. */
function answerWords({ attempt }: SeenDelivery): string {
  if (!attempt) return DELIVERIES.notAmongLatest;
  const { statusCode, tries } = attempt;
  return `${statusCode === 0 ? DELIVERIES.noAnswer : statusCode}${tries > 1 ? DELIVERIES.tries(tries) : ""}`;
}

function endWords({ here }: SeenDelivery): Markup {
  if (!here) return html`${DELIVERIES.notHere}`;
  const reason = here.reason === null ? "" : `: ${shown(here.reason, 300)}`;
  return html`${DELIVERIES.states[here.state]}${reason}`;
}

function again({ next, guid, event, attempt }: SeenDelivery, { visitor, seal }: PageAsked): Markup | string {
  if (!next) return "";
  const button = DELIVERIES.buttons[next];
  const sealed = next === "deliver" && attempt && sealAttempt(seal, visitor, guid, attempt.id);
  const attemptField = sealed && html`<input type="hidden" name="attempt" value="${sealed}">`;
  return html`<form method="post" action="${DELIVERIES_PATH}" class="answer"><input type="hidden" name="token" value="${visitor.formToken}"><input type="hidden" name="guid" value="${guid}">${attemptField}<button aria-label="${DELIVERIES.label(button, event, guid)}">${button}</button></form>`;
}
