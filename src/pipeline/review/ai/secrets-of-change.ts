import type { Observation } from "../../../domain/findings.ts";
import { createKnownValues } from "../../../safety/known-values.ts";
import { REDACTED, type Redact, redactAside, redactorAside } from "../../../safety/redact.ts";
import { looksRandom } from "../../../safety/secrets/randomness.ts";
import { replaceSpans, type Span } from "../../../safety/text-spans.ts";

/** More of them are a list, and not what somebody lives by. */
const MOST_VALUES = 200;

/**
 * Hides also, in whatever way it is written, what the scanner found in this change: once found, a secret is a known value. It is for this
 * change alone, so that no other text decides what others may read.
 */
export function hidingFound(
  redact: Redact,
  found: readonly Observation[],
  contents: ReadonlyMap<string, unknown>,
): Redact {
  const values = secretValues(found, contents);
  const find = createKnownValues(values);
  if (find === undefined) return redact;
  const hide = (text: string) => {
    const spans: Span[] = [];
    find(text, spans);
    return replaceSpans(text, spans, REDACTED);
  };
  const hideAside = redactorAside(values);
  return Object.assign((text: string) => redact(hide(text)), {
    aside: async (text: string) => redactAside(await hideAside(text), redact),
  });
}

function secretValues(found: readonly Observation[], contents: ReadonlyMap<string, unknown>): string[] {
  const values = new Set<string>();
  for (const { rule, file, line, endLine } of found) {
    const content = contents.get(file);
    if (!rule.startsWith("secrets/") || !Buffer.isBuffer(content)) continue;
    const lines = content
      .toString("utf8")
      .split("\n")
      .slice(line - 1, endLine);
    for (const value of lines.join("\n").split(/[^A-Za-z0-9_+/.~=-]+|=(?=[^=\s])/)) {
      if (value.length >= 16 && looksRandom(value) && values.size < MOST_VALUES) values.add(value);
    }
  }
  return [...values];
}
