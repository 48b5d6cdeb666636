import { neverGreen, reviewed } from "../program/judge.ts";
import type { Files, Payload } from "../program/payload.ts";
import { openPull } from "../program/strikes.ts";

const CLEAN = "export const a = 1;\n";
const many = (text: string, times: number) => text.repeat(times);

function file(name: string, does: string, files: Files, base: Files = {}): Payload {
  return { name, does, base, strike: openPull(files), faults: reviewed };
}

const YAML_BOMB = `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${many(`*a${at}, `, 9)}x]\n`).join("")}`;

export const TEXTS: readonly Payload[] = [
  file(
    "yaml: aliases",
    "configures itself with aliases of aliases",
    { "src/a.ts": CLEAN },
    { ".github/forge.yml": YAML_BOMB },
  ),
  file("yaml: keys of keys", "nests keys in keys", {
    ".github/forge.yml": `${many("{ ? ", 2_000)}a${many(" }", 2_000)}\n`,
  }),
  file("yaml: flows", "opens 100,000 lists in a workflow", { ".github/workflows/a.yml": many("[", 100_000) }),
  {
    ...file("yaml: dashes", "opens a list within a list 12,000 times in a workflow", {
      ".github/workflows/a.yml": `on: push\njobs:\n ${many("- ", 12_000)}a\n`,
    }),
    faults: neverGreen,
  },
  file("yaml: merges", "merges a workflow into itself", {
    ".github/workflows/a.yml": `on: push\na: &a\n  <<: *a\njobs:\n${many("  x: *a\n", 5_000)}`,
  }),
  file("yaml: quotes", "never ends a string", {
    ".github/forge.yml": `review:\n  on_pr: "${many("\\\\x41 ", 200_000)}`,
  }),
  file("json: deep manifest", "nests its manifest", {
    "package.json": `${many('{"dependencies":', 50_000)}1${many("}", 50_000)}`,
  }),
];
