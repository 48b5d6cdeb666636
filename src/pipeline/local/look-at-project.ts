import { basename } from "node:path";
import { findTypeCheck } from "../../agents/implementer/find-type-check.ts";
import { isProgramText, languageOf } from "../../analysis/languages.ts";
import { NO_SOURCE } from "../../analysis/map/import-graph.ts";
import { defined } from "../../domain/defined.ts";
import { findTestCommand, isTestOf, nameOfCommand, TEST_MANIFESTS } from "../../tools/run/test-command.ts";
import { openFolderFiles } from "../../workspace/files/folder-files.ts";
import type { RepositoryFiles, WorkFiles } from "../../workspace/files/repository-files.ts";
import { createFolderLock } from "../../workspace/folder-lock.ts";
import { type PackagePlan, packageFiles } from "../../workspace/install/package-plan.ts";
import { planPackages } from "../../workspace/install/plan-packages.ts";
import { findLocalRepository } from "../../workspace/local/find-repository.ts";
import { walkFolder } from "../../workspace/local/local-files.ts";
import { listLocalFiles } from "../../workspace/local/local-repository.ts";
import { openSandbox } from "../../workspace/sandbox/open-sandbox.ts";

/** A language of the project, with the number of its files. */
export interface ProjectLanguage {
  readonly name: string;
  readonly files: number;
  /** Whether an analyzer of Forge reads it. */
  readonly isRead: boolean;
}

/** What Forge would do with a project as it is, without a configuration. Names and reasons may hold words of the repository. */
export interface ProjectFacts {
  /** The folder of the configuration: the root of the checkout, or the folder itself outside of any. Absolute. */
  readonly root: string;
  readonly isCheckout: boolean;
  /** Of the root, for reading and writing. */
  readonly files: WorkFiles;
  /** Sorted. */
  readonly paths: readonly string[];
  /** The one with the most files first. */
  readonly languages: readonly ProjectLanguage[];
  /** How its tests are run; undefined where no way was found. */
  readonly tests?: { readonly runner: string; readonly files: number };
  /** Program and arguments. */
  readonly typeCheck?: readonly string[];
  /** As its manifest has it, else that of the folder. */
  readonly name: string;
  /** Keys of `scripts` in the manifest at the root. */
  readonly scripts: ReadonlySet<string>;
  /** One for each language that needs packages, or why nothing is known of them, as a sentence without its end. */
  readonly packages: readonly PackagePlan[] | { readonly reason: string };
  /** Why nothing of the project can be run on this machine, in a sentence. */
  readonly noSandbox?: string;
}

/** Data, markup and settings: a project is not written in them. */
const NOT_WRITTEN_IN =
  /^(?:YAML|CSS|HTML|SVG|XSLT|a template|systemd|Make|Dockerfile|Procfile|crontab|CMake|Jupyter|MDX|Batch)$/;

/**
 * Looks at a project as a review, its tests and an implementation would. Nothing of it is run or changed.
 * @param folder absolute, with links resolved
 * @param registries hosts that packages may come from
 * @throws ForgeError `checkout_unusable`, `checkout_unreadable`, `folder_too_large`
 */
export async function lookAtProject(
  folder: string,
  registries: readonly string[],
  signal: AbortSignal,
): Promise<ProjectFacts> {
  const repository = await findLocalRepository(folder);
  const root = repository?.workTree ?? folder;
  const listed = repository ? await listLocalFiles(repository, root) : await walkFolder(root);
  const lock = createFolderLock();
  const files = openFolderFiles({ root, lock, list: async () => ({ paths: listed }) });
  const found = await files.list(signal);
  const paths = found.ok ? found.paths : [];
  const texts = await readTexts(files, [...TEST_MANIFESTS, "mypy.ini", "package.json"], paths, signal);
  const textOf = (path: string) => texts.get(path);
  const command = findTestCommand({ paths, textOf });
  const typeCheck = findTypeCheck(paths, textOf);
  const inputs = await readTexts(files, packageFiles(paths), paths, signal);
  const sandbox = await openSandbox();
  return {
    ...{ root, isCheckout: repository !== undefined, files, paths },
    languages: languagesIn(paths),
    ...(command && {
      tests: { runner: nameOfCommand(command), files: paths.filter((path) => isTestOf(command, path)).length },
    }),
    ...defined({ typeCheck: typeCheck && [typeCheck.program, ...typeCheck.args] }),
    ...manifestOf(textOf("package.json"), basename(root)),
    packages: await planPackages({ texts: inputs, day: undefined, registries }, signal),
    ...("unavailable" in sandbox && { noSandbox: sandbox.unavailable }),
  };
}

async function readTexts(
  files: RepositoryFiles,
  names: readonly string[],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const known = new Set(paths);
  const contents = await files.readMany(
    [...new Set(names)].filter((name) => known.has(name)),
    signal,
  );
  return new Map([...contents].map(([path, content]) => [path, content.toString("utf8")]));
}

function languagesIn(paths: readonly string[]): ProjectLanguage[] {
  const counts = new Map<string, { files: number; isRead: boolean }>();
  for (const path of paths) {
    const language = NO_SOURCE.test(path) ? undefined : languageOf(path);
    if (language === undefined || !isProgramText(language) || NOT_WRITTEN_IN.test(language.name)) continue;
    const count = counts.get(language.name) ?? { files: 0, isRead: language.dialect !== undefined };
    count.files += 1;
    counts.set(language.name, count);
  }
  return [...counts].map(([name, count]) => ({ name, ...count })).sort((a, b) => b.files - a.files);
}

function manifestOf(text: string | undefined, folder: string): Pick<ProjectFacts, "name" | "scripts"> {
  const given = parsed(text ?? "{}");
  const name = typeof given.name === "string" && given.name.trim() !== "" ? given.name : folder;
  return { name: name === "" ? "project" : name, scripts: new Set(Object.keys(Object(given.scripts))) };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
