import type { takeTurns } from "../../workspace/files/turns.ts";
import { namePath } from "../name-path.ts";
import type { SourceFile } from "../source-file.ts";

/** What a change has a shell run. */
export interface ShellCommand {
  /** Of its first line that counts, from 1. */
  readonly line: number;
  /** On one line, as the shell reads it: without what stands in words to no effect. */
  readonly text: string;
  /** A package manager runs it on every machine that installs the package. */
  readonly atInstall: boolean;
}

const SHELLS = new Set([
  "Shell",
  "Fish",
  "Make",
  "Dockerfile",
  "Just",
  "Procfile",
  "PowerShell",
  "Batch",
  "crontab",
  "systemd",
]);
const MANIFEST = /(?:^|\/)(?:package|composer)\.json$/;
/** Editors run what these hold. */
const TASKS =
  /(?:^|\/)(?:\.vscode\/tasks|\.devcontainer\/(?:[^/]+\/)?devcontainer|\.?devcontainer|deno|turbo)\.jsonc?$/;
const AT_INSTALL =
  /^(?:(?:pre|post)?(?:install|prepare)|(?:pre)?publish|prepublishOnly|dependencies|(?:pre|post)-(?:install|update|autoload-dump|package-install)[\w-]*|post-(?:root-package-install|create-project-cmd))$/;

/** A call that starts a shell from another language. */
const STARTS =
  /\b(?:exec\w*|spawn\w*|system|popen|run|call|check_output|check_call|shell_exec|passthru|Command|sh|bash|\$)\s{0,2}[(`]/g;

/** Longer lines are data. */
const MOST_CHARACTERS = 10_000;
/** A longer script of a manifest is read in pieces. Neighboring pieces share this many characters. */
const OVERLAP = 1_000;

/** @param turn lets others have theirs: a file may have half a million lines */
export async function listCommands(file: SourceFile, turn: Turn): Promise<ShellCommand[]> {
  const path = namePath(file.path);
  if (MANIFEST.test(path)) return scriptsOf(file, turn);
  const name = file.language?.name;
  if (name === undefined) return [];
  if (SHELLS.has(name) || name === "YAML" || TASKS.test(path)) return commandLines(file, turn, (command) => [command]);
  return name === "JSON" ? [] : commandLines(file, turn, startedIn);
}

type Turn = ReturnType<typeof takeTurns>;

/** What `asRead` makes other letters of. */
const ESCAPE = /\\(?:x|u00|[0-7]{3})/;

/** Whether `listCommands` may find any in a file: one look through the text. */
export function mayHoldCommands({
  path: written,
  text,
  language,
}: Pick<SourceFile, "path" | "text" | "language">): boolean {
  const path = namePath(written);
  if (MANIFEST.test(path)) return true;
  const name = language?.name;
  if (name === undefined) return false;
  if (SHELLS.has(name) || name === "YAML" || TASKS.test(path)) return true;
  return name !== "JSON" && (text.search(STARTS) !== -1 || ESCAPE.test(text));
}

/** Only what a call is given: a line of a program may be all of it. */
function startedIn(command: ShellCommand): ShellCommand[] {
  return [...command.text.matchAll(STARTS)]
    .slice(0, MOST_CALLS)
    .map(({ index }) => ({ ...command, text: command.text.slice(index, index + CALL_CHARACTERS) }));
}

const MOST_CALLS = 20;
const CALL_CHARACTERS = 400;

/** The scripts of a manifest; of one that is no JSON the syntax is told. */
async function scriptsOf(file: SourceFile, turn: Turn): Promise<ShellCommand[]> {
  const linesOf = await linesByString(file.text, turn);
  const commands: ShellCommand[] = [];
  for (const [name, text] of readScripts(file.text)) {
    await turn(text.length);
    const lines = linesOf.get(JSON.stringify(name)) ?? [];
    const value = JSON.stringify(text).slice(0, 40);
    const [first] = lines;
    const found = lines.length === 1 ? first : (lines.find((line) => line.text.includes(value)) ?? first);
    const told = { line: found?.number ?? 1, atInstall: AT_INSTALL.test(name) };
    for (let at = 0; at === 0 || at + OVERLAP < text.length; at += MOST_CHARACTERS - OVERLAP)
      commands.push({ ...told, text: asRead(text.slice(at, at + MOST_CHARACTERS)) });
  }
  return commands;
}

/** A string of a manifest stands in few places: where its author wants it in thousands, the line of a script is told less exactly. */
const MOST_PLACES = 5;

interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** The first lines on which each string stands, as it is written. */
async function linesByString(text: string, turn: Turn): Promise<ReadonlyMap<string, readonly NumberedLine[]>> {
  const places = new Map<string, NumberedLine[]>();
  for (const [at, line] of text.split("\n").entries()) {
    await turn(line.length);
    // An unclosed string is read once to its end.
    for (const [written, end] of line.matchAll(/"(?:[^"\\]|\\.)*("?)/g)) {
      if (end === "") continue;
      const lines = places.get(written) ?? [];
      if (lines.length < MOST_PLACES && lines.at(-1)?.number !== at + 1) lines.push({ number: at + 1, text: line });
      places.set(written, lines);
    }
  }
  return places;
}

function readScripts(text: string): [name: string, text: string][] {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    if (typeof scripts !== "object" || scripts === null) return [];
    return Object.entries(scripts).flatMap(([name, value]) =>
      [value].flat().flatMap((each): [string, string][] => (typeof each === "string" ? [[name, each]] : [])),
    );
  } catch {
    return [];
  }
}

/** Added lines with those that go on in the next one joined, without comments, as `told` makes commands of them. */
async function commandLines(
  { text, addedLines }: SourceFile,
  turn: Turn,
  told: (command: ShellCommand) => readonly ShellCommand[],
): Promise<ShellCommand[]> {
  const commands: ShellCommand[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    await turn(lines[at]?.length);
    const first = at;
    let joined = lines[at] ?? "";
    for (let begun = begunIn(joined); begun !== undefined && at + 1 < lines.length; begun = begunIn(joined)) {
      at += 1;
      joined = `${begun} ${lines[at] ?? ""}`;
    }
    let added = first + 1;
    while (added <= at + 1 && !addedLines.has(added)) added += 1;
    if (added > at + 1 || /^\s*(?:#|\/\/|--|::|rem\b|\*)/i.test(joined)) continue;
    commands.push(...told({ line: added, text: asRead(joined.slice(0, MOST_CHARACTERS)), atInstall: false }));
  }
  return commands;
}

/** What a line says that goes on in the next one: a backslash, a pipe or an `&&` stands at its end. */
function begunIn(line: string): string | undefined {
  if (line.length >= MOST_CHARACTERS) return undefined;
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (text.endsWith("\\")) return text.slice(0, -1).trimEnd();
  return text.endsWith("|") || text.endsWith("&&") ? text : undefined;
}

/** Words as the shell joins them: `c""url`, `cu\rl`, `$IFS` and numbers of characters are ways of writing. */
function asRead(text: string): string {
  return text
    .replace(/\\+(?:x([0-9a-f]{2})|u00([0-9a-f]{2})|0?([0-7]{3}))?/gi, (whole, x, u, octal) => {
      const code = octal === undefined ? Number.parseInt(x ?? u, 16) : Number.parseInt(octal, 8);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : whole;
    })
    .replace(/\$\{IFS[^}]{0,20}\}|\$IFS(?:\$\d)?/g, " ")
    .replace(/(?<=[\w/.-])(?:""|''|\\|\$@|\$\*)(?=[\w/.-])/g, "")
    .replace(/(?<=\w)["'](\w{1,20})["'](?=\w|\s|$)/g, "$1");
}
