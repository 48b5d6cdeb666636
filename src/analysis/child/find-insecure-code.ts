import { parseSync } from "oxc-parser";
import { PatternFinder, type PatternHit } from "../patterns/find-patterns.ts";
import type { Node } from "../patterns/node.ts";
import { readPython } from "../patterns/python/read-python.ts";
import { PYTHON_RULES } from "../patterns/python/rules.ts";
import { RULES } from "../patterns/rules/all-rules.ts";
import type { ChildFile } from "./protocol.ts";
import { readings } from "./readings.ts";

/** Hits of a file, or why there are none; `cut` where it cost more than a file may. */
export type PatternsResult =
  | { readonly hits: readonly PatternHit[]; readonly cut: boolean }
  | { readonly unread: string };

/** Larger files are written by programs, and cost what the rest of a change costs together. */
const LARGEST = 4 * 1024 * 1024;

/** A reader of files for insecure code: one parse, one walk, on text alone. */
export function findInsecureCode(): (file: ChildFile) => PatternsResult {
  const finder = new PatternFinder(RULES);
  const pythonFinder = new PatternFinder(PYTHON_RULES);
  return ({ text, dialect = "js" }) => {
    if (text.length > LARGEST) return { unread: "larger than 4 MB" };
    if (dialect === "py") return pythonFinder.find(readPython(text), text);
    const program = parseAny(text, dialect);
    if (program === undefined) return { unread: "it does not parse" };
    try {
      return finder.find(program, text);
    } catch (thrown) {
      if (thrown instanceof RangeError) return { unread: "its code is nested too deeply" };
      throw thrown;
    }
  };
}

/** The reading with the fewest errors: what parses of a broken file is read. */
function parseAny(text: string, dialect: NonNullable<ChildFile["dialect"]>): Node | undefined {
  let best: { readonly program: Node; readonly errors: number } | undefined;
  for (const options of readings(dialect)) {
    const parsed = parseSync("file", text, { ...options, astType: "ts", preserveParens: false });
    const errors = parsed.errors.filter(({ severity }) => severity === "Error").length;
    if (best !== undefined && errors >= best.errors) continue;
    const program = parsed.program as unknown as Node;
    if (errors > 0 && (program.body as readonly Node[]).length === 0) continue;
    best = { program, errors };
    if (errors === 0) break;
  }
  return best?.program;
}
