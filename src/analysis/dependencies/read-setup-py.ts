import { readRequirement } from "./read-requirement.ts";
import { LONGEST_NOTE, lineAround, type PythonValue, placesOf, readValue } from "./setup-values.ts";
import { type WantedPackage, wantedPackage } from "./wanted-package.ts";

const ARGUMENT =
  /\b(install_requires|setup_requires|tests_require|extras_require|dependency_links)\s{0,20}=(?!=)\s{0,200}/g;
const MOST_ARGUMENTS = 20;
/** Places in which the names of lists stand; further ones are named as not read. */
const MOST_PLACES = 100;
/** What is read at these places, in characters all together: each may be followed by as much as one long list. */
const MOST_READ = 200_000;
const KEYS = ["install_requires", "setup_requires", "tests_require", "extras_require", "dependency_links"];

/** A value behind one of the keys. */
interface Use extends PythonValue {
  readonly key: string;
  readonly start: number;
  /** The line of a key in quotes, which counts as computed: code elsewhere can change the object that has it. */
  readonly note?: string;
}

/**
 * What `setup.py` asks for in plain lists, also where they have a name in the same file, and wherever that name stands. What is computed is
 * named with what computes it: a change elsewhere in the file asks for nothing.
 */
export function readSetupPy(text: string): WantedPackage[] {
  const { uses, more } = findUses(text);
  const named = new Map<string, NamedValue | undefined>();
  const left = { places: MOST_PLACES, characters: MOST_READ };
  const namedValue = (name: string) => {
    if (!named.has(name)) named.set(name, readNamed(text, name, uses, left));
    return named.get(name);
  };
  const computed = (key: string, note: string) => wantedPackage("PyPI", key, note.slice(0, LONGEST_NOTE), undefined);
  const found = uses.flatMap(({ key, texts, rest, note }) => {
    const words = rest.split(" ");
    const values = words.every(isName) ? words.map(namedValue) : [];
    const open = values.length === 0 ? rest : words.filter((_, at) => values[at] === undefined).join(" ");
    const all = [...texts, ...values.flatMap((value) => value?.texts ?? [])];
    const notes = [open, note ?? "", ...values.flatMap((value) => value?.notes ?? [])];
    return [
      ...all.flatMap((each) => (key === "dependency_links" ? [computed(key, each)] : readRequirement(each))),
      ...notes.filter((each) => each !== "").map((each) => computed(key, each)),
    ];
  });
  return [...found, ...more.map(({ key, start }) => computed(key, lineAround(text, start)))];
}

/** Arguments with a value, and the keys in quotes; `more` are those that nobody reads. */
function findUses(text: string): { uses: Use[]; more: { key: string; start: number }[] } {
  const plain = [...text.matchAll(ARGUMENT)].map(({ 0: whole, 1: key = "", index }) => {
    return { key, at: index, start: index + whole.length, note: undefined };
  });
  const quoted = KEYS.flatMap((key) =>
    ['"', "'"].flatMap((quote) =>
      placesOf(text, `${quote}${key}${quote}`).map((at) => {
        const behind = at + key.length + 2;
        const sign = /^[ \t]?[:\]]/.exec(text.slice(behind, behind + 2))?.[0] ?? "";
        return { key, at, start: behind + sign.length, note: lineAround(text, at) };
      }),
    ),
  );
  const all = [...plain, ...quoted];
  const uses = all.slice(0, MOST_ARGUMENTS).map(({ key, at, start, note }): Use => {
    const { texts, rest, end } = readValue(text, start);
    if (note === undefined) return { key, start: at, texts, rest, end };
    return { key, start: at, texts, rest: isName(rest.replace(/^= /, "")) ? rest.replace(/^= /, "") : "", end, note };
  });
  return { uses, more: all.slice(MOST_ARGUMENTS) };
}

interface Left {
  places: number;
  characters: number;
}

interface NamedValue {
  readonly texts: readonly string[];
  readonly notes: readonly string[];
}

/**
 * All that a list with a name is given: where it is assigned, and everywhere else, as `+=` and `append` add to it.
 * @param left of the places and characters that are read in one file; becomes smaller
 * @returns undefined for a name that is assigned nowhere in the file
 */
function readNamed(text: string, name: string, uses: readonly Use[], left: Left): NamedValue | undefined {
  const found = { texts: [] as string[], notes: [] as string[] };
  // `install_requires = [...]` is read as an argument is.
  let isAssigned = uses.some(({ key, rest }) => key === name && rest !== name);
  for (const at of placesOf(text, name)) {
    const end = at + name.length;
    if (/\w/.test(text[at - 1] ?? "") || /\w/.test(text[end] ?? "")) continue;
    if (uses.some((use) => use.start <= at && at < use.end)) continue;
    left.places -= 1;
    if (left.places < 0 || left.characters <= 0) {
      found.notes.push(`${name} …`);
      break;
    }
    const before = text.slice(Math.max(0, at - LONGEST_NOTE), at);
    const start = before.slice(before.lastIndexOf("\n") + 1).trim();
    if (start.startsWith("#")) continue;
    const behind = start === "" ? behindEquals(text, end) : undefined;
    const value = readValue(text, behind ?? end);
    left.characters -= value.end - (behind ?? end);
    found.texts.push(...value.texts);
    if (behind === undefined) found.notes.push(`${name} ${value.rest}`.trim().replaceAll(" . ", "."));
    else found.notes.push(value.rest);
    isAssigned ||= behind !== undefined;
  }
  return isAssigned ? found : undefined;
}

/** Where the value of `name = value` and `name: type = value` begins. */
function behindEquals(text: string, from: number): number | undefined {
  const [line = ""] = text.slice(from, from + LONGEST_NOTE).split("\n", 1);
  const at = line.indexOf("=");
  const between = line.slice(0, at).trim();
  if (at === -1 || line[at + 1] === "=" || (between !== "" && !between.startsWith(":"))) return undefined;
  return from + at + 1;
}

function isName(written: string): boolean {
  return /^[A-Za-z_]\w{0,100}$/.test(written);
}
