import { createHash } from "node:crypto";
import { parseToml } from "../../../workspace/parse-toml.ts";
import { type ParsedLock, textOf } from "../locked-package.ts";
import { record } from "../wanted-package.ts";
import { printPythonJson } from "./python-json.ts";

/** What is no group of packages, or has another name in the hash. */
const SECTIONS: ReadonlySet<string> = new Set([
  ...["source", "packages", "dev-packages", "requires", "scripts", "pipfile", "pipenv", "default", "develop"],
]);
/** What Pipenv adds where a Pipfile names no source. */
const USUAL_SOURCE = [{ name: "pypi", url: "https://pypi.org/simple", verify_ssl: true }];

/**
 * Pipenv repeats a hash of the packages of `Pipfile` and of where they come from.
 * @returns whether the lock file is in step; undefined where that cannot be judged
 */
export function pipfileIsInStep(manifestText: string, { table: lock }: ParsedLock): boolean | undefined {
  const manifest = parseToml(manifestText);
  const locked = textOf(record(record(lock?._meta).hash).sha256);
  if (manifest === undefined || locked === undefined) return undefined;
  const groups = Object.entries(manifest).filter(([name]) => !SECTIONS.has(name));
  const text = printPythonJson(
    {
      ...Object.fromEntries(groups),
      _meta: { sources: manifest.source ?? USUAL_SOURCE, requires: manifest.requires ?? {} },
      default: manifest.packages ?? {},
      develop: manifest["dev-packages"] ?? {},
    },
    { item: ",", name: ":" },
  );
  return text === undefined ? undefined : createHash("sha256").update(text).digest("hex") === locked;
}
