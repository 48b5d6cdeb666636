import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeSarif } from "../../src/analysis/reports/write-sarif.ts";
import { FACTS } from "../../src/analysis/rule-facts.ts";
import type { Finding } from "../../src/domain/findings.ts";
import { reviewFolder } from "../../src/pipeline/review/folder/review-folder.ts";
import { codeScanningFaults, officialSchema } from "../analysis/reports/code-scanning.ts";

const VULNERABLE = resolve("fixtures/vulnerable-shop");
const MENDED = resolve("fixtures/mended-shop");

let scratchRoot: string;
let findings: readonly Finding[];

// Both shops are reviewed as one folder: a review is ten seconds of starting its analysers.
beforeAll(async () => {
  scratchRoot = mkdtempSync(join(tmpdir(), "forge-shops-"));
  const folder = join(realpathSync(scratchRoot), "shops");
  cpSync(VULNERABLE, join(folder, "vulnerable"), { recursive: true });
  cpSync(MENDED, join(folder, "mended"), { recursive: true });
  // Workflows are read where they run.
  cpSync(join(MENDED, ".github"), join(folder, ".github"), { recursive: true });
  ({ findings } = await reviewFolder({
    folder,
    all: true,
    scratchRoot,
    signal: new AbortController().signal,
    mostFindings: 1_000,
  }));
});
afterAll(() => rmSync(scratchRoot, { recursive: true }));

it("CLI-2: SARIF of a whole review is valid by the official schema, and code scanning refuses or cuts nothing of it", () => {
  const isValid = officialSchema();
  expect(new Set(findings.map(({ source }) => source))).toEqual(new Set(["static", "security"]));
  const everyRule = [...FACTS.keys()].map((rule) => ({ ...findings[0]!, rule }));
  for (const found of [findings, everyRule]) {
    const log = writeSarif(found, { version: "0.1.0", notes: ["Not checked: dependencies."] });
    expect(isValid(log), JSON.stringify(isValid.errors)).toBe(true);
    expect(codeScanningFaults(log)).toEqual([]);
  }
  expect(isValid(writeSarif([{ ...findings[0]!, line: 0 }], { version: "0.1.0" }))).toBe(false);
});

/** A line of the shops that were reviewed. */
function codeAt(path: string, line: number): string {
  return readFileSync(join(scratchRoot, "shops", path), "utf8").split("\n")[line - 1] ?? "";
}

/** Rows of the note's lists: ``| 7 | `src/a.ts:3` | … | error, `path/file` |``. */
function listed(): { place: string; severity: string; rule: string; isWay: boolean }[] {
  const note = readFileSync(join(VULNERABLE, "NOTE.md"), "utf8");
  return [...note.matchAll(/^\| (\d*) ?\| `([^`]+)` \|.*\| (\w+), `([^`]+)` \|$/gm)].map(
    ([, number, place = "", severity = "", rule = ""]) => ({ place, severity, rule, isWay: number !== "" }),
  );
}

it("REV-6: tells each of the twenty ways through the vulnerable shop, and its settings, with file, line and way", () => {
  const expected = listed();
  expect(expected.filter(({ isWay }) => isWay)).toHaveLength(20);
  expect(expected.length).toBeGreaterThan(23);
  const said = new Map(
    findings.map(({ file, line, severity, rule, flow }) => [`${file}:${line} ${severity}, ${rule}`, flow ?? []]),
  );
  for (const { place, severity, rule, isWay } of expected) {
    const flow = said.get(`vulnerable/${place} ${severity}, patterns/${rule}`);
    expect(flow, `${place} ${severity} ${rule}`).toBeDefined();
    if (!isWay) continue;
    expect(flow?.length, place).toBeGreaterThan(1);
    // The line of each step has the name at its end, and the last step is the finding itself.
    const file = `vulnerable/${place.split(":")[0]}`;
    for (const step of flow ?? [])
      expect(codeAt(step.path ?? file, step.line), place).toContain(step.text.split(/\W+/).findLast(Boolean));
    expect(flow?.at(-1), place).toMatchObject({ line: Number(place.split(":")[1]) });
  }
});

it("REV-6: says each of them once", () => {
  for (const { place } of listed().filter(({ isWay }) => isWay)) {
    const at = findings.filter(
      ({ file, line, source }) => source === "security" && `${file}:${line}` === `vulnerable/${place}`,
    );
    expect(
      at.map(({ rule }) => rule),
      place,
    ).toHaveLength(1);
  }
});

it("REV-6: is silent about the same shop mended", () => {
  const about = findings.filter(({ file }) => /^(?:mended|\.github)\//.test(file));
  expect(about.map(({ file, line, rule, message }) => `${file}:${line} ${rule} ${message}`)).toEqual([]);
});
