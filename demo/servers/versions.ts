import { execFile } from "node:child_process";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Running } from "../lifetime.ts";
import { type Program, startProgram } from "./program.ts";

const run = promisify(execFile);
/** What `npm install` would bring is here already: the demo needs no network. */
const PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** A version that runs, and where it is asked. */
export interface Version {
  readonly sha: string;
  readonly port: number;
}

/** Versions of a service as processes of this machine, each from a checkout of its commit. */
export interface Versions extends Running {
  /** Resolves when it answers. @throws Error with what it said when it does not start, or git when there is no such commit. */
  start(environment: string, sha: string): Promise<Version>;
  /** When what it was asked is answered. */
  end(environment: string, sha: string): Promise<void>;
  kill(): void;
}

interface VersionsOptions {
  /** Where the checkouts go. */
  readonly folder: string;
  /** The repository, a bare one. */
  readonly gitDirectory: string;
  /** Where versions may run, by environment. */
  readonly ports: Readonly<Record<string, readonly number[]>>;
  /** Where versions report their errors; they write them themselves where it is empty. */
  readonly errorsUrl: string;
}

export function createVersions({ folder, gitDirectory, ports, errorsUrl }: VersionsOptions): Versions {
  const running = new Map<string, Version & { readonly program: Program }>();

  async function checkOut(environment: string, sha: string): Promise<string> {
    if (!/^[0-9a-f]{40}$/.test(sha)) throw new Error(`${JSON.stringify(sha)} is no commit`);
    const tree = join(folder, environment, sha);
    await rm(tree, { recursive: true, force: true });
    await mkdir(tree, { recursive: true });
    const index = `${tree}.index`;
    const env = { PATH: process.env.PATH, GIT_DIR: gitDirectory, GIT_WORK_TREE: tree, GIT_INDEX_FILE: index };
    await run("git", ["read-tree", sha], { env, cwd: tree });
    await run("git", ["checkout-index", "--all"], { env, cwd: tree });
    await symlink(PACKAGES, join(tree, "serve", "node_modules"));
    return tree;
  }

  return {
    start: async (environment, sha) => {
      const key = `${environment} ${sha}`;
      const already = running.get(key);
      if (already) return already;
      const tree = await checkOut(environment, sha);
      const taken = new Set([...running.values()].map((each) => each.port));
      const port = ports[environment]?.find((each) => !taken.has(each));
      if (port === undefined) throw new Error(`there is no room for one more version in ${environment}`);
      const env = { VERSION: sha, ENVIRONMENT: environment, PORT: String(port), ERRORS_URL: errorsUrl };
      const program = startProgram(process.execPath, [join(tree, "serve", "main.js")], env);
      await program.saying(/listening on/);
      const version = { sha, port, program };
      running.set(key, version);
      return version;
    },
    end: async (environment, sha) => {
      const key = `${environment} ${sha}`;
      const version = running.get(key);
      running.delete(key);
      await version?.program.stop();
    },
    stop: async () => {
      await Promise.all([...running.values()].map(({ program }) => program.stop()));
      running.clear();
    },
    kill: () => {
      for (const { program } of running.values()) program.kill();
    },
  };
}
