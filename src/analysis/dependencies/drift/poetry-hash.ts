import { createHash } from "node:crypto";
import { parseToml } from "../../../workspace/parse-toml.ts";
import { isRecord, type ParsedLock, textOf } from "../locked-package.ts";
import { record } from "../wanted-package.ts";
import { printPythonJson } from "./python-json.ts";

type Table = Readonly<Record<string, unknown>>;

/** What Poetry puts into the hash of its own section. */
const FIELDS = ["dependencies", "source", "extras", "dev-dependencies"];
/** What Poetry 2 takes from the section `project` besides. */
const OF_PROJECT = ["requires-python", "dependencies", "optional-dependencies"];

/**
 * Poetry repeats a hash of its own section of `pyproject.toml`, and from version 2 on of those that all programs share. Of the groups that
 * they share only later versions put them in, so that one of both has to be the same.
 * @returns whether the lock file is in step; undefined where that cannot be judged
 */
export function poetryIsInStep(manifestText: string, { table: lock }: ParsedLock): boolean | undefined {
  const manifest = parseToml(manifestText);
  const locked = textOf(record(lock?.metadata)["content-hash"]);
  if (locked === undefined || manifest === undefined) return undefined;
  if (!isRecord(manifest.project) && !isRecord(record(manifest.tool).poetry)) return undefined;
  const texts = contentsOf(manifest).map((content) => printPythonJson(content));
  if (texts.includes(undefined)) return undefined;
  return texts.some((text) => createHash("sha256").update(text!).digest("hex") === locked);
}

function contentsOf(manifest: Table): Table[] {
  const project = pick(record(manifest.project), OF_PROJECT);
  const groups = record(manifest["dependency-groups"]);
  const poetry = record(record(manifest.tool).poetry);
  const own = pick(poetry, [...FIELDS, "group"]);
  // Of a project with its own section alone, what is absent counts as `null`.
  const alone = { ...Object.fromEntries(FIELDS.map((field) => [field, null])), ...own };
  const hasProject = Object.keys(project).length > 0;
  const first = hasProject ? { project, tool: { poetry: own } } : alone;
  if (Object.keys(groups).length === 0) return [first];
  const shared = { ...(hasProject ? { project } : {}), "dependency-groups": groups, tool: { poetry: own } };
  return [first, shared];
}

function pick(table: Table, fields: readonly string[]): Table {
  return Object.fromEntries(fields.flatMap((field) => (table[field] === undefined ? [] : [[field, table[field]]])));
}
