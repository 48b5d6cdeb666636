import { html } from "hono/html";
import { RUN_KINDS, RUN_STATUSES } from "../../domain/phases.ts";
import { STATUSES } from "../../github/words/view-words.ts";
import { kindName } from "../../pipeline/kinds.ts";
import { viewRuns } from "../../pipeline/views/view-runs.ts";
import type { PageRoute } from "../page-route.ts";
import { SEARCH } from "../words.ts";
import type { Markup } from "./layout.ts";
import { lines, runLine } from "./run-line.ts";

/** Every run that fits a search. The filters are part of the address, so that people can share it (OPS-2). */
export const RUNS_PAGE: PageRoute = {
  path: "/runs",
  show: async ({ dependencies, repositoryIds, now, query }) => {
    const text = query("q").trim();
    const kind = RUN_KINDS.find((each) => each === query("kind"));
    const status = RUN_STATUSES.find((each) => each === query("status"));
    const after = readAfter(query("after"));
    const of = repositoryIds ? { repositoryIds } : {};
    const { runs, next } = await viewRuns(dependencies.store, { ...of, text, kind, status, after });
    const filters = { ...(text ? { q: text } : {}), ...(kind ? { kind } : {}), ...(status ? { status } : {}) };
    const more = next && new URLSearchParams({ ...filters, after: `${next.startedAt} ${next.runId}` }).toString();
    const body = html`<h1>${SEARCH.title}</h1>
<form class="filters" method="get" action="/runs" role="search" aria-label="${SEARCH.filter}">
<label>${SEARCH.text} <input name="q" value="${text}" maxlength="100" autocomplete="off"></label>
${choice(SEARCH.kind, "kind", kind, RUN_KINDS, kindName)}
${choice(SEARCH.status, "status", status, RUN_STATUSES, (each) => STATUSES[each])}
<button>${SEARCH.button}</button></form>
<p class="facts">${SEARCH.hint}</p>
<section id="found" data-live aria-label="${SEARCH.found}">${lines(
      runs.map((run) => runLine(run, { now, origin: dependencies.origin })),
      SEARCH.none,
    )}
${more && html`<p class="more"><a href="/runs?${more}">${SEARCH.more}</a></p>`}</section>`;
    return { title: SEARCH.title, body, search: text };
  },
};

function choice<T extends string>(
  label: string,
  name: string,
  chosen: T | undefined,
  all: readonly T[],
  called: (each: T) => string,
): Markup {
  const options = all.map(
    (each) => html`<option value="${each}" ${each === chosen ? "selected" : ""}>${called(each)}</option>`,
  );
  return html`<label>${label} <select name="${name}"><option value="">${SEARCH.any}</option>${options}</select></label>`;
}

const AFTER = /^(\d{4}-\d\d-\d\dT[0-9:.]{8,12}Z) ([0-9A-Za-z]{1,40})$/;

function readAfter(given: string): { readonly startedAt: string; readonly runId: string } | undefined {
  const [, startedAt, runId] = AFTER.exec(given) ?? [];
  return startedAt !== undefined && runId !== undefined ? { startedAt, runId } : undefined;
}
