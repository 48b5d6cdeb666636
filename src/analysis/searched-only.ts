import type { Observation } from "../domain/findings.ts";
import type { ReviewCoverage, UncoveredFile } from "../domain/review-report.ts";
import type { AnalyserRun } from "./coverage.ts";
import { holdsScripts } from "./holds-scripts.ts";
import { isNoYaml, readsLikeCode } from "./reads-like-code.ts";
import { isFixture } from "./severity-in.ts";
import type { SourceFile } from "./source-file.ts";

/** They look for something in any text, and understand none. */
const SEARCHES = new Set(["secrets", "disguises", "twins", "suppression", "config", "commands"]);

const DATA = new Set(["JSON", "YAML", "CSS"]);
/** Languages of pages and pictures: what does not run is data. */
const MARKUP = new Set(["HTML", "SVG", "MDX", "XSLT"]);

/** In a fixture these are remarks: whether something runs it nobody has looked at. */
const RUNS_TEXT = /\/(?:security\/noGlobalEval|no-implied-eval|no-new-func|sonarjs\/os-command|S102|S307|S60[245])\b/;

const UNPARSED = /\bit does not parse$/;

/**
 * The files that may run and that no analyser understood: somebody, or a model, has to (GH-11a). Prose, data and pages without a script
 * are none of them.
 * @param unread what analysers left out, gaps and others
 */
export function searchedOnly(
  files: Iterable<SourceFile>,
  runs: readonly AnalyserRun[],
  reported: readonly Observation[],
  unread: readonly UncoveredFile[],
): NonNullable<ReviewCoverage["searchedOnly"]> {
  const read = new Set(runs.flatMap(({ analyser, read = [] }) => (SEARCHES.has(analyser.name) ? [] : read)));
  const unparsed = new Set(unread.flatMap(({ path, reason, gap }) => (UNPARSED.test(reason) && !gap ? [path] : [])));
  const running = new Set(reported.flatMap(({ rule, file }) => (RUNS_TEXT.test(rule) ? [file] : [])));
  return [...files].flatMap((file) => {
    if (file.look !== "all" || file.addedLines.size === 0) return [];
    const { path, language } = file;
    if (unparsed.has(path)) return [{ path, reason: `${language?.name ?? "text"} that does not parse` }];
    if (isFixture(path) && running.has(path)) return [{ path, reason: "a fixture that runs text as code" }];
    const kind = read.has(path) ? undefined : kindOf(file);
    return kind === undefined ? [] : [{ path, reason: kind }];
  });
}

/** What it is that runs, as people call it; undefined for what does not. */
function kindOf(file: SourceFile): string | undefined {
  const { language, claims } = file;
  if (language === undefined) {
    if (claims === "a lock file") return "a lock file of a kind that is not read";
    return readsLikeCode(file) ? "reads like code" : undefined;
  }
  if (language.name === "YAML" && isNoYaml(file.text)) return "reads like code";
  if (DATA.has(language.name)) return undefined;
  if (MARKUP.has(language.name)) return holdsScripts(file) ? `scripts in ${language.name}` : undefined;
  return language.name;
}
