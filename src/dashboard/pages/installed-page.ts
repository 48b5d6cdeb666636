import { html } from "hono/html";
import { CONFIGURATION_PATH } from "../../domain/repo-config.ts";
import type { RepositoryRef } from "../../domain/subjects.ts";
import type { ListedRepository } from "../../github/person-host.ts";
import type { InstalledProject } from "../../github/project-host.ts";
import { languageWords, testWords } from "../../github/words/project-words.ts";
import { settingsFile } from "../../pipeline/project/settings-file.ts";
import { INSTALLED_PATH } from "../installed-path.ts";
import { numberIn, type PageAsked, type PageRoute } from "../page-route.ts";
import { INSTALLED } from "../words.ts";
import { type Markup, shown } from "./layout.ts";

/** Repositories that are listed. */
const MOST = 100;
/** Of the address of GitHub's editor, in characters: browsers and servers take this much. */
const LONGEST_ADDRESS = 7_500;

/** Where GitHub sends people who have installed the App (OPS-5): their repositories, or the one that there is. */
export const INSTALLED_PAGE: PageRoute = {
  path: INSTALLED_PATH,
  show: async (asked) => {
    const installation = numberIn(asked.query("installation_id"));
    const all = [...(await asked.visitor.repositories())].filter(
      ([, { installationId }]) => installation === 0 || installationId === installation,
    );
    const [only] = all;
    if (only !== undefined && all.length === 1) return projectPage(asked, ...only);
    const rows = all
      .sort(([, a], [, b]) => a.fullName.localeCompare(b.fullName))
      .slice(0, MOST)
      .map(([id, { fullName }]) => html`<li><a href="${INSTALLED_PATH}/${id}">${shown(fullName)}</a></li>`);
    const body = html`<h1>${INSTALLED.title}</h1>
<p>${all.length === 0 ? INSTALLED.none : INSTALLED.choose}</p>
<ul class="lines">${rows}</ul>${all.length > MOST && html`<p class="facts">${INSTALLED.more(all.length - MOST)}</p>`}`;
    return { title: INSTALLED.title, body, isStill: true };
  },
};

/** One repository. */
export const INSTALLED_REPOSITORY_PAGE: PageRoute = {
  path: `${INSTALLED_PATH}/:repository`,
  show: async (asked) => {
    const id = numberIn(asked.param("repository"));
    const listed = (await asked.visitor.repositories()).get(id);
    return listed && projectPage(asked, id, listed);
  },
};

async function projectPage({ dependencies }: PageAsked, id: number, listed: ListedRepository) {
  const [owner = "", name = ""] = listed.fullName.split("/");
  const repository: RepositoryRef = { id, owner, name, installationId: listed.installationId };
  const project = await dependencies.readInstalled(repository);
  const title = INSTALLED.of(shown(listed.fullName));
  const body = html`<h1>${title}</h1>${project ? found(project) : html`<p>${INSTALLED.empty}</p>`}
<h2>${INSTALLED.next}</h2><p>${INSTALLED.works}</p>${project && offer(project, `${dependencies.origin}/${owner}/${name}`)}`;
  return { title, body, isStill: true };
}

function found({ languages, tests, typeCheck, isCut }: InstalledProject): Markup {
  const rows = [
    [INSTALLED.languages, languageWords(languages)],
    [INSTALLED.tests, tests ? testWords(shown(tests.runner), tests.files) : INSTALLED.noTests],
    [INSTALLED.types, typeCheck ? shown(typeCheck.join(" ")) : INSTALLED.noTypes],
  ];
  return html`<dl class="facts">${rows.map(([what, words]) => html`<dt>${what}</dt><dd>${words}</dd>`)}</dl>${isCut && html`<p>${INSTALLED.cut}</p>`}`;
}

/** The file of settings, and GitHub's own editor with it: the person proposes it, so the App needs no right to write. */
function offer(project: InstalledProject, home: string): Markup {
  if (project.hasSettings) return html`<p>${INSTALLED.has}</p>`;
  const text = settingsFile(project);
  const query = new URLSearchParams({ filename: CONFIGURATION_PATH, value: text });
  const branch = project.branch.split("/").map(encodeURIComponent).join("/");
  const address = `${home}/new/${branch}?${query}`;
  const isShort = address.length <= LONGEST_ADDRESS;
  const link = isShort ? address : `${home}/new/${branch}?${new URLSearchParams({ filename: CONFIGURATION_PATH })}`;
  return html`<p>${INSTALLED.offer}</p>
<p><a class="button" href="${link}">${INSTALLED.propose}</a></p>
<p class="facts">${isShort ? INSTALLED.how : INSTALLED.paste}</p>
<pre tabindex="0" aria-label="${CONFIGURATION_PATH}"><code>${text}</code></pre>`;
}
