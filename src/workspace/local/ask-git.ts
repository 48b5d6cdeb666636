import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GitError, type SimpleGit, simpleGit } from "simple-git";
import { MINIMAL_PATH, requireProgram } from "../find-program.ts";
import { gitEnvironment } from "../git-environment.ts";
import { GIT_LIMITS } from "../limits.ts";
import { resourceLimitCommand } from "../run-program.ts";
import type { LocalRepository } from "./find-repository.ts";
import { openView, type ViewOptions } from "./open-view.ts";

/**
 * Asks git's porcelain about a repository of a person, through simple-git: on a view of it, with the environment, the settings and the
 * limits of our own runner (`runGit`), which has what simple-git cannot: names and contents that are bytes.
 * @param ask gets git in the work tree; text that comes from the repository never becomes an option of it
 * @throws ForgeError `checkout_unusable`, `program_missing`; GitError where git fails, or puts out more than `GIT_LIMITS` has
 */
export async function askGit<T>(
  repository: LocalRepository,
  ask: (git: SimpleGit) => Promise<T>,
  options: ViewOptions = {},
): Promise<T> {
  await using view = await openView(repository, options);
  const environment = {
    PATH: MINIMAL_PATH,
    ...gitEnvironment(view.gitDirectory),
    GIT_WORK_TREE: repository.workTree,
  };
  const tooMuch = new AbortController();
  let bytes = 0;
  const git = simpleGit({
    baseDir: repository.workTree,
    binary: ["/bin/sh", await putLimits(view.gitDirectory)],
    abort: AbortSignal.any([tooMuch.signal, AbortSignal.timeout(GIT_LIMITS.timeMs)]),
    // Without it simple-git takes away what begins with GIT_, which is what keeps a hostile repository from having programs started.
    allowEnvironment: Object.keys(environment),
    // It warns of settings whatever their value is: ours switch these off.
    unsafe: {
      allowUnsafeConfigEnvCount: true,
      allowUnsafeConfigPaths: true,
      allowUnsafeAskPass: true,
      allowUnsafeCredentialHelper: true,
      allowUnsafeFsMonitor: true,
      allowUnsafeHooksPath: true,
      allowUnsafeCustomBinary: true,
    },
  });
  return await ask(
    git.env(environment).outputHandler((_command, stdout) => {
      stdout.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > GIT_LIMITS.outputBytes) tooMuch.abort();
      });
    }),
  );
}

/** Git's answer, or its failure; other errors are thrown on. */
export function orFailed<T>(answer: Promise<T>): Promise<T | GitError> {
  return answer.catch((error: unknown) => {
    if (error instanceof GitError) return error;
    throw error;
  });
}

/** A script that starts git within the limits on memory, where the machine has them: simple-git takes no longer command than two words. */
async function putLimits(gitDirectory: string): Promise<string> {
  const command = [...(await resourceLimitCommand(GIT_LIMITS)), await requireProgram("git")];
  const script = join(gitDirectory, "git-within-limits.sh");
  await writeFile(script, `exec ${command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ")} "$@"\n`);
  return script;
}
