import { join } from "node:path";
import { diffArrays } from "diff";
import { defined } from "../../domain/defined.ts";
import type { Observation, SuggestedEdit, SuggestedFix } from "../../domain/findings.ts";
import { readManyBeneath } from "../../workspace/files/read-beneath.ts";
import type { Analyser, AnalyserContext, AnalyserProblem, AnalyserResult } from "../analyser.ts";
import { BIOME_VERSION, runBiome } from "../biome-program.ts";
import { SIMPLE_RULES, simpleLintConfiguration } from "../biome-rules.ts";
import type { SyntaxResult } from "../child/protocol.ts";
import { isolateCrashes } from "../isolate-crashes.ts";
import { SCRIPTS } from "../languages.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { findLineStarts, lineText, type SourceFile } from "../source-file.ts";

const FORMATTED = new Set<string>(SCRIPTS);

/** Comparing lines costs the square of what differs; a file this long that differs everywhere is not formatted by a tool. */
const LONGEST_COMPARED = 200_000;

/** Of one run, whose files have 8 million characters together. */
const FORMATTED_LIMITS = { bytes: 32 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };

/**
 * Formatting, only where the file was formatted by a tool before the change: its old text must come out of Biome's formatter
 * unchanged with the indentation, quotes, semicolons and width that it shows. One note per file, so a repository with any other
 * style hears nothing. Simple lint goes with it, where the old text had none.
 */
export const biomeFormat: Analyser = {
  name: "biome-format",
  version: BIOME_VERSION,
  layer: "static",
  readsFilesAlone: true,
  appliesTo: ({ language, oldText, text }) =>
    oldText !== undefined &&
    language?.dialect !== undefined &&
    FORMATTED.has(language.dialect) &&
    text.length <= LONGEST_COMPARED,
  analyse: analyseFormat,
};

async function analyseFormat(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const { texts, problems } = await formatInStyle(files, context);
  const observations = files.flatMap((file) => observe(file, texts.get(file)));
  return { observations, filesRead: files.length - problems.length, problems };
}

interface Rewritten {
  readonly formatted: string;
  /** With the fixes of simple lint and formatted; absent where there is none, or it would touch more than the lines of the change. */
  readonly tidied?: string;
}

/** Files as the formatter leaves them, of those that `biomeFormat` applies to and whose old text came out of it unchanged. */
export async function formatInStyle(
  files: readonly SourceFile[],
  context: AnalyserContext,
): Promise<{ readonly texts: ReadonlyMap<SourceFile, Rewritten>; readonly problems: AnalyserProblem[] }> {
  const texts = new Map<SourceFile, Rewritten>();
  const problems: AnalyserProblem[] = [];
  for (const [styleIndex, group] of groupByStyle(files)) {
    let undecided = group.files;
    for (const width of LINE_WIDTHS) {
      const configuration = formatConfiguration(group.style, width);
      const folder = `format-${styleIndex}-${width}`;
      const format = (part: readonly SourceFile[], textOf: (file: SourceFile) => string, name: string) =>
        rewriteAll("format", part, textOf, configuration, `${folder}-${name}`, context);
      const old = await format(undecided, (file) => file.oldText ?? "", "old");
      problems.push(...old.problems);
      const inStyle = undecided.filter((file) => old.texts.get(file) === file.oldText);
      undecided = undecided.filter((file) => old.texts.has(file) && !inStyle.includes(file));
      const fresh = await format(inStyle, (file) => file.text, "new");
      problems.push(...fresh.problems);
      const simple = await fixSimpleLint([...fresh.texts.keys()], `${folder}-lint`, context);
      const tidied = await format([...simple.keys()], (file) => simple.get(file) ?? file.text, "tidied");
      for (const [file, formatted] of fresh.texts) {
        texts.set(file, { formatted, ...defined({ tidied: tidied.texts.get(file) || undefined }) });
      }
    }
  }
  return { texts, problems };
}

function groupByStyle(files: readonly SourceFile[]): Map<number, { style: FormatStyle; files: readonly SourceFile[] }> {
  const groups = new Map<string, { style: FormatStyle; files: SourceFile[] }>();
  for (const file of files) {
    const style = detectStyle(file.oldText ?? "");
    const key = JSON.stringify(style);
    const group = groups.get(key) ?? { style, files: [] };
    group.files.push(file);
    groups.set(key, group);
  }
  return new Map([...groups.values()].entries());
}

/**
 * Files with the fixes of simple lint, where their old text had none of it, all of it lies on lines of the change, no comment is lost and the
 * result parses. What cannot be fixed stays as it is: nobody has to hear of it.
 */
async function fixSimpleLint(
  files: readonly SourceFile[],
  folder: string,
  context: AnalyserContext,
): Promise<ReadonlyMap<SourceFile, string>> {
  const configuration = simpleLintConfiguration();
  const modules = files.filter(isModule);
  const now = await rewriteAll("lint", modules, (file) => file.text, configuration, `${folder}-new`, context);
  const fixed = new Map([...now.texts].filter(([file, text]) => isOwnFix(file, text)));
  const hit = [...fixed.keys()];
  const old = await rewriteAll("lint", hit, (file) => file.oldText ?? "", configuration, `${folder}-old`, context);
  const clean = hit.filter((file) => old.texts.get(file) === file.oldText);
  if (clean.length === 0) return new Map();
  // Biome fixes what does not parse as well.
  const patched = clean.map((file, id) => {
    return { id, text: fixed.get(file) ?? "", dialect: file.language?.dialect ?? "js" };
  });
  const { results } = await runInChild<SyntaxResult>("syntax", patched, context);
  return new Map(clean.flatMap((file, id) => (results.get(id) === null ? [[file, fixed.get(file) ?? ""]] : [])));
}

/** Scripts of a page share what they declare with one another, and `eval` reaches it: others may assign to it there. */
function isModule({ text, language }: SourceFile): boolean {
  const named = /^[cm][jt]s$/.test(language?.dialect ?? "");
  return (named || /^(?:import\s*["'{*\w]|export\s|(?:module\.)?exports\b)/m.test(text)) && !/\beval\b/.test(text);
}

/** Whether a fix touches lines of the change alone, loses no comment, and leaves what is exported as others see it. */
function isOwnFix(file: SourceFile, fixed: string): boolean {
  if (fixed === "" || fixed === file.text || commentsOf(fixed) !== commentsOf(file.text)) return false;
  const parts = diffArrays(splitLines(file.text), splitLines(fixed), { maxEditLength: MOST_EDITS });
  if (parts === undefined) return false;
  let line = 1;
  for (const [at, part] of parts.entries()) {
    if (part.added) {
      if (!parts[at - 1]?.removed) return false;
      continue;
    }
    const end = line + part.value.length;
    for (; line < end; line += 1) if (part.removed && !file.addedLines.has(line)) return false;
    if (part.removed && part.value.some((text) => /\bexport\s+let\b/.test(text))) return false;
  }
  return true;
}

/** Whatever stands behind the beginning of a comment on a line, be it in a text. */
function commentsOf(text: string): string {
  return (text.match(/\/[/*].*/g) ?? []).join("\n");
}

/** Files as the formatter, or the safe fixes of the linter, leave them. */
async function rewriteAll(
  command: "format" | "lint",
  files: readonly SourceFile[],
  textOf: (file: SourceFile) => string,
  configuration: unknown,
  folder: string,
  context: AnalyserContext,
): Promise<{ texts: Map<SourceFile, string>; problems: AnalyserProblem[] }> {
  const texts = new Map<SourceFile, string>();
  if (files.length === 0) return { texts, problems: [] };
  const { culprits } = await isolateCrashes(files, async (part, attempt) => {
    const named = part.map((file, index) => ({ file, name: `f${index}.${file.language?.dialect ?? "js"}` }));
    const scratchFiles = named.map(({ file, name }) => ({ name, text: textOf(file) }));
    const place = `${folder}-${attempt}`;
    const run = await runBiome(
      [command, "--write", "--max-diagnostics=1"],
      configuration,
      place,
      scratchFiles,
      context,
    );
    const broken = { failure: "the formatter broke down on it" };
    if (!run.ok) return broken;
    const written = named.map(({ name }) => ({ ok: true as const, path: name, parts: ["files", name] }));
    // The program met hostile text and could write here: links are not followed, pipes not opened.
    const formatted = await readManyBeneath(join(context.scratch, place), written, FORMATTED_LIMITS);
    if (formatted.size < named.length) return broken;
    for (const { file, name } of named) texts.set(file, formatted.get(name)?.toString("utf8") ?? "");
    return { result: undefined };
  });
  return {
    texts,
    problems: culprits.map(({ file, reason }) => ({
      file: file.path,
      reason: `formatting not compared: ${reason}`,
      gap: true,
    })),
  };
}

/** The time of a comparison grows with the square of it: 100 ms at most. */
const MOST_EDITS = 1_000;

/** One note at most; simple lint is told of only where all of it can be fixed. */
function observe(file: SourceFile, rewritten: Rewritten | undefined): Observation[] {
  if (rewritten === undefined) return [];
  const { formatted, tidied } = rewritten;
  const [tidy] = tidied === undefined ? [] : compareTexts(file, tidied);
  if (tidy?.fix === undefined) return compareTexts(file, formatted);
  if (formatted !== file.text) return [{ ...tidy, why: `${tidy.why} The fix mends simple lint as well. ${SIMPLE}` }];
  return [
    { ...tidy, message: "From this line on Biome's linter has fixes that leave the meaning as it is.", why: SIMPLE },
  ];
}

const RULE_NAMES = Object.values(SIMPLE_RULES).flat().toSorted();
const SIMPLE = `Before the change nothing in the file was against the rules ${RULE_NAMES.slice(0, -1).join(", ")} and ${RULE_NAMES.at(-1)}.`;

/** The first added line that formatting would change; where it would change nearly everything, the first one. */
function compareTexts(file: SourceFile, formatted: string): Observation[] {
  if (formatted === file.text) return [];
  const parts = diffArrays(splitLines(file.text), splitLines(formatted), { maxEditLength: MOST_EDITS });
  if (parts === undefined) {
    const [first] = file.addedLines;
    return first === undefined ? [] : [toObservation(file, first)];
  }
  let line = 1;
  let first: number | undefined;
  for (const part of parts) {
    if (part.added) continue;
    const end = line + part.value.length;
    for (let at = line; part.removed && at < end; at += 1) if (file.addedLines.has(at)) first ??= at;
    line = end;
  }
  return first === undefined ? [] : [toObservation(file, first, fixOf(file, parts))];
}

/** More is not read as a suggestion, and a file that was not formatted at all is better formatted by its author. */
const MOST_PLACES = 20;
const LONGEST_FIX = 8_000;

/** The formatter's result as edits, where all of it lies on lines that the change added: a part of it would be no result of a formatter. */
function fixOf(file: SourceFile, parts: readonly Part[]): SuggestedFix | undefined {
  const edits: SuggestedEdit[] = [];
  const bare = (lines: readonly string[]) => lines.map((text) => text.replace(/\r?\n$/, ""));
  let line = 1;
  for (const [at, part] of parts.entries()) {
    const next = parts[at + 1];
    if (!part.added && !part.removed) line += part.value.length;
    // What stands there is removed before something else is added; what is only added stands before the line that follows.
    else if (part.removed) {
      const endLine = line + part.value.length - 1;
      const after = next?.added ? bare(next.value).join("\n") : "";
      if (next?.added && after === "") return undefined;
      edits.push({ file: file.path, startLine: line, endLine, before: bare(part.value).join("\n"), after });
      line = endLine + 1;
    } else if (!parts[at - 1]?.removed) {
      const before = lineText(file, line);
      if (before === "") return undefined;
      const after = [...bare(part.value), before].join("\n");
      edits.push({ file: file.path, startLine: line, endLine: line, before, after });
    }
  }
  const [first, ...also] = edits;
  const isAdded = ({ startLine, endLine }: SuggestedEdit) => {
    for (let at = startLine; at <= endLine; at += 1) if (!file.addedLines.has(at)) return false;
    return true;
  };
  const isShort = edits.reduce((sum, { before, after }) => sum + before.length + after.length, 0) <= LONGEST_FIX;
  if (!first || edits.length > MOST_PLACES || !isShort || !edits.every(isAdded)) return undefined;
  // Lines are looked for by their text when the fix is applied: what stands twice, or is only a bracket, is found in no certain place.
  const text = `\n${file.text.replaceAll("\r\n", "\n")}\n`;
  const isFound = ({ before }: SuggestedEdit) => /\w/.test(before) && text.split(`\n${before}\n`).length === 2;
  if (!edits.every(isFound)) return undefined;
  return { ...first, ...(also.length > 0 ? { also } : {}) };
}

interface Part {
  readonly value: readonly string[];
  readonly added?: boolean;
  readonly removed?: boolean;
}

function splitLines(text: string): string[] {
  const starts = findLineStarts(text);
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}

function toObservation(file: SourceFile, line: number, fix?: SuggestedFix): Observation {
  return {
    source: "static",
    rule: "biome-format/style",
    severity: "info",
    category: "style",
    file: file.path,
    line,
    endLine: line,
    message: "From this line on the file is not formatted as it was before the change.",
    why: "Its earlier text came out of a formatter unchanged; running that again keeps later diffs small.",
    confidence: 0.6,
    ...defined({ fix }),
  };
}

/** What a file shows of the settings of its formatter. */
interface FormatStyle {
  readonly indentStyle: "space" | "tab";
  readonly indentWidth: number;
  readonly quoteStyle: "single" | "double";
  readonly semicolons: "always" | "asNeeded";
  readonly lineEnding: "lf" | "crlf";
}

/** Prettier's default, and the two that people choose instead. */
const LINE_WIDTHS = [80, 100, 120] as const;

/** Reads the settings off a text; where it shows nothing, Prettier's defaults. */
export function detectStyle(text: string): FormatStyle {
  const indents = [...text.matchAll(/^(\t+| +)\S/gm)].map((match) => match[1] ?? "").slice(0, 500);
  const tabs = indents.filter((indent) => indent.startsWith("\t")).length;
  const spaces = indents.filter((indent) => indent.startsWith(" ") && indent.length > 1).map((indent) => indent.length);
  const single = text.match(/'[^'"\n]*'/g)?.length ?? 0;
  const double = text.match(/"[^'"\n]*"/g)?.length ?? 0;
  const ended = text.match(/;\r?$/gm)?.length ?? 0;
  const open = text.match(/^(?:import|const|let|return|export const)\b.*[\w)'"`]\r?$/gm)?.length ?? 0;
  return {
    indentStyle: tabs > spaces.length ? "tab" : "space",
    indentWidth: spaces.length > 0 && Math.min(...spaces) >= 4 ? 4 : 2,
    quoteStyle: single > double ? "single" : "double",
    semicolons: ended >= open ? "always" : "asNeeded",
    lineEnding: text.includes("\r\n") ? "crlf" : "lf",
  };
}

/** Biome's formatter with these settings and nothing else switched on. */
function formatConfiguration(style: FormatStyle, lineWidth: number): unknown {
  const { indentStyle, indentWidth, lineEnding, quoteStyle, semicolons } = style;
  return {
    root: true,
    vcs: { enabled: false },
    linter: { enabled: false },
    assist: { enabled: false },
    formatter: { enabled: true, indentStyle, indentWidth, lineWidth, lineEnding },
    javascript: { formatter: { quoteStyle, semicolons }, parser: { unsafeParameterDecoratorsEnabled: true } },
  };
}
