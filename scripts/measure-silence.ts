// How often Forge speaks up on pull requests that well-kept packages have published: their consecutive versions, each committed and
// reviewed as `forge review` does. `npm run measure:silence [-- <package>... --versions <n> --keep <folder> --info --json <file>]`.
// With `--whole`, what it says of their latest version, as if one pull request had added all of it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Finding } from "../src/domain/findings.ts";
import { reviewFolder } from "../src/pipeline/review/folder/review-folder.ts";
import { measureWhole, type WholePackage } from "./silence/measure-whole.ts";
import { downloadVersions, publishedVersions } from "./silence/published-versions.ts";
import { commitVersions } from "./silence/version-history.ts";

/** They ship their sources as they were written, and are read by many. */
const WELL_KEPT = ["express", "hono", "zod"];

/** At most one finding of warning or above in ten pull requests. */
const MOST_PER_TEN = 1;

/** Findings of warning or above in a thousand lines that are all new. */
const MOST_PER_THOUSAND = 0.3;

interface Spoken {
  readonly from: string;
  readonly to: string;
  readonly finding: Pick<Finding, "severity" | "rule" | "file" | "line" | "message"> & { readonly code: string };
}

interface Measured {
  readonly name: string;
  readonly reviews: number;
  readonly loud: readonly Spoken[];
  readonly quiet: readonly Spoken[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    versions: { type: "string", default: "20" },
    keep: { type: "string" },
    info: { type: "boolean", default: false },
    json: { type: "string" },
    whole: { type: "boolean", default: false },
  },
});
const downloads = values.keep ?? mkdtempSync(join(tmpdir(), "forge-packages-"));
const scratchRoot = mkdtempSync(join(tmpdir(), "forge-silence-scratch-"));
const measured: Measured[] = [];
try {
  for (const name of positionals.length > 0 ? positionals : WELL_KEPT) {
    if (values.whole) {
      const [place = ""] = download(name, publishedVersions(name, 1));
      printWhole(name, await measureWhole(place, scratchRoot));
      continue;
    }
    const one = await measure(name, Number(values.versions));
    measured.push(one);
    print(one);
  }
} finally {
  rmSync(scratchRoot, { recursive: true, force: true });
  if (values.keep === undefined) rmSync(downloads, { recursive: true, force: true });
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(measured, null, 2)}\n`);
if (measured.some((one) => perTen(one) > MOST_PER_TEN)) process.exitCode = 1;

async function measure(name: string, count: number): Promise<Measured> {
  const versions = publishedVersions(name, count);
  const history = commitVersions(download(name, versions));
  const all: Spoken[] = [];
  try {
    for (const [index, base] of history.commits.slice(0, -1).entries()) {
      history.checkOut(history.commits[index + 1]!);
      const { findings, coverage } = await reviewFolder({
        folder: history.folder,
        base,
        all: false,
        scratchRoot,
        signal: new AbortController().signal,
      });
      const broken = coverage.layers.find(({ state }) => state === "failed");
      if (broken !== undefined) throw new Error(`${name}@${versions[index + 1]} was not reviewed: ${broken.reason}`);
      for (const { severity, rule, file, line, message } of findings) {
        const code = lineOf(join(history.folder, file), line);
        all.push({
          from: versions[index]!,
          to: versions[index + 1]!,
          finding: { severity, rule, file, line, message, code },
        });
      }
    }
  } finally {
    history.remove();
  }
  const isLoud = ({ finding }: Spoken) => finding.severity !== "info";
  return { name, reviews: versions.length - 1, loud: all.filter(isLoud), quiet: all.filter((one) => !isLoud(one)) };
}

/** @returns the folder of each version */
function download(name: string, versions: readonly string[]): string[] {
  return downloadVersions(name, versions, join(downloads, name.replaceAll("/", "+")));
}

function printWhole(name: string, { lines, blocking, loud, quiet }: WholePackage): void {
  const share = (1_000 * loud.length) / Math.max(1, lines);
  if (share > MOST_PER_THOUSAND) process.exitCode = 1;
  console.log(
    `${name}: ${lines} lines, ${blocking.length} blocking, ${loud.length} of warning or above, ${share.toFixed(2)} in 1,000 (at most ${MOST_PER_THOUSAND}); ${quiet.length} of info`,
  );
  for (const { severity, rule, file, line, message, code } of values.info ? [...loud, ...quiet] : loud)
    console.log(`  ${severity}  ${rule}  ${file}:${line}\n    ${message}\n    | ${code}`);
}

function lineOf(path: string, line: number): string {
  return (readFileSync(path, "utf8").split("\n")[line - 1] ?? "").trim().slice(0, 140);
}

function perTen({ loud, reviews }: Measured): number {
  return (10 * loud.length) / Math.max(1, reviews);
}

function print(one: Measured): void {
  const { name, reviews, loud, quiet } = one;
  const verdict = perTen(one) <= MOST_PER_TEN ? "met" : "NOT MET";
  const [own, others] = [loud, quiet].map((some) => some.filter(({ finding }) => finding.rule.startsWith("patterns/")));
  console.log(
    `${name}: ${reviews} pull requests, ${loud.length} findings of warning or above, ${perTen(one).toFixed(1)} in ten (at most ${MOST_PER_TEN}: ${verdict}); ${quiet.length} of info; of these by the analyser of insecure code ${own?.length ?? 0} and ${others?.length ?? 0}`,
  );
  for (const { from, to, finding } of values.info ? [...loud, ...quiet] : loud) {
    const { severity, rule, file, line, message, code } = finding;
    console.log(`  ${from} → ${to}  ${severity}  ${rule}  ${file}:${line}\n    ${message}\n    | ${code}`);
  }
}
