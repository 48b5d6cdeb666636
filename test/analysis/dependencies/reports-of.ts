import { compareLockFile } from "../../../src/analysis/child/compare-lock-file.ts";
import { observeSteps } from "../../../src/analysis/dependencies/drift/describe-steps.ts";
import { judgedManifests } from "../../../src/analysis/dependencies/drift/judged-manifests.ts";
import { lockFileOf } from "../../../src/analysis/dependencies/lock-files.ts";

/**
 * What Forge reports of the lock file at the root, which is as it was: file, line and name.
 * @param files of the whole repository
 * @param paths of those that change
 */
export async function reportsOf(files: Readonly<Record<string, string>>, paths: readonly string[]): Promise<string[]> {
  const name = Object.keys(files).find((path) => !path.includes("/") && lockFileOf(path))!;
  const readMany = async (wanted: readonly string[]) =>
    new Map(wanted.map((path) => [path, Buffer.from(files[path]!)]));
  const tree = { paths: Object.keys(files), readMany };
  const changed = new Map(paths.map((path) => [path, files[path]!]));
  const judged = await judgedManifests(changed, { tree, signal: new AbortController().signal });
  const lock = { name, isUnchanged: true, steps: judged.get(name)! } as const;
  const result = compareLockFile({ id: 0, text: files[name]!, lock });
  if ("fault" in result) throw new Error(result.fault);
  const sources = new Map(paths.map((path) => [path, { addedLines: new Set<number>() }]));
  return observeSteps(name, result, sources).map(
    ({ file, line, message }) => `${file}:${line} ${message.split(/ is (?:not )?wanted/, 1)[0]}`,
  );
}
