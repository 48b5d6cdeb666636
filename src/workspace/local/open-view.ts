import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeTemporary } from "../scratch.ts";
import type { LocalRepository } from "./find-repository.ts";
import { readPlainFile, readPlainText, unusable } from "./plain-file.ts";
import { readHead, readReferences } from "./read-references.ts";
import { type LocalSettings, readSettings } from "./read-settings.ts";

/** A repository of Forge's own that shows what somebody else's holds. Git may be started on it. */
export interface View extends AsyncDisposable {
  readonly gitDirectory: string;
}

export interface ViewOptions {
  /** Also what is to be committed, and what is ignored. */
  readonly withIndex?: boolean;
}

const INDEX_BYTES = 512 * 1024 * 1024;
const SMALL_BYTES = 16 * 1024 * 1024;

/**
 * The one place where the repository of a person becomes something that git is started on. Its objects are lent; references, index,
 * excludes and a few settings are copied as they are now, read as text. All else stays behind: configuration, included files, hooks,
 * attributes, grafts, replaced objects, remotes, nested repositories; so nothing that somebody put there is ever started, followed or believed.
 * @throws ForgeError `checkout_unusable`
 */
export async function openView(repository: LocalRepository, { withIndex = false }: ViewOptions = {}): Promise<View> {
  const { gitDirectory: from, commonDirectory, objects } = repository;
  const settings = await readSettings(commonDirectory);
  if (settings.refStorage !== "files") throw unusable(repository.workTree, "its references are not kept in files");
  const gitDirectory = await makeTemporary("view");
  const put = (name: string, content: string | Buffer) => writeFile(join(gitDirectory, name), content);
  const remove = () => rm(gitDirectory, { recursive: true, force: true });
  try {
    for (const folder of ["objects/info", "objects/pack", "refs", "info"]) {
      await mkdir(join(gitDirectory, folder), { recursive: true });
    }
    await put("objects/info/alternates", `${objects}\n`);
    await put("config", configuration(settings));
    await putReferences(repository, put);
    const shallow = await readPlainFile(join(commonDirectory, "shallow"), SMALL_BYTES);
    if (shallow) await put("shallow", commitsIn(shallow.content.toString("latin1")));
    if (withIndex) {
      await copyIndex(from, gitDirectory);
      const exclude = await readPlainFile(join(commonDirectory, "info", "exclude"), SMALL_BYTES);
      if (exclude) await put("info/exclude", exclude.content);
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { gitDirectory, [Symbol.asyncDispose]: remove };
}

/** Opens a view for as long as the work takes. @throws ForgeError `checkout_unusable` */
export async function inView<T>(
  repository: LocalRepository,
  work: (gitDirectory: string) => Promise<T>,
  options: ViewOptions = {},
): Promise<T> {
  await using view = await openView(repository, options);
  return await work(view.gitDirectory);
}

function configuration({ objectFormat, taken }: LocalSettings): string {
  const lines = [
    "[core]",
    "\trepositoryformatversion = 1",
    "[extensions]",
    `\tobjectFormat = ${objectFormat === "sha256" ? "sha256" : "sha1"}`,
  ];
  for (const [key, value] of taken) {
    const [, section = "", subsection, name = ""] = /^([^.]+)\.(?:(.+)\.)?([^.]+)$/.exec(key) ?? [];
    if (section === "extensions") continue;
    lines.push(subsection === undefined ? `[${section}]` : `[${section} "${subsection}"]`, `\t${name} = ${value}`);
  }
  return `${lines.join("\n")}\n`;
}

async function putReferences(
  { gitDirectory, commonDirectory }: LocalRepository,
  put: (name: string, content: string) => Promise<void>,
): Promise<void> {
  const { targets } = await readReferences(commonDirectory);
  await put("packed-refs", [...targets].map(([name, sha]) => `${sha} ${name}\n`).join(""));
  const head = await readHead(gitDirectory);
  await put(
    "HEAD",
    head === undefined ? "ref: refs/heads/main\n" : "ref" in head ? `ref: ${head.ref}\n` : `${head.sha}\n`,
  );
  for (const name of ["ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD"]) {
    const [sha] = commitsIn(await readPlainText(join(gitDirectory, name))).split("\n");
    if (sha) await put(name, `${sha}\n`);
  }
}

/** Ids at the beginnings of lines, one a line. */
function commitsIn(text: string): string {
  return [...text.matchAll(/^([0-9a-f]{64}|[0-9a-f]{40})\b/gm)].map(([, sha]) => `${sha}\n`).join("");
}

/** With its age: git looks anew into files that are not older than their index. */
async function copyIndex(from: string, to: string): Promise<void> {
  const parts = (await readdir(from)).filter((name) => /^sharedindex\.[0-9a-f]{40,64}$/.test(name)).slice(0, 8);
  for (const name of ["index", ...parts]) {
    const file = await readPlainFile(join(from, name), INDEX_BYTES);
    if (file === undefined) continue;
    await writeFile(join(to, name), file.content);
    const seconds = Math.floor(file.changedMs) / 1000;
    await utimes(join(to, name), seconds, seconds);
  }
}
