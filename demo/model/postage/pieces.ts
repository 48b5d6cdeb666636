import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Piece } from "../work.ts";

const PROJECT = fileURLToPath(new URL("../../../fixtures/projects/postage", import.meta.url));

/** What a folder of the project changes in those before it, as an implementer does it: whole files, new or in place of what they were. */
function changesOf(folder: string, before: readonly string[]): Pick<Piece, "edits" | "files"> {
  const edits: { path: string; old_text: string; new_text: string }[] = [];
  const files: { path: string; content: string }[] = [];
  const root = join(PROJECT, folder);
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
    if (!/\.\w+$/.test(path)) continue;
    const content = readFileSync(join(root, path), "utf8");
    const old = before.map((name) => join(PROJECT, name, path)).find((file) => existsSync(file));
    if (old === undefined) files.push({ path, content });
    else edits.push({ path, old_text: readFileSync(old, "utf8"), new_text: content });
  }
  return { edits, files };
}

const TESTS = {
  name: "run_tests",
  input: { files: ["test/numbers.test.js"], affected_by: ["src/numbers.js"] },
} as const;

/** Gives out numbers, and has too few of them for many customers. */
export const NUMBERED: Piece = {
  ...changesOf("numbered", ["base"]),
  tries: TESTS,
  summary: "Each price has a number of two digits, which no other price has for five seconds.",
  tests: ["two prices at a time have two numbers", "a number is given out again after five seconds"],
  commit: { type: "feat", subject: "give each price a number for the display" },
};

/** Always has a number. */
export const MENDED: Piece = {
  ...changesOf("mended", ["numbered", "base"]),
  tries: TESTS,
  summary: "Numbers are given out in turn, so there is always one: the one that was given out first.",
  tests: ["there is always a number, and it is the one that was given out first"],
  commit: { type: "fix", subject: "give out the oldest number again when none is free" },
};
