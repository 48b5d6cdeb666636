import { inspectPull } from "../facts/inspect-pull.ts";
import { latestRuns, runsOn } from "../facts/latest-runs.ts";
import type { CheckRun, PullRequest } from "../records.ts";
import type { World } from "../world.ts";
import { annotationCard } from "./annotation.ts";
import { checkIcon, checkWords } from "./check-icon.ts";
import { type Html, html } from "./html.ts";
import { markdown } from "./markdown.ts";
import { pathOf } from "./paths.ts";
import { chooser, moment } from "./people.ts";
import { pullFrame } from "./pull-frame.ts";

/** The checks of every head, the newest head first, and one of them in full. */
export async function checksPage(world: World, request: PullRequest, wantedRun?: number): Promise<string> {
  const { files } = await inspectPull(world, request);
  const heads = [...new Set(request.pull.heads)].reverse();
  const byHead = heads.map((sha) => ({ sha, runs: latestRuns(runsOn(request.repository, sha)) }));
  const all = byHead.flatMap(({ runs }) => runs);
  const chosen = all.find(({ id }) => id === wantedRun) ?? all[0];
  const lists = byHead.map(
    ({ sha, runs }) =>
      html`<h2><code>${sha.slice(0, 7)}</code></h2><ul class="checks">${runs.map((run) => listed(request, run, run === chosen))}</ul>`,
  );
  const body = html`<div class="columns checks-page"><nav class="heads">${lists}</nav><div>${
    chosen ? runCard(world, request, chosen) : html`<p class="faint">No checks yet.</p>`
  }</div></div>`;
  return pullFrame(world, request, "checks", { files: files.length }, body);
}

function listed(request: PullRequest, run: CheckRun, isChosen: boolean): Html {
  return html`<li>${checkIcon(run)} <a href="${pathOf(request)}/checks?run=${run.id}"${isChosen && html` aria-current="page"`}>${run.name}</a></li>`;
}

function runCard(world: World, request: PullRequest, run: CheckRun): Html {
  const { output, annotations, suite, actions, id } = run;
  const text = (part: string | null) => part && markdown(part, { breaks: false });
  const buttons = actions.map(
    ({ label, description, identifier }) =>
      html`<button name="do" value="action:${identifier}" title="${description}">${label}</button>`,
  );
  return html`<section class="box run" id="run-${id}"><header>${checkIcon(run)} <strong>${suite.app.name} / ${run.name}</strong> <span class="grow"></span><span class="faint">${checkWords(run)}</span></header>
<div class="pad"><p class="faint">on <code>${suite.headSha.slice(0, 7)}</code>, ${run.completedAt ? html`completed ${moment(run.completedAt)}` : html`begun ${moment(run.startedAt)}`}</p>
<h2>${output.title}</h2>${text(output.summary)}${text(output.text)}
<form class="row" method="post" action="${pathOf(request)}/checks/${id}">${chooser(world, request.repository)}${buttons}<button name="do" value="rerun" class="quiet">Re-run</button></form></div>
${annotations.length > 0 && html`<h2 class="pad">Annotations <span class="count">${annotations.length}</span></h2><div class="stack">${annotations.map((each) => annotationCard(run.name, each))}</div>`}</section>`;
}
