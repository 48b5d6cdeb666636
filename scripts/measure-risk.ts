// How many changes are of which risk (RISK-1), by what they are and without findings: the commits of this repository, and consecutive
// published versions of packages, each a commit. `npm run measure:risk [-- <package>... --versions <n> --every <n> --keep <folder>]`.
// With `--keep` the folder keeps the facts about each change, so that another formula is measured on them in seconds.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { assessRisk } from "../src/analysis/risk/assess-risk.ts";
import { gatherRiskFacts } from "../src/analysis/risk/gather-risk-facts.ts";
import type { RiskFacts } from "../src/analysis/risk/risk-facts.ts";
import { defined } from "../src/domain/defined.ts";
import { DEFAULT_REPO_CONFIG } from "../src/domain/repo-config.ts";
import { ownLevel, RISK_LEVELS, type RiskLevel } from "../src/domain/risk.ts";
import { readFolder } from "../src/pipeline/change/read-folder.ts";
import { readHistoryIn } from "../src/workspace/history.ts";
import { findLocalRepository } from "../src/workspace/local/find-repository.ts";
import { inView } from "../src/workspace/local/open-view.ts";
import { downloadVersions, publishedVersions } from "./silence/published-versions.ts";
import { commitVersions } from "./silence/version-history.ts";

/** They ship their sources as they were written. Chosen before anything was measured. */
const PACKAGES = ["express", "koa", "fastify", "ws", "commander", "pino", "semver", "debug", "undici", "pg"];

/** A person is asked at a high risk: at most at one change in ten. */
const MOST_HIGH = 0.1;

const YEAR_MS = 365 * 86_400_000;

/** A change as a checkout of its commit, and the commit before it. */
interface Laid {
  /** Unique, and the same in each run. */
  readonly id: string;
  /** Puts it there. */
  readonly checkOut: () => void;
  readonly folder: string;
  readonly base: string;
  /** Address of its author; undefined where the history is ours. */
  readonly author?: string;
  /** Milliseconds; when it was made. */
  readonly at: number;
}

interface Measured {
  readonly name: string;
  readonly levels: Readonly<Record<RiskLevel, number>>;
  readonly sums: readonly number[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    versions: { type: "string", default: "20" },
    every: { type: "string", default: "1" },
    keep: { type: "string" },
    each: { type: "boolean", default: false },
    "no-commits": { type: "boolean", default: false },
    "no-packages": { type: "boolean", default: false },
  },
});
const scratchRoot = mkdtempSync(join(tmpdir(), "forge-risk-"));
const measured: Measured[] = [];
try {
  console.log(["", "changes", ...RISK_LEVELS, "high or above"].join(" | "));
  if (!values["no-commits"]) await print("this repository", ownCommits(Number(values.every)));
  const names = positionals.length > 0 ? positionals : values["no-packages"] ? [] : PACKAGES;
  for (const name of names) await print(name, versionsOf(name, Number(values.versions)));
} finally {
  rmSync(scratchRoot, { recursive: true, force: true });
}
const packages = measured.filter(({ name }) => name !== "this repository");
if (packages.length > 1) show(together("all packages", packages));
const all = together("all", measured);
show(all);
if (shareOfHigh(all) > MOST_HIGH) process.exitCode = 1;

async function print(name: string, laid: Iterable<Laid>): Promise<void> {
  const one = await measure(name, laid);
  measured.push(one);
  show(one);
}

async function measure(name: string, laid: Iterable<Laid>): Promise<Measured> {
  const levels = { low: 0, medium: 0, high: 0, critical: 0 };
  const sums: number[] = [];
  for (const change of laid) {
    const facts = await kept(change);
    if (facts === null) continue;
    const risk = assessRisk(facts);
    levels[ownLevel(risk)] += 1;
    sums.push(risk.sum);
    if (values.each) {
      const points = Object.values(risk.components).map(({ points }) => Math.round(points));
      const floors = risk.floors.map(({ cause }) => cause).join(",");
      console.log(`  ${change.id.slice(0, 20)} ${risk.sum} [${points.join(" ")}] ${floors}`);
    }
  }
  return { name, levels, sums };
}

/** Null for a commit that changes no file. */
async function kept(change: Laid): Promise<RiskFacts | null> {
  const folder = values.keep && join(values.keep, "facts");
  const place = folder && join(folder, `${change.id.replaceAll("/", "+")}.json`);
  if (place && existsSync(place)) return JSON.parse(readFileSync(place, "utf8")) as RiskFacts | null;
  const facts = await factsOf(change);
  if (folder && place) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(place, JSON.stringify(facts));
  }
  return facts;
}

/** As `forge review` gathers them, by the author where the history knows one. */
async function factsOf({ folder, base, author, at, checkOut }: Laid): Promise<RiskFacts | null> {
  checkOut();
  const { signal } = new AbortController();
  const { files, contents, oldContents } = await readFolder({ folder, base, all: false });
  if (files.length === 0) return null;
  const repository = await findLocalRepository(folder);
  if (!repository) throw new Error(`${folder} is no checkout`);
  const request = {
    ...{ commit: base, paths: files.map(({ path, oldPath }) => oldPath ?? path), signal },
    ...{ author: defined({ email: author }), since: new Date(at - YEAR_MS) },
  };
  const history = await inView(repository, (view) => readHistoryIn(view, request));
  const facts = { files, contents, oldContents, configuration: DEFAULT_REPO_CONFIG, scratchRoot, signal };
  return gatherRiskFacts({ ...facts, ...(history.ok ? { history } : {}) });
}

/** Commits of this repository that merge nothing, newest first; `every` fourth of them, say. */
function* ownCommits(every: number): Iterable<Laid> {
  const folder = join(scratchRoot, "own");
  const here = new URL("..", import.meta.url).pathname;
  const git = (at: string, ...args: string[]) =>
    execFileSync("git", ["-C", at, ...args], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }).trim();
  git(here, "clone", "--quiet", here, folder);
  const lines = git(folder, "log", "--no-merges", "--min-parents=1", "--format=%H %P %ae %at").split("\n");
  for (const [index, line] of lines.entries()) {
    if (index % every !== 0) continue;
    const [commit = "", base = "", author = "", seconds = "0"] = line.split(" ");
    const checkOut = () => void git(folder, "checkout", "--quiet", "--force", "--detach", commit);
    yield { id: commit, checkOut, folder, base, author, at: 1_000 * Number(seconds) };
  }
}

function* versionsOf(name: string, count: number): Iterable<Laid> {
  const downloads = join(values.keep ?? scratchRoot, name.replaceAll("/", "+"));
  const versions = publishedVersions(name, count);
  const history = commitVersions(downloadVersions(name, versions, downloads));
  try {
    for (const [index, base] of history.commits.slice(0, -1).entries()) {
      const checkOut = () => history.checkOut(history.commits[index + 1]!);
      yield { id: `${name}@${versions[index + 1]}`, checkOut, folder: history.folder, base, at: Date.now() };
    }
  } finally {
    history.remove();
  }
}

function together(name: string, parts: readonly Measured[]): Measured {
  const levels = { low: 0, medium: 0, high: 0, critical: 0 };
  for (const part of parts) for (const level of RISK_LEVELS) levels[level] += part.levels[level];
  return { name, levels, sums: parts.flatMap(({ sums }) => sums) };
}

function shareOfHigh({ levels: { high, critical }, sums }: Measured): number {
  return sums.length === 0 ? 0 : (high + critical) / sums.length;
}

function show(one: Measured): void {
  const { name, levels, sums } = one;
  const percent = (count: number) => `${((100 * count) / Math.max(1, sums.length)).toFixed(1)} %`;
  const parts = RISK_LEVELS.map((level) => `${levels[level]}`);
  const sorted = sums.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  const spread = `half below ${at(0.5)}, nine in ten below ${at(0.9)}`;
  console.log([name, sums.length, ...parts, percent(levels.high + levels.critical), spread].join(" | "));
}
