import { posix } from "node:path";
import { languageOfCode } from "../test-names.ts";
import { isDocument, isDocumentation, isSettings, TEMPLATE } from "./file-kinds.ts";
import type { FileMentions, Mention } from "./file-mentions.ts";
import { fits } from "./fit-mention.ts";
import type { ImplicitFolders } from "./implicit-imports.ts";
import { foldersAbove, nameOf, type PathNames, stemOf, withoutEnding } from "./path-names.ts";

export interface Mentioner {
  readonly by: string;
  /** It names this very file. */
  readonly names: boolean;
  /** Its text was not read, or the word that it mentions means other things as often. */
  readonly isGuess?: boolean;
  /** Whatever is run is run with what it brings in. */
  readonly isForAll?: boolean;
}

export interface MentionerWish {
  /** Its text is as it was, and only what it does has changed: who reads it as a text sees no difference. */
  readonly onlyRun: boolean;
  /** Those that are known already. */
  readonly without: ReadonlySet<string>;
}

/** Who may read which files at run time, by what their texts mention. */
export interface MentionIndex {
  /** Those that mention a path, its folders, or a pattern that it fits. */
  readonly mentionersOf: (path: string, wish: MentionerWish) => Iterable<Mentioner>;
}

interface Entry extends Mention {
  readonly by: string;
  readonly opens: boolean;
  /** Who mentions it may load it, as far as is known, and not only read it. */
  readonly runs: boolean;
  /** The plugins may import files of this folder into any code. */
  readonly isImplicit?: boolean;
  /** A folder or a pattern in something that is no program: it chooses what tools look at. */
  readonly isTable: boolean;
}

/** Settings are called after these, and so are many other things. */
const STAGES = new Set(
  "test tests testing dev development prod production staging stage local default defaults ci base common".split(" "),
);
const NOTHING = {};
const IMPLICIT = {
  ...{ within: [], only: false, imported: false, names: true, word: false, byPackage: true },
  ...{ opens: true, runs: true, isTable: false, isImplicit: true },
};

export interface IndexFacts {
  readonly known: PathNames;
  readonly files: ReadonlyMap<string, FileMentions>;
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  readonly importers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names under which programs are started, by the file that is started. */
  readonly programs: ReadonlyMap<string, readonly string[]>;
  /** Texts that nobody looked into: they may mention anything. */
  readonly unread: readonly string[];
  /** Folders whose code is imported although no text says so, by the files that name them. */
  readonly implicit: ReadonlyMap<string, ImplicitFolders>;
  readonly packageOf: (path: string) => string;
}

export function indexMentions(facts: IndexFacts): MentionIndex {
  const { known, files, imports, importers, programs, unread, implicit, packageOf } = facts;
  const entries = new Map<string, Entry[]>();
  const roots = new Map<string, string[]>();
  const launched = new Map<string, string[]>();
  const brought = new Map<string, string[]>();
  for (const [by, mentions] of files) {
    // What opens files is often a helper that is given their names.
    const helpers = [mentions, ...[...(imports.get(by) ?? [])].flatMap((each) => files.get(each) ?? [])];
    const has = (fact: "opens" | "lists" | "starts" | "loads" | "reads" | "tells") =>
      helpers.some((each) => each[fact]);
    // Who reads may import the pattern from here.
    const reads = [...helpers, ...[...(importers.get(by) ?? [])].flatMap((each) => files.get(each) ?? [])].some(
      (each) => each.reads,
    );
    const [opens, loads] = [has("opens") || has("starts"), has("loads")];
    // Of what reads and does nothing else with paths, it is known that it reads them.
    const readsAlone = has("reads") && !has("tells") && languageOfCode(by) !== undefined && !isSettings(by);
    const runs = (mention: Mention) =>
      loads ||
      mention.imported ||
      mention.byPackage === true ||
      mention.isModule === true ||
      (!readsAlone && (!mention.word || mention.key.startsWith("folder ")));
    for (const mention of mentions.mentions) {
      if (mention.word && !mention.key.startsWith("stem ") && !opens) continue;
      if (mention.isListed && !has("lists")) continue;
      const isPattern = /^(?:prefix|suffix|folder) /.test(mention.key);
      const isUsed = mention.byPackage || reads || (has("tells") && !mention.word);
      if (isPattern && !isUsed && languageOfCode(by) !== undefined) continue;
      const isTable = languageOfCode(by) === undefined && isPattern;
      addTo(entries, mention.key, { ...mention, by, opens, runs: runs(mention), isTable });
    }
    const folder = posix.dirname(by);
    if (has("lists") && mentions.here) addTo(roots, folder, by);
    if (has("lists") && mentions.above) addTo(roots, packageOf(by), by);
    if (has("starts") && mentions.launches) addTo(launched, packageOf(by), by);
  }

  for (const [by, { names, everything }] of implicit) {
    for (const name of names) addTo(entries, `folder ${name}`, { ...IMPLICIT, key: `folder ${name}`, by });
    if (everything) addTo(brought, packageOf(by), by);
  }

  function* mentionersOf(path: string, { onlyRun, without }: MentionerWish): Generator<Mentioner> {
    if (!isDocumentation(path)) for (const by of unread) yield { by, names: false, isGuess: true };
    const isCode = languageOfCode(path) !== undefined;
    const isForPeople = isDocument(path);
    for (const [key, subject] of keysOf(path, programs.get(path) ?? [])) {
      for (const entry of entries.get(key) ?? []) {
        if (without.has(entry.by) || entry.by === path) continue;
        if (isCode && entry.isTable) continue;
        // Documents are named with their ending or by their folder: words such as "guide" are in every text.
        if (isForPeople && key.startsWith("stem ") && entry.within.length === 0) continue;
        if (isCode && onlyRun && !entry.runs) continue;
        // Words are names of templates and data everywhere, and of programs only where one is loaded by its name.
        if (isCode && entry.word && !entry.opens) continue;
        if (!fits(entry, subject, known)) continue;
        const isGuess = entry.word && STAGES.has(entry.key.slice("stem ".length));
        if (entry.isImplicit) yield { by: entry.by, names: true, isForAll: implicit.get(entry.by)?.isForAll === true };
        else
          yield { by: entry.by, names: entry.names || entry.byPackage === true, ...(isGuess ? { isGuess } : NOTHING) };
      }
    }
    for (const root of [...foldersAbove(path), "."]) {
      for (const by of launched.get(root) ?? []) yield { by, names: false };
      // Plugins bring code into code; a folder of documents that they take is named.
      for (const by of isForPeople ? [] : (brought.get(root) ?? []))
        yield { by, names: true, isForAll: implicit.get(by)?.isForAll === true };
      if (!(isCode && onlyRun)) for (const by of roots.get(root) ?? []) yield { by, names: false };
    }
  }
  return { mentionersOf };
}

/** What a path is found under, each with the path that the mention has to fit: its own, or one of its folders. */
function* keysOf(path: string, programs: readonly string[]): Generator<readonly [key: string, subject: string]> {
  const name = nameOf(path);
  yield [`name ${name}`, path];
  yield [`stem ${stemOf(path)}`, path];
  // Of `order.html.j2` and `order.d.ts` the whole of both may be left out.
  const shorter = withoutEnding(withoutEnding(name));
  if (shorter !== withoutEnding(name)) yield [`stem ${stemOf(shorter)}`, path];
  if (TEMPLATE.test(name)) yield [`stem ${name.slice(name.lastIndexOf(".") + 1)}`, path];
  for (let length = 2; length < name.length; length += 1) yield [`prefix ${name.slice(0, length)}`, path];
  for (let from = 1; from < name.length - 1; from += 1) yield [`suffix ${name.slice(from)}`, path];
  for (const program of programs) yield [`program ${program}`, path];
  for (const folder of foldersAbove(path)) yield [`folder ${nameOf(folder)}`, folder];
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
