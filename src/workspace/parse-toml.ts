import { parse, TomlError } from "smol-toml";

type Table = Readonly<Record<string, unknown>>;

/** The contents of a TOML text; undefined where it is not TOML, which is expected of foreign text. */
export function parseToml(text: string): Table | undefined {
  return readToml(text).table;
}

/** The same, or the line on which the text stops being TOML, 1-based. */
export function readToml(
  text: string,
): { readonly table: Table; readonly fault?: never } | { readonly table?: never; readonly fault: number } {
  try {
    return { table: parse(text, { integersAsBigInt: "asNeeded" }) };
  } catch (error) {
    return { fault: error instanceof TomlError ? error.line : 1 };
  }
}
