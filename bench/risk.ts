import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import {
  areaOver,
  countMended,
  fitWeights,
  learnFrom,
  likeThis,
  MOST_PAST,
  splitByTime,
  weighed,
} from "../src/analysis/risk/fit-risk.ts";
import { findMended, isWritten, MENDED_WITHIN_DAYS } from "../src/analysis/risk/mended-changes.ts";
import { fullStore } from "../src/workspace/git-store.ts";
import { readLandedChanges } from "../src/workspace/landed-changes.ts";
import { writeResults } from "./report.ts";

/*
 * How well the risk tells which changes were mended later, over whole public histories (RISK-1):
 *
 *   npm run bench:risk -- --fetch <folder>         fetches the ten of them that are not there yet (git, GitHub), and measures those
 *   npm run bench:risk -- <bare clone> ...         measures these
 *
 * Of each history the first six tenths are learnt from as Forge would have at that moment, the rest is judged. Nothing is fitted on what
 * it is judged by, and of the ten none was among the eleven that the fit's start comes from.
 */
const TEN = [
  "expressjs/express",
  "koajs/koa",
  "fastify/fastify",
  "lodash/lodash",
  "axios/axios",
  "pallets/flask",
  "psf/requests",
  "redis/node-redis",
  "prettier/prettier",
  "mochajs/mocha",
];

const DAY_MS = 86_400_000;
/** Share of a history that is learnt from. */
const LEARNT = 0.6;

interface Row {
  readonly name: string;
  readonly changes: number;
  readonly mended: number;
  readonly judged: number;
  readonly judgedMended: number;
  /** Areas under the curve on the later part; `used` is the fitted weights only where they did better before. */
  readonly lines: number;
  readonly fixed: number;
  readonly fitted: number;
  readonly used: number;
  readonly uses: "fixed" | "fitted";
  /** Of the later changes of which a share is said: how many mended ones the shares come to, and how many there were. */
  readonly said: number;
  readonly expected: number;
  readonly came: number;
}

async function measure(path: string): Promise<Row> {
  const git = (...args: string[]) => execFileSync("git", ["-C", path, ...args], { encoding: "utf8" }).trim();
  const store = fullStore(resolve(path, git("rev-parse", "--git-dir")));
  const scratch = await mkdtemp(join(tmpdir(), "forge-bench-risk-"));
  try {
    const folder = join(scratch, "landed");
    const { signal } = new AbortController();
    const landed = await readLandedChanges(store, { head: git("rev-parse", "HEAD"), folder, isWritten, signal });
    if (!landed.ok) throw new Error(`${path}: ${landed.detail}`);
    process.chdir(folder);
    const { changes, until } = findMended(landed);
    const { cut, earlier, later } = splitByTime(changes, until, LEARNT);
    const fit = fitWeights(earlier, cut);
    const learnt = learnFrom(earlier, cut);
    const scores = changes.map(({ points }) => weighed(points, learnt.weights));
    const told = later.flatMap((change) => {
      // What was known on that day, as Forge renews it.
      const known = changes.flatMap(({ at, mendedAt }, index): [number, boolean][] =>
        at + MENDED_WITHIN_DAYS * DAY_MS <= change.at ? [[scores[index]!, mendedAt !== undefined]] : [],
      );
      const like = likeThis({ past: known.slice(-MOST_PAST) }, weighed(change.points, learnt.weights));
      return like === undefined ? [] : [{ share: like.mended / like.alike, mended: change.mendedAt !== undefined }];
    });
    const fixed = areaOver(later, ({ points }) => weighed(points));
    return {
      name: nameOf(path),
      ...{
        changes: changes.length,
        mended: countMended(changes),
        judged: later.length,
        judgedMended: countMended(later),
      },
      lines: areaOver(later, ({ linesAdded }) => linesAdded),
      fixed,
      fitted: fit === undefined ? fixed : areaOver(later, ({ points }) => weighed(points, fit.weights)),
      used: areaOver(later, ({ points }) => weighed(points, learnt.weights)),
      uses: learnt.weights === undefined ? "fixed" : "fitted",
      said: told.length,
      expected: told.reduce((sum, { share }) => sum + share, 0),
      came: told.filter(({ mended }) => mended).length,
    };
  } finally {
    process.chdir(tmpdir());
    await rm(scratch, { recursive: true, force: true });
  }
}

function nameOf(path: string): string {
  const name = basename(resolve(path)).replace(/\.git$/, "");
  return name === "repo" || name === "" ? basename(dirname(resolve(path))).replace("+", "/") : name;
}

async function fetchAll(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const places: string[] = [];
  for (const repository of TEN) {
    const place = join(folder, `${repository.replace("/", "+")}.git`);
    places.push(place);
    if (await stat(place).catch(() => undefined)) continue;
    const url = `https://github.com/${repository}.git`;
    execFileSync("git", ["clone", "--quiet", "--bare", "--single-branch", url, place], { stdio: "inherit" });
  }
  return places;
}

const HEAD = ["", "changes", "mended", "judged", "lines", "fixed", "fitted", "used", "", "share said", "came"];

function lineOf(row: Row): string[] {
  const area = (value: number) => value.toFixed(3);
  return [
    ...[row.name, String(row.changes), `${row.mended} (${Math.round((100 * row.mended) / row.changes)} %)`],
    ...[`${row.judged} (${row.judgedMended})`, area(row.lines), area(row.fixed), area(row.fitted), area(row.used)],
    ...[row.uses, `${row.expected.toFixed(1)} of ${row.said}`, String(row.came)],
  ];
}

const args = process.argv.slice(2);
const json = args.indexOf("--json");
const file = json === -1 ? undefined : args.splice(json, 2)[1];
const paths = args[0] === "--fetch" ? await fetchAll(args[1] ?? "histories") : args;
if (paths.length === 0) {
  console.error("npm run bench:risk -- --fetch <folder>, or the paths of bare clones");
  process.exit(2);
}
const rows: Row[] = [];
for (const path of paths.map((one) => resolve(one))) rows.push(await measure(path));

// Of a history whose later part holds no mended change nothing can be told.
const told = rows.filter(({ fixed }) => !Number.isNaN(fixed));
const mean = (of: (row: Row) => number) => told.reduce((sum, row) => sum + of(row), 0) / told.length;
const means = [mean((row) => row.lines), mean((row) => row.fixed), mean((row) => row.fitted), mean((row) => row.used)];
const table = [HEAD, ...rows.map(lineOf), ["mean", "", "", "", ...means.map((value) => value.toFixed(3))]];
const widths = HEAD.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
console.log("\nwhich changes were mended later: how often the mended one of two has the higher score\n");
for (const row of table)
  console.log(
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join("  ")
      .trimEnd(),
  );
const beats = (of: (row: Row) => number) => rows.filter((row) => of(row) > row.fixed).length;
console.log(
  `\nof ${rows.length} histories: fitted above fixed in ${beats((row) => row.fitted)}, used above fixed in ` +
    `${beats((row) => row.used)} and below in ${rows.filter((row) => row.used < row.fixed).length}, ` +
    `lines added alone above fixed in ${beats((row) => row.lines)}\n`,
);
if (file !== undefined) {
  writeResults(
    file,
    rows.map((row) => ({ name: row.name, value: row.used, unit: "area", baseline: row.fixed })),
  );
}
