import type { Severity } from "../../domain/findings.ts";
import type { takeTurns } from "../../workspace/files/turns.ts";
import { shortenBlanks } from "../short-blanks.ts";
import type { ShellCommand } from "./list-commands.ts";

export interface CommandDanger {
  readonly line: number;
  readonly rule: string;
  readonly severity: Severity;
  readonly confidence: number;
  readonly message: string;
  readonly why: string;
}

type Told = Omit<CommandDanger, "line">;

const LOAD = String.raw`(?:curl|wget|aria2c|lwp-download|iwr|irm|Invoke-WebRequest|Invoke-RestMethod|DownloadString|DownloadFile)\b`;
const BEFORE = String.raw`(?:(?:sudo|doas|env|exec|command|nohup|nice|xargs|time|busybox|stdbuf)(?:\s{1,9}-[\w-]{1,40}|\s{1,9}\w{1,40}=\S{0,80}){0,5}\s{1,9}){0,4}(?:[\w./~-]{0,80}\/)?`;
// `php -l` looks whether a text is PHP, and runs nothing.
const RUNNER = String.raw`(?:(?:ba|z|da|k|mk|a|fi|c|tc)?sh|python[\d.]{0,20}|node|deno|bun|perl|ruby|php(?!\s{1,9}-l(?![\w-]))|lua|pwsh|powershell)(?:\.exe)?`;
const END = String.raw`(?=\s{0,9}(?:$|[;&|)"'\x60\]}>]|-(?:\s|$|[seixlu]{0,9}\b(?!\s{1,9}[\w./]{1,300}\.\w))))`;

const PIPED = new RegExp(
  String.raw`\|&?\s{0,9}${BEFORE}(?:${RUNNER}${END}|\$\{?[A-Za-z_]\w{0,40}\}?(?=\s{0,9}(?:$|[;&|)"'\x60])))`,
);
const PIPED_LOAD = new RegExp(String.raw`\b${LOAD}[^;\n]{0,300}\|&?\s{0,9}${BEFORE}${RUNNER}${END}`);
const INNER_LOAD = new RegExp(
  String.raw`(?:\b${RUNNER}|\beval|\bsource|(?:^|[\s;&|("'])\.)\s{1,9}(?:-\w{1,60}\s{1,9}){0,4}["']?(?:\$\(|\x60|<\s?\(|=\()\s{0,9}${BEFORE}${LOAD}`,
);
const EXPRESSION = new RegExp(
  String.raw`\b(?:iex|Invoke-Expression)\b[^\n]{0,200}(?:${LOAD})|(?:${LOAD})[^\n]{0,200}\|\s{0,9}(?:iex|Invoke-Expression)\b`,
  "i",
);
const BACK =
  /\/dev\/(?:tcp|udp)\/|\bn(?:c|cat|etcat)\b[^|;\n]{0,200}\s-\w{0,6}[ec]\s|\b(?:ba|z|da)?sh\s{1,9}-i\b[^\n]{0,60}(?:>&|<&|0>|\|)/;
const INLINE =
  /\b(?:node|deno|bun|python[\d.]{0,20}|perl|ruby|php|pwsh|powershell)(?:\.exe)?\s{1,9}(?:-[\w-]{1,60}\s{1,9}){0,3}(?:-[a-z]{0,3}[ecpr]|--eval|--print|--import|--require|-enc\w{0,20}|eval)[\s="']/i;
/** Of an install: what it runs is not in the repository. */
const LOADS =
  /\beval\s{1,9}["']?(?:\$\(|\x60)|\bgit\s{1,9}clone\b|https?:\/\/|\b(?:curl|wget)\b|\$(?:\{?[A-Z_a-z]\w{0,40}\}?)\s{1,9}\S/;
/** Where what was loaded is held against a sum or a signature first, running it is what people mean to do. */
const CHECKED =
  /\b(?:sha\d+sum|shasum|sha\d+|b2sum|gpg|gpgv|cosign|minisign|openssl\s+dgst|--checksum|Get-FileHash)\b/i;

const LOADED: Told = {
  rule: "commands/download-run",
  severity: "warning",
  confidence: 0.8,
  message: "What another server answers is run as a program.",
  why: "Whoever controls that server, or the way to it, runs code here: download a fixed version, and check its sum before it runs.",
};
const PRINTED: Told = {
  rule: "commands/piped-into-shell",
  severity: "warning",
  confidence: 0.6,
  message: "What another program prints is run as a program.",
  why: "Nobody who reads this line sees what it runs.",
};
const CALLS_BACK: Told = {
  rule: "commands/reverse-shell",
  severity: "error",
  confidence: 0.9,
  message: "A shell is connected to the network.",
  why: "Whoever is at the other end runs commands here.",
};
const INSTALL_CODE: Told = {
  rule: "commands/code-at-install",
  severity: "warning",
  confidence: 0.7,
  message: "Code that is no file of the repository runs on every machine that installs the package.",
  why: "No analyser reads it there: put it into a file.",
};

/** Unexpected things that commands do, one danger a command. Others have their turn meanwhile. */
export async function findCommandDangers(
  given: readonly ShellCommand[],
  turn: ReturnType<typeof takeTurns>,
): Promise<CommandDanger[]> {
  const commands = given.map((command) => ({ ...command, text: shortenBlanks(command.text) }));
  const isChecked = commands.some(({ text }) => CHECKED.test(text));
  const loaded = isChecked ? [] : loadedFiles(commands);
  const dangers: CommandDanger[] = [];
  for (const command of commands) {
    await turn(command.text.length);
    const own = dangerOf(command);
    const isLoaded = (own === undefined || own === INSTALL_CODE) && runsLoaded(command, loaded);
    const told = isLoaded ? LOADED : own;
    if (told === undefined) continue;
    // Installing the package runs it unasked.
    const graver = command.atInstall && told !== INSTALL_CODE ? { severity: "error" as const, confidence: 0.9 } : {};
    dangers.push({ ...told, ...graver, line: command.line });
  }
  return dangers;
}

function dangerOf({ text, atInstall }: ShellCommand): Told | undefined {
  if (BACK.test(text)) return CALLS_BACK;
  if (PIPED_LOAD.test(text) || INNER_LOAD.test(text) || EXPRESSION.test(text)) return LOADED;
  if (PIPED.test(text)) return PRINTED;
  return atInstall && (INLINE.test(text) || LOADS.test(text)) ? INSTALL_CODE : undefined;
}

const SAVES =
  /\b(?:curl|wget|aria2c|iwr|Invoke-WebRequest)\b[^|;&\n]{0,300}?(?:\s-\w{0,6}[oO]\s{0,3}|\s--output(?:-document)?[= ]\s{0,3}|\s-OutFile\s{1,9}|>\s{0,3})["']?([\w./~${}-]{2,200})/gi;
const ADDS = /^\s*ADD\s+(?:--\S+\s+){0,3}https?:\/\/\S+\s+([\w./~-]{2,200})/i;
const KEEPS_NAME = /-\w{0,6}O\b|--remote-name/i;
const ADDRESS = /https?:\/\/[^\s"'|;&]{1,300}\/([\w.-]{2,200})/i;

const ARCHIVES_AND_TEXTS = /\.(?:t?gz|tar|zip|xz|bz2|7z|deb|rpm|apk|json|txt|gpg|asc|list|pem|crt|html|md)$/i;
const MOST_LOADED = 20;

interface Loaded {
  readonly name: string;
  /** A command that runs it, or makes it a program. */
  readonly run: RegExp;
}

/** Files that are loaded from somewhere. */
function loadedFiles(commands: readonly ShellCommand[]): Loaded[] {
  return commands
    .flatMap(({ text }) => {
      const added = ADDS.exec(text);
      const found = [...text.matchAll(SAVES), ...remoteNames(text), ...(added === null ? [] : [added])];
      return found.map((match) => (match[1] ?? "").replace(/^.*\//, ""));
    })
    .filter((name) => name !== "" && !ARCHIVES_AND_TEXTS.test(name))
    .slice(0, MOST_LOADED)
    .map((name) => ({ name, run: runOf(name) }));
}

/** Of each command that saves a file by its name on the server: the first address. */
function remoteNames(text: string): RegExpExecArray[] {
  return text.split(/[|;&\n]/).flatMap((part) => {
    const kept = behind(behind(part, /\bcurl\s/i), KEEPS_NAME);
    return [ADDRESS.exec(behind(part, /\bwget\s/i)), ADDRESS.exec(kept)].filter((address) => address !== null);
  });
}

/** The text from the first match on, or no text. */
function behind(text: string, beginning: RegExp): string {
  const at = text.search(beginning);
  return at === -1 ? "" : text.slice(at);
}

function runOf(name: string): RegExp {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(
    String.raw`(?:(?:^|[;&|(]|RUN|run:)\s{0,9}${BEFORE}(?:${RUNNER}|source|\.)?\s{0,9}(?:-\w+\s+){0,3}["']?(?:[\w./~-]{0,200}\/)?|chmod\s+(?:[0-7]*[1357][0-7]*|[augo]*\+\w*x\w*)\s[^;&|]{0,200}?)${escaped}(?![\w.-])`,
    "m",
  );
}

function runsLoaded({ text }: ShellCommand, loaded: readonly Loaded[]): boolean {
  return loaded.some(({ name, run }) => text.includes(name) && run.test(text));
}
