import { type CompiledGlob, compileGlob } from "../../../domain/globs/compile-glob.ts";

const SETTING = /^[ \t]{0,20}python_files[ \t]{0,20}=/m;
const LONGEST_LIST = 2_000;

/** Settings of pytest, by their whole names. */
export const PYTEST_SETTINGS = [
  ...["pyproject.toml", "pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "setup.cfg", "tox.ini"],
];

/**
 * Which files pytest takes for tests by these settings, besides those that are called as tests are by default. Patterns without a letter,
 * which other code fits as well, say nothing.
 */
export function namedBySettings(settings: Iterable<string>): (path: string) => boolean {
  const globs = [...settings].flatMap(patternsOf).map((pattern) => compileGlob(pattern));
  return (path) => path.endsWith(".py") && globs.some((glob) => "matches" in glob && isMatch(glob, path));
}

function isMatch(glob: Extract<CompiledGlob, { matches: unknown }>, path: string): boolean {
  return glob.matches(path, { below: false });
}

/** A list of TOML, or words in a line and in the indented ones below it. */
function patternsOf(text: string): string[] {
  const found = SETTING.exec(text);
  if (found === null) return [];
  const start = found.index + found[0].length;
  const [first = "", ...rest] = text.slice(start, start + LONGEST_LIST).split("\n");
  const end = rest.findIndex((line) => /^[^\s\])]/.test(line));
  const lines = [first, ...(end === -1 ? rest : rest.slice(0, end))].map((line) => line.split("#", 1)[0]);
  const [list = ""] = lines.join(" ").split("]", 1);
  return list.split(/[\s,"'[]+/).filter((word) => /\w/.test(word.replace(/\.py$/, "")));
}
