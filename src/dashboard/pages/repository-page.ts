import { html } from "hono/html";
import type { StandingDismissal } from "../../domain/findings.ts";
import { atLeast, type RepositoryRef } from "../../domain/subjects.ts";
import { readEnvironments } from "../../pipeline/deploy/read-standings.ts";
import type { Setting } from "../../pipeline/runs/configuration/effective-configuration.ts";
import { viewRepository } from "../../pipeline/views/view-repository.ts";
import { findRepositoryRef } from "../../store/runs/overview.ts";
import { numberIn, type PageAsked, type PageRoute } from "../page-route.ts";
import { ORIGINS, REPOSITORY, reachWords } from "../repository-words.ts";
import { dataTable } from "./data-table.ts";
import { deployForms } from "./deploy-form.ts";
import { environmentsPart } from "./environments-part.ts";
import { type Markup, shown, time } from "./layout.ts";
import { levelPart } from "./level-part.ts";
import { repositoryAddress } from "./repository-address.ts";
import { lines, runLine } from "./run-line.ts";

/** Dismissals that are listed. */
const MOST_DISMISSALS = 100;

/** The repositories that GitHub lists for the visitor. */
export const REPOSITORIES_PAGE: PageRoute = {
  path: "/repositories",
  show: async ({ visitor }) => {
    const all = [...(await visitor.repositories())].sort(([, a], [, b]) => a.fullName.localeCompare(b.fullName));
    const items = all.map(
      ([id, { fullName }]) => html`<li><p><a href="${repositoryAddress(id)}">${shown(fullName)}</a></p></li>`,
    );
    const body = html`<h1>${REPOSITORY.list}</h1>${lines(items, REPOSITORY.noneListed)}`;
    return { title: REPOSITORY.list, body, isStill: true };
  },
};

/** One repository: its pull requests, environments, level, configuration and dismissals (OPS-2). */
export const REPOSITORY_PAGE: PageRoute = {
  path: "/repositories/:id",
  show: async (asked) => {
    const repository = await repositoryAsked(asked);
    if (!repository) return undefined;
    const { dependencies, now } = asked;
    const [report, environments] = await Promise.all([
      viewRepository(dependencies.store, repository),
      readEnvironments(dependencies.store, repository),
    ]);
    const place = { now, origin: dependencies.origin };
    const name = `${shown(repository.owner)}/${shown(repository.name)}`;
    const pulls = report.pulls.map((run) => runLine(run, place));
    const body = html`<h1>${name}</h1>
${report.pausedBy !== undefined && html`<p class="said bad">${REPOSITORY.paused(shown(report.pausedBy))}</p>`}
${part("pulls", REPOSITORY.pulls, lines(pulls, REPOSITORY.noPulls))}
${part("environments", REPOSITORY.environments, html`${environmentsPart(environments, now)}${await deployForms(report, asked)}`)}
${part("level", REPOSITORY.level, await levelPart(report, asked))}
${part("settings", REPOSITORY.settings, settingsPart(report.settings))}
${part("dismissals", REPOSITORY.dismissals, dismissalsPart(report.dismissals, now))}
<p class="more">${(await mayReadMemories(asked.visitor, repository.id)) && html`<a href="${repositoryAddress(repository.id)}/memories">${REPOSITORY.memoriesHow}</a> · `}<a href="/insights?repository=${repository.id}">${REPOSITORY.metrics}</a></p>`;
    return { title: name, body };
  },
};

/** The repository of the address; undefined where the visitor does not see it. */
export async function repositoryAsked(asked: PageAsked): Promise<RepositoryRef | undefined> {
  const id = numberIn(asked.param("id"));
  const listed = (await asked.visitor.repositories()).get(id);
  if (!listed) return asked.visitor.isOperator ? findRepositoryRef(asked.dependencies.store, id) : undefined;
  const [owner = "", name = ""] = listed.fullName.split("/");
  return { id, owner, name, installationId: listed.installationId };
}

/** As `/forge memory`: it reads files from GitHub, with the budget of everybody there. */
export async function mayReadMemories(visitor: PageAsked["visitor"], repositoryId: number): Promise<boolean> {
  return (
    visitor.isOperator || atLeast((await visitor.repositories()).get(repositoryId)?.permission ?? "none", "triage")
  );
}

function part(id: string, title: string, content: Markup): Markup {
  return html`<section id="${id}" data-live aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`;
}

function settingsPart(settings: readonly Setting[]): Markup {
  const rows = settings
    .filter(({ origin }) => origin !== "default")
    .map(({ path, value, origin }) => [
      html`<code>${shown(path)}</code>`,
      html`<code>${shown(JSON.stringify(value), 300)}</code>`,
      ORIGINS[origin],
    ]);
  const heads = [REPOSITORY.setting, REPOSITORY.value, REPOSITORY.from];
  return html`<p class="facts">${REPOSITORY.settingsHow}</p>${dataTable("words", REPOSITORY.settings, heads, rows, REPOSITORY.allDefault)}`;
}

function dismissalsPart(dismissals: readonly StandingDismissal[], now: Date): Markup {
  const items = dismissals.slice(0, MOST_DISMISSALS).map(
    ({
      findingId,
      rule,
      scope,
      reason,
      by,
      at,
    }) => html`<li><p><a href="/runs?q=${encodeURIComponent(findingId)}"><code>${findingId}</code></a> ${shown(rule)} · ${shown(reachWords(scope))}</p>
<p class="facts">${REPOSITORY.by} ${shown(by.login)} · ${time(at, now)}${reason && html` · ${shown(reason, 500)}`}</p></li>`,
  );
  return lines(items, REPOSITORY.noDismissals);
}
