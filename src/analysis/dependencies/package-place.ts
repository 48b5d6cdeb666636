import { lineText, type SourceFile } from "../source-file.ts";
import type { LockedPackage } from "./locked-package.ts";

interface Place {
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
}

/**
 * Where people look for a package: the added line of a manifest that names it, else the first added line of its entry in the lock file.
 */
export function findPlace(
  of: Pick<LockedPackage, "name" | "line" | "endLine">,
  lock: SourceFile,
  manifests: readonly SourceFile[],
): Place {
  for (const manifest of manifests) {
    const line = [...manifest.addedLines].find((added) => names(lineText(manifest, added), of.name));
    if (line !== undefined) return { file: manifest.path, line, endLine: line };
  }
  let line = of.line;
  while (line < of.endLine && !lock.addedLines.has(line)) line += 1;
  const found = lock.addedLines.has(line) ? line : of.line;
  return { file: lock.path, line: found, endLine: found };
}

/** In quotes in JSON and TOML and Ruby, or at the beginning of the line. */
function names(line: string, name: string): boolean {
  const text = line.trim().toLowerCase();
  const wanted = name.toLowerCase();
  if (text.includes(`"${wanted}"`) || text.includes(`'${wanted}'`)) return true;
  return text.startsWith(wanted) && /^[\s=<>~![@;]/.test(text.slice(wanted.length));
}
