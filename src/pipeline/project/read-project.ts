import { findTypeCheck } from "../../agents/implementer/find-type-check.ts";
import { isProgramText, languageOf } from "../../analysis/languages.ts";
import { NO_SOURCE } from "../../analysis/map/import-graph.ts";
import { defined } from "../../domain/defined.ts";
import { findTestCommand, isTestOf, nameOfCommand, TEST_MANIFESTS } from "../../tools/run/test-command.ts";

/** A language of the project, with the number of its files. */
export interface ProjectLanguage {
  readonly name: string;
  readonly files: number;
  /** Whether an analyzer of Forge reads it. */
  readonly isRead: boolean;
}

/** What a project is, by the names of its files and its manifests. Names may hold words of the repository. */
export interface Project {
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
}

/** Files whose texts `readProject` asks for. */
export const PROJECT_FILES: readonly string[] = [...new Set([...TEST_MANIFESTS, "mypy.ini", "package.json"])];

/** Data, markup and settings: a project is not written in them. */
const NOT_WRITTEN_IN =
  /^(?:YAML|CSS|HTML|SVG|XSLT|a template|systemd|Make|Dockerfile|Procfile|crontab|CMake|Jupyter|MDX|Batch)$/;

/**
 * @param texts of those of `PROJECT_FILES` that are there
 * @param folder its name, where no manifest has one
 */
export function readProject(paths: readonly string[], texts: ReadonlyMap<string, string>, folder: string): Project {
  const textOf = (path: string) => texts.get(path);
  const command = findTestCommand({ paths, textOf });
  const typeCheck = findTypeCheck(paths, textOf);
  return {
    paths,
    languages: languagesIn(paths),
    ...(command && {
      tests: { runner: nameOfCommand(command), files: paths.filter((path) => isTestOf(command, path)).length },
    }),
    ...defined({ typeCheck: typeCheck && [typeCheck.program, ...typeCheck.args] }),
    ...manifestOf(textOf("package.json"), folder),
  };
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

function manifestOf(text: string | undefined, folder: string): Pick<Project, "name" | "scripts"> {
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
