import { posix } from "node:path";
import type { RepositoryFiles } from "../../../workspace/files/repository-files.ts";
import { takeTurns } from "../../../workspace/files/turns.ts";
import { lockFileOf } from "../../dependencies/lock-files.ts";
import { NO_SOURCE } from "../../map/import-graph.ts";
import { isDocumentation } from "./file-kinds.ts";
import { type PackedRepository, SEPARATOR, type SelectionGraph } from "./packed-repository.ts";
import { MANIFEST } from "./path-names.ts";

export const TEXT_LIMITS = {
  /** Larger ones are tables and bundles; they are taken to mention everything. */
  fileBytes: 1_000_000,
  /** Of all texts together. */
  allBytes: 32_000_000,
} as const;

const MOST_UNREAD = 50;

/** Formats that name no files, or that people do not read. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|psd|pdf|zip|t?gz|tgz|bz2|xz|zst|7z|rar|jar|war|class|so|dylib|dll|exe|o|a|wasm|woff2?|ttf|otf|eot|mp[34]|mov|avi|webm|ogg|wav|flac|sqlite3?|db|bin|dat|npy|npz|parquet|pyc|pdb|snap|map|svg|pem|crt|key|log)$/i;

/** What is done with one path or one import takes some microseconds. */
const TURN = { most: 1_000 };

/** Reads every text of a repository that can mention files, and packs it with the imports, in turns. */
export async function packRepository(
  files: Pick<RepositoryFiles, "readMany">,
  { paths, imports, unresolved }: SelectionGraph,
  signal: AbortSignal,
): Promise<PackedRepository> {
  const turn = takeTurns(TURN);
  const numbers = new Map<string, number>();
  const wanted: string[] = [];
  for (const path of paths) {
    numbers.set(path, numbers.size);
    if (mayMention(path)) wanted.push(path);
    await turn();
  }
  const links: number[] = [];
  for (const [path, targets] of imports) {
    const from = numbers.get(path);
    for (const target of targets) {
      const to = numbers.get(target);
      if (from !== undefined && to !== undefined) links.push(from, to);
      await turn();
    }
  }
  const lost = [...unresolved].filter(([path]) => numbers.has(path));
  return {
    paths: paths.join(SEPARATOR),
    imports: new Uint32Array(links),
    unresolved: numbersOf(
      lost.map(([path]) => path),
      numbers,
    ),
    lost: lost.map(([, [module = ""]]) => module.replaceAll(SEPARATOR, "")).join(SEPARATOR),
    ...(await packTexts(await files.readMany(wanted, signal, TEXT_LIMITS.fileBytes), wanted, numbers)),
  };
}

function mayMention(path: string): boolean {
  if (MANIFEST.test(path)) return true;
  if (NO_TEXT.test(path) || isDocumentation(path)) return false;
  // A folder `build` with code under version control has steps and settings as often as results.
  if (NO_SOURCE.test(path.replaceAll(/(?:^|\/)build(?=\/)/g, ""))) return false;
  return lockFileOf(posix.basename(path)) === undefined;
}

async function packTexts(
  contents: ReadonlyMap<string, Buffer>,
  wanted: readonly string[],
  numbers: ReadonlyMap<string, number>,
): Promise<Pick<PackedRepository, "texts" | "bytes" | "unread" | "isCut">> {
  const turn = takeTurns(TURN);
  const unread: string[] = [];
  const read: { readonly at: number; readonly content: Buffer }[] = [];
  let size = 0;
  for (const path of wanted) {
    const content = contents.get(path);
    const at = numbers.get(path);
    if (content === undefined) unread.push(path);
    else if (at !== undefined && !content.subarray(0, 8_000).includes(0)) {
      read.push({ at, content });
      size += content.length;
    }
    await turn();
  }
  const isCut = size > TEXT_LIMITS.allBytes || unread.length > MOST_UNREAD;
  // They share their memory with nothing else, so that it goes to the thread as it is.
  const bytes = new Uint8Array(isCut ? 0 : size);
  const texts: number[] = [];
  let end = 0;
  for (const { at, content } of isCut ? [] : read) {
    bytes.set(content, end);
    end += content.length;
    texts.push(at, end);
    await turn(content.length);
  }
  return { texts: new Uint32Array(texts), bytes, unread: numbersOf(unread, numbers), isCut };
}

function numbersOf(paths: Iterable<string>, numbers: ReadonlyMap<string, number>): Uint32Array<ArrayBuffer> {
  return new Uint32Array([...paths].flatMap((path) => numbers.get(path) ?? []));
}
