import {
  COMMAND_NAMES,
  type Command,
  CommandName,
  type DismissalScope,
  type ParsedCommand,
  RETRY_PHASES,
  type Refusal,
  type RetryPhase,
  RUN_LIMITS,
} from "../../domain/commands.ts";
import { defined } from "../../domain/defined.ts";
import { compileGlob } from "../../domain/globs/compile-glob.ts";
import { nearest } from "../../domain/nearest.ts";
import { CHECK_NAMES } from "../../domain/phases.ts";
import { readWords, unquoted, type Words } from "./command-words.ts";

/** How far a mistyped word may be from the command that is offered. */
const NEAR = 3;

/** Reads what follows `/forge` on a line. A line with nothing more asks for help. */
export function parseCommand(line: string): ParsedCommand {
  const [first = "help", ...rest] = line.split(/[ \t]+/).filter((word) => word !== "");
  const name = CommandName.safeParse(first.toLowerCase());
  if (!name.success) {
    const near = nearest(first.toLowerCase(), COMMAND_NAMES, Math.min(NEAR, Math.floor(first.length / 2)));
    return refuse({ reason: "unknown_command", written: first, ...defined({ nearest: near }) });
  }
  if (isOfText(name.data)) return takeText(name.data, line.trim().slice(first.length).trim());
  const words = readWords(name.data, rest);
  return "reason" in words ? refuse(words) : build(name.data, words);
}

/** Commands whose text is taken as it stands: dashes in it are no options. */
const OF_TEXT = ["ask", "answer", "implement", "plan"] as const;
type OfText = (typeof OF_TEXT)[number];

function isOfText(name: CommandName): name is OfText {
  return OF_TEXT.some((known) => known === name);
}

/** Characters of a text that are read; what is beyond is cut. */
const MAXIMUM_TEXT = 2_000;

function takeText(name: OfText, whole: string): ParsedCommand {
  const text = whole.slice(0, MAXIMUM_TEXT);
  switch (name) {
    case "ask":
      return text === "" ? refuse({ reason: "question_missing" }) : { command: { name, question: text } };
    case "answer":
      return text === "" ? refuse({ reason: "answer_missing" }) : { command: { name, text } };
    case "implement":
    case "plan":
      return { command: { name, ...(text === "" ? {} : { instructions: text }) } };
  }
}

function build(name: Exclude<CommandName, OfText>, { plain, options }: Words): ParsedCommand {
  switch (name) {
    case "review":
      return alone(name, plain, { name, full: options.has("full") });
    case "pause":
    case "unpause":
      return alone(name, plain, { name, repository: options.has("repository") });
    case "status":
    case "config":
    case "stop":
    case "trust":
    case "untrust":
    case "cost":
    case "test":
    case "history":
      return alone(name, plain, { name });
    case "resume":
      return { command: { name, ...(plain.length > 0 ? { instructions: plain.join(" ") } : {}) } };
    case "approve":
    case "reject":
      return answer(name, plain);
    case "extend":
      return extend(plain);
    case "fix":
      return fix(plain);
    case "retry":
      return retry(plain);
    case "help": {
      const [topic, ...more] = plain;
      return alone(name, more, { name, ...(topic ? { topic: topic.toLowerCase() } : {}) });
    }
    case "explain":
    case "undismiss": {
      const { finding, rest } = takeFinding(plain);
      if (finding && rest[0] && isFinding(rest[0])) return refuse({ reason: "one_finding", name });
      // A word that cannot be a finding is one that was mistyped, unless a reason follows the finding.
      const written = finding ?? rest[0];
      return { command: { name, ...(written ? { finding: unquoted(written) } : {}) } };
    }
    case "dismiss":
      return dismiss(plain, options);
    case "override": {
      const [written, ...reason] = plain;
      const check = CHECK_NAMES.find((known) => [known, known.replace("forge/", "")].includes(unquoted(written ?? "")));
      if (!check) return refuse({ reason: "unknown_check", ...defined({ written: written || undefined }) });
      if (reason.length === 0) return refuse({ reason: "reason_missing", name, why: "override" });
      return { command: { name, check, reason: reason.join(" ") } };
    }
  }
}

function dismiss(plain: readonly string[], options: Words["options"]): ParsedCommand {
  if (options.size > 1) return refuse({ reason: "two_scopes" });
  const { finding, rest } = takeFinding(plain);
  if (finding && rest[0] && isFinding(rest[0])) return refuse({ reason: "one_finding", name: "dismiss" });
  const glob = options.get("path");
  const compiled = glob === undefined ? undefined : compileGlob(glob);
  if (glob !== undefined && compiled && "fault" in compiled) {
    return refuse({ reason: "bad_glob", written: glob.slice(0, 100), fault: compiled.fault });
  }
  const scope: DismissalScope =
    glob !== undefined ? { kind: "path", glob } : options.has("rule") ? { kind: "rule" } : { kind: "here" };
  return { command: { name: "dismiss", ...defined({ finding: finding || undefined }), reason: rest.join(" "), scope } };
}

/** The gate can be left out where only one is open; what follows is a note. */
function answer(name: "approve" | "reject", plain: readonly string[]): ParsedCommand {
  const [first = "", ...rest] = plain;
  const gate = /^G-?([1-9]\d{0,5})$/i.exec(unquoted(first))?.[1];
  const note = (gate === undefined ? plain : rest).join(" ");
  return { command: { name, ...(gate === undefined ? {} : { gate: `G-${gate}` }), ...(note === "" ? {} : { note }) } };
}

/** "usd 5", "$5", "10 iterations", "minutes 15": in any order; dollars to the cent, the others whole. */
function extend(plain: readonly string[]): ParsedCommand {
  const words = plain.flatMap((word) => (word.startsWith("$") ? ["usd", word.slice(1)] : [word.toLowerCase()]));
  const [limit] = words.flatMap((word) => RUN_LIMITS.filter((known) => known === word || known === `${word}s`));
  const form = limit === "usd" ? /^\d{1,4}(?:\.\d{1,2})?$/ : /^\d{1,4}$/;
  const amount = Number(words.find((word) => form.test(word)));
  if (!limit || !(amount > 0) || words.length !== 2) {
    return refuse({ reason: "unknown_limit", ...(plain.length > 0 ? { written: plain.join(" ") } : {}) });
  }
  return { command: { name: "extend", limit, amount } };
}

/** "F-7K2Q F-9M4D", "F-7K2Q, F-9M4D and F-SWKE"; nothing named stands for all that can be fixed. */
function fix(plain: readonly string[]): ParsedCommand {
  const words = plain.filter((word) => !/^(?:and|,|&)$/i.test(word)).flatMap((word) => word.split(/,(?=.)/));
  const other = words.find((word) => !isFinding(word));
  if (other !== undefined) return refuse({ reason: "unexpected", name: "fix", written: other });
  return { command: { name: "fix", findings: [...new Set(words.map(unquoted))] } };
}

/** What people call the phases beside their names. */
const PHASE_WORDS: Readonly<Record<string, RetryPhase>> = {
  plan: "planning",
  implement: "implementation",
  test: "testing",
  tests: "testing",
};

function retry([first, ...more]: readonly string[]): ParsedCommand {
  if (first === undefined) return { command: { name: "retry" } };
  const word = unquoted(first).toLowerCase();
  if (/^v[1-9]\d{0,5}$/.test(word)) return alone("retry", more, { name: "retry", checkpoint: Number(word.slice(1)) });
  const phase =
    RETRY_PHASES.find((known) => known === word) ?? (Object.hasOwn(PHASE_WORDS, word) ? PHASE_WORDS[word] : undefined);
  if (!phase) return refuse({ reason: "unknown_phase", written: first });
  return alone("retry", more, { name: "retry", phase });
}

function alone(name: CommandName, more: readonly string[], command: Command): ParsedCommand {
  return more[0] === undefined ? { command } : refuse({ reason: "unexpected", name, written: more[0] });
}

function takeFinding(words: readonly string[]): { finding?: string; rest: readonly string[] } {
  const [first, ...rest] = words;
  return first !== undefined && isFinding(first) ? { finding: unquoted(first), rest } : { rest: words };
}

/** Looks like a finding's id or the beginning of one; people may copy it with its code marks or a full stop. */
function isFinding(word: string): boolean {
  return /^F-[0-9A-Z]{1,8}$/i.test(unquoted(word));
}

function refuse(refusal: Refusal): ParsedCommand {
  return { refusal };
}
