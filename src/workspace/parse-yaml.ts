import { parse } from "yaml";

/** Real settings and manifests have some hundred lines. The worst YAML of this size takes the parser a part of a second. */
const LONGEST_YAML = 65_536;
const LONE_RETURN = /\r(?!\n)/;
/**
 * The parser would read the line again for each error to show it, and compare each key of a map with each other one: both take time by the
 * square.
 */
const OPTIONS = { prettyErrors: false, uniqueKeys: false, logLevel: "error" } as const;

/** The value of a short YAML text; undefined where it is no YAML or has more than 65,536 characters, which is expected of foreign text. */
export function parseYaml(text: string): unknown {
  // The parser reads the whole text again for each carriage return that stands alone where it fits nothing. Nobody writes them.
  if (text.length > LONGEST_YAML || LONE_RETURN.test(text)) return undefined;
  try {
    return parse(text, OPTIONS) ?? {};
  } catch {
    return undefined;
  }
}
