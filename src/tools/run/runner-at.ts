import type { RepositoryFiles } from "../../workspace/files/repository-files.ts";
import { detectTestRunner, MANIFESTS, type RunnerCommand } from "./test-runner.ts";

/**
 * How tests are run that lie at a path: as the nearest folder says that has a manifest of its own and a runner, which is a workspace or the
 * root. Undefined where no runner is known.
 */
export async function findRunnerAt(
  files: Pick<RepositoryFiles, "readMany">,
  paths: readonly string[],
  path: string,
  signal: AbortSignal,
): Promise<RunnerCommand | undefined> {
  const known = new Set(paths);
  const names = path.split("/");
  for (let depth = names.length - 1; depth > 0; depth -= 1) {
    const folder = names.slice(0, depth).join("/");
    if (!known.has(`${folder}/package.json`)) continue;
    const found = await runnerIn(files, paths, folder, signal);
    if (found !== undefined && found.runner !== "pytest") return { ...found, folder };
  }
  return runnerIn(files, paths, "", signal);
}

async function runnerIn(
  files: Pick<RepositoryFiles, "readMany">,
  paths: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<RunnerCommand | undefined> {
  const prefix = folder === "" ? "" : `${folder}/`;
  const own = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const there = new Set(own);
  const manifests = MANIFESTS.filter((name) => there.has(name)).map((name) => prefix + name);
  const texts = await files.readMany(manifests, signal);
  return detectTestRunner({ paths: own, textOf: (name) => texts.get(prefix + name)?.toString("utf8") });
}
