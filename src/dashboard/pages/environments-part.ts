import { html } from "hono/html";
import type { DeployStanding } from "../../domain/deployments.ts";
import { uncoveredHeadline } from "../../github/words/deploy/coverage-text.ts";
import { deploymentWords, stepWords } from "../../github/words/deploy/standing-words.ts";
import { verdictWords } from "../../github/words/deploy/verdict-text.ts";
import { shortSha } from "../../github/words/wording.ts";
import type { EnvironmentReport } from "../../pipeline/deploy/read-standings.ts";
import { REPOSITORY } from "../repository-words.ts";
import { type Markup, shown, time } from "./layout.ts";
import { lines, runAddress } from "./run-line.ts";
import { verdictNumbers } from "./verdict-numbers.ts";

/** What runs in each environment, since when, and how the newest deployment there is going. */
export function environmentsPart(environments: readonly EnvironmentReport[], now: Date): Markup {
  return lines(
    environments.map((each) => environmentLine(each, now)),
    REPOSITORY.noEnvironments,
  );
}

function environmentLine(report: EnvironmentReport, now: Date): Markup {
  const { environment } = report;
  if ("unreadable" in report)
    return html`<li><p><strong>${environment}</strong></p><p class="said bad">${REPOSITORY.unreadable}</p></li>`;
  const { facts, newest } = report;
  const { running, healthy, hold, next } = facts;
  const version = running
    ? html`${REPOSITORY.runs} <code>${shortSha(running.sha)}</code> ${REPOSITORY.since} ${time(running.since, now)}`
    : html`${REPOSITORY.runs} ${REPOSITORY.unknown}`;
  return html`<li><p><strong>${environment}</strong> ${version}${
    healthy !== undefined &&
    healthy !== running?.sha &&
    html` · ${REPOSITORY.healthy} <code>${shortSha(healthy)}</code>`
  }${next && html` · ${REPOSITORY.next} <code>${shortSha(next.sha)}</code>`}</p>
${hold && html`<p class="said bad">${REPOSITORY.held(shown(hold.by))}: ${shown(hold.why, 500)}</p>`}
${newest && newestLines(newest, now)}</li>`;
}

function newestLines(newest: DeployStanding, now: Date): Markup {
  const { runId, sha, steps, until, coverage, is } = newest;
  const step = stepWords(newest);
  const verdict = steps.at(-1)?.verdict;
  const missing = uncoveredHeadline(coverage);
  return html`<p class="facts"><a href="${runAddress(runId)}">${REPOSITORY.newest}</a>: <code>${shortSha(sha)}</code> · ${deploymentWords(newest)}${step && html` · ${step}`}${verdict && html` · ${verdictWords(verdict)}`}${until !== undefined && is !== "ended" && html` · ${REPOSITORY.until} ${time(until, now)}`}</p>
${missing !== undefined && coverage && html`<p class="facts">${missing}</p>`}${verdict && verdictNumbers(verdict)}`;
}
