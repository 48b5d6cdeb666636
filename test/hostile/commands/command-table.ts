import { COMMAND_NAMES, type CommandName } from "../../../src/domain/commands.ts";
import { ROLES, type Role } from "../../../src/domain/subjects.ts";
import { COMMANDS_PER_COMMENT } from "../../../src/pipeline/commands/parse-comment.ts";

interface Row {
  readonly least: Role;
  /** With `<id>` for a finding of the pull request. */
  readonly line: string;
}

/** Written down beside the code and not taken from it: who may give a command at all. A new command does not compile without its line. */
const TABLE: Readonly<Record<CommandName, Row>> = {
  review: { least: "triage", line: "review --full" },
  dismiss: { least: "triage", line: "dismiss <id> it is meant" },
  implement: { least: "write", line: "implement" },
  explain: { least: "read", line: "explain <id>" },
  status: { least: "read", line: "status" },
  stop: { least: "write", line: "stop" },
  resume: { least: "write", line: "resume" },
  approve: { least: "write", line: "approve" },
  override: { least: "maintain", line: "override review it is meant" },
  help: { least: "read", line: "help" },
  plan: { least: "write", line: "plan" },
  fix: { least: "write", line: "fix" },
  test: { least: "triage", line: "test" },
  answer: { least: "read", line: "answer yes" },
  reject: { least: "write", line: "reject" },
  retry: { least: "write", line: "retry" },
  pause: { least: "triage", line: "pause" },
  ask: { least: "triage", line: "ask why" },
  trust: { least: "triage", line: "trust" },
  undismiss: { least: "triage", line: "undismiss <id>" },
  unpause: { least: "triage", line: "unpause" },
  extend: { least: "write", line: "extend usd 1" },
  cost: { least: "triage", line: "cost" },
  config: { least: "triage", line: "config" },
  untrust: { least: "triage", line: "untrust" },
  level: { least: "triage", line: "level" },
  hide: { least: "triage", line: "hide" },
  unhide: { least: "write", line: "unhide H-7K2Q" },
  hold: { least: "write", line: "hold" },
  unhold: { least: "write", line: "unhold" },
  deploy: { least: "maintain", line: "deploy staging" },
  rollback: { least: "maintain", line: "rollback staging" },
  release: { least: "maintain", line: "release staging" },
  promote: { least: "maintain", line: "promote staging" },
  history: { least: "triage", line: "history" },
  remember: { least: "write", line: "remember amounts are integer cents" },
  forget: { least: "triage", line: "forget M-00000000" },
  memory: { least: "triage", line: "memory" },
  metrics: { least: "triage", line: "metrics" },
};

export const leastOf = (name: CommandName): Role => TABLE[name].least;

export function lineOf(name: CommandName, finding: string): string {
  return `/forge ${TABLE[name].line.replace("<id>", finding)}`;
}

/** Commands that somebody may not give, in the order of the code's own table. Everybody may read a public repository. */
export function forbiddenTo(role: Role): CommandName[] {
  const has = ROLES.indexOf(role === "none" ? "read" : role);
  return COMMAND_NAMES.filter((name) => ROLES.indexOf(leastOf(name)) > has);
}

/** Comments that hold all of these commands, no more in each than one comment may hold. */
export function comments(names: readonly CommandName[], finding: string): string[] {
  const lines = names.map((name) => lineOf(name, finding));
  const count = Math.ceil(lines.length / COMMANDS_PER_COMMENT);
  return Array.from({ length: count }, (_, at) =>
    lines.slice(at * COMMANDS_PER_COMMENT, (at + 1) * COMMANDS_PER_COMMENT).join("\n"),
  );
}

/** Texts that only show the commands. */
export const INERT: Readonly<Record<string, (commands: string) => string>> = {
  quoted: (text) => text.replace(/^/gm, "> "),
  "quoted twice": (text) => text.replace(/^/gm, "> > "),
  "a code block": (text) => `\`\`\`\n${text}\n\`\`\``,
  "a code block that never ends": (text) => `~~~~\n${text}`,
  "an indented block": (text) => `Text\n\n${text.replace(/^/gm, "    ")}`,
  "inline code": (text) => text.replace(/^.*$/gm, "`$&`"),
  "an HTML comment": (text) => `<!--\n${text}\n-->`,
  "the middle of a line": (text) => text.replace(/^/gm, "please say "),
  "a Cyrillic o": (text) => text.replaceAll("/forge", "/f\u043erge"),
  "a Greek o": (text) => text.replaceAll("/forge", "/f\u03bfrge"),
  "a full-width slash": (text) => text.replaceAll("/forge", "\uff0fforge"),
  "a division slash": (text) => text.replaceAll("/forge", "\u2215forge"),
  "an invisible letter within": (text) => text.replaceAll("/forge", "/for\u200bge"),
  "a soft hyphen within": (text) => text.replaceAll("/forge", "/for\u00adge"),
  "an override of direction": (text) => text.replaceAll("/forge", "\u202eegrof/"),
  "a longer word": (text) => text.replaceAll("/forge", "/forged"),
  "a path": (text) => text.replaceAll("/forge", "src/forge"),
  "Forge's own marker, copied": (text) => `${text}\n<!-- forge:finding:0123456789ab:0123 -->`,
  "Forge's own marker before it": (text) => `<!-- forge:summary -->\n${text}`,
};
