import { html } from "hono/html";
import { MOST_LEVEL } from "../../domain/ladder.ts";
import { subjectName } from "../../domain/subjects.ts";
import { levelDoes, missing, recordOf, TASKS } from "../../github/words/command/level-text.ts";
import type { RepositoryReport } from "../../pipeline/views/view-repository.ts";
import { ACTION_WORDS } from "../action-words.ts";
import { mayInRepository } from "../actions/offered.ts";
import type { PageAsked } from "../page-route.ts";
import { REPOSITORY } from "../repository-words.ts";
import { actionForm } from "./action-form.ts";
import { dataTable } from "./data-table.ts";
import type { Markup } from "./layout.ts";

const LEVELS = Array.from({ length: MOST_LEVEL + 1 }, (_, level) => level);

/** The level of a repository, what its records lack to the next one, and the form that sets it (SAFE-4). */
export async function levelPart({ level, conversation }: RepositoryReport, asked: PageAsked): Promise<Markup> {
  const { standing, standings, cap } = level;
  const next = standing.level + 1;
  const rows = standings
    .filter((one) => one.level === next && (one.of === "review" || one.runs + one.pending > 0))
    .map((one) => [TASKS[one.task], recordOf(one), missing(one)]);
  const heads = [REPOSITORY.toLevel(next), REPOSITORY.record, REPOSITORY.missing];
  const mayAct = conversation && (await mayInRepository(asked.visitor, conversation, { action: "level", level: "1" }));
  const choices = LEVELS.map(
    (each) => html`<option value="${each}"${each === standing.level ? html` selected` : ""}>${each}</option>`,
  );
  const form =
    conversation &&
    mayAct &&
    html`${actionForm(
      { asked, runId: conversation.runId, back: "repository", fields: { action: "level" } },
      html`<label>${REPOSITORY.set} <select name="level">${choices}</select></label><span><button>${ACTION_WORDS.level.button}</button></span>`,
    )}<p class="facts">${REPOSITORY.saidOn(subjectName(conversation.subject))}</p>`;
  return html`<p>${REPOSITORY.levelIs(standing.level, levelDoes(standing.level))}</p>
${cap !== undefined && cap < standing.level && html`<p>${REPOSITORY.cap(cap)}</p>`}
${rows.length > 0 && dataTable("words", REPOSITORY.toLevel(next), heads, rows, "")}${form}`;
}
