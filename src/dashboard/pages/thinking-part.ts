import { html } from "hono/html";
import { type ThoughtPart, type ThoughtStep, viewThinking } from "../../pipeline/views/view-thinking.ts";
import type { PageAsked } from "../page-route.ts";
import { THINKING } from "../words.ts";
import { type Markup, shown, time } from "./layout.ts";

/** Characters of a part that are shown. */
const SHOWN = 3_000;

/** What the agents of a run think, ask their tools for and get from them, step by step: only for people who may push. */
export async function thinkingPart(asked: PageAsked, runId: string, mayPush: boolean): Promise<Markup | undefined> {
  if (!mayPush) return undefined;
  const steps = await viewThinking(asked.dependencies.store, runId);
  return html`<section id="thinking" data-live aria-label="${THINKING.title}">${
    steps.length > 0 &&
    html`<h2>${THINKING.title}</h2><p class="facts">${THINKING.how}</p><ol class="log">${steps.map((step) => stepLine(step, asked.now))}</ol>`
  }</section>`;
}

function stepLine({ agent, sequence, at, parts, isLarge }: ThoughtStep, now: Date): Markup {
  const id = `step-${agent.replaceAll(/[^A-Za-z0-9]/g, "-")}-${sequence}`;
  return html`<li><details id="${id}"><summary>${THINKING.step(shown(agent), sequence)} <span class="facts">${time(at, now)}</span></summary>${
    isLarge && html`<p class="facts">${THINKING.large}</p>`
  }${parts.map(partLines)}</details></li>`;
}

function partLines({ is, tool, text }: ThoughtPart): Markup {
  const title = tool === undefined ? THINKING.parts[is] : `${THINKING.parts[is]} ${shown(tool)}`;
  return html`<p class="facts">${title}</p><pre tabindex="0">${shown(text, SHOWN)}</pre>`;
}
