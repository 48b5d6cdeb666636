import type { WeakenedTest } from "../../domain/test-report.ts";
import type { OutlinedAssertion, OutlinedTest, TestOutline } from "./test-outline.ts";

export interface ComparedFile {
  readonly path: string;
  readonly before: TestOutline;
  readonly after: TestOutline;
}

export interface ComparisonFacts {
  /** Bodies and names of tests that any file of the change has now and had not before: where tests have moved to. */
  readonly arrived: { readonly bodies: ReadonlySet<string>; readonly names: ReadonlySet<string> };
  /** Names that the code declared before the change and does not know any more: their tests go with them. */
  readonly removed: ReadonlySet<string>;
}

/**
 * What was done to the tests of a file that lets a change pass which would not have passed before. In doubt nothing: a test that was
 * renamed, moved, made stricter, gathered into a table, or that went with the code it tested is no weaker one.
 */
export function compareTests({ path, before, after }: ComparedFile, facts: ComparisonFacts): WeakenedTest[] {
  const pairs = pairTests(before.tests, after.tests);
  const found = pairs.flatMap(({ old, now }) => [
    ...skippedNow(path, old, now),
    ...(now.skipped === "no" ? looserNow(path, old, now) : []),
  ]);
  const fewer = after.assertions < before.assertions;
  return [
    ...found,
    ...onlyNow(path, before, after),
    // Where a file asserts as much as before, what is missing here stands there.
    ...(fewer ? pairs.flatMap(({ old, now }) => emptierNow(path, old, now, facts)) : []),
    ...(fewer ? goneNow(path, before, after, pairs, facts) : []),
  ];
}

interface Pair {
  readonly old: OutlinedTest;
  readonly now: OutlinedTest;
}

/** The same tests on both sides: by their names, and then, as names change, by their code. */
function pairTests(before: readonly OutlinedTest[], after: readonly OutlinedTest[]): Pair[] {
  const taken = new Set<OutlinedTest>();
  const pair = (old: OutlinedTest, now: OutlinedTest | undefined): Pair[] => {
    if (now === undefined) return [];
    taken.add(now);
    return [{ old, now }];
  };
  const byName = grouped(after, ({ name }) => name);
  const named = before.flatMap((old) =>
    pair(
      old,
      byName.get(old.name)?.find((each) => !taken.has(each)),
    ),
  );
  const known = new Set(named.map(({ old }) => old));
  const byBody = grouped(after, ({ body }) => body);
  const renamed = before
    .filter((old) => !known.has(old))
    .flatMap((old) =>
      pair(
        old,
        byBody.get(old.body)?.find((each) => !taken.has(each)),
      ),
    );
  return [...named, ...renamed];
}

function grouped(tests: readonly OutlinedTest[], keyOf: (test: OutlinedTest) => string): Map<string, OutlinedTest[]> {
  const groups = new Map<string, OutlinedTest[]>();
  for (const test of tests) {
    const group = groups.get(keyOf(test));
    if (group === undefined) groups.set(keyOf(test), [test]);
    else group.push(test);
  }
  return groups;
}

function skippedNow(path: string, old: OutlinedTest, now: OutlinedTest): WeakenedTest[] {
  if (old.skipped !== "no" || now.skipped !== "yes") return [];
  return [{ path, line: now.line, kind: "skipped_test", what: `The test ${quoted(now.name)} is skipped now.` }];
}

function onlyNow(path: string, before: TestOutline, after: TestOutline): WeakenedTest[] {
  const now = after.tests.find(({ only }) => only);
  if (
    now === undefined ||
    before.tests.length === 0 ||
    before.tests.some(({ only }) => only) ||
    after.tests.length === 1
  )
    return [];
  const what = `With \`only\` at ${quoted(now.name)} the other tests of the file are not run.`;
  return [{ path, line: now.line, kind: "skipped_test", what }];
}

/** An assertion that was replaced by one that says less of the same thing. */
function looserNow(path: string, old: OutlinedTest, now: OutlinedTest): WeakenedTest[] {
  const kept = new Set(now.assertions.map(({ text }) => text));
  const had = new Set(old.assertions.map(({ text }) => text));
  const fresh = now.assertions.filter(({ text }) => !had.has(text));
  const lost = old.assertions.filter(({ text, strength }) => strength === "strong" && !kept.has(text));
  const weakened = (from: OutlinedAssertion, to: OutlinedAssertion): WeakenedTest => ({
    path,
    line: now.line,
    kind: "weakened_assertion",
    what: `In ${quoted(now.name)}, ${quoted(from.text)} became ${quoted(to.text)}.`,
  });
  return lost.flatMap((from) => {
    const same = fresh.filter(({ subject }) => subject === from.subject);
    // What says as much about the same thing stands beside it.
    if (same.some(({ strength }) => strength === "strong"))
      return contradicting(from, same, now).map((to) => weakened(from, to));
    const looser = same.find(({ strength }) => strength === "weak");
    if (looser !== undefined && !aboutTruth(from)) return [weakened(from, looser)];
    const empty = fresh.find(({ strength }) => strength === "empty");
    return empty !== undefined && fresh.length <= lost.length ? [weakened(from, empty)] : [];
  });
}

/** `toBe(true)` and `toBeTruthy()` are a matter of taste. */
function aboutTruth({ text }: OutlinedAssertion): boolean {
  return /(?:\(|,|==|===|is)(?:true|false|True|False)\)?$/.test(text);
}

/** Another expected value, while the name of the test still promises the old one. */
function contradicting(
  from: OutlinedAssertion,
  same: readonly OutlinedAssertion[],
  { name }: OutlinedTest,
): OutlinedAssertion[] {
  const [to] = same;
  if (same.length !== 1 || to === undefined) return [];
  const [[old, ...more], [now, ...others]] = [literalsOf(from), literalsOf(to)];
  // Among several values it is unknown which took whose place.
  if (old === undefined || now === undefined || more.length + others.length > 0) return [];
  // A part of a text may be a word of the name by chance.
  const alike = /^-?\d/.test(old) ? old === now : old.includes(now) || now.includes(old);
  if (alike) return [];
  return says(name, old) && !says(name, now) ? [to] : [];
}

function literalsOf({ text, subject }: OutlinedAssertion): string[] {
  const behind = text.slice(text.indexOf(subject) + subject.length);
  return behind.match(/-?\d+(?:\.\d+)?|"[^"]{3,}"|'[^']{3,}'/g)?.map((each) => each.replace(/^["']|["']$/g, "")) ?? [];
}

function says(name: string, value: string): boolean {
  return new RegExp(`(?<![\\w.])${value.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?![\\w.])`).test(name);
}

/** Assertions that are simply gone: nothing came in their place, not even a word. */
function emptierNow(path: string, old: OutlinedTest, now: OutlinedTest, { removed }: ComparisonFacts): WeakenedTest[] {
  if (now.assertions.length >= old.assertions.length || now.skipped !== "no" || now.table || old.table) return [];
  const words = new Set(old.words);
  if (now.words.some((word) => !words.has(word)) || old.words.some((word) => removed.has(word))) return [];
  const had = new Set(now.assertions.map(({ text }) => text));
  const lost = old.assertions.filter(({ text }) => !had.has(text));
  const [first] = lost;
  if (first === undefined || now.assertions.some(({ text }) => !old.assertions.some((each) => each.text === text)))
    return [];
  const more = lost.length === 1 ? "" : ` and ${lost.length - 1} more`;
  const what = `${quoted(now.name)} no longer asserts ${quoted(first.text)}${more}.`;
  return [{ path, line: now.line, kind: "weakened_assertion", what }];
}

/** Tests that are gone, and nothing came for them. */
function goneNow(
  path: string,
  before: TestOutline,
  after: TestOutline,
  pairs: readonly Pair[],
  { arrived, removed }: ComparisonFacts,
): WeakenedTest[] {
  const paired = new Set(pairs.flatMap(({ old, now }) => [old, now]));
  const fresh = after.tests.filter((test) => !paired.has(test));
  // New tests may together say what the old ones said: the two cannot be told apart.
  if (fresh.some(({ table }) => table)) return [];
  const gone = before.tests.filter(
    (test) =>
      !paired.has(test) &&
      test.skipped === "no" &&
      test.assertions.length > 0 &&
      !arrived.bodies.has(test.body) &&
      !arrived.names.has(test.name) &&
      !test.words.some((word) => removed.has(word)),
  );
  if (gone.length <= fresh.length) return [];
  return gone.slice(0, gone.length - fresh.length).map((test) => ({
    path,
    kind: "deleted_test",
    what: `The test ${quoted(test.name)} is gone, and nothing in this change takes its place.`,
  }));
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}...` : text);
}
