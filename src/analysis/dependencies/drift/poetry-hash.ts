import { createHash } from "node:crypto";
import { parseToml } from "../../../workspace/parse-toml.ts";
import { isRecord, type ParsedLock, textOf } from "../locked-package.ts";
import { ascii } from "./composer-hash.ts";

/** What Poetry puts into the hash, `null` where it is absent. */
const FIELDS = ["dependencies", "dev-dependencies", "extras", "source"];

/**
 * Poetry repeats a hash of its own section of `pyproject.toml`.
 * @returns whether the lock file is in step; undefined where that cannot be judged: later versions hash the section `project` as well
 */
export function poetryIsInStep(manifestText: string, { table: lock }: ParsedLock): boolean | undefined {
  const manifest = parseToml(manifestText);
  const metadata = lock?.metadata;
  const locked = isRecord(metadata) ? textOf(metadata["content-hash"]) : undefined;
  const tool = isRecord(manifest?.tool) ? manifest.tool : {};
  if (locked === undefined || !isRecord(tool.poetry) || manifest?.project || manifest?.["dependency-groups"])
    return undefined;
  const { poetry } = tool;
  const known = FIELDS.map((field) => [field, poetry[field] ?? null] as const);
  const text = printed(Object.fromEntries(poetry.group === undefined ? known : [...known, ["group", poetry.group]]));
  return text === undefined ? undefined : createHash("sha256").update(text).digest("hex") === locked;
}

const DEEPEST = 100;

/** As Python prints JSON with its keys in order; undefined where the two may differ. */
function printed(value: unknown, depth = 0): string | undefined {
  if (depth > DEEPEST) return undefined;
  if (typeof value === "string") return ascii(JSON.stringify(value));
  if (value === null || typeof value === "boolean") return `${value}`;
  if (typeof value === "number") return Number.isSafeInteger(value) ? `${value}` : undefined;
  if (Array.isArray(value))
    return enclosed(
      "[",
      value.map((item) => printed(item, depth + 1)),
      "]",
    );
  if (!isRecord(value) || value instanceof Date) return undefined;
  const parts = Object.keys(value)
    .sort()
    .map((name) => {
      const text = printed(value[name], depth + 1);
      return text === undefined ? undefined : `${printed(name)}: ${text}`;
    });
  return enclosed("{", parts, "}");
}

function enclosed(start: string, parts: readonly (string | undefined)[], end: string): string | undefined {
  return parts.includes(undefined) ? undefined : `${start}${parts.join(", ")}${end}`;
}
