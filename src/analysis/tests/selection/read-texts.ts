import { posix } from "node:path";
import type { RepositoryFiles } from "../../../workspace/files/repository-files.ts";
import { takeTurns } from "../../../workspace/files/turns.ts";
import { lockFileOf } from "../../dependencies/lock-files.ts";
import { type ImportGraph, NO_SOURCE } from "../../map/import-graph.ts";
import { isDocumentation } from "./file-kinds.ts";
import { type FileMentions, readMentions } from "./file-mentions.ts";
import { foreignPackages, loadedByText, readPrograms } from "./manifests.ts";
import { indexMentions, type MentionIndex } from "./mention-index.ts";
import { type Packages, readPackages } from "./package-tests.ts";
import { MANIFEST, namePaths } from "./path-names.ts";

/** What the texts of a repository say about who reads what. */
export interface ReadTexts {
  readonly index: MentionIndex;
  readonly packages: Packages;
  /** Whether a file is a test by what it calls. */
  readonly holdsTests: (path: string) => boolean;
  /** Why not every text was read, in words that follow "all tests: "; undefined where all were. */
  readonly incomplete: string | undefined;
}

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

/**
 * Reads every text of a repository for what it mentions, in turns: 10 MB take about half a second.
 * @param gone paths that the change removed, which texts may still mention
 */
export async function readTexts(
  files: RepositoryFiles,
  graph: Pick<ImportGraph, "paths" | "imports" | "importers">,
  {
    gone,
    tests,
    signal,
  }: { readonly gone: readonly string[]; readonly tests: readonly string[]; readonly signal: AbortSignal },
): Promise<ReadTexts> {
  const turn = takeTurns();
  const known = namePaths([...graph.paths, ...gone]);
  const wanted = graph.paths.filter(
    (path) =>
      (!NO_TEXT.test(path) &&
        !NO_SOURCE.test(path) &&
        !isDocumentation(path) &&
        lockFileOf(posix.basename(path)) === undefined) ||
      MANIFEST.test(path),
  );
  const contents = await files.readMany(wanted, signal);
  const texts = new Map<string, string>();
  const unread: string[] = [];
  let bytes = 0;
  for (const path of wanted) {
    const content = contents.get(path);
    await turn(content?.length ?? 0);
    if (content === undefined || content.length > TEXT_LIMITS.fileBytes) unread.push(path);
    else if (!content.subarray(0, 8_000).includes(0)) {
      bytes += content.length;
      if (bytes > TEXT_LIMITS.allBytes) break;
      texts.set(path, content.toString("utf8"));
    }
  }
  const isCut = bytes > TEXT_LIMITS.allBytes || unread.length > MOST_UNREAD;
  const incomplete = isCut ? "there is more text than is searched for what mentions the changed files" : undefined;
  const programs = readPrograms(texts);
  const context = { known, programs: new Set([...programs.values()].flat()), foreign: foreignPackages(texts) };
  const mentions = new Map<string, FileMentions>();
  for (const [path, text] of texts) {
    if (incomplete !== undefined) break;
    await turn(text.length);
    mentions.set(path, readMentions(path, loadedByText(path, text), context));
  }
  const packages = readPackages(graph, texts, tests);
  const index = indexMentions({
    known,
    files: mentions,
    imports: graph.imports,
    importers: graph.importers,
    programs,
    unread,
    packageOf: packages.packageOf,
  });
  return { index, packages, incomplete, holdsTests: (path) => mentions.get(path)?.tests ?? false };
}
