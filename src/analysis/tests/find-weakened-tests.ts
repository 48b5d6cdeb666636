import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { ChangedFile } from "../../domain/hunks.ts";
import type { WeakenedTest } from "../../domain/test-report.ts";
import { removeFolder } from "../../workspace/remove-folder.ts";
import type { ChildFile, TestsResult } from "../child/protocol.ts";
import type { Content } from "../classify-file.ts";
import type { Importable } from "../imports/import-settings.ts";
import { resolveImports } from "../imports/resolve-imports.ts";
import type { ResolvedImports } from "../imports/resolved-imports.ts";
import { languageOf } from "../languages.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { compareTests, quoted } from "./compare-tests.ts";
import { isTestName, languageOfCode, subjectOf } from "./test-names.ts";
import type { TestOutline } from "./test-outline.ts";

export interface ComparedChange {
  readonly files: readonly ChangedFile[];
  readonly contents: ReadonlyMap<string, Content>;
  readonly oldContents: ReadonlyMap<string, Content>;
}

interface Side {
  readonly file: ChangedFile;
  readonly before: TestOutline | null;
  readonly after: TestOutline | null;
}

const LARGEST = 1_000_000;

/**
 * Finds tests that a change deleted, skipped or loosened (TEST-1). Reads JavaScript, TypeScript and Python, in a process of its own;
 * what cannot be read is left out.
 * @param head its files
 */
export async function findWeakenedTests(
  change: ComparedChange,
  head: Importable,
  place: Place,
): Promise<WeakenedTest[]> {
  return (await compareChangedTests(change, head, place)).weakened;
}

interface Place {
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
}

/** The same, and the files whose tests were read on both sides: of others nothing is known. */
export async function compareChangedTests(
  { files, contents, oldContents }: ComparedChange,
  { paths, settings }: Importable,
  { scratchRoot, signal }: Place,
): Promise<{ readonly weakened: WeakenedTest[]; readonly compared: ReadonlySet<string> }> {
  const tests = files.filter(
    ({ path, oldPath, status }) =>
      status !== "added" && status !== "copied" && (isTestFile(path) || isTestFile(oldPath ?? path)),
  );
  if (tests.length === 0) return { weakened: [], compared: new Set() };
  const fresh = files.filter(({ path, status }) => (status === "added" || status === "copied") && isTestFile(path));
  const sides = await outline([...tests, ...fresh], contents, oldContents, { scratchRoot, signal });
  const facts = { arrived: arrivedTests(sides), removed: removedNames({ files, contents, oldContents }) };
  const there = new Set([...paths, ...files.filter(({ status }) => status !== "deleted").map(({ path }) => path)]);
  const deleted = new Set(files.flatMap((file) => (file.status === "deleted" ? [file.path] : [])));
  const compared = new Set(
    sides.flatMap(({ file, before, after }) => (before?.tests.length && after !== null ? [file.path] : [])),
  );
  const gone = sides.filter(({ file }) => file.status === "deleted");
  const place = { scratch: scratchRoot, signal };
  const resolve = (given: readonly Side[], outlineOf: (side: Side) => TestOutline | null, known: Iterable<string>) =>
    gone.length === 0
      ? new Map<string, ResolvedImports>()
      : resolveImports(importersOf(given, outlineOf), { paths: [...known], settings }, place);
  const old = await resolve(gone, ({ before }) => before, there.union(deleted));
  const present = await resolve(sides, ({ after }) => after, there);
  const weakened = sides.flatMap(({ file, before, after }) => {
    if (before === null) return [];
    if (file.status === "deleted")
      return deletedFile(file.path, before, facts, { there, deleted, sides, old, present });
    return after === null ? [] : compareTests({ path: file.path, before, after }, facts);
  });
  return { weakened, compared };
}

/** Files that a file imports, by the file. */
type Imported = ReadonlyMap<string, ResolvedImports>;

function importersOf(sides: readonly Side[], outlineOf: (side: Side) => TestOutline | null) {
  return sides.flatMap((side) => {
    const found = outlineOf(side);
    return found === null ? [] : [{ path: side.file.path, modules: new Set(found.imports) }];
  });
}

function importsOf(imported: Imported, path: string): string[] {
  return [...(imported.get(path)?.targets.values() ?? [])].flat();
}

function isTestFile(path: string): boolean {
  return isTestName(path) || (/(?:^|\/)tests?\//.test(path) && languageOfCode(path) === "script");
}

async function outline(
  files: readonly ChangedFile[],
  contents: ComparedChange["contents"],
  oldContents: ComparedChange["oldContents"],
  { scratchRoot, signal }: Place,
): Promise<Side[]> {
  const requests = files.flatMap((file, id): ChildFile[] => {
    const dialect = languageOf(file.path)?.dialect;
    const [text, oldText] = [textOf(contents.get(file.path)), textOf(oldContents.get(file.path))];
    if (dialect === undefined || !/^(?:py|[cm]?[jt]s|[jt]sx)$/.test(dialect)) return [];
    return [{ id, dialect, text: text ?? "", ...defined({ oldText }) }];
  });
  const scratch = await mkdtemp(join(scratchRoot, "weakened-"));
  try {
    const { results } = await runInChild<TestsResult>("tests", requests, { signal, scratch });
    return files.flatMap((file, id) => {
      const result = results.get(id);
      return result === undefined ? [] : [{ file, ...result }];
    });
  } catch (thrown) {
    // An empty list does not say that nothing was weakened.
    if (thrown instanceof ForgeError) return [];
    throw thrown;
  } finally {
    await removeFolder(scratch);
  }
}

function textOf(content: Content | undefined): string | undefined {
  return Buffer.isBuffer(content) && content.length <= LARGEST ? content.toString("utf8") : undefined;
}

function arrivedTests(sides: readonly Side[]) {
  const [bodies, names] = [new Set<string>(), new Set<string>()];
  for (const { before, after } of sides) {
    const had = new Set(before?.tests.map(({ name }) => name));
    for (const { name, body } of after?.tests.filter((test) => !had.has(test.name)) ?? []) {
      names.add(name);
      bodies.add(body);
    }
  }
  return { bodies, names };
}

const DECLARED =
  /\b(?:function\*?|class|const|let|var|def|interface|type|enum)[ \t]{1,8}([A-Za-z_$][\w$]*)|^[ \t]{2,40}(?:(?:public|static|async|get|set|readonly) )*([A-Za-z_$][\w$]*)\([^)\r\n\u2028\u2029]*\)[^;\r\n\u2028\u2029]*\{$/gm;

/** Names that changed code declared and that no changed code knows any more. */
function removedNames({ files, contents, oldContents }: ComparedChange): ReadonlySet<string> {
  const declared = new Set<string>();
  const known = new Set<string>();
  for (const { path } of files) {
    if (languageOfCode(path) === undefined || isTestFile(path)) continue;
    for (const [, a, b] of (textOf(oldContents.get(path)) ?? "").matchAll(DECLARED)) declared.add(a ?? b ?? "");
    for (const [word] of (textOf(contents.get(path)) ?? "").matchAll(/[A-Za-z_$][\w$]*/g)) known.add(word);
  }
  return new Set([...declared].filter((name) => name.length > 2 && !known.has(name)));
}

interface Surroundings {
  readonly there: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
  readonly sides: readonly Side[];
  /** By the tests that were deleted, and by those that are there. */
  readonly old: Imported;
  readonly present: Imported;
}

/** A deleted test file whose subject is still there, as its name or its imports tell; undefined in doubt. */
function deletedFile(
  path: string,
  before: TestOutline,
  { arrived, removed }: { readonly arrived: ReturnType<typeof arrivedTests>; readonly removed: ReadonlySet<string> },
  { there, deleted, sides, old, present }: Surroundings,
): WeakenedTest[] {
  const asserting = before.tests.filter(({ assertions, skipped }) => assertions.length > 0 && skipped === "no");
  const left = asserting.filter(
    ({ name, body, words }) =>
      !arrived.names.has(name) && !arrived.bodies.has(body) && !words.some((word) => removed.has(word)),
  );
  if (left.length === 0) return [];
  const imported = importsOf(old, path);
  // Some of what it tested went with it: who deleted it meant both.
  if (imported.some((target) => deleted.has(target))) return [];
  const named = [...there].find(
    (each) => !isTestFile(each) && languageOfCode(each) === languageOfCode(path) && subjectOf(each) === subjectOf(path),
  );
  const subject = named ?? imported.find((target) => there.has(target) && !isTestFile(target));
  if (subject === undefined || grewElsewhere(subject, sides, present) >= before.assertions) return [];
  const count = left.length === 1 ? "1 test" : `${left.length} tests`;
  return [
    {
      path,
      kind: "deleted_file",
      what: `${quoted(path)} with ${count} is gone, and ${quoted(subject)} is still there.`,
    },
  ];
}

/** Assertions that came to other tests of the same thing: those that import it, or are named after it. */
function grewElsewhere(subject: string, sides: readonly Side[], present: Imported): number {
  const about = subjectOf(subject);
  const grown = sides.map(({ file: { path }, before, after }) => {
    const more = (after?.assertions ?? 0) - (before?.assertions ?? 0);
    if (after === null || more <= 0) return 0;
    const named = path.split("/").some((part) => subjectOf(part) === about);
    const imports = importsOf(present, path).includes(subject);
    return named || imports ? more : 0;
  });
  return grown.reduce((sum, more) => sum + more, 0);
}
