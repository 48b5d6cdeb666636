import type { PatternHit } from "./find-patterns.ts";
import { PYTHON_RULES } from "./python/rules.ts";
import type { Setting, Sink } from "./row.ts";
import { RULES } from "./rules/all-rules.ts";

const ROWS = new Map<string, Sink | Setting>(
  [RULES, PYTHON_RULES].flatMap(({ sinks, settings }) => [...sinks, ...settings]).map((row) => [row.id, row]),
);

/** What people read of a hit: what is so, how the input gets there, what an attacker makes of it, what mends it. */
export function describeHit(
  { rule, what, severity }: Pick<PatternHit, "rule" | "what" | "severity">,
  way: readonly { readonly line: number; readonly text: string }[],
): { readonly message: string; readonly why: string } {
  const words = ROWS.get(rule)?.words;
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

function shown(way: readonly { readonly line: number; readonly text: string }[]): string {
  if (way.length < 2) return "";
  const steps = way.map(({ line, text }) => `line ${line} \`${text.replaceAll("`", "'")}\``);
  return `Its way: ${steps.join(", ")}. `;
}
