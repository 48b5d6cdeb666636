import { type FileMentions, readMentions } from "./file-mentions.ts";
import { frameworkOf, frameworks } from "./frameworks.ts";
import { implicitFolders } from "./implicit-imports.ts";
import { foreignPackages, loadedByText, ownFolders, readPrograms } from "./manifests.ts";
import { indexMentions, type MentionIndex } from "./mention-index.ts";
import { type Packages, readPackages } from "./package-tests.ts";
import type { Repository } from "./packed-repository.ts";
import { MANIFEST, namePaths } from "./path-names.ts";
import { unnamedTests } from "./unnamed-tests.ts";

/** A repository of 3,000 files has 56,000. So many take half of the memory of the thread, and one that takes all may end the process. */
const MOST_MENTIONS = 1_000_000;

/** What the texts of a repository say about who reads what. */
export interface ReadTexts {
  readonly index: MentionIndex;
  readonly packages: Packages;
  /** Whether a file is a test by what it calls. */
  readonly holdsTests: (path: string) => boolean;
  /** Whether a file makes what it imports a name that is known everywhere. */
  readonly declaresGlobals: (path: string) => boolean;
  /** The framework that loads the code of this path's package by its folders, as Nuxt does; otherwise undefined. */
  readonly findsAlone: (path: string) => string | undefined;
  /** Whether a file holds tests that a runner knows by its settings alone: it is called as none of them is. */
  readonly isUnnamedTest: (path: string) => boolean;
  /** Why not every text was read, in words that follow "all tests: "; undefined where all were. */
  readonly incomplete: string | undefined;
}

export interface TextQuestion {
  /** Paths that the change removed, which texts may still mention. */
  readonly gone: readonly string[];
  readonly tests: readonly string[];
}

/** Searches every text of a repository for what it mentions: 10 MB take about half a second. */
export function readTexts(repository: Repository, { gone, tests }: TextQuestion): ReadTexts {
  const { graph, unread, isCut } = repository;
  const known = namePaths([...graph.paths, ...gone]);
  const manifests = new Map<string, string>();
  for (const [path, text] of repository.texts()) if (MANIFEST.test(path)) manifests.set(path, text);
  const programs = readPrograms(manifests);
  const context = {
    known,
    programs: new Set([...programs.values()].flat()),
    foreign: foreignPackages(manifests),
    folders: ownFolders(manifests),
  };
  const mentions = new Map<string, FileMentions>();
  let count = 0;
  for (const [path, text] of repository.texts()) {
    const read = readMentions(path, loadedByText(path, text), context);
    count += read.mentions.length;
    if (count > MOST_MENTIONS) break;
    mentions.set(path, read);
  }
  const packages = readPackages(graph, manifests, tests);
  const index = indexMentions({
    known,
    files: mentions,
    imports: graph.imports,
    importers: graph.importers,
    programs,
    unread,
    implicit: implicitFolders(repository, mentions, known),
    packageOf: packages.packageOf,
  });
  const incomplete =
    isCut || count > MOST_MENTIONS
      ? "there is more text than is searched for what mentions the changed files"
      : undefined;
  const declaresGlobals = (path: string) => path.endsWith(".d.ts") && (mentions.get(path)?.declares ?? false);
  const isUnnamedTest = unnamedTests(repository, mentions, tests);
  const finder = frameworks(graph.paths, manifests);
  const findsAlone = (path: string) => frameworkOf(finder, packages.packageOf(path));
  return {
    index,
    packages,
    incomplete,
    isUnnamedTest,
    declaresGlobals,
    findsAlone,
    holdsTests: (path) => mentions.get(path)?.tests ?? false,
  };
}
