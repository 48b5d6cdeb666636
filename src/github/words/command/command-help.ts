import { COMMAND_NAMES, COMMANDS, CommandName } from "../../../domain/commands.ts";
import { nearest } from "../../../domain/nearest.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { foreignCode, type Wording } from "../wording.ts";
import { COMMAND_WORDS } from "./command-words.ts";

/** The ten that matter on a pull request and on an issue. */
const SHOWN: Readonly<Record<"pull_request" | "issue", readonly CommandName[]>> = {
  pull_request: ["review", "dismiss", "explain", "fix", "test", "status", "stop", "approve", "override", "help"],
  issue: ["implement", "plan", "answer", "approve", "reject", "status", "stop", "resume", "retry", "help"],
};

/** `/forge help`: the commands that matter here, each with an example; with `all` every one with options and permissions; or one command alone. */
export function helpText(topic: string | undefined, wording: Wording, on: Subject["kind"]): string {
  const known = CommandName.safeParse(topic);
  if (known.success) return oneCommand(known.data);
  if (topic === "all") return COMMAND_NAMES.map(oneCommand).join("\n\n");
  const shown = SHOWN[on === "issue" ? "issue" : "pull_request"];
  const list = [
    "| for example | what it does |",
    "|---|---|",
    ...shown.map((name) => `| \`/forge ${COMMAND_WORDS[name].example}\` | ${COMMAND_WORDS[name].does} |`),
    "",
    "A command stands at the beginning of a line. More commands, options and permissions: `/forge help all`",
  ].join("\n");
  if (topic === undefined) return list;
  const near = nearest(topic, COMMAND_NAMES, 3);
  const hint = near ? ` Did you mean \`/forge help ${near}\`?` : "";
  return `${foreignCode(topic, wording)} is no command.${hint}\n\n${list}`;
}

function oneCommand(name: CommandName): string {
  const { does, example, who, more } = COMMAND_WORDS[name];
  return `**\`/forge ${COMMANDS[name].usage}\`**: ${does}. For example \`/forge ${example}\`. Who may: ${who}.\n${more}`;
}
