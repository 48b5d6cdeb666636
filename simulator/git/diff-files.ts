// The files of a diff as GitHub lists them, with the lines of each side that can carry a comment.

import type { Side } from "../records.ts";
import { gitFact } from "./run-git.ts";
import { unquotePath } from "./unquote-path.ts";

export interface DiffFile {
  filename: string;
  previousFilename: string | null;
  status: "added" | "removed" | "modified" | "renamed";
  additions: number;
  deletions: number;
  sha: string | null;
  patch: string | null;
  /** Number of the hunk by line number, for each side. */
  readonly right: Map<number, number>;
  readonly left: Map<number, number>;
  /** What stands at each diff position; position 0 is the first hunk header. */
  readonly positions: ({ readonly side: Side; readonly line: number } | null)[];
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

export async function rawDiff(directory: string, from: string, to: string): Promise<Buffer> {
  const args = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "-M", "--full-index", from, to, "--"];
  return (await gitFact(directory, [from, to], args)).output;
}

export async function diffFiles(directory: string, from: string, to: string): Promise<DiffFile[]> {
  const text = (await rawDiff(directory, from, to)).toString();
  return text
    .split(/^diff --git /m)
    .slice(1)
    .map(parseFile);
}

function parseFile(chunk: string): DiffFile {
  const lines = chunk.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const file = emptyFile(lines[0] ?? "");
  const start = lines.findIndex((line) => line.startsWith("@@"));
  for (const line of start < 0 ? lines : lines.slice(0, start)) readHeader(file, line);
  if (start < 0) return file;
  const body = lines.slice(start);
  file.patch = body.join("\n");
  readHunks(file, body);
  return file;
}

function emptyFile(header: string): DiffFile {
  // both names are the same unless a rename follows, which brings its own lines
  const half = header.slice(0, (header.length - 1) / 2);
  return {
    filename: unquotePath(half).slice(2),
    previousFilename: null,
    status: "modified",
    additions: 0,
    deletions: 0,
    sha: null,
    patch: null,
    right: new Map(),
    left: new Map(),
    positions: [],
  };
}

function readHeader(file: DiffFile, line: string): void {
  if (line.startsWith("new file")) file.status = "added";
  else if (line.startsWith("deleted file")) file.status = "removed";
  else if (line.startsWith("rename from ")) {
    file.status = "renamed";
    file.previousFilename = unquotePath(line.slice("rename from ".length));
  } else if (line.startsWith("rename to ")) file.filename = unquotePath(line.slice("rename to ".length));
  const index = /^index (\w+)\.\.(\w+)/.exec(line);
  if (index) file.sha = (file.status === "removed" ? index[1] : index[2]) ?? null;
}

function readHunks(file: DiffFile, body: readonly string[]): void {
  let [left, right, hunk] = [0, 0, 0];
  for (const line of body) {
    const header = HUNK.exec(line);
    if (header) {
      [left, right, hunk] = [Number(header[1]), Number(header[2]), hunk + 1];
      file.positions.push(null);
    } else if (line.startsWith("+")) {
      file.additions += 1;
      file.positions.push({ side: "RIGHT", line: right });
      file.right.set(right++, hunk);
    } else if (line.startsWith("-")) {
      file.deletions += 1;
      file.positions.push({ side: "LEFT", line: left });
      file.left.set(left++, hunk);
    } else if (line.startsWith("\\")) file.positions.push(null);
    else {
      file.positions.push({ side: "RIGHT", line: right });
      file.right.set(right++, hunk);
      file.left.set(left++, hunk);
    }
  }
}
