import type { ImportGraph } from "../../analysis/map/import-graph.ts";
import type { IssueSnapshot } from "../../domain/implementation.ts";
import { visibleText } from "../../safety/visible-text.ts";
import { stripHidden } from "../../tools/data/strip-hidden.ts";
import { isReading, isWrittenAsName } from "../show-files.ts";

/** Files that a planner should know the neighbourhood of. */
const MOST_FILES = 8;
const LEAST_LETTERS = 4;

/** Words of every second issue and every second path: they say nothing about where. */
const COMMON = new Set(
  "about after also should would could when where which there their with without from into this that have does make need want file files test tests code index main from using used return value values error errors issue please support".split(
    " ",
  ),
);

/**
 * The files that an issue is probably about: those that it names, then those whose names share words with it. Looks at what people see
 * of the text; costs no model and no reading of files.
 */
export function findFocus(issue: IssueSnapshot, paths: readonly string[]): string[] {
  const text = textOf(issue);
  const said = new Set(text.match(/[\w@.-]+(?:\/[\w@.-]+)*/g)?.map((word) => word.replace(/^\.+|(?<!\.)\.+$/g, "")));
  const words = new Set(wordsOf(text));
  const scored = paths.map((path) => ({ path, score: scoreOf(path, said, words) })).filter(({ score }) => score > 0);
  return scored
    .sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_FILES)
    .map(({ path }) => path);
}

function textOf({ title, body, comments }: IssueSnapshot): string {
  const texts = [title, body.text, ...comments.map(({ text }) => text)];
  return texts.map((each) => visibleText(stripHidden(each).text)).join("\n");
}

/** A name that more files declare says nothing about where. */
const MOST_DECLARING = 3;

/** Files that declare a name which the issue speaks of, such as `parseRange()`: what it is most surely about, whatever they are called. */
export function declaringFiles(issue: IssueSnapshot, { symbols }: Pick<ImportGraph, "symbols">): string[] {
  const text = textOf(issue);
  const written = text.match(/[\w$]+/g)?.filter(isWrittenAsName) ?? [];
  const asCode = [...text.matchAll(/`([^`\n]{1,100})`/g)].flatMap(([, code = ""]) => code.match(/[\w$]{3,}/g) ?? []);
  const said = new Set([...written, ...asCode]);
  const declaring = new Map<string, string[]>();
  for (const [path, declared] of symbols) {
    if (!isReading(path)) continue;
    for (const { name } of declared) if (said.has(name)) declaring.set(name, [...(declaring.get(name) ?? []), path]);
  }
  const telling = [...declaring.values()].filter((paths) => new Set(paths).size <= MOST_DECLARING);
  return [...new Set(telling.flat())].slice(0, MOST_FILES);
}

function scoreOf(path: string, said: ReadonlySet<string>, words: ReadonlySet<string>): number {
  if (said.has(path)) return 100;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (said.has(name)) return 50;
  // A picture that is called like the project explains nothing.
  if (!isReading(path)) return 0;
  const inName = wordsOf(name).filter((word) => words.has(word)).length;
  const inFolder = wordsOf(path.slice(0, -name.length)).filter((word) => words.has(word)).length;
  return inName === 0 ? 0 : inName * 4 + inFolder;
}

/** Words in lower case and without a plural, also those of `camelCase` and `kebab-case`. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length >= LEAST_LETTERS && !COMMON.has(word))
    .map((word) => word.replace(/(?<=[a-z]{3})s$/, ""));
}

/** Files that say how a project is built and which packages it has. */
const MANIFESTS = [
  ...["package.json", "pyproject.toml", "setup.cfg", "requirements.txt", "go.mod", "Cargo.toml", "pom.xml"],
  ...["build.gradle", "build.gradle.kts", "Gemfile", "composer.json", "mix.exs", "deno.json", "Makefile"],
];

/** Guides for contributors. */
const GUIDES = ["CONTRIBUTING.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md", "README.md"];

/** Documents of a repository that its planner is given, the most telling first; the caller reads their contents. */
export function chooseDocuments(paths: readonly string[]): string[] {
  const known = new Set(paths);
  const guide = GUIDES.find((path) => known.has(path));
  return [...MANIFESTS.filter((path) => known.has(path)).slice(0, 4), ...(guide === undefined ? [] : [guide])];
}
