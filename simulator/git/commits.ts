// Reading and making commits.
import { now } from "../world.ts";
import { headOf } from "./bare-repository.ts";
import { git, gitFact } from "./run-git.ts";

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly date?: string;
}

export interface CommitInfo {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Required<Person>;
  readonly committer: Required<Person>;
  readonly message: string;
}

/** Text, bytes, null to delete, or content with its git mode ("100755", "120000" for a symlink, "160000" with a SHA). */
export type FileContent = string | Buffer | null | { readonly mode: string; readonly content: string | Buffer };

const FORMAT = "--format=%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B";

export async function commitInfo(directory: string, sha: string): Promise<CommitInfo> {
  // Not "show", which compares with the parents even where it prints nothing of it.
  const fields = (await gitFact(directory, [sha], ["log", "-1", FORMAT, sha])).output.toString().split("\0");
  const [id = "", tree = "", parents = "", author = "", authorEmail = "", authored = ""] = fields;
  const [committer = "", committerEmail = "", committed = "", message = ""] = fields.slice(6);
  return {
    sha: id,
    tree,
    parents: parents.split(" ").filter(Boolean),
    author: { name: author, email: authorEmail, date: inUtc(authored) },
    committer: { name: committer, email: committerEmail, date: inUtc(committed) },
    message: message.replace(/\n+$/, ""),
  };
}

/** A commit may be dated as nobody can say it: that is the beginning of time. */
function inUtc(date: string): string {
  const time = new Date(date);
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString().replace(".000Z", "Z");
}

export async function commitTree(
  directory: string,
  commit: { tree: string; parents: readonly string[]; message: string; author: Person; committer?: Person },
): Promise<string> {
  const committer = commit.committer ?? commit.author;
  const made = await git(
    directory,
    // "-F -" keeps the message byte for byte, as a commit made through the API
    ["commit-tree", commit.tree, ...commit.parents.flatMap((parent) => ["-p", parent]), "-F", "-"],
    {
      input: commit.message,
      environment: { ...identity("AUTHOR", commit.author), ...identity("COMMITTER", committer) },
    },
  );
  return made.output.toString().trim();
}

function identity(role: string, person: Person): Record<string, string> {
  return {
    [`GIT_${role}_NAME`]: person.name,
    [`GIT_${role}_EMAIL`]: person.email,
    [`GIT_${role}_DATE`]: person.date ?? now(),
  };
}

/** A three-way merge without a work tree (git 2.38 and newer). */
export async function mergeTrees(
  directory: string,
  one: string,
  other: string,
): Promise<{ tree: string; clean: boolean }> {
  const merged = await gitFact(
    directory,
    [one, other],
    ["merge-tree", "--write-tree", "--name-only", "--allow-unrelated-histories", one, other],
    {
      accept: [0, 1],
    },
  );
  return { tree: merged.output.toString().split("\n")[0] ?? "", clean: merged.code === 0 };
}

/** Commits files on top of a parent (null: the first commit) and moves the branch there. One process for any number of files. */
export async function commitFiles(
  directory: string,
  branch: string,
  commit: {
    parent: string | null;
    merges?: string | undefined;
    files: Readonly<Record<string, FileContent>>;
    message: string;
    author: Person;
  },
): Promise<string> {
  const person = `${commit.author.name} <${commit.author.email}> ${Math.floor(Date.now() / 1000)} +0000`;
  const parts: (string | Buffer)[] = [
    `reset refs/heads/${branch}\n`,
    `commit refs/heads/${branch}\nauthor ${person}\ncommitter ${person}\n`,
    ...data(commit.message),
    commit.parent === null ? "" : `from ${commit.parent}\n`,
    commit.merges === undefined ? "" : `merge ${commit.merges}\n`,
  ];
  for (const [path, content] of Object.entries(commit.files)) parts.push(...change(path, content));
  const input = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
  await git(directory, ["fast-import", "--quiet", "--force"], { input });
  return headOf(directory, branch);
}

function change(path: string, content: FileContent): (string | Buffer)[] {
  const quoted = `"${path.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n")}"`;
  if (content === null) return [`D ${quoted}\n`];
  if (typeof content === "string" || Buffer.isBuffer(content)) return [`M 100644 inline ${quoted}\n`, ...data(content)];
  if (content.mode === "160000") return [`M 160000 ${content.content.toString()} ${quoted}\n`];
  return [`M ${content.mode} inline ${quoted}\n`, ...data(content.content)];
}

function data(content: string | Buffer): (string | Buffer)[] {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return [`data ${bytes.length}\n`, bytes, "\n"];
}
