import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A person with a clone and a token, working with the git of this machine. */
export interface Developer {
  readonly login: string;
  /** A new branch from the main branch on GitHub. */
  branch(name: string): Promise<void>;
  /** Copies the files of a folder over her working tree; `replace` fills in placeholders such as `{{aws-key}}`. */
  take(folder: string, replace?: Readonly<Record<string, string>>): Promise<void>;
  /** Changes one line of a file in her working tree, counted from 1. */
  setLine(path: string, line: number, text: string): Promise<void>;
  /** Commits everything; `amend` puts it into the last commit in place of a new one. Resolves with the SHA. */
  commit(message: string, options?: { readonly amend?: boolean }): Promise<string>;
  /** `force` replaces what was pushed before, if nobody else pushed meanwhile. */
  push(options?: { readonly force?: boolean }): Promise<void>;
  /** "2 files changed, 3 insertions(+), 1 deletion(-)" of the branch against the main branch. */
  size(): Promise<string>;
  lines(sha: string, path: string): Promise<string[]>;
}

export interface DeveloperOptions {
  readonly login: string;
  readonly token: string;
  readonly cloneUrl: string;
  /** Her folder; it must not exist yet. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** Clones the repository. @throws what git said when it fails. */
export async function startDeveloper(options: DeveloperOptions): Promise<Developer> {
  const { login, token, cloneUrl, directory, signal } = options;
  await mkdir(directory, { recursive: true });
  const clone = join(directory, "shop");
  const env = gitEnvironment(login, token, cloneUrl, directory);
  const gitIn = async (cwd: string, ...args: string[]) => (await run("git", args, { cwd, env, signal })).stdout;
  const git = (...args: string[]) => gitIn(clone, ...args);
  await gitIn(directory, "clone", "--quiet", cloneUrl, clone);
  return {
    login,
    branch: async (name) => {
      await git("fetch", "--quiet", "origin", "main");
      await git("switch", "--quiet", "--no-track", "--create", name, "origin/main");
    },
    setLine: async (path, line, text) => {
      const lines = (await readFile(join(clone, path), "utf8")).split("\n");
      await writeFile(join(clone, path), lines.with(line - 1, text).join("\n"));
    },
    take: (folder, replace = {}) => overlay(folder, clone, replace),
    commit: async (message, { amend = false } = {}) => {
      await git("add", "--all");
      await git("commit", "--quiet", ...(amend ? ["--amend"] : []), "--message", message);
      return (await git("rev-parse", "HEAD")).trim();
    },
    push: async ({ force = false } = {}) => {
      await git("push", "--quiet", ...(force ? ["--force-with-lease"] : []), "--set-upstream", "origin", "HEAD");
    },
    size: async () => (await git("diff", "--shortstat", "origin/main...HEAD")).trim(),
    lines: async (sha, path) => (await git("show", `${sha}:${path}`)).split("\n"),
  };
}

/** Nothing of the machine's own git configuration takes part, and the token stands neither in an address nor among arguments. */
function gitEnvironment(login: string, token: string, cloneUrl: string, home: string): NodeJS.ProcessEnv {
  const basic = Buffer.from(`${login}:${token}`).toString("base64");
  const email = `${login}@example.com`;
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${new URL(cloneUrl).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
    GIT_AUTHOR_NAME: login,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: login,
    GIT_COMMITTER_EMAIL: email,
  };
}

async function overlay(folder: string, target: string, replace: Readonly<Record<string, string>>): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const text = await readFile(source, "utf8");
    const filled = Object.entries(replace).reduce((sum, [from, to]) => sum.replaceAll(from, to), text);
    const file = join(target, relative(folder, source));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, filled);
  }
}
