import { posix } from "node:path";
import { isTestName, languageOfCode } from "../test-names.ts";
import { isSettings } from "./file-kinds.ts";
import type { Mentioner, MentionIndex } from "./mention-index.ts";
import type { SelectionGraph } from "./packed-repository.ts";
import { foldersAbove, nameOf, withoutEnding } from "./path-names.ts";

export interface ReachFacts {
  readonly graph: SelectionGraph;
  readonly index: MentionIndex;
  readonly isTest: (path: string) => boolean;
}

export interface Reached {
  /** The files themselves, and all that imports, reads, shows, starts or loads one of them, directly or through others. */
  readonly files: ReadonlySet<string>;
  /** Files of these settings are loaded by every test of their package. */
  readonly settings: readonly string[];
  /** Settings that may import a file wherever its name is used. */
  readonly implicit: readonly string[];
  /** Data and templates that nothing is known to read. */
  readonly unknown: readonly string[];
  /** Files that are among them because an import of theirs leads nowhere and may mean a changed file. */
  readonly unresolved: readonly string[];
  /** There was more to look through than is looked through. */
  readonly cut: boolean;
}

const NONE: ReadonlySet<string> = new Set();
/** So many mentions are compared, over all: some seconds. */
const MOST_COMPARED = 3_000_000;

/**
 * Follows a change to the tests. What a file may reach is taken widely: by imports, by its name in a text, by a folder that is read whole, by
 * a pattern, and by what runners and languages load unasked.
 * @param enough stops where a file is enough; all of it when left out
 * @param sure without what is guessed: texts that were not read, and imports that lead nowhere
 */
export type FollowFiles = (paths: readonly string[], enough?: (path: string) => boolean, sure?: boolean) => Reached;

export function createFollower({ graph, index, isTest }: ReachFacts): FollowFiles {
  const byFolder = new Map<string, string[]>();
  for (const path of graph.paths) {
    const folder = posix.dirname(path);
    const inFolder = byFolder.get(folder);
    if (inFolder === undefined) byFolder.set(folder, [path]);
    else inFolder.push(path);
  }
  const foldersIn = nestedFolders(byFolder.keys());
  const testsNamed = testsByName(graph.paths.filter(isTest));
  const goFolders = new Set(graph.paths.filter((path) => path.endsWith(".go")).map((path) => posix.dirname(path)));
  const lost = Map.groupBy(graph.unresolved.keys(), isPython);
  // Each is asked for with every mention, and takes longer than the rest.
  const [isOfSettings, isNamedTest] = [remembered(isSettings), remembered(isTestName)];
  let compared = 0;

  return (paths, enough, sure = false) => {
    const files = new Set(paths);
    const [settings, implicit, unknown] = [new Set<string>(), new Set<string>(), new Set<string>()];
    const direct = new Set(paths);
    let isEnough = false;
    const importable = sure ? [] : paths.filter((each) => languageOfCode(each) !== undefined);
    const unresolved = [...new Set(importable.map(isPython))]
      .flatMap((each) => lost.get(each) ?? [])
      .filter((path) => !files.has(path));
    for (const path of unresolved) files.add(path);
    const loaded = new Set<string>();
    for (const path of files) {
      if (isEnough) break;
      if (compared > MOST_COMPARED) return reached(true);
      const before = files.size;
      for (const importer of graph.importers.get(path) ?? []) {
        compared += 1;
        reach(importer);
      }
      for (const each of loadedWith(path, loaded)) reach(each);
      let read = files.size > before;
      const isData = languageOfCode(path) === undefined && !isOfSettings(path);
      // Of data it has to be known whether anything reads them, be that known already or not.
      const without = isData ? NONE : files;
      for (const mentioner of index.mentionersOf(path, { onlyRun: !direct.has(path), without })) {
        compared += 1;
        if (!counts(path, mentioner, direct) || (sure && mentioner.isGuess)) continue;
        // A text that was not read may read anything, which is not to say that something reads this.
        if (!mentioner.isGuess) read = true;
        reach(mentioner.by);
        if (mentioner.isForAll) implicit.add(mentioner.by);
      }
      if (isData && !read) unknown.add(path);
    }
    return reached(false);

    function reached(cut: boolean): Reached {
      const lists = { settings: [...settings], implicit: [...implicit], unknown: [...unknown] };
      return { files, ...lists, unresolved, cut };
    }

    function reach(path: string): void {
      if (isOfSettings(path)) settings.add(path);
      files.add(path);
      if (enough?.(path)) isEnough = true;
    }
  };

  /** Settings name files that they load, and patterns of what they work on. A test that others name is run by itself as well. */
  function counts(path: string, { by, names, isForAll }: Mentioner, direct: ReadonlySet<string>): boolean {
    if (isNamedTest(path) && (isForAll || isOfSettings(by))) return false;
    if (isTest(path) && !names && !direct.has(path)) return false;
    return names || !isOfSettings(by);
  }

  /**
   * What comes to a file without being asked: by its name, its folder, or the way of its language.
   * @param loaded what was given of these before: a folder is gone through once, however many of its files are reached
   */
  function* loadedWith(path: string, loaded: Set<string>): Generator<string> {
    const folder = posix.dirname(path);
    if (nameOf(path) === "__init__.py" && isFirst(`below ${folder}`)) yield* belowPackage(folder, loaded);
    if (languageOfCode(path) === "go") {
      const isTestFile = isTestName(path);
      if (isFirst(`go ${isTestFile} ${folder}`))
        for (const each of byFolder.get(folder) ?? [])
          if (each.endsWith(".go") && (!isTestFile || isTestName(each))) yield each;
    } else if (goFolders.size > 0) {
      // What lies in or below a package of Go may be built into it, or be read by its tests.
      const nearest = [folder, ...foldersAbove(folder)].find((each) => goFolders.has(each));
      if (nearest !== undefined && isFirst(`go false ${nearest}`))
        for (const each of byFolder.get(nearest) ?? []) if (each.endsWith(".go")) yield each;
    }
    if (languageOfCode(path) === undefined) yield* testsOf(path, testsNamed);

    function isFirst(what: string): boolean {
      if (loaded.has(what)) return false;
      loaded.add(what);
      return true;
    }
  }

  /** Python in a package and below it. */
  function* belowPackage(top: string, loaded: ReadonlySet<string>): Generator<string> {
    const folders = [top];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const each of byFolder.get(folder) ?? []) if (each.endsWith(".py")) yield each;
      // What is below another package that was reached is there already.
      for (const each of foldersIn.get(folder) ?? []) if (!loaded.has(`below ${each}`)) folders.push(each);
    }
  }
}

function isPython(path: string): boolean {
  return languageOfCode(path) === "python";
}

/** The folders that lie in a folder, by it. */
function nestedFolders(folders: Iterable<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const nested = new Map<string, Set<string>>();
  for (const each of folders) {
    for (let folder = each; folder !== "."; ) {
      const around = posix.dirname(folder);
      const known = nested.get(around);
      if (known?.has(folder)) break;
      if (known === undefined) nested.set(around, new Set([folder]));
      else known.add(folder);
      folder = around;
    }
  }
  return nested;
}

function remembered(ask: (path: string) => boolean): (path: string) => boolean {
  const answers = new Map<string, boolean>();
  return (path) => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    const answer = ask(path);
    answers.set(path, answer);
    return answer;
  };
}

/** Tests by their names, with and without an ending. */
function testsByName(tests: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>();
  for (const test of tests)
    for (const name of new Set([nameOf(test), withoutEnding(nameOf(test))])) {
      const same = named.get(name);
      if (same === undefined) named.set(name, [test]);
      else same.push(test);
    }
  return named;
}

/** Tests after which a file or a folder above it is called, as snapshots and folders of data are. */
function* testsOf(path: string, named: ReadonlyMap<string, readonly string[]>): Generator<string> {
  for (const part of path.toLowerCase().split("/"))
    for (let end = part.length; end > 0; end = part.lastIndexOf(".", end - 1))
      yield* named.get(part.slice(0, end)) ?? [];
}

/** A stand-in that a runner takes in the place of a module. */
export function isStandIn(path: string): boolean {
  return /(?:^|\/)__mocks__\//.test(path);
}
