import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Finding, isBlocking } from "../../src/domain/findings.ts";
import { reviewFolder } from "../../src/pipeline/review/folder/review-folder.ts";

/** More than any package has: all are to be counted. */
const MOST_FINDINGS = 1_000_000;

const SCRIPT = /\.(?:[cm]?[jt]sx?)$/;
const TYPES = /\.d\.[cm]?ts$/;
/** Tests, which some packages ship, and what a program has made small. */
const LEFT_OUT = /\.min\.|(?:^|\/)(?:tests?|__tests__)\//;
/** In the names of files that a page's blocks are written to. */
const BLOCK = ".block.";
const FENCED = /^[ \t]*```(js|javascript|jsx|mjs|cjs|ts|typescript|tsx)\b[^\n]*\n([\s\S]*?)^[ \t]*```/gm;

/** What every analyzer says of a package, as if a pull request added all of it. */
export interface WholePackage {
  readonly lines: number;
  readonly blocking: readonly SaidOfPackage[];
  /** Warnings and above. */
  readonly loud: readonly SaidOfPackage[];
  readonly quiet: readonly SaidOfPackage[];
}

/** A finding, with the code of its line. */
export interface SaidOfPackage extends Pick<Finding, "severity" | "rule" | "file" | "line" | "message"> {
  readonly code: string;
}

/**
 * Reviews the scripts of a package and the code in its pages. A block in a page is no module: names of other blocks are not declared in it and
 * dots stand for what is left out, so that only what the security layer finds counts there.
 * @param place the folder that a version was unpacked to
 */
export async function measureWhole(place: string, scratchRoot: string): Promise<WholePackage> {
  const folder = mkdtempSync(join(tmpdir(), "forge-whole-"));
  try {
    const lines = copyCode(place, folder);
    const { findings } = await reviewFolder({
      ...{ folder, all: true, scratchRoot, mostFindings: MOST_FINDINGS },
      signal: new AbortController().signal,
    });
    const said = findings
      .filter(({ file, source }) => !file.includes(BLOCK) || source === "security")
      .map((finding) => ({
        ...{ finding, severity: finding.severity, rule: finding.rule, file: finding.file, line: finding.line },
        ...{ message: finding.message, code: lineOf(join(folder, finding.file), finding.line) },
      }));
    const loud = said.filter(({ severity }) => severity !== "info");
    const quiet = said.filter(({ severity }) => severity === "info");
    return { lines, blocking: said.filter(({ finding }) => isBlocking(finding)), loud, quiet };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns how many lines were copied */
function copyCode(place: string, folder: string): number {
  let lines = 0;
  for (const path of readdirSync(place, { recursive: true, encoding: "utf8" }).sort()) {
    const from = join(place, path);
    if (LEFT_OUT.test(path) || TYPES.test(path) || !statSync(from).isFile()) continue;
    // Names that packed output goes by, such as `dist`, would say that nobody wrote it.
    const to = join(folder, path.replace(/(^|\/)(?:dist|build)\//g, "$1packed/"));
    mkdirSync(dirname(to), { recursive: true });
    if (path.endsWith("package.json")) cpSync(from, to);
    const text = readFileSync(from, "utf8");
    if (SCRIPT.test(path)) {
      lines += text.split("\n").length;
      writeFileSync(to, text);
    }
    if (!path.endsWith(".md")) continue;
    for (const { 1: language = "", 2: code = "", index } of text.matchAll(FENCED)) {
      lines += code.split("\n").length;
      const line = text.slice(0, index).split("\n").length;
      writeFileSync(`${to}${BLOCK}${line}.${language.startsWith("t") ? "tsx" : "jsx"}`, code);
    }
  }
  return lines;
}

function lineOf(path: string, line: number): string {
  return (readFileSync(path, "utf8").split("\n")[line - 1] ?? "").trim().slice(0, 140);
}
