import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { KnownBlocks } from "../../../src/analysis/dependencies/formats/known-blocks.ts";
import { parseWhole, readYaml } from "../../../src/analysis/dependencies/formats/yaml-tree.ts";
import { lockFileOf } from "../../../src/analysis/dependencies/lock-files.ts";

const recorded = (file: string) => readFileSync(new URL(`recorded/${file}.txt`, import.meta.url), "utf8");
const HASH = /(integrity:? |checksum: )/;
const YAML = ["pnpm-7", "pnpm-8", "pnpm-9", "pnpm-11", "yarn-3", "yarn-4", "workspace-pnpm-9", "workspace-yarn-4"];

it.each([...YAML, "yarn-1", "workspace-yarn-1"])(
  "REV-8: %s says the same where its entries were read before",
  (file) => {
    const name = file.includes("pnpm") ? "pnpm-lock.yaml" : "yarn.lock";
    const text = recorded(file);
    const read = lockFileOf(name)!.read;
    const known: KnownBlocks = new Map();
    read(text, known);
    expect(known.size).toBeGreaterThan(0);
    // Other lines before them, one entry changed, one left out.
    const now = text
      .replace("\n\n", "\n\n\n\n")
      .replace(HASH, "$1a")
      .replace(/\n\n[^\n]*left-pad@[\s\S]*?\n\n/, "\n\n");
    for (const [wanted, isPlain] of [
      [now, true],
      [now.replace(HASH, "$1a;"), false],
    ] as const) {
      const { parsed: _its, ...again } = read(wanted, new Map(known)) as { parsed?: unknown; strange?: number };
      const { parsed: _own, ...whole } = read(wanted) as { parsed?: unknown };
      expect(again).toEqual(whole);
      expect(again.strange === undefined).toBe(isPlain);
    }
  },
);

it.each(YAML)("REV-8: %s says the same as by the parser of all of YAML", (file) => {
  expect(readYaml(recorded(file)).documents).toEqual(parseWhole(recorded(file)).documents);
});
