import { html } from "hono/html";
import { gateName } from "../../github/words/gate/work-gate-text.ts";
import { endWords, phaseName, RUN } from "../../github/words/view-words.ts";
import { durationOf } from "../../github/words/wording.ts";
import type { Stretch } from "../../pipeline/views/timeline.ts";
import type { RunReport } from "../../pipeline/views/view-run.ts";
import { type Markup, shown, time } from "./layout.ts";

/** Bars that are drawn; the ones before are counted. */
const MOST_BARS = 60;

/** What a run did when, as bars on one axis of time. Words next to each bar say the same. */
export function timelinePart({ run, timeline }: RunReport, now: Date): Markup {
  const from = Date.parse(run.startedAt);
  const to = run.endedAt === null ? now.getTime() : Date.parse(run.endedAt);
  const whole = Math.max(1, to - from);
  const share = (at: number) => Math.min(100, Math.max(0, ((at - from) / whole) * 100));
  const { stretches, bounces } = timeline;
  if (stretches.length === 0) return html`<p class="none">${RUN.noTimeline}</p>`;
  const left = Math.max(0, stretches.length - MOST_BARS);
  const bars = stretches.slice(left).map((stretch) => {
    const [begins, ends] = [
      share(Date.parse(stretch.from)),
      share(stretch.to === undefined ? now.getTime() : Date.parse(stretch.to)),
    ];
    const took = durationOf(stretch.from, stretch.to, now);
    const how = endWords(stretch);
    return html`<li><span class="what">${nameOf(stretch)}</span>
<svg class="bar" aria-hidden="true" focusable="false"><rect class="track" width="100%" height="100%"/><rect class="${classOf(stretch)}" x="${begins.toFixed(2)}%" width="${Math.max(0.75, ends - begins).toFixed(2)}%" height="100%"/></svg>
<span class="took">${took}${how && html` · ${how}`}</span></li>`;
  });
  return html`${left > 0 && html`<p class="none">${RUN.before(left)}</p>`}<ol class="timeline">${bars}</ol>${
    bounces.length > 0 &&
    html`<h3>${RUN.bounces}</h3><ul class="plain">${bounces
      .slice(-20)
      .map(
        ({ at, from: phase, to: back, reason }) =>
          html`<li>${time(at, now)}: ${phaseName(phase)} → ${phaseName(back)}: ${shown(reason)}</li>`,
      )}</ul>`
  }`;
}

function nameOf(stretch: Stretch): Markup {
  switch (stretch.is) {
    case "phase":
      return html`${phaseName(stretch.phase)}`;
    case "gate":
      return html`<code>${stretch.gate}</code> ${gateName(stretch.question)}`;
    case "stopped":
      return html`${RUN.stopped}`;
    default:
      return stretch satisfies never;
  }
}

function classOf(stretch: Stretch): string {
  if (stretch.is !== "phase") return stretch.is;
  return stretch.ended === "failed" || stretch.ended === "bounced" ? "phase bad" : "phase";
}
