import { parse, TomlError } from "smol-toml";

/** The contents of a TOML text; undefined where it is not TOML, which is expected of foreign text. */
export function parseToml(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parse(text, { integersAsBigInt: "asNeeded" });
  } catch {
    return undefined;
  }
}

/** The line on which a text stops being TOML, 1-based; line 1 for a text that is TOML. */
export function tomlFaultLine(text: string): number {
  try {
    parse(text, { integersAsBigInt: "asNeeded" });
    return 1;
  } catch (error) {
    return error instanceof TomlError ? error.line : 1;
  }
}
