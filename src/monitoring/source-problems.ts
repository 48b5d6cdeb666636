import { explainSettings, type SettingIssue, settingNames } from "../domain/explain-settings.ts";
import { SourceSettings } from "./settings.ts";

const isKnown = settingNames(SourceSettings);

/**
 * What is wrong with the file of sources, a sentence for each place. Of what was typed there nothing is shown but the schema's own names: a
 * secret stands as a value or as a key (SEC-6).
 */
export function sourceProblems(...[error, written]: Parameters<ReturnType<typeof explainSettings>>): string[] {
  const explain = explainSettings(SourceSettings, { named: (path) => named(path, written), demand, example });
  return explain(error, written).map(({ message }) => message);
}

/** Names of the schema as they are, each other one by where it stands: `repositories.(key 2).staging`. */
function named(path: readonly PropertyKey[], written: unknown): string {
  if (path.length === 0) return "The file";
  let around = written;
  const parts = path.map((key, at) => {
    const keys = typeof around === "object" && around !== null ? Object.keys(around) : [];
    around = keys.includes(String(key)) ? (around as Record<PropertyKey, unknown>)[key] : undefined;
    if (typeof key === "number") return `[${key}]`;
    const shown = isKnown(path.slice(0, at), String(key)) ? String(key) : `(key ${keys.indexOf(String(key)) + 1})`;
    return at === 0 ? shown : `.${shown}`;
  });
  return `\`${parts.join("")}\``;
}

/** How a secret is named, of which the file has only the place. */
function demand({ code, path }: SettingIssue): string | undefined {
  const last = path.at(-1);
  return code === "invalid_union" && (last === "token" || last === "secret")
    ? `must say where it stands: {"variable": "NAME"} for a variable of the environment, or {"file": "path"} for a file next to this one`
    : undefined;
}

function example({ expected }: { readonly expected: string }): string {
  if (expected === "array") return " in [ ]";
  return expected === "object" || expected === "record" ? " in { }" : "";
}
