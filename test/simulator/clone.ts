import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Clone {
  readonly folder: string;
  /** git in the folder as a developer or Forge has it, with the token as a header. Rejects with what git says. */
  git(token: string, ...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/** An empty folder of its own to clone into. */
export async function makeClone(origin: string): Promise<Clone> {
  const folder = await mkdtemp(join(tmpdir(), "forge-git-"));
  async function git(token: string, ...args: string[]): Promise<string> {
    const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
    const env = {
      PATH: process.env.PATH ?? "",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_TERMINAL_PROMPT: "0",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `http.${origin}/.extraHeader`,
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
      GIT_AUTHOR_NAME: "ben",
      GIT_AUTHOR_EMAIL: "ben@example.com",
      GIT_COMMITTER_NAME: "ben",
      GIT_COMMITTER_EMAIL: "ben@example.com",
    };
    return (await run("git", args, { cwd: folder, env })).stdout.trim();
  }
  return { folder, git, remove: () => rm(folder, { recursive: true, force: true }) };
}
