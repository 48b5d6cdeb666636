// How long both deterministic layers take over 30 MB of TypeScript. `node bench/analysis.ts [--megabytes <n>] [-- --json <file>]`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lintSource } from "@secretlint/core";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { analyseFolder } from "./analysis/analyse-folder.ts";
import { commandLines } from "./analysis/command-lines.ts";
import { writeCorpus } from "./analysis/corpus.ts";
import { type Result, report } from "./report.ts";

const [mode, folder = "."] = process.argv.slice(2);
if (mode === "--secretlint") await secretlint(folder);
else if (mode === "--forge") console.log(JSON.stringify(await analyseFolder(folder)));
else await measure();

async function measure(): Promise<void> {
  const at = process.argv.indexOf("--megabytes");
  const megabytes = at === -1 ? 30 : Number(process.argv[at + 1]);
  const corpus = mkdtempSync(join(tmpdir(), "forge-corpus-"));
  try {
    const files = writeCorpus(corpus, megabytes * 1_000_000).length;
    mkdirSync(join(corpus, "data"));
    const byHand = [];
    for (const { name, args } of commandLines(corpus)) byHand.push({ name, ...(await run(args, corpus)) });
    const self = [import.meta.filename, "--forge", corpus];
    const first = await run(self, corpus);
    const again = await run(self, corpus);
    const { hits, misses } = JSON.parse(again.output).cache;
    const seconds = byHand.reduce((sum, each) => sum + each.seconds, 0);
    const results: Result[] = [
      {
        name: `both layers, ${files} files`,
        value: first.seconds,
        unit: "s",
        baseline: seconds,
        goal: "ratio at most 1",
        met: first.seconds <= seconds,
      },
      { name: "again after a push that touches one file", value: again.seconds, unit: "s", baseline: first.seconds },
      { name: "of its readings kept from before", value: (100 * hits) / (hits + misses), unit: "%" },
      ...byHand.map((each) => ({ name: `by hand: ${each.name}`, value: each.seconds, unit: "s" })),
    ];
    if (first.megabytes !== undefined) {
      const name = "largest resident memory of Forge and its children";
      results.push({ name, value: first.megabytes, unit: "MB", goal: "under 1,000 MB", met: first.megabytes < 1000 });
    }
    report(
      `Analysis of ${megabytes} MB of TypeScript. Baseline: ESLint, Biome and secretlint one after the other`,
      results,
    );
  } finally {
    rmSync(corpus, { recursive: true, force: true });
  }
}

async function run(args: readonly string[], cwd: string) {
  const began = performance.now();
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  let largest: number | undefined;
  const watch = setInterval(() => {
    const now = residentMegabytes(child.pid ?? 0);
    if (now !== undefined) largest = Math.max(largest ?? 0, now);
  }, 100);
  const ended = once(child, "exit");
  const output = (await child.stdout.toArray()).join("");
  const [code] = await ended;
  clearInterval(watch);
  if (code !== 0 && code !== 1) throw new Error(`${args[0]} ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, output, megabytes: largest };
}

/** Of a process and all below it; Linux only. Shared pages count once for each process. */
function residentMegabytes(root: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const parents = new Map<number, number>();
  const resident = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
      resident.set(Number(name), Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // It ended while we looked.
    }
  }
  const below = (id: number): boolean => id === root || (id > 1 && below(parents.get(id) ?? 0));
  return [...resident].reduce((sum, [id, megabytes]) => sum + (below(id) ? megabytes : 0), 0);
}

async function secretlint(root: string): Promise<void> {
  const config = { rules: rules.map((rule) => ({ id: rule.meta.id, rule, options: {} })) };
  for (const name of readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts")) continue;
    const filePath = join(root, "src", name);
    const source = { filePath, content: readFileSync(filePath, "utf8"), contentType: "text" as const };
    await lintSource({ source, options: { config } });
  }
}
