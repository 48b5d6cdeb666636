import { createHash } from "node:crypto";
import { parseToml } from "../../../workspace/parse-toml.ts";
import { isRecord, type ParsedLock, textOf } from "../locked-package.ts";
import { pythonName } from "../python-name.ts";
import { record } from "../wanted-package.ts";
import { printPythonJson } from "./python-json.ts";

type Table = Readonly<Record<string, unknown>>;

/**
 * PDM repeats a hash of what `pyproject.toml` asks for. Up to 2.17 that has the section of PDM for development, and the overrides alone of
 * its settings; later the groups that all programs of Python share as well, and all settings. Which of them wrote a lock file it does not
 * say, so that one of both has to be the same.
 * @returns whether the lock file is in step; undefined where that cannot be judged
 */
export function pdmIsInStep(manifestText: string, { table: lock }: ParsedLock): boolean | undefined {
  const manifest = parseToml(manifestText);
  const metadata = record(lock?.metadata);
  const [, kind, locked] = /^(sha256|md5):([\da-f]+)$/.exec(textOf(metadata.content_hash) ?? "") ?? [];
  if (manifest === undefined || !isRecord(manifest.project) || kind === undefined) return undefined;
  const texts = contentsOf(manifest, manifest.project).map((content) => printPythonJson(content));
  if (texts.includes(undefined)) return undefined;
  const isSame = texts.some((text) => createHash(kind).update(text!).digest("hex") === locked);
  // The latest versions compare what they wrote down instead, in which they read other files too.
  return isSame || (metadata.lock_inputs === undefined ? false : undefined);
}

function contentsOf(manifest: Table, project: Table): Table[] {
  const pdm = record(record(manifest.tool).pdm);
  const { dependencies = [], "optional-dependencies": optional = {}, "requires-python": python = "" } = project;
  const { source: sources = [], "dev-dependencies": dev = {}, resolution = {} } = pdm;
  const shared = { sources, dependencies, "optional-dependencies": optional, "requires-python": python };
  const overrides = pdm.overrides ?? record(resolution).overrides ?? {};
  const groups = groupsOf(record(manifest["dependency-groups"]), record(dev));
  return [
    { ...shared, "dev-dependencies": dev, overrides },
    { ...shared, "dev-dependencies": groups, resolution },
  ];
}

/** Those of both places by their normalized names. */
function groupsOf(shared: Table, own: Table): Table {
  const found = new Map<string, unknown[]>();
  for (const [name, list] of [...Object.entries(shared), ...Object.entries(own)]) {
    const key = pythonName(name);
    found.set(key, [...(found.get(key) ?? []), ...(Array.isArray(list) ? list : [list])]);
  }
  return Object.fromEntries(found);
}
