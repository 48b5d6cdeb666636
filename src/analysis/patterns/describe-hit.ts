import { DEFINITION_RULES } from "./definitions/rules.ts";
import { PYTHON_RULES } from "./python/rules.ts";
import { rowKeys } from "./row.ts";
import { RULES } from "./rules/all-rules.ts";
import type { PatternHit } from "./search.ts";

const ROWS = new Map(
  [RULES, PYTHON_RULES, DEFINITION_RULES].flatMap((rules) => [...rowKeys(rules)].map(([row, key]) => [key, row])),
);

/** What people read of a hit: what is so, how the input gets there, what an attacker makes of it, what mends it. */
export function describeHit(
  { row, what, severity }: Pick<PatternHit, "row" | "what" | "severity">,
  way: readonly WayLine[],
): { readonly message: string; readonly why: string } {
  const words = ROWS.get(row)?.words;
  if (words === undefined) return { message: "This code is insecure.", why: "" };
  const why = `${words.attack} ${words.mend}`;
  if (what === undefined) return { message: words.what, why };
  const label = `\`${what.label.replaceAll("`", "'")}\``;
  if (what.source === undefined || severity === "info") {
    const origin = what.source === undefined ? "" : `, perhaps from ${what.source},`;
    return { message: `When foreign input gets here: ${label}${origin} ${words.what}.`, why: `${shown(way)}${why}` };
  }
  return { message: `${label} comes from ${what.source} and ${words.what}.`, why: `${shown(way)}${why}` };
}

/** A step of the way; with the file where that is another than the one in which it is told. */
interface WayLine {
  readonly path?: string;
  readonly line: number;
  readonly text: string;
}

function shown(way: readonly WayLine[]): string {
  if (way.length < 2) return "";
  const steps = way.map(({ path, line, text }) => {
    const code = `\`${text.replaceAll("`", "'")}\``;
    return path === undefined ? `line ${line} ${code}` : `\`${path.replaceAll("`", "'")}\` line ${line} ${code}`;
  });
  return `Its way: ${steps.join(", ")}. `;
}
