import { defined } from "../../domain/defined.ts";
import type { RepositoryFiles } from "../../workspace/files/repository-files.ts";
import { gitObject } from "../../workspace/working-tree/git-object.ts";
import type { ChildFile, OutlineResult } from "../child/protocol.ts";
import { readImportable } from "../imports/import-settings.ts";
import { type Dialect, languageOf, SCRIPTS } from "../languages.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { buildGraph, type ImportGraph, NO_SOURCE } from "./import-graph.ts";

export const GRAPH_LIMITS = {
  /** In repositories with more, the first so many by path are read and the rest is named as unread. */
  files: 5_000,
  /** Larger files are bundles and tables. */
  fileBytes: 300_000,
} as const;

const READ: ReadonlySet<Dialect | undefined> = new Set<Dialect>([...SCRIPTS, "d.ts", "py"]);

export interface GraphReaderSpec {
  readonly files: RepositoryFiles;
  /** A folder of ours, where the reading process stands. */
  readonly scratch: string;
  /** The files are those of a commit and never change, so that they are read once. */
  readonly immutable: boolean;
  /** What other readers of this process have learnt; one of its own when left out. */
  readonly outlines?: OutlineMemory;
}

/** Gives the import graph as it is now; what a file declares is kept by its content. */
export type ReadGraph = (signal: AbortSignal) => Promise<ImportGraph>;

/** Parses hostile text in a child process, as all native parsers are used. */
export function createGraphReader({
  files,
  scratch,
  immutable,
  outlines: kept = createOutlineMemory(GRAPH_LIMITS.files),
}: GraphReaderSpec): ReadGraph {
  let settled: ImportGraph | undefined;

  return async (signal) => {
    if (settled !== undefined) return settled;
    const list = await files.list(signal);
    if (!list.ok) return buildGraph({ paths: [], settings: new Map() }, new Map(), 0, { scratch, signal });
    const scripts = list.paths.filter((path) => READ.has(languageOf(path)?.dialect) && !NO_SOURCE.test(path));
    const wanted = scripts.slice(0, GRAPH_LIMITS.files);
    const known = new Map<string, OutlineResult>();
    const lookUp = (path: string, id: string | undefined) => {
      const outline = id === undefined ? undefined : kept.get(keyOf(path, id));
      if (outline !== undefined) known.set(path, outline);
    };
    for (const path of wanted) lookUp(path, list.ids?.get(path));
    const contents = await files.readMany(
      wanted.filter((path) => !known.has(path)),
      signal,
    );
    const read = [...contents]
      .filter(([, content]) => content.length <= GRAPH_LIMITS.fileBytes)
      .map(([path, content]) => ({ path, text: content.toString("utf8"), id: gitObject("blob", content).sha }));
    for (const { path, id } of read) lookUp(path, id);
    const fresh = read.filter(({ path }) => !known.has(path));
    const requests = fresh.map(({ path, text }, id): ChildFile => {
      const dialect = languageOf(path)?.dialect;
      return { id, text, ...defined({ dialect }) };
    });
    const { results } = await runInChild<OutlineResult>("outline", requests, { signal, scratch });
    for (const [index, result] of results) {
      const file = fresh[index];
      if (file === undefined) continue;
      known.set(file.path, result);
      kept.set(keyOf(file.path, file.id), result);
    }
    const importable = await readImportable(list.paths, files.readMany, signal);
    const outlines = new Map(
      wanted.flatMap((path) => {
        const outline = known.get(path);
        return outline ? [[path, outline] as const] : [];
      }),
    );
    const graph = await buildGraph(importable, outlines, scripts.length - outlines.size, { scratch, signal });
    if (immutable && !signal.aborted) settled = graph;
    return graph;
  };
}

function keyOf(path: string, id: string): string {
  return `${languageOf(path)?.dialect ?? ""} ${id}`;
}

/** What files declare, by their content: two phases of a run, and two runs on a repository, read almost the same files. */
export interface OutlineMemory {
  readonly get: (key: string) => OutlineResult | undefined;
  readonly set: (key: string, outline: OutlineResult) => void;
}

/** Files of about ten repositories of the usual size; an outline takes a kilobyte or two. */
const MOST_OUTLINES = 10_000;

/** Keeps the outlines that were asked for last, at most `most` of them. */
export function createOutlineMemory(most = MOST_OUTLINES): OutlineMemory {
  const kept = new Map<string, OutlineResult>();
  const set = (key: string, outline: OutlineResult) => {
    // Whatever is put in again is the newest.
    kept.delete(key);
    kept.set(key, outline);
    for (const oldest of kept.keys()) {
      if (kept.size <= most) return;
      kept.delete(oldest);
    }
  };
  const get = (key: string) => {
    const outline = kept.get(key);
    if (outline !== undefined) set(key, outline);
    return outline;
  };
  return { get, set };
}
