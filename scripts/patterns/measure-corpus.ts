import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findInsecureCode } from "../../src/analysis/child/find-insecure-code.ts";
import { languageOf } from "../../src/analysis/languages.ts";
import { findLineStarts, placeOf } from "../../src/analysis/source-file.ts";
import { defined } from "../../src/domain/defined.ts";
import { isBlocking } from "../../src/domain/findings.ts";

/** A line of a corpus with what is expected of it. */
export interface MeasuredLine {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly expected: "wrong" | "right";
  readonly cwe: string;
  /** Rules that reported it. */
  readonly rules: readonly string[];
}

const MARK = /^\s*(?:\/\/|\{?\/\*|#|<!--)\s*(wrong|right)\s*:?\s*(CWE-\d+)?/i;

/** Reads every annotated file of a folder: the line after `// wrong: CWE-89` should be found, that after `// right:` be silent. */
export function measureCorpus(folder: string): MeasuredLine[] {
  const read = findInsecureCode();
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.(?:[cm]?[jt]sx?|Dockerfile|ya?ml)$/.test(path),
  );
  return paths.sort().flatMap((path) => {
    const text = readFileSync(join(folder, path), "utf8");
    const lines = text.split("\n");
    if (!lines.some((line) => MARK.test(line))) return [];
    const { dialect = "js", name } = languageOf(path) ?? {};
    const result = read({ id: 0, text, dialect, ...defined({ language: name }) });
    const starts = findLineStarts(text);
    const hits = "unread" in result ? [] : result.hits;
    const spans = hits.map(({ rule, from, to }) => ({
      rule,
      from: placeOf(starts, from).line,
      to: placeOf(starts, to).line,
    }));
    return lines.flatMap((each, index): MeasuredLine[] => {
      const mark = MARK.exec(each);
      if (mark === null) return [];
      let line = index + 2;
      while (MARK.test(lines[line - 1] ?? "")) line += 1;
      const rules = spans.filter(({ from, to }) => from <= line && line <= to).map(({ rule }) => rule);
      const expected = mark[1]?.toLowerCase() === "wrong" ? "wrong" : "right";
      return [{ file: path, line, code: (lines[line - 1] ?? "").trim(), expected, cwe: mark[2] ?? "none", rules }];
    });
  });
}

/** Shares of the wrong lines that were found and of the right ones that were flagged, 0 to 1. */
export function sharesOf(lines: readonly MeasuredLine[]) {
  const wrong = lines.filter(({ expected }) => expected === "wrong");
  const right = lines.filter(({ expected }) => expected === "right");
  const hit = (some: readonly MeasuredLine[]) => some.filter(({ rules }) => rules.length > 0).length;
  return {
    ...{ wrong: wrong.length, found: hit(wrong), right: right.length, flagged: hit(right) },
    foundShare: hit(wrong) / Math.max(1, wrong.length),
    flaggedShare: hit(right) / Math.max(1, right.length),
  };
}

interface MeasuredPackage {
  lines: number;
  blocking: string[];
  /** Warnings and above. */
  loud: string[];
  quiet: string[];
}

/** What Forge says about a package: its sources, its examples, and the code in its pages. */
export function measurePackage(folder: string): MeasuredPackage {
  const read = findInsecureCode();
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.(?:[cm]?[jt]sx?|md)$/.test(path) && !/\.d\.[cm]?ts$|\.min\.|(?:^|\/)(?:tests?|__tests__)\//.test(path),
  );
  const measured: MeasuredPackage = { lines: 0, blocking: [], loud: [], quiet: [] };
  for (const path of paths.sort()) {
    if (!statSync(join(folder, path)).isFile()) continue;
    const whole = readFileSync(join(folder, path), "utf8");
    for (const { text, dialect, before } of codeOf(path, whole)) {
      const starts = findLineStarts(text);
      measured.lines += starts.length;
      const result = read({ id: 0, text, dialect });
      for (const hit of "unread" in result ? [] : result.hits) {
        const { line } = placeOf(starts, hit.from);
        const code = (text.split("\n")[line - 1] ?? "").trim().slice(0, 120);
        const said = `${hit.severity} ${hit.rule} ${path}:${line + before}  ${code}`;
        (hit.severity === "info" ? measured.quiet : measured.loud).push(said);
        if (isBlocking(hit)) measured.blocking.push(said);
      }
    }
  }
  return measured;
}

const FENCED = /^[ \t]*```(js|javascript|jsx|mjs|cjs|ts|typescript|tsx)\b[^\n]*\n([\s\S]*?)^[ \t]*```/gm;

/** A file, or the blocks of code in a page, each with the lines before it. */
function codeOf(path: string, text: string) {
  if (!path.endsWith(".md")) return [{ text, dialect: languageOf(path)?.dialect ?? "js", before: 0 } as const];
  return [...text.matchAll(FENCED)].map(({ 1: language = "", 2: code = "", index }) => ({
    ...{ text: code, before: text.slice(0, index).split("\n").length },
    dialect: language.startsWith("t") ? ("tsx" as const) : ("jsx" as const),
  }));
}
