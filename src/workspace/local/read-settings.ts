import { join } from "node:path";
import { gitEnvironment } from "../git-environment.ts";
import { GIT_LIMITS } from "../limits.ts";
import { runProgram } from "../run-program.ts";
import { readPlainFile } from "./plain-file.ts";

const MOST_BYTES = 1024 * 1024;
const BOOLEAN = /^(?:true|false|yes|no|on|off|0|1)$/i;
const NAMES = /^[\w./+:*-]+$/;

/** What a view takes over: facts of the file system, ends of lines, and what a name such as `@{upstream}` stands for. All of it starts nothing. */
const TAKEN: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^core\.(?:filemode|ignorecase|precomposeunicode|trustctime)$/, BOOLEAN],
  [/^core\.autocrlf$/, /^(?:true|false|input)$/i],
  [/^core\.eol$/, /^(?:lf|crlf|native)$/i],
  [/^core\.checkstat$/, /^(?:default|minimal)$/i],
  [/^extensions\.objectformat$/, /^sha(?:1|256)$/],
  [/^branch\.[\w./+-]+\.(?:remote|merge)$/, NAMES],
  [/^remote\.[\w./+-]+\.fetch$/, NAMES],
];

export interface LocalSettings {
  readonly taken: readonly (readonly [key: string, value: string])[];
  readonly objectFormat: string;
  readonly refStorage: string;
  /** `core.worktree`, as it stands there. */
  readonly worktree: string | undefined;
  /** False where links of the repository are files here. */
  readonly symlinks: boolean;
}

/**
 * Reads the configuration of a repository as a text: nothing of it is in force, no other file is included, and what cannot be parsed says
 * nothing.
 * @throws ForgeError `checkout_unusable` when it is too large
 */
export async function readSettings(commonDirectory: string): Promise<LocalSettings> {
  const file = await readPlainFile(join(commonDirectory, "config"), MOST_BYTES);
  const all = file === undefined ? [] : await parseOnce(file.content);
  const last = (wanted: string) => all.findLast(([key]) => key === wanted)?.[1];
  return {
    taken: all.filter(([key, value]) => TAKEN.some(([keys, values]) => keys.test(key) && values.test(value))),
    objectFormat: last("extensions.objectformat") ?? "sha1",
    refStorage: last("extensions.refstorage") ?? "files",
    worktree: last("core.worktree"),
    symlinks: !/^(?:false|no|off|0)$/i.test(last("core.symlinks") ?? "true"),
  };
}

type Parsed = readonly (readonly [key: string, value: string])[];

let latest: { readonly content: Buffer; readonly parsed: Promise<Parsed> } | undefined;

/** A command looks at one checkout again and again. */
function parseOnce(content: Buffer): Promise<Parsed> {
  if (!latest?.content.equals(content)) latest = { content, parsed: parse(content) };
  return latest.parsed;
}

async function parse(content: Buffer): Promise<[key: string, value: string][]> {
  const { ok, stdout } = await runProgram({
    command: "git",
    args: ["config", "--file", "-", "--no-includes", "-z", "--list"],
    cwd: "/",
    // There is no repository: what git parses comes from its input.
    env: gitEnvironment("/nonexistent"),
    input: content,
    timeoutMs: GIT_LIMITS.timeMs,
    maxOutputBytes: 2 * MOST_BYTES,
    memoryBytes: GIT_LIMITS.memoryBytes,
  });
  if (!ok) return [];
  return stdout
    .toString("utf8")
    .split("\0")
    .slice(0, -1)
    .map((entry) => {
      const end = entry.indexOf("\n");
      return end < 0 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
    });
}
