import {
  COMMAND_NAMES,
  type Command,
  CommandName,
  type DismissalScope,
  type ParsedCommand,
  type Refusal,
  RUN_LIMITS,
} from "../../domain/commands.ts";
import { nearest } from "../../domain/nearest.ts";
import { CHECK_NAMES } from "../../domain/phases.ts";

interface Words {
  readonly plain: readonly string[];
  /** `--name` or `--name=value`; `--path` takes the next word where it has no value. */
  readonly options: ReadonlyMap<string, string>;
}

/** Options of each command; `true` for those with a value. */
const OPTIONS: Readonly<Record<CommandName, Readonly<Record<string, boolean>>>> = {
  review: { full: false },
  dismiss: { here: false, path: true, rule: false },
  undismiss: {},
  explain: {},
  status: {},
  override: {},
  pause: { repository: false },
  unpause: { repository: false },
  config: {},
  stop: {},
  resume: {},
  extend: {},
  approve: {},
  reject: {},
  trust: {},
  untrust: {},
  cost: {},
  ask: {},
  help: {},
};

/** How far a mistyped word may be from the command that is offered. */
const NEAR = 3;

/** Reads what follows `/forge` on a line. A line with nothing more asks for help. */
export function parseCommand(line: string): ParsedCommand {
  const [first = "help", ...rest] = line.split(/[ \t]+/).filter((word) => word !== "");
  const name = CommandName.safeParse(first.toLowerCase());
  if (!name.success) {
    const near = nearest(first.toLowerCase(), COMMAND_NAMES, Math.min(NEAR, Math.floor(first.length / 2)));
    return refuse({ reason: "unknown_command", written: first, ...(near ? { nearest: near } : {}) });
  }
  // A question is taken as it stands: dashes in it are no options.
  if (name.data === "ask") return ask(line.trim().slice(first.length).trim());
  const words = readWords(name.data, rest);
  return "reason" in words ? refuse(words) : build(name.data, words);
}

function readWords(name: CommandName, words: readonly string[]): Words | Refusal {
  const plain: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1) {
    const option = /^--([a-z][a-z-]*)(?:=(.*))?$/i.exec(words[at]!);
    if (!option) {
      plain.push(words[at]!);
      continue;
    }
    const key = option[1]!.toLowerCase();
    const takesValue = Object.hasOwn(OPTIONS[name], key) ? OPTIONS[name][key] : undefined;
    if (takesValue === undefined || (!takesValue && option[2] !== undefined)) {
      return { reason: "unknown_option", name, written: words[at]! };
    }
    if (takesValue && option[2] === undefined) at += 1;
    const value = takesValue ? unquoted(option[2] ?? words[at] ?? "") : "";
    if (takesValue && value === "") return { reason: "missing_value", name, option: `--${key}` };
    options.set(key, value);
  }
  return { plain, options };
}

function build(name: Exclude<CommandName, "ask">, { plain, options }: Words): ParsedCommand {
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
      return alone(name, plain, { name });
    case "resume":
      return { command: { name, ...(plain.length > 0 ? { instructions: plain.join(" ") } : {}) } };
    case "approve":
    case "reject":
      return answer(name, plain);
    case "extend":
      return extend(plain);
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
      if (!check) return refuse({ reason: "unknown_check", ...(written ? { written } : {}) });
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
  const scope: DismissalScope =
    glob !== undefined ? { kind: "path", glob } : options.has("rule") ? { kind: "rule" } : { kind: "here" };
  return { command: { name: "dismiss", ...(finding ? { finding } : {}), reason: rest.join(" "), scope } };
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

/** Longest question that is read; what is beyond is cut. */
const MAXIMUM_QUESTION = 2_000;

function ask(question: string): ParsedCommand {
  if (question === "") return refuse({ reason: "question_missing" });
  return { command: { name: "ask", question: question.slice(0, MAXIMUM_QUESTION) } };
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

/** Counts from the end by hand: a pattern would begin anew at each of a thousand marks. */
function unquoted(word: string): string {
  let end = word.length;
  while (end > 0 && CLOSING_MARKS.has(word[end - 1]!)) end -= 1;
  return word.slice(0, end).replace(/^[`"'(<]+/, "");
}

const CLOSING_MARKS = new Set("`\"')>.,;:");

function refuse(refusal: Refusal): ParsedCommand {
  return { refusal };
}
