// Every git fact in the simulator comes from a real bare repository, through this one function.
import { spawn } from "node:child_process";

export interface GitResult {
  readonly output: Buffer;
  readonly errors: string;
  readonly code: number;
}

export interface GitOptions {
  readonly input?: string | Buffer;
  readonly environment?: Record<string, string>;
  /** Exit codes that are answers, not failures. */
  readonly accept?: readonly number[];
}

/** Nothing of the machine's own git configuration or identity reaches the simulator. */
export function gitEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: "/nonexistent",
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
    ...extra,
  };
}

/** Throws when git answers with an exit code that was not accepted. */
export function git(directory: string, args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", ["-C", directory, ...args], { env: gitEnvironment(options.environment) });
    const chunks: Buffer[] = [];
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (exit) => {
      const code = exit ?? 1;
      if ((options.accept ?? [0]).includes(code)) resolve({ output: Buffer.concat(chunks), errors, code });
      else reject(new Error(`git ${args[0]} ended with ${code}: ${errors.trim()}`));
    });
    // git may answer and leave before it has read everything: its exit code says so, a broken pipe need not
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
  });
}

/** Answers of git that stay true, the oldest first; half of the time of a story went into asking for the same ones again. */
const remembered = new Map<string, Promise<GitResult>>();
const MOST_REMEMBERED = 500;
const LONGEST_REMEMBERED = 1 << 16;

export function isFullId(revision: string): boolean {
  return /^[0-9a-f]{40}$/.test(revision);
}

/**
 * As `git`, but asked once where all `revisions` that the arguments name are full ids: what a commit holds does not change. Whether
 * something is missing may, so answers with another exit code than 0 and 1 are not kept.
 */
export function gitFact(
  directory: string,
  revisions: readonly string[],
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitResult> {
  if (!revisions.every(isFullId)) return git(directory, args, options);
  const key = JSON.stringify([directory, args]);
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const asked = git(directory, args, options);
  remembered.set(key, asked);
  const [oldest] = remembered.keys();
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  const forget = () => remembered.get(key) === asked && remembered.delete(key);
  asked.then(({ code, output }) => (code > 1 || output.length > LONGEST_REMEMBERED) && forget(), forget);
  return asked;
}

export async function gitLines(directory: string, ...args: string[]): Promise<string[]> {
  return linesOf(await git(directory, args));
}

export function linesOf({ output }: GitResult): string[] {
  return output.toString().trim().split("\n").filter(Boolean);
}
