// How long the analyser of insecure code takes over installed packages, beside ESLint with Forge's rules, Biome and secretlint by hand.
// `npm run bench:patterns [-- --megabytes <n> --json <file>]`.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findInsecureCode } from "../src/analysis/child/find-insecure-code.ts";
import { commandLines } from "./analysis/command-lines.ts";
import { run } from "./analysis/measure-analysis.ts";
import { type Result, report } from "./report.ts";

const [mode, folder = ""] = process.argv.slice(2);
const at = process.argv.indexOf("--megabytes");
if (mode === "--read") console.log(JSON.stringify(readAll(folder)));
else report("Insecure code in installed packages", await measure(at === -1 ? 30 : Number(process.argv[at + 1])));

async function measure(megabytes: number): Promise<Result[]> {
  const corpus = mkdtempSync(join(tmpdir(), "forge-patterns-"));
  try {
    const bytes = copyPackages(corpus, megabytes * 1_000_000);
    const own = await run(
      ["--max-semi-space-size=16", "--no-warnings", import.meta.filename, "--read", corpus],
      corpus,
    );
    const { processorSeconds, hits } = JSON.parse(own.output);
    let byHand = 0;
    for (const { args } of commandLines(corpus)) byHand += (await run(args, corpus)).seconds;
    const rate = bytes / 1e6 / processorSeconds;
    const results: Result[] = [
      { name: "read in a second of one core", value: rate, unit: "MB", goal: "at least 5 MB", met: rate >= 5 },
      {
        name: `all of ${Math.round(bytes / 1e6)} MB, beside ESLint, Biome and secretlint`,
        value: own.seconds,
        unit: "s",
        baseline: byHand,
      },
      { name: "places told, remarks among them", value: hits, unit: "" },
    ];
    const { megabytes: memory } = own;
    if (memory !== undefined)
      results.push({
        name: "largest resident memory",
        value: memory,
        unit: "MB",
        goal: "at most 600 MB",
        met: memory <= 600,
      });
    return results;
  } finally {
    rmSync(corpus, { recursive: true, force: true });
  }
}

/** Sources of installed packages, TypeScript first. @returns how many bytes they are */
function copyPackages(corpus: string, most: number): number {
  const packages = join(import.meta.dirname, "..", "node_modules");
  const files = readdirSync(packages, { recursive: true, encoding: "utf8" });
  const wanted = [
    ...files.filter((file) => /(?<!\.d)\.[cm]?tsx?$/.test(file)),
    ...files.filter((file) => /\.[cm]?js$/.test(file)),
  ];
  let bytes = 0;
  for (const file of wanted) {
    if (bytes >= most) break;
    const status = statSync(join(packages, file));
    const { size } = status;
    if (!status.isFile() || size < 200 || size > 500_000) continue;
    const target = join(corpus, "src", file.replaceAll("node_modules", "modules"));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(packages, file), target, { dereference: true });
    bytes += size;
  }
  writeFileSync(join(corpus, "package.json"), "{}\n");
  return bytes;
}

function readAll(corpus: string): { readonly processorSeconds: number; readonly hits: number } {
  const read = findInsecureCode();
  const files = readdirSync(join(corpus, "src"), { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.[cm]?[jt]sx?$/.test(file) && statSync(join(corpus, "src", file)).isFile(),
  );
  const before = process.threadCpuUsage();
  let hits = 0;
  for (const file of files) {
    const dialect = /\.([cm]?[jt]sx?)$/.exec(file)?.[1] as "ts" | "js";
    const result = read({ id: 0, text: readFileSync(join(corpus, "src", file), "utf8"), dialect });
    if (!("unread" in result)) hits += result.hits.length;
  }
  const { user, system } = process.threadCpuUsage(before);
  return { processorSeconds: (user + system) / 1e6, hits };
}
