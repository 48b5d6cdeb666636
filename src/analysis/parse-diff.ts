import { setImmediate } from "node:timers/promises";
import { parsePatch, type StructuredPatch } from "diff";
import { defined } from "../domain/defined.ts";
import type { ChangedFile, Hunk } from "../domain/hunks.ts";
import type { ChangedFile as ListedFile } from "../workspace/parse-raw-diff.ts";

/** What `git diff --raw --numstat` says about one changed file. Modes are six octal digits, `000000` where that side has no file. */
export interface FileMetadata {
  readonly path: string;
  readonly oldPath?: string;
  readonly status: ChangedFile["status"];
  readonly oldMode: string;
  readonly newMode: string;
  readonly blob?: string;
  readonly oldBlob?: string;
  readonly binary: boolean;
  readonly addedLines: number;
  readonly deletedLines: number;
  /** Where in the patch its text stands, in bytes, when that is known; otherwise it is found by name. */
  readonly patchRange?: { readonly start: number; readonly end: number };
}

interface DiffProblem {
  readonly path?: string;
  readonly reason: string;
}

export interface ParsedDiff {
  readonly files: ChangedFile[];
  readonly problems: DiffProblem[];
}

/** After so many characters others get their turn: reading them takes some 30 ms, of the shortest lines 100 ms. */
const CHARACTERS_PER_TURN = 512 * 1024;

/**
 * Joins git's list of changed files with the hunks of its patch. The list decides which files there are; a section of the patch that
 * cannot be read costs the hunks of that file only and is named in `problems`. A large patch is read in turns with whatever else the
 * process has to do.
 * @param patch with git's `a/` and `b/` prefixes and three lines of context, the way GitHub shows them; a string must be all ASCII
 *   where ranges are given
 */
export async function parseDiff(patch: Buffer | string, metadata: readonly FileMetadata[]): Promise<ParsedDiff> {
  // Only line numbers are wanted: latin1 keeps every byte of a text that need not be UTF-8.
  const text = typeof patch === "string" ? patch : patch.toString("latin1");
  const bytewise = typeof patch !== "string";
  let read = 0;
  const readInTurns = async (source: string): Promise<Section> => {
    read += source.length;
    if (read > CHARACTERS_PER_TURN) {
      read = 0;
      await setImmediate();
    }
    return readSection(source, bytewise);
  };
  const sections = new Map<string, Section[]>();
  const byName = metadata.some(({ patchRange }) => patchRange === undefined);
  for (const source of byName ? splitSections(text) : []) {
    const section = await readInTurns(source);
    for (const name of section.names) sections.set(name, [...(sections.get(name) ?? []), section]);
  }

  const problems: DiffProblem[] = [];
  const files: ChangedFile[] = [];
  for (const file of metadata) {
    const own = file.patchRange && splitSections(text.slice(file.patchRange.start, file.patchRange.end));
    const found: Section[] = [];
    for (const source of own ?? []) found.push(await readInTurns(source));
    const hunks = file.binary ? [] : takeHunks(file, own ? found : findByName(file, sections), problems);
    files.push(toChangedFile(file, hunks));
  }
  return { files, problems };
}

interface Section {
  readonly names: readonly string[];
  readonly patch?: StructuredPatch;
  readonly error?: string;
}

/** Lines of content begin with a space, `+`, `-` or a backslash, so only a header can begin with `diff --git `. */
function splitSections(text: string): string[] {
  const marker = "diff --git ";
  const starts: number[] = text.startsWith(marker) ? [0] : [];
  for (let at = text.indexOf(`\n${marker}`); at !== -1; at = text.indexOf(`\n${marker}`, at + 1)) starts.push(at + 1);
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}

function readSection(source: string, bytewise: boolean): Section {
  const hunk = source.indexOf("\n@@ ");
  const header = hunk === -1 ? source : source.slice(0, hunk + 1);
  // Git writes names as plain ASCII with escapes, which are decoded already, or (`core.quotePath=false`) as bytes, which are not.
  const asBytes = bytewise && /[\x80-\xff]/.test(header);
  try {
    const [patch] = parsePatch(source);
    if (patch === undefined) return { names: [], error: "it is empty" };
    return { names: namesOf(patch, asBytes), patch };
  } catch {
    return { names: namesInHeader(header, asBytes), error: "it is cut off or malformed" };
  }
}

/** The header alone still says whose section it is, unless it is what is malformed. */
function namesInHeader(header: string, asBytes: boolean): string[] {
  try {
    const [named] = parsePatch(header);
    return named ? namesOf(named, asBytes) : [];
  } catch {
    return [];
  }
}

function namesOf(patch: StructuredPatch, asBytes: boolean): string[] {
  const names = [patch.newFileName, patch.oldFileName]
    .filter((name) => name !== undefined)
    .filter((name) => name !== "/dev/null")
    .map((name) => name.replace(/^[ab]\//, ""))
    .map((name) => (asBytes ? Buffer.from(name, "latin1").toString("utf8") : name));
  return [...new Set(names)];
}

/** `diff` trims names, hence the second look. */
function findByName(file: FileMetadata, sections: Map<string, Section[]>): Section[] {
  return sections.get(file.path) ?? sections.get(file.path.trimEnd()) ?? [];
}

function takeHunks(file: FileMetadata, sections: readonly Section[], problems: DiffProblem[]): Hunk[] {
  if (file.addedLines === 0 && file.deletedLines === 0) return [];
  // A changed type has two sections, its removal and its creation: the last one counts.
  const section = sections.at(-1);
  const wrong = (reason: string) => {
    problems.push({ path: file.path, reason });
    return [];
  };
  if (section === undefined) return wrong("the patch has no section for it");
  if (section.patch === undefined) return wrong(`its section of the patch could not be read: ${section.error}`);
  const hunks = section.patch.hunks.map(toHunk);
  const added = hunks.reduce((sum, hunk) => sum + hunk.added.length, 0);
  if (added !== file.addedLines) return wrong(`the patch adds ${added} lines to it, git counts ${file.addedLines}`);
  return hunks;
}

function toHunk(hunk: StructuredPatch["hunks"][number]): Hunk {
  const added: number[] = [];
  let line = hunk.newStart;
  for (const content of hunk.lines) {
    if (content.startsWith("+")) added.push(line);
    if (!content.startsWith("-") && !content.startsWith("\\")) line += 1;
  }
  return { newStart: hunk.newStart, newEnd: hunk.newStart + hunk.newLines - 1, added };
}

function toChangedFile(file: FileMetadata, hunks: Hunk[]): ChangedFile {
  return {
    path: file.path,
    ...defined({ oldPath: file.oldPath }),
    status: file.status,
    mode: file.status === "deleted" ? file.oldMode : file.newMode,
    ...(file.status === "modified" || file.status === "type_changed" || file.status === "renamed"
      ? defined({ oldMode: file.oldMode === file.newMode ? undefined : file.oldMode })
      : {}),
    ...(file.blob === undefined || file.status === "deleted" ? {} : { blob: file.blob }),
    binary: file.binary,
    addedLines: file.addedLines,
    deletedLines: file.deletedLines,
    hunks,
  };
}

/**
 * What the workspace lists, as `parseDiff` takes it. Where lines were not counted (the diff was cut off, or the file is too large for
 * a text diff) a file counts as one added line whose place is unknown: so it ends as a gap and not as a file without added lines.
 */
export function fileMetadata(files: readonly ListedFile[]): FileMetadata[] {
  return files.map((file) => {
    const binary = file.binary && !file.tooLarge;
    const uncounted = file.addedLines === undefined && !binary && file.status !== "deleted";
    return {
      path: file.newPath ?? file.oldPath ?? "",
      ...(file.oldPath === undefined || file.oldPath === file.newPath ? {} : { oldPath: file.oldPath }),
      status: STATUS[file.status],
      oldMode: file.oldMode ?? "000000",
      newMode: file.newMode ?? "000000",
      ...defined({ blob: file.newSha, oldBlob: file.oldSha }),
      binary,
      addedLines: file.addedLines ?? (uncounted ? 1 : 0),
      deletedLines: file.deletedLines ?? 0,
      ...defined({ patchRange: file.patchRange }),
    };
  });
}

const STATUS = {
  added: "added",
  modified: "modified",
  deleted: "deleted",
  renamed: "renamed",
  copied: "copied",
  "type changed": "type_changed",
  "mode changed": "modified",
} as const satisfies Record<ListedFile["status"], FileMetadata["status"]>;
