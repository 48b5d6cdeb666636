import { parse } from "smol-toml";

/** What a text in TOML says; undefined where it is none, which is an answer wherever others write the text. */
export function parseToml(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parse(text, { integersAsBigInt: "asNeeded" });
  } catch {
    return undefined;
  }
}
