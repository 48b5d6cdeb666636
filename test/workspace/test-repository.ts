import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";

export interface TestFile {
  /** Bytes for a path that is not UTF-8. */
  readonly path: string | Buffer;
  /** Content, or for mode 160000 the id of a commit; undefined removes the file. */
  readonly content?: string | Buffer;
  readonly mode?: string;
}

interface TestCommit {
  readonly branch: string;
  readonly parents?: readonly string[];
  readonly files?: readonly TestFile[];
  readonly message?: string;
}

export interface TestRepository {
  readonly directory: string;
  /** Writes a commit without any checkout and returns its id. */
  readonly commit: (commit: TestCommit) => string;
  readonly git: (...args: string[]) => string;
  /** Takes the objects of a pack, each of which git checks. */
  readonly unpack: (pack: Buffer) => void;
}

/** A bare repository `name.git` that gives any object by id, as GitHub does. */
export function createRepository(folder: string, name: string): TestRepository {
  const directory = join(folder, `${name}.git`);
  const git = (...args: string[]) => runTestGit(directory, args).toString().trim();
  runTestGit(directory, ["init", "--quiet", "--bare", "--initial-branch=main", directory]);
  appendFileSync(join(directory, "config"), "[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n");
  return {
    directory,
    git,
    commit: (commit) => writeCommit(directory, commit),
    unpack: (pack) => void runTestGit(directory, ["unpack-objects", "--strict", "-q"], pack),
  };
}

export function runTestGit(directory: string, args: readonly string[], input?: Buffer): Buffer {
  const identity = { GIT_AUTHOR_NAME: "Ana", GIT_AUTHOR_EMAIL: "ana@example.com" };
  const committer = { GIT_COMMITTER_NAME: "Ana", GIT_COMMITTER_EMAIL: "ana@example.com" };
  const isolation = { GIT_DIR: directory, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", args, {
    env: { PATH: process.env.PATH, ...isolation, ...identity, ...committer },
    stdio: ["pipe", "pipe", "pipe"],
    maxBuffer: 256 * 1024 * 1024,
    ...(input === undefined ? {} : { input }),
  });
}

function writeCommit(directory: string, { branch, parents = [], files = [], message = "change" }: TestCommit): string {
  const [first, ...merged] = parents;
  const lines: Buffer[] = [];
  const line = (text: string) => lines.push(Buffer.from(`${text}\n`));
  const data = (content: Buffer) => lines.push(Buffer.from(`data ${content.length}\n`), content, Buffer.from("\n"));
  // fast-import refuses some names that git itself allows.
  const plain = /^[\w-]+(?:[./][\w-]+)*$/.test(branch);
  const reference = plain ? `refs/heads/${branch}` : "refs/import/new";
  line(`commit ${reference}`);
  line("mark :1");
  line("author Ana <ana@example.com> 1700000000 +0100");
  line("committer Ana <ana@example.com> 1700000000 +0100");
  data(Buffer.from(message));
  if (first !== undefined) line(`from ${first}`);
  for (const parent of merged) line(`merge ${parent}`);
  for (const { path, content, mode = "100644" } of files) {
    const quoted = quotePath(path);
    if (content === undefined) line(`D ${quoted}`);
    else if (mode === "160000") line(`M ${mode} ${content} ${quoted}`);
    else {
      line(`M ${mode} inline ${quoted}`);
      data(Buffer.from(content));
    }
  }
  line("get-mark :1");
  line("done");
  const imported = runTestGit(directory, ["fast-import", "--quiet", "--force", "--done"], Buffer.concat(lines));
  const sha = imported.toString().trim();
  if (plain) return sha;
  runTestGit(directory, ["update-ref", "-d", reference]);
  runTestGit(directory, ["update-ref", `refs/heads/${branch}`, sha]);
  return sha;
}

function quotePath(path: string | Buffer): string {
  const bytes = Array.from(Buffer.from(path));
  return `"${bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}"`;
}
