import { createHash } from "node:crypto";
import { parseToml } from "../../../workspace/parse-toml.ts";
import { isRecord, type ParsedLock, textOf } from "../locked-package.ts";
import { printPythonJson } from "./python-json.ts";

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
  const text = printPythonJson(
    Object.fromEntries(poetry.group === undefined ? known : [...known, ["group", poetry.group]]),
  );
  return text === undefined ? undefined : createHash("sha256").update(text).digest("hex") === locked;
}
