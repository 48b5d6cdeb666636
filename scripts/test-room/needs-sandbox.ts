import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Modules that open the sandbox when they are loaded. */
const OPENING = [/^test\/needs\/sandbox\.ts$/, /^test\/hostile\/program\/arena\.ts$/];

/** Whether one of the tests, or a helper below `test/` that it imports, opens the sandbox. */
export function needsSandbox(tests: readonly string[], read: (path: string) => string = readText): boolean {
  const seen = new Set<string>();
  const waiting = tests.map((path) => normalize(path));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    if (OPENING.some((opening) => opening.test(path))) return true;
    const text = read(path);
    if (/\bopenSandbox\(/.test(text)) return true;
    for (const [, specifier = ""] of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"'\n]+)["']/g)) {
      const target = normalize(join(dirname(path), specifier));
      if (target.startsWith("test/")) waiting.push(target);
    }
  }
  return false;
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
