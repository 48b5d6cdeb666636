// Every git fact in the simulator comes from a real bare repository, through this one function.
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

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

export interface GitQuestion {
  readonly id: number;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string | Buffer;
}

export type GitAnswer = { readonly id: number } & (GitResult | { readonly failure: string });

/** One for the process, like the copying that it spares. */
let runner: ChildProcess | undefined;
const waiting = new Map<number, (answer: GitResult | { readonly failure: string }) => void>();
let last = 0;

/** Throws when git answers with an exit code that was not accepted. */
export async function git(directory: string, args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const answer = await askGit(["-C", directory, ...args], gitEnvironment(options.environment), options.input ?? "");
  if ("failure" in answer) throw new Error(answer.failure);
  const { output, errors, code } = answer;
  if ((options.accept ?? [0]).includes(code)) return { output, errors, code };
  throw new Error(`git ${args[0]} ended with ${code}: ${errors.trim()}`);
}

/** What git answers as it is, whatever its exit code; a failure where it did not run. */
export function askGit(args: readonly string[], environment: Record<string, string>, input: string | Buffer) {
  if (!runner?.connected) runner = openRunner();
  const { channel } = runner;
  const question: GitQuestion = { id: ++last, args, environment, input };
  return new Promise<GitResult | { readonly failure: string }>((resolve) => {
    waiting.set(question.id, (answer) => {
      waiting.delete(question.id);
      // Only a question that is open keeps whoever runs the simulator from ending.
      if (waiting.size === 0) channel?.unref();
      resolve(answer);
    });
    channel?.ref();
    runner?.send(question, () => undefined);
  });
}

function openRunner(): ChildProcess {
  const child = fork(fileURLToPath(new URL("./git-runner.ts", import.meta.url)), [], {
    detached: true,
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
  });
  child.unref();
  child.channel?.unref();
  child.on("message", ({ id, ...answer }: GitAnswer) => waiting.get(id)?.(answer));
  child.on("disconnect", () => {
    for (const answer of waiting.values()) answer({ failure: "the process that runs git for the simulator ended" });
  });
  return child;
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
