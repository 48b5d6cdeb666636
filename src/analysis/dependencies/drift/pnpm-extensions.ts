import { createHash } from "node:crypto";
import { parseDocument } from "yaml";
import { isRecord } from "../locked-package.ts";

/** Characters; nobody has settings as long as that. */
const LONGEST_SETTINGS = 200_000;
const DEEPEST = 20;

/** The extensions of packages in `pnpm-workspace.yaml`, with the kinds of their values. */
export function extensionsIn(workspace: string): unknown {
  if (workspace.length > LONGEST_SETTINGS) return undefined;
  try {
    const settings: unknown = parseDocument(workspace, { uniqueKeys: false }).toJS({ maxAliasCount: 0 });
    return isRecord(settings) ? settings.packageExtensions : undefined;
  } catch {
    // An alias that leads to others. Another place reports what is no YAML.
    return undefined;
  }
}

/**
 * Whether pnpm repeats the checksum of these extensions.
 * @returns undefined for a checksum of another kind, as versions before 10 write it, and for values that no extension has
 */
export function isChecksumOf(extensions: unknown, checksum: string): boolean | undefined {
  const written = printed(extensions);
  if (written === undefined || !checksum.startsWith("sha256-")) return undefined;
  return `sha256-${createHash("sha256").update(written).digest("base64")}` === checksum;
}

/** Each value with its kind before it, and the keys of a table in order. */
function printed(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return `string:${value.length}:${value}`;
  if (typeof value === "boolean") return `bool:${value}`;
  if (!isRecord(value) || depth > DEEPEST) return undefined;
  const entries = Object.keys(value)
    .sort()
    .map((key) => [printed(key), printed(value[key], depth + 1)] as const);
  if (entries.some(([, text]) => text === undefined)) return undefined;
  return `object:${entries.length}:${entries.map(([key, text]) => `${key}:${text},`).join("")}`;
}
