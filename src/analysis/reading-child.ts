import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ReaderSpec } from "./run-reader.ts";

/** Forge's own folder. Only its code is shown to readers: settings and data may stand beside it. */
export const FORGE_FOLDER = resolve(import.meta.dirname, "..", "..");

const OWN_CODE = ["package.json", "src", "node_modules"]
  .map((name) => join(FORGE_FOLDER, name))
  .filter((path) => existsSync(path));

/** How a reading child is started. @param compiledCode folder with the compiled form of what it loads */
export function readingChild(compiledCode?: string): Pick<ReaderSpec, "program" | "args" | "shown"> {
  return {
    program: process.execPath,
    // Trees of whole files die young: with the usual nursery a third of the time goes into moving them out of it.
    args: [
      "--max-old-space-size=512",
      "--max-semi-space-size=16",
      "--no-warnings",
      join(import.meta.dirname, "child", "main.ts"),
      ...(compiledCode === undefined ? [] : [compiledCode]),
    ],
    shown: compiledCode === undefined ? OWN_CODE : [...OWN_CODE, compiledCode],
  };
}
