import { parse } from "smol-toml";

/** The contents of a TOML text; undefined where it is not TOML, which is expected of foreign text. */
export function parseToml(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parse(text, { integersAsBigInt: "asNeeded" });
  } catch {
    return undefined;
  }
}
