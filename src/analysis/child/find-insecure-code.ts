import { readDockerfile } from "../patterns/definitions/read-dockerfile.ts";
import { readYaml } from "../patterns/definitions/read-yaml.ts";
import { DEFINITION_RULES } from "../patterns/definitions/rules.ts";
import { moduleName } from "../patterns/facts.ts";
import { type FileSummary, Imports, type KnownFile, readSummary } from "../patterns/file-summary.ts";
import { type Found, PatternFinder } from "../patterns/find-patterns.ts";
import type { Node } from "../patterns/node.ts";
import { readPython } from "../patterns/python/read-python.ts";
import { PYTHON_RULES } from "../patterns/python/rules.ts";
import { RULES } from "../patterns/rules/all-rules.ts";
import type { PatternHit } from "../patterns/search.ts";
import { parseTree } from "./parse-tree.ts";
import { type ChildFile, LARGEST_YAML, UNPARSED } from "./protocol.ts";
import { readings } from "./readings.ts";

/** Hits of a file, or why there are none; `cut` where it cost more than a file may. `exports` is for files that are read after it. */
export type PatternsResult =
  | { readonly hits: readonly PatternHit[]; readonly cut: boolean; readonly exports?: FileSummary }
  | { readonly unread: string };

/** Larger files are written by programs, and cost what the rest of a change costs together. */
const LARGEST = 4 * 1024 * 1024;

/**
 * A reader of files for insecure code: one parse, one walk, on text alone. What files hand to each other is followed where those that are
 * imported are read first.
 * @param known of files that another process has read
 */
export function findInsecureCode(known: readonly FileSummary[] = []): (file: ChildFile) => PatternsResult {
  const finder = new PatternFinder(RULES);
  const pythonFinder = new PatternFinder(PYTHON_RULES);
  const definitionFinder = new PatternFinder(DEFINITION_RULES);
  const files = new Map<string, KnownFile>(known.map((summary) => [summary.path, readSummary(summary)]));
  return ({ text, dialect = "js", language, path, imports: asked = {} }) => {
    if (text.length > LARGEST) return { unread: "larger than 4 MB" };
    if (language === "Dockerfile") return alone(definitionFinder.find(readDockerfile(text), text));
    if (dialect === "yaml" && text.length > LARGEST_YAML) return { unread: "larger than 300 KB" };
    try {
      const program =
        dialect === "yaml" ? readYaml(text) : dialect === "py" ? readPython(text) : parseAny(text, dialect);
      if (program === undefined) return { unread: UNPARSED };
      if (dialect === "yaml") return alone(definitionFinder.find(program, text));
      const imports = Object.fromEntries(Object.entries(asked).map(([module, target]) => [moduleName(module), target]));
      const place = path === undefined ? undefined : { path, imports: new Imports(files, imports) };
      const { hits, cut, exports } = (dialect === "py" ? pythonFinder : finder).find(program, text, place);
      if (exports === undefined) return { hits, cut };
      const summary = { ...exports, imports };
      files.set(summary.path, readSummary(summary));
      return { hits, cut, exports: summary };
    } catch (thrown) {
      if (thrown instanceof RangeError) return { unread: "its code is nested too deeply" };
      throw thrown;
    }
  };
}

/** Of a file that no other imports. */
function alone({ hits, cut }: Found): PatternsResult {
  return { hits, cut };
}

const MOST_REPAIRS = 6;
/** Parsing once more costs what parsing costs. */
const REPAIRED = 500_000;

/** The reading with the fewest errors: what parses of a broken file is read, without the lines that do not. */
function parseAny(text: string, dialect: NonNullable<ChildFile["dialect"]>): Node | undefined {
  let rest = text;
  for (let repairs = 0; ; repairs += 1) {
    const { program, broken } = parseOnce(rest, dialect);
    if (program !== undefined || broken === undefined || repairs === MOST_REPAIRS || text.length > REPAIRED)
      return program;
    rest = withoutLine(rest, broken);
  }
}

function parseOnce(text: string, dialect: NonNullable<ChildFile["dialect"]>) {
  let best: { readonly program: Node; readonly errors: number } | undefined;
  let broken: number | undefined;
  for (const options of readings(dialect)) {
    const parsed = parseTree(text, { ...options, astType: "ts", preserveParens: false });
    const errors = parsed.errors.filter(({ severity }) => severity === "Error");
    if (best !== undefined && errors.length >= best.errors) continue;
    const program = parsed.program as unknown as Node;
    if (errors.length > 0 && (program.body as readonly Node[]).length === 0) {
      broken = Math.max(broken ?? 0, errors[0]?.labels[0]?.start ?? 0);
      continue;
    }
    best = { program, errors: errors.length };
    if (errors.length === 0) break;
  }
  return { program: best?.program, broken };
}

/** With blanks for the line of an offset, or for the last one that has something in it: everything stays where it is. */
function withoutLine(text: string, offset: number): string {
  const at = Math.min(offset, text.trimEnd().length - 1);
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const next = text.indexOf("\n", at);
  const end = next === -1 ? text.length : Math.max(next, start);
  return `${text.slice(0, start)}${" ".repeat(end - start)}${text.slice(end)}`;
}
