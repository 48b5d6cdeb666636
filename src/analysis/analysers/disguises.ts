import { defined } from "../../domain/defined.ts";
import type { Observation } from "../../domain/findings.ts";
import type { Analyser, AnalyserContext, AnalyserResult } from "../analyser.ts";
import type { ChildFile } from "../child/protocol.ts";
import { describeDisguise } from "../disguises/describe-disguise.ts";
import { type Disguise, SETTINGS } from "../disguises/find-disguises.ts";
import { odditiesOfPath } from "../disguises/path-disguises.ts";
import { eachInTurn } from "../each-in-turn.ts";
import { namePath } from "../name-path.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { nearestAddedLine, placeOf, type SourceFile } from "../source-file.ts";

/** What no disguise is made of: ASCII without long runs of blanks, accented letters, typographic marks, arrows and most emoji. */
const SUSPICIOUS =
  /[^\t\n\r\x20-\x7e\u00a1-\u00a9\u00ab\u00ac\u00ae-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf-\u0130\u2010-\u2023\u2025\u2026\u2190-\u27ff\ud83c-\ud83e\udc00-\udfff]|\r(?!\n)|xn--|\/\/[^\s/]{0,100}[\u00c0-\u0130\u2215\u2571]|coding[:=]|[\t ]{25}|\\u/;

/** Text that is not what it looks like (Trojan Source): reordered, invisible or hidden characters and letters that imitate others. */
export const disguises: Analyser = {
  name: "disguises",
  version: "3",
  layer: "security",
  readsFilesAlone: true,
  appliesTo: () => true,
  analyse: findDisguises,
};

async function findDisguises(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const asked = await eachInTurn(files, (file, id) => (SUSPICIOUS.test(file.text) ? [questionOf(file, id)] : []));
  const { results, unread } = await runInChild<Disguise[]>("disguises", asked.flat(), context);
  const observations = await eachInTurn(files, (file, id) => [
    ...odditiesOfPath(file.path).flatMap((message) => observePath(file, message)),
    ...observeRecoding(file),
    ...(results.get(id) ?? []).map((disguise) => observe(file, disguise)),
  ]);
  const problems = unread.map(({ id, reason }) => ({
    file: files[id]?.path ?? "",
    reason: `not searched for hidden characters: ${reason}`,
    gap: true,
  }));
  return { observations: observations.flat(), filesRead: files.length - unread.length, problems };
}

function questionOf(file: SourceFile, id: number): ChildFile {
  const { text, addedLines, language } = file;
  return {
    ...{ id, text, addedLines: [...addedLines] },
    ...languageOf(file),
    ...defined({ dialect: language?.dialect }),
  };
}

/** Names and values without a language of their own. */
const OF_SETTINGS =
  /\.(?:toml|ini|cfg|conf|cnf|properties|env|lock|sum|mod)$|(?:^|\/)\.(?:env(?:\.[\w-]+)*|npmrc|yarnrc|pypirc|gitmodules|gitattributes|gitconfig)$|(?:^|\/)(?:Pipfile|CODEOWNERS|(?=[\w.-]+\.txt$)[\w.-]*requirements.*)$/i;

function languageOf({ language, path }: SourceFile): { readonly language?: string } {
  return defined({ language: language?.name ?? (OF_SETTINGS.test(namePath(path)) ? SETTINGS : undefined) });
}

/** In tests they are what is tested. */
const MILD_IN_TESTS: ReadonlySet<Disguise["kind"]> = new Set(["invisible-in-word", "look-alike-host", "wide-form"]);

function observe(file: SourceFile, disguise: Disguise): Observation {
  const { line, column } = placeOf(file.lineStarts, disguise.offset);
  return {
    ...describeDisguise(disguise),
    ...(file.test && MILD_IN_TESTS.has(disguise.kind) ? { severity: "info" as const } : {}),
    source: "security",
    category: "security",
    file: file.path,
    line,
    column,
    endLine: line,
    evidence: disguise.shown,
  };
}

function observePath(file: SourceFile, message: string): Observation[] {
  const line = nearestAddedLine(file, 1);
  if (line === undefined) return [];
  return [
    {
      source: "security",
      rule: "disguises/file-name",
      severity: "error",
      category: "security",
      file: file.path,
      line,
      endLine: line,
      message,
      why: "People take it for another file than programs do.",
      confidence: 0.9,
    },
  ];
}

/** Attributes of git by which files hold other bytes once they are checked out than those that people and programs looked at. */
function observeRecoding(file: SourceFile): Observation[] {
  if (!/(?:^|\/)\.gitattributes$/i.test(file.path)) return [];
  return file.text.split("\n").flatMap((text, at): Observation[] => {
    const line = at + 1;
    const recodes = /^[^#].*\sworking-tree-encoding=(?!utf-?8(?:\s|$))\S/i.test(text);
    if (!recodes || !file.addedLines.has(line)) return [];
    return [
      {
        ...{ source: "security", rule: "disguises/recoded", severity: "error", category: "security" },
        ...{ file: file.path, line, endLine: line, confidence: 0.9 },
        message: "Files are checked out in another encoding than the one in which they are stored and reviewed",
        why: "Harmless text in one encoding can be code in another: what runs was seen by nobody.",
      },
    ];
  });
}
