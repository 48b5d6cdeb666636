import type { RepositoryFiles } from "../../workspace/files/repository-files.ts";
import { detectTestRunner, MANIFESTS, type RunnerCommand } from "./test-runner.ts";

/**
 * How tests are run that lie at a path: as the nearest folder says that has a manifest of its own and a runner, which is a workspace or the
 * root. Undefined where no runner is known. Each folder is looked at once.
 */
export function createRunnerFinder(
  files: Pick<RepositoryFiles, "readMany">,
  paths: readonly string[],
  signal: AbortSignal,
): (path: string) => Promise<RunnerCommand | undefined> {
  const known = new Set(paths);
  const found = new Map<string, Promise<RunnerCommand | undefined>>();
  const look = (folder: string) => {
    const runner = found.get(folder) ?? runnerIn(files, paths, folder, signal);
    found.set(folder, runner);
    return runner;
  };
  return async (path) => {
    const names = path.split("/");
    for (let depth = names.length - 1; depth > 0; depth -= 1) {
      const folder = names.slice(0, depth).join("/");
      if (!known.has(`${folder}/package.json`)) continue;
      const runner = await look(folder);
      if (runner !== undefined && runner.runner !== "pytest") return { ...runner, folder };
    }
    return look("");
  };
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
