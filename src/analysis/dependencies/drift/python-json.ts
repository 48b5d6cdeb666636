import { isRecord } from "../locked-package.ts";
import { ascii } from "./composer-hash.ts";

const DEEPEST = 100;

/** What stands between the parts of a list, and behind a name. */
export interface Separators {
  readonly item: string;
  readonly name: string;
}

const USUAL: Separators = { item: ", ", name: ": " };

/** JSON as Python prints it with its keys in order; undefined where the two may differ. */
export function printPythonJson(value: unknown, separators = USUAL, depth = 0): string | undefined {
  if (depth > DEEPEST) return undefined;
  if (typeof value === "string") return ascii(JSON.stringify(value));
  if (value === null || typeof value === "boolean") return `${value}`;
  if (typeof value === "number") return Number.isSafeInteger(value) ? `${value}` : undefined;
  const { item, name } = separators;
  if (Array.isArray(value)) {
    const items = value.map((each) => printPythonJson(each, separators, depth + 1));
    return items.includes(undefined) ? undefined : `[${items.join(item)}]`;
  }
  if (!isRecord(value) || value instanceof Date) return undefined;
  const parts = Object.keys(value)
    .sort()
    .map((key) => {
      const text = printPythonJson(value[key], separators, depth + 1);
      return text === undefined ? undefined : `${ascii(JSON.stringify(key))}${name}${text}`;
    });
  return parts.includes(undefined) ? undefined : `{${parts.join(item)}}`;
}
