import { z } from "zod";
import type { Misuse, Words } from "./command-options.ts";
import { defined } from "./defined.ts";
import { ENVIRONMENTS, type Environment } from "./deployments.ts";
import { compileGlob } from "./globs/compile-glob.ts";
import { Level } from "./ladder.ts";
import { CHECK_NAMES, type CheckName, WORK_PHASES, type WorkPhase } from "./phases.ts";
import { bare, looksLikeId, nearestName, plainly, withWholeId } from "./typed-words.ts";

/** How far a dismissal reaches: this place (wherever in the repository it shows), the rule under a glob of paths, or the rule everywhere. */
export const DismissalScope = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("here") }),
  z.object({ kind: z.literal("path"), glob: z.string().min(1) }),
  z.object({ kind: z.literal("rule") }),
]);
export type DismissalScope = z.infer<typeof DismissalScope>;

/** The limits of a run that people can raise (SAFE-1): money, calls of a model by one agent, working time. */
export const RUN_LIMITS = ["usd", "iterations", "minutes"] as const;
export const RunLimit = z.enum(RUN_LIMITS);
export type RunLimit = z.infer<typeof RunLimit>;

/** Nothing may follow. */
export function only<N extends string, T extends object>(name: N, more: readonly string[], read: T): T | Misuse<N> {
  return more[0] === undefined ? read : { refusal: { reason: "unexpected", name, written: more[0] } };
}

/** Text that may be left out. */
export function instructions(text: string): { instructions?: string } {
  return text === "" ? {} : { instructions: text };
}

/** A finding that can be left out in its own thread. A word that cannot be one was mistyped. */
export function oneFinding<N extends string>({ plain }: Words, name: N): { finding?: string } | Misuse<N> {
  const { finding, rest } = takeFinding(plain);
  if (finding && rest[0] && isFinding(rest[0])) return { refusal: { reason: "one_finding", name } };
  const written = finding ?? (rest[0] && bare(rest[0]));
  return written ? { finding: written } : {};
}

/** "M-7K2Q", or the beginning of one. */
export function oneMemory<N extends string>({ plain }: Words, name: N): { memory: string } | Misuse<N> {
  const [first, ...more] = withWholeId(plain);
  const written = bare(first ?? "");
  return written === "" ? { refusal: { reason: "which_memory" } } : only(name, more, { memory: written.slice(0, 40) });
}

export function dismissal<N extends string>(
  { plain, options }: Words,
  name: N,
): { finding?: string; reason: string; scope: DismissalScope } | Misuse<N> {
  if (options.size > 1) return { refusal: { reason: "two_scopes" } };
  const { finding, rest } = takeFinding(plain);
  if (finding && rest[0] && isFinding(rest[0])) return { refusal: { reason: "one_finding", name } };
  const glob = options.get("path");
  const compiled = glob === undefined ? undefined : compileGlob(glob);
  if (glob !== undefined && compiled && "fault" in compiled) {
    return { refusal: { reason: "bad_glob", written: glob.slice(0, 100), fault: compiled.fault } };
  }
  const scope: DismissalScope =
    glob !== undefined ? { kind: "path", glob } : options.has("rule") ? { kind: "rule" } : { kind: "here" };
  return { ...(finding ? { finding } : {}), reason: rest.join(" "), scope };
}

/**
 * The gate can be left out when only one is open; what follows is a note. A word that looks like a gate is passed on as one, so that it is not
 * found and refused. `environment`: the deployment whose gate it is, where another open gate has the same number.
 */
export function gateAnswer({ plain }: Words): { environment?: Environment; gate?: string; note?: string } {
  const [first = "", ...others] = plain;
  const environment = ENVIRONMENTS.find((known) => known === bare(first).toLowerCase());
  const named = environment && gateAndNote(others);
  // "approve production is quiet now", "approve production 3 times looked at": notes.
  return environment && named?.gate?.startsWith("G-") ? { ...named, environment } : gateAndNote(plain);
}

function gateAndNote(plain: readonly string[]): { gate?: string; note?: string } {
  const [first = "", ...rest] = withoutNoun(plain, /^gates?$/i, (word) => looksLikeId(word) || /^\d/.test(bare(word)));
  const word = bare(first);
  const number = /^G-?([1-9]\d{0,5})$/i.exec(word)?.[1];
  const gate = number
    ? `G-${number}`
    : looksLikeId(first) || /^G?\d/i.test(word)
      ? word.slice(0, LONGEST_ID)
      : undefined;
  const note = (gate === undefined ? plain : rest).join(" ");
  return { ...defined({ gate }), ...(note === "" ? {} : { note }) };
}

/** `[staging | production]`, and the rest as a reason. */
export function environmentAndReason({ plain }: Words): { environment?: Environment; reason?: string } | Misuse<never> {
  const said = withoutPreposition(plain);
  const [first = "", ...rest] = said;
  const environment = ENVIRONMENTS.find((known) => known === bare(first).toLowerCase());
  const near = environment ? undefined : nearestEnvironment(first);
  if (near) return { refusal: { reason: "unknown_environment", written: first, nearest: near } };
  const reason = (environment === undefined ? plain : rest).join(" ");
  return { ...defined({ environment }), ...(reason === "" ? {} : { reason }) };
}

/** "environment production", "on staging": what may be said before an environment. */
function withoutPreposition(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !BEFORE_ENVIRONMENT.has(bare(word).toLowerCase()));
  const word = words[at] ?? "";
  const isNamed = ENVIRONMENTS.some((known) => known === bare(word).toLowerCase()) || nearestEnvironment(word);
  return at > 0 && isNamed ? words.slice(at) : words;
}

const BEFORE_ENVIRONMENT = new Set(["the", "environment", "env", "to", "on", "in", "from"]);

/** The environment that a word is a mistyped or shortened name of. */
function nearestEnvironment(word: string): Environment | undefined {
  return nearestName(word, ENVIRONMENTS, { prod: "production", prd: "production", stage: "staging", stg: "staging" });
}

/** `[staging | production] [commit] [--from <commit>]`: of a commit at least the first seven digits. */
export function environmentAndCommit<N extends string>(
  { plain, options }: Words,
  name: N,
): { environment?: Environment; sha?: string; from?: string } | Misuse<N> {
  const words = plain.map((word) => bare(word).toLowerCase());
  const environment = ENVIRONMENTS.find((known) => words.includes(known));
  const rest = words.filter((word) => word !== environment);
  const [sha] = rest;
  const from = options.has("from") ? bare(options.get("from")!).toLowerCase() : undefined;
  const bad = [...rest.slice(0, 2), from].find((one) => one !== undefined && !COMMIT.test(one)) ?? rest[1];
  const near = bad === undefined || environment ? undefined : nearestEnvironment(bad);
  if (near) return { refusal: { reason: "unknown_environment", written: bad!, nearest: near } };
  if (bad !== undefined) return { refusal: { reason: "unexpected", name, written: bad } };
  return { ...defined({ environment, sha, from }) };
}

const COMMIT = /^[0-9a-f]{7,64}$/;

export function checkAndReason<N extends string>(
  { plain }: Words,
  name: N,
): { check: CheckName; reason: string } | Misuse<N> {
  const [written, ...reason] = plain;
  const full = `forge/${bare(written ?? "")
    .toLowerCase()
    .replace("forge/", "")}`;
  const check = CHECK_NAMES.find((known) => known === full);
  if (!check) {
    return { refusal: { reason: "unknown_check", ...defined({ written, nearest: nearestName(full, CHECK_NAMES) }) } };
  }
  if (reason.length === 0) return { refusal: { reason: "reason_missing", name, why: "override" } };
  return { check, reason: reason.join(" ") };
}

/** "usd 5", "$5", "10 iterations", "minutes 15": in any order; dollars to the cent, the others whole. */
export function limitAndAmount({ plain }: Words): { limit: RunLimit; amount: number } | Misuse<never> {
  const words = plain
    .map((word) => plainly(word).toLowerCase())
    .flatMap((word) => (word.startsWith("$") ? ["usd", word.slice(1)] : [word]));
  const [limit] = words.flatMap((word) => RUN_LIMITS.filter((known) => known === word || known === `${word}s`));
  const form = limit === "usd" ? /^\d{1,4}(?:\.\d{1,2})?$/ : /^\d{1,4}$/;
  const amount = Number(words.find((word) => form.test(word)));
  if (!limit || !(amount > 0) || words.length !== 2) {
    return { refusal: { reason: "unknown_limit", ...(plain.length > 0 ? { written: plain.join(" ") } : {}) } };
  }
  return { limit, amount };
}

/** "2"; nothing named asks about it. */
export function oneLevel<N extends string>(
  { plain: [first, ...more] }: Words,
  name: N,
): { level?: number } | Misuse<N> {
  if (first === undefined) return {};
  const word = bare(first);
  const level = Level.safeParse(/^\d$/.test(word) ? Number(word) : undefined);
  if (!level.success) return { refusal: { reason: "unknown_level", written: first } };
  return only(name, more, { level: level.data });
}

/** "H-7K2Q"; nothing named asks about all. */
export function oneClass<N extends string>({ plain }: Words, name: N): { hiding?: string } | Misuse<N> {
  const [first, ...more] = withWholeId(plain);
  if (first === undefined) return {};
  const word = bare(first).toUpperCase();
  return /^H-[0-9A-Z]{1,8}$/.test(word)
    ? only(name, more, { hiding: word })
    : { refusal: { reason: "unknown_class", written: first } };
}

/** "F-7K2Q F-9M4D", "F-7K2Q, F-9M4D and F-SWKE"; nothing named stands for all that can be fixed. */
export function severalFindings<N extends string>({ plain }: Words, name: N): { findings: string[] } | Misuse<N> {
  const words = plain.filter((word) => !/^(?:and|,|&)$/i.test(word)).flatMap((word) => word.split(/,(?=.)/));
  const other = words.find((word) => !isFinding(word));
  if (other !== undefined) return { refusal: { reason: "unexpected", name, written: other } };
  return { findings: [...new Set(words.map(bare))] };
}

/** What people call the phases beside their names. */
const PHASE_WORDS: Readonly<Record<string, WorkPhase>> = {
  plan: "planning",
  implement: "implementation",
  test: "testing",
  tests: "testing",
};

/** "testing", "plan", "v12"; nothing named stands for where the work ended. */
export function phaseOrCheckpoint<N extends string>(
  { plain: [first, ...more] }: Words,
  name: N,
): { phase?: WorkPhase; checkpoint?: number } | Misuse<N> {
  if (first === undefined) return {};
  const word = bare(first).toLowerCase();
  if (/^v[1-9]\d{0,5}$/.test(word)) return only(name, more, { checkpoint: Number(word.slice(1)) });
  const phase =
    WORK_PHASES.find((known) => known === word) ?? (Object.hasOwn(PHASE_WORDS, word) ? PHASE_WORDS[word] : undefined);
  return phase ? only(name, more, { phase }) : { refusal: { reason: "unknown_phase", written: first } };
}

function takeFinding(words: readonly string[]): { finding?: string; rest: readonly string[] } {
  const [first, ...rest] = withoutNoun(words, /^findings?$/i, looksLikeId);
  return first !== undefined && looksLikeId(first)
    ? { finding: bare(first).slice(0, LONGEST_ID), rest }
    : { rest: words };
}

/** Characters that are kept of a word that looks like an id. */
const LONGEST_ID = 40;

/** "finding F-7K2Q", "gate 2": what an id is of may be said before it. */
function withoutNoun(words: readonly string[], noun: RegExp, isId: (word: string) => boolean): readonly string[] {
  const [first = "", ...rest] = words;
  const [second, ...more] = withWholeId(rest);
  return second !== undefined && noun.test(bare(first)) && isId(second) ? [second, ...more] : withWholeId(words);
}

/** Looks like a finding's id or the beginning of one; people may copy it with its code marks or a full stop. */
function isFinding(word: string): boolean {
  return /^F-[0-9A-Z]{1,8}$/i.test(bare(word));
}
