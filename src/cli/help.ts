import { type CommandText, GROUPS } from "./command-text.ts";

/** Columns of the help: the width of the narrowest usual terminal. */
export const HELP_COLUMNS = 80;

/** The list of all commands, by group. @param called how the user starts Forge, such as `npx forge-lifecycle` */
export function overview(commands: readonly CommandText[], called: string): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const groups = Object.entries(GROUPS).flatMap(([group, title]) => {
    const rows = commands.filter((command) => command.group === group);
    return rows.length === 0
      ? []
      : ["", title, ...rows.map(({ name, does }) => `  ${name.padEnd(width)}${capital(does)}`)];
  });
  return text([
    "Forge reviews pull requests and implements issues.",
    ...groups,
    "",
    ...hanging("Help:     ", `${called} help <command>`),
    ...hanging("Version:  ", `${called} --version`),
  ]);
}

/** The help of one command. @param called how the user starts Forge, such as `npx forge-lifecycle` */
export function commandHelp(command: CommandText, called: string): string {
  const { does, options, notes } = command;
  const width = Math.max(0, ...options.map(({ option }) => option.length)) + 2;
  return text([
    `${capital(does)}.`,
    "",
    ...usageLines(command, called),
    ...(options.length === 0 ? [] : ["", "Options:"]),
    ...options.flatMap(({ option, does }) => hanging(`  ${option.padEnd(width)}`, does)),
    ...notes.flatMap((note) => ["", ...hanging("", note)]),
  ]);
}

/** "Usage: npx forge-lifecycle review <folder> [options]", a line for each form. */
export function usageLines({ usage, options }: CommandText, called: string): string[] {
  const more = options.length === 0 ? "" : " [options]";
  return usage.map((form, at) => `${at === 0 ? "Usage: " : "       "}${called} ${form}${more}`);
}

/** Words in lines of at most `HELP_COLUMNS`; each line but the first is indented as far as the first one's beginning. */
function hanging(beginning: string, words: string): string[] {
  const lines: string[] = [];
  let line = beginning;
  let isEmpty = true;
  for (const word of words.split(" ")) {
    if (!isEmpty && line.length + 1 + word.length > HELP_COLUMNS) {
      lines.push(line);
      line = " ".repeat(beginning.length);
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

function capital(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function text(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
