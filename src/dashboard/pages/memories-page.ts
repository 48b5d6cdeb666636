import { html } from "hono/html";
import { confidenceInWords } from "../../domain/findings.ts";
import type { MemoriesFacts } from "../../domain/told-facts.ts";
import { findConversation, type ListedRun } from "../../store/runs/overview.ts";
import { ACTION_WORDS, ACTIONS } from "../action-words.ts";
import { mayInRepository } from "../actions/offered.ts";
import type { PageAsked, PageRoute } from "../page-route.ts";
import { CITED, REPOSITORY, TAUGHT } from "../repository-words.ts";
import { actionForm } from "./action-form.ts";
import { type Markup, prose, shown, time } from "./layout.ts";
import { repositoryAddress } from "./repository-address.ts";
import { mayReadMemories, repositoryAsked } from "./repository-page.ts";
import { lines } from "./run-line.ts";

/** Milliseconds for reading all the files that memories cite. */
const READ_MS = 10_000;

/** What is known in a repository, with who taught it and whether the code that it rests on is there now (MEM-6). */
export const MEMORIES_PAGE: PageRoute = {
  path: "/repositories/:id/memories",
  show: async (asked) => {
    const repository = await repositoryAsked(asked);
    if (!repository || !(await mayReadMemories(asked.visitor, repository.id))) return undefined;
    const { dependencies } = asked;
    const [{ items, more }, conversation] = await Promise.all([
      dependencies.readMemories(repository, AbortSignal.timeout(READ_MS)),
      findConversation(dependencies.store, repository.id),
    ]);
    const all = await Promise.all(items.map((item) => memoryLine(item, conversation, asked)));
    const title = `${REPOSITORY.memories} · ${shown(repository.owner)}/${shown(repository.name)}`;
    const body = html`<h1>${title}</h1><p class="facts"><a href="${repositoryAddress(repository.id)}">${REPOSITORY.back}</a></p>
${lines(all, REPOSITORY.noMemories)}${more > 0 && html`<p class="none">${REPOSITORY.moreMemories(more)}</p>`}`;
    // The files are read from GitHub: not each time that something happens.
    return { title, body, isStill: true };
  },
};

async function memoryLine(
  { id, content, by, origin, at, confidence, cites, expiresAt, archived }: MemoriesFacts["items"][number],
  conversation: ListedRun | undefined,
  asked: PageAsked,
): Promise<Markup> {
  const { now, visitor } = asked;
  const rests = cites.map(({ path, is }) => html` · ${REPOSITORY.restsOn} <code>${shown(path)}</code> (${CITED[is]})`);
  const mayForget = conversation && (await mayInRepository(visitor, conversation, { action: "forget", memory: id }));
  const { button } = ACTION_WORDS.forget;
  const form =
    conversation &&
    mayForget &&
    actionForm(
      { asked, runId: conversation.runId, back: "memories", fields: { action: "forget", memory: id } },
      html`<span><button aria-label="${ACTIONS.label(button, id)}">${button}</button></span>`,
    );
  return html`<li><p><code>${id}</code> ${prose(content, 1_000)}</p>
<p class="facts">${TAUGHT[origin]}${by !== undefined && html` ${REPOSITORY.by} ${shown(by)}`} · ${time(at, now)} · ${confidenceInWords(confidence)} ${REPOSITORY.confidence}${rests}${
    expiresAt !== undefined && html` · ${REPOSITORY.expires} ${expiresAt.slice(0, 10)}`
  }${archived && html` · ${REPOSITORY.archived}`}</p>
${form}</li>`;
}
