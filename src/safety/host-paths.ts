import type { Redact } from "./redact.ts";

const HIDDEN = "[a path of Forge's machine]";

/**
 * Adds to a redactor that no path below these folders is shown: what a program or an error says of the machine is nobody's business on
 * GitHub. A folder of the top of the file system is a word that repositories use too, such as `/data`: it has to be named more closely.
 * @param places absolute paths, or beginnings of paths such as `/tmp/forge-`; those of one name only have no effect
 */
export function hideHostPaths(redact: Redact, places: readonly string[]): Redact {
  const known = [...new Set(places)].filter((place) => /^\/[^/]+\/[^/]/.test(place));
  if (known.length === 0) return redact;
  known.sort((one, other) => other.length - one.length);
  const pattern = new RegExp(`(?:${known.map(RegExp.escape).join("|")})[^\\s"'\`<>()\\[\\]|,;]*`, "g");
  return (text) => redact(text).replace(pattern, HIDDEN);
}
