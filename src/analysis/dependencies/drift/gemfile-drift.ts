import { compareVersions } from "../compare-versions.ts";
import type { ParsedLock } from "../locked-package.ts";
import { rubyCalls } from "../ruby-calls.ts";
import type { Drift } from "./steps.ts";

/** What a Gemfile begins its lines with where it names its gems one by one. */
const PLAIN: ReadonlySet<string> = new Set([
  ...["gem", "source", "ruby", "group", "platform", "platforms", "path", "git", "git_source", "end"],
]);
const WORDS: ReadonlySet<string> = new Set(["true", "false", "nil", "do"]);
/** Arguments that say where a gem comes from. */
const PLACES = ["path", "git", "github", "gist", "bitbucket", "gitlab", "source"];
const LONGEST_LINE = 1_000;

interface Gem {
  readonly name: string;
  readonly wanted: readonly string[];
  /** Comes from somewhere of its own. */
  readonly isOwn: boolean;
}

/**
 * A frozen Bundler takes a lock file that repeats each gem of the Gemfile with its versions, and no other.
 * @returns undefined for a Gemfile that computes what it asks for, or takes it from a gem's own description
 */
export function gemfileDrift(manifestText: string, { text: lockText = "" }: ParsedLock): readonly Drift[] | undefined {
  if (!isPlain(manifestText)) return undefined;
  const calls = rubyCalls(manifestText, new Set(["gem"]));
  const wanted = calls.map(({ name, texts, keys }) => ({
    name: name ?? "",
    wanted: texts,
    isOwn: keys.some((key) => PLACES.includes(key)),
  }));
  const locked = lockedIn(lockText);
  if (wanted.some(({ name }) => name === "")) return undefined;
  // In a block the gems come from its place, without a word of their own.
  const hasBlocks = manifestText
    .split("\n")
    .some((line) => /^\s*(?:path|git|source)\b/.test(line) && /\bdo\b/.test(line));
  const names = new Set(wanted.map(({ name }) => name));
  return [
    ...wanted.flatMap((gem): Drift[] => {
      const its = locked.get(gem.name);
      const asks = worded(gem);
      if (its === undefined) return [{ name: gem.name, wanted: asks }];
      const isSame = isEqual(gem.wanted, its.wanted) && (gem.isOwn === its.isOwn || (its.isOwn && hasBlocks));
      // A gem may be asked for once for each platform.
      const isOther = wanted.some((other) => other !== gem && other.name === gem.name);
      return isSame || isOther ? [] : [{ name: gem.name, wanted: asks, locked: worded(its) }];
    }),
    ...[...locked.values()].flatMap((its) => (names.has(its.name) ? [] : [{ name: its.name, locked: worded(its) }])),
  ];
}

/** Whether all lines name gems, or where they come from, by texts alone. */
function isPlain(text: string): boolean {
  let goesOn = false;
  for (const written of text.split("\n")) {
    if (written.length > LONGEST_LINE) return false;
    const line = withoutTexts(written).trim();
    if (line === "") continue;
    const [word = ""] = /^\w*/.exec(line) ?? [];
    if (!goesOn && !PLAIN.has(word)) return false;
    goesOn = line.endsWith(",");
    if (word === "git_source") continue;
    const rest = line.replaceAll(/%[wi]\[[^[\]]*\]/g, "");
    if (/::|[#{|]/.test(rest)) return false;
    const words = (rest.match(/:?\w+:?/g) ?? []).filter((one) => !(one.startsWith(":") || one.endsWith(":")));
    if (words.some((one) => !(PLAIN.has(one) || WORDS.has(one) || /^\d/.test(one)))) return false;
  }
  return true;
}

/** A line with empty texts and without its comment. */
function withoutTexts(line: string): string {
  let plain = "";
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at]!;
    if (sign === "#") break;
    const close = sign === '"' || sign === "'" ? line.indexOf(sign, at + 1) : -1;
    // A text with something computed in it keeps that.
    plain += close === -1 ? sign : line.slice(at, close).includes("#{") ? "#" : sign;
    if (close !== -1) at = close;
  }
  return plain;
}

/** The section `DEPENDENCIES`. */
function lockedIn(text: string): ReadonlyMap<string, Gem> {
  const found = new Map<string, Gem>();
  let isIn = false;
  for (const line of text.split("\n")) {
    if (!line.startsWith(" ")) isIn = line.trim() === "DEPENDENCIES";
    const [, name, wanted, own] = (isIn && /^ {2}([\w.-]+)(?: \(([^()]*)\))?(!)?\s*$/.exec(line)) || [];
    if (name !== undefined) found.set(name, { name, wanted: wanted === undefined ? [] : [wanted], isOwn: own === "!" });
  }
  return found;
}

/** In any order, and with or without the sign of equality. */
function isEqual(mine: readonly string[], its: readonly string[]): boolean {
  const [left, right] = [clausesOf(mine), clausesOf(its)];
  return left.length === right.length && left.every((one) => right.some((other) => isSameClause(one, other)));
}

type Clause = readonly [sign: string, version: string];

/** Nothing stands for any version. */
function clausesOf(wanted: readonly string[]): Clause[] {
  const parts = wanted.flatMap((one) => one.split(",")).map((part) => part.trim());
  return parts.flatMap((part): Clause[] => {
    const [sign = ""] = /^[=<>~!]*/.exec(part) ?? [];
    const version = part.slice(sign.length).trim();
    return version === "" || (sign === ">=" && version === "0") ? [] : [[sign === "" ? "=" : sign, version]];
  });
}

function isSameClause([sign, version]: Clause, [other, otherVersion]: Clause): boolean {
  if (sign !== other) return false;
  // How many numbers there are counts for `~>` alone.
  return version === otherVersion || (sign !== "~>" && compareVersions("RubyGems", version, otherVersion) === 0);
}

function worded({ wanted, isOwn }: Gem): string {
  const range = wanted.join(", ") || "any version";
  return isOwn ? `${range} from a place of its own` : range;
}
