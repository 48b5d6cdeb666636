import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { median, type Result } from "../report.ts";
import { type Timed, timed } from "../timed.ts";

export const SMALL_TITLE =
  "forge review of a two-line change in a checkout of 60 files; baseline: another linter on the changed file";

const ROUNDS = 7;
const FILES = 60;
const GOAL_MS = 1_500;
const CHANGED = "src/part7.js";

const part = (number: number) => `export function total${number}(items) {
  let sum = ${number};
  for (const item of items) {
    sum += item.price * item.count;
  }
  return sum;
}
`;

/** Each tool in each round, one after another: a busy machine is busy for all of them. */
export function measureSmall(): Result[] {
  const folder = mkdtempSync(join(tmpdir(), "forge-small-"));
  try {
    prepare(folder);
    const node = process.execPath;
    const tools = {
      forge: [node, resolve("bin/forge.mjs"), "review", "."],
      eslint: [node, resolve("node_modules/eslint/bin/eslint.js"), CHANGED],
      biome: [resolve("node_modules/.bin/biome"), "lint", CHANGED],
    };
    const times: Record<keyof typeof tools, Timed[]> = { forge: [], eslint: [], biome: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const name of ["forge", "eslint", "biome"] as const) {
        const took = timed(tools[name], { cwd: folder });
        // The first round fills the caches.
        if (round > 0) times[name].push(took);
      }
    }
    const of = (name: keyof typeof tools, what: keyof Timed) => median(times[name].map((took) => took[what]));
    const wall = of("forge", "wall");
    const goal = { goal: `under ${GOAL_MS} ms on an idle machine`, met: wall < GOAL_MS };
    const processor = { value: of("forge", "processor"), unit: "ms" };
    return [
      { name: "next to eslint", value: wall, unit: "ms", baseline: of("eslint", "wall"), ...goal },
      { name: "next to biome", value: wall, unit: "ms", baseline: of("biome", "wall") },
      { name: "next to eslint, processors", ...processor, baseline: of("eslint", "processor") },
      { name: "next to biome, processors", ...processor, baseline: of("biome", "processor") },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function prepare(folder: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=ana", "-c", "user.email=ana@example.com", ...args]);
  write("package.json", '{ "name": "parts", "type": "module" }\n');
  write(
    "eslint.config.js",
    'export default [{ rules: { "no-undef": 2, "no-unused-vars": 2, "no-dupe-keys": 2, "no-const-assign": 2, eqeqeq: 2 } }];\n',
  );
  for (let number = 0; number < FILES; number += 1) write(`src/part${number}.js`, part(number));
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "Begin");
  write(CHANGED, part(7).replace("  let sum = 7;", "  const tax = 1;\n  let sum = 7 + tax;"));
}
