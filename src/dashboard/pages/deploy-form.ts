import { html } from "hono/html";
import { ENVIRONMENTS, type Environment } from "../../domain/deployments.ts";
import { subjectName } from "../../domain/subjects.ts";
import type { RepositoryReport } from "../../pipeline/views/view-repository.ts";
import { ACTION_WORDS, ACTIONS } from "../action-words.ts";
import { mayInRepository } from "../actions/offered.ts";
import type { PageAsked } from "../page-route.ts";
import { REPOSITORY } from "../repository-words.ts";
import { actionForm } from "./action-form.ts";
import type { Markup } from "./layout.ts";

/** The forms that deploy to each configured environment, for those who may: the command is given in the latest conversation. */
export async function deployForms(
  { settings, conversation }: Pick<RepositoryReport, "settings" | "conversation">,
  asked: PageAsked,
): Promise<Markup | undefined> {
  const configured = ENVIRONMENTS.filter((each) => settings.some(({ path }) => path.startsWith(`deploy.${each}.`)));
  if (!conversation) return undefined;
  // Each environment may need another permission.
  const may = await Promise.all(
    configured.map((environment) => mayInRepository(asked.visitor, conversation, { action: "deploy", environment })),
  );
  const allowed = configured.filter((_, index) => may[index]);
  if (allowed.length === 0) return undefined;
  const { button, does } = ACTION_WORDS.deploy;
  const form = (environment: Environment) =>
    actionForm(
      { asked, runId: conversation.runId, back: "repository", fields: { action: "deploy", environment } },
      html`<label>${ACTIONS.commit} <input name="commit" id="commit-${environment}" minlength="7" maxlength="40" autocomplete="off"></label>
<span><button>${ACTIONS.deployTo(button, environment)}</button></span>`,
    );
  return html`${allowed.map(form)}<p class="facts">${does} ${REPOSITORY.saidOn(subjectName(conversation.subject))}</p>`;
}
