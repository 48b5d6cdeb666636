import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CODE_ENDING } from "../domain/code-ending.ts";

let known: string | undefined;

/**
 * Names everything that decides what analysers say: our code and rules, and the packages, which package.json names by their exact
 * versions. No number that somebody has to remember to raise. Read once, in some ten milliseconds.
 */
export function rulesVersion(): string {
  const folders = [import.meta.dirname, join(import.meta.dirname, "..", "safety", "secrets")];
  known ??= readVersion(folders, join(import.meta.dirname, "..", "..", "package.json"));
  return known;
}

function readVersion(folders: readonly string[], manifest: string): string {
  const hash = createHash("sha256").update(readFileSync(manifest));
  for (const folder of folders) {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(CODE_ENDING),
    );
    for (const file of files.sort()) hash.update(`\0${file}\0`).update(readFileSync(join(folder, file)));
  }
  return hash.digest("hex");
}
