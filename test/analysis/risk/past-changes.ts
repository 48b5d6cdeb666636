import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findMended, isWritten } from "../../../src/analysis/risk/mended-changes.ts";
import type { GitStore } from "../../../src/workspace/git-store.ts";
import { type LandedRequest, readLandedChanges } from "../../../src/workspace/landed-changes.ts";
import { expectOk } from "../../workspace/fixture.ts";
import { runTestGit, type TestRepository } from "../../workspace/test-repository.ts";

export const START = Date.UTC(2025, 0, 1);
export const DAY_MS = 86_400_000;

/** A change as it landed on `main`. */
export interface Landing {
  /** Days after the start. */
  readonly day: number;
  readonly message: string;
  /** By path: the lines of the file, other bytes, a link to a commit of elsewhere, or nothing for one that is deleted. */
  readonly files?: Readonly<Record<string, string | Buffer | { readonly submodule: string } | undefined>>;
  readonly by?: readonly [name: string, email: string];
  /** Commits of another branch that it merges, oldest first; they start at the commit before it. */
  readonly merges?: readonly Landing[];
}

/** Writes the changes on top of `main`, oldest first. @returns their commits */
export function land({ directory, git }: TestRepository, landings: readonly Landing[]): string[] {
  const chunks: Buffer[] = [];
  const line = (text: string) => chunks.push(Buffer.from(`${text}\n`));
  const data = (content: Buffer) => chunks.push(Buffer.from(`data ${content.length}\n`), content, Buffer.from("\n"));
  let mark = 0;
  const write = (
    { day, message, files = {}, by = ["Ana", "ana@example.com"] }: Landing,
    branch: string,
    from: string[],
  ) => {
    mark += 1;
    line(`commit refs/heads/${branch}`);
    line(`mark :${mark}`);
    for (const role of ["author", "committer"]) {
      line(`${role} ${by[0]} <${by[1]}> ${Math.floor((START + day * DAY_MS) / 1000)} +0000`);
    }
    data(Buffer.from(message));
    for (const [at, parent] of from.entries()) line(`${at === 0 ? "from" : "merge"} ${parent}`);
    for (const [path, content] of Object.entries(files)) {
      if (content === undefined) line(`D ${path}`);
      else if (typeof content === "object" && "submodule" in content) line(`M 160000 ${content.submodule} ${path}`);
      else {
        line(`M 100644 inline ${path}`);
        data(Buffer.from(content));
      }
    }
    return `:${mark}`;
  };
  let last = git("for-each-ref", "--format=%(objectname)", "refs/heads/main");
  const marks = landings.map((landing) => {
    let side = last;
    for (const merged of landing.merges ?? []) side = write(merged, "side", side === "" ? [] : [side]);
    const parents = [...new Set([last, side])].filter((parent) => parent !== "");
    last = write(landing, "main", parents);
    return last;
  });
  line("done");
  const places = join(directory, "marks");
  const args = ["fast-import", "--quiet", "--force", "--done", `--export-marks=${places}`];
  runTestGit(directory, args, Buffer.concat(chunks));
  return readMarks(places, marks);
}

function readMarks(file: string, marks: readonly string[]): string[] {
  const known = new Map(
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((entry) => entry.split(" ") as [string, string]),
  );
  return marks.map((mark) => known.get(mark)!);
}

/** Reads the history of a head as Forge does, in a folder of its own, and says what became of its changes. */
export async function pastOf(store: GitStore, head: string, more: Partial<LandedRequest> = {}) {
  const scratch = mkdtempSync(join(tmpdir(), "forge-past-"));
  try {
    const folder = join(scratch, "landed");
    const { signal } = new AbortController();
    const landed = expectOk(await readLandedChanges(store, { head, folder, isWritten, signal, ...more }));
    const at = (name: string) => join(folder, name);
    const { mark, commits, steps, patches } = landed;
    const files = { mark, commits: at(commits), steps: at(steps), patches: patches.map(at) };
    return findMended(files, START + 1_000 * DAY_MS);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
