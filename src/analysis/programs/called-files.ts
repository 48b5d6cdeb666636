import { posix } from "node:path";
import { defined } from "../../domain/defined.ts";
import type { ShellCommand } from "../commands/list-commands.ts";
import type { Language } from "../languages.ts";
import type { FindFile } from "./find-file.ts";

/** A file of the repository that something runs. */
export interface Called {
  readonly path: string;
  readonly language: Language;
  /** Of the file that says so, from 1. */
  readonly line: number;
  /** Started by its own name, so that its first line may say what runs it. */
  readonly byItself?: true;
}

const SHELL: Language = { name: "Shell", dialect: "sh" };
const JAVASCRIPT: Language = { name: "JavaScript", dialect: "js" };

/** Programs that run a file which they are given, and what they take it for. */
const RUNNERS: readonly (readonly [RegExp, Language])[] = [
  [/^(?:(?:ba|da|z|k|mk|a)?sh|source|\.|fish)$/, SHELL],
  [/^(?:node|nodejs|bun|deno|zx|tsx|ts-node|esno|vite-node|electron)$/, JAVASCRIPT],
  [/^(?:python|pypy)[\d.]*w?$/, { name: "Python", dialect: "py" }],
  [
    /^(?:perl|ruby|php|lua|tclsh|expect|Rscript|julia|osascript|pwsh|powershell|groovy|elixir)[\d.]*$/,
    { name: "a script" },
  ],
  [/^(?:make|gmake|just|task)$/, { name: "Make" }],
  [/^(?:g|m|n)?awk$/, { name: "AWK" }],
  [/^(?:crontab|at|batch|psql|mysql|sqlite3)$/, { name: "a script" }],
];
/** Behind these the command begins that is run. */
const BEFORE =
  /^(?:sudo|doas|env|exec|command|nohup|nice|time|stdbuf|busybox|npx|pnpx|bunx|dlx|xargs|then|do|else|if|while|!|@|-|\{|RUN|CMD|ENTRYPOINT|SHELL|run:?|script:?|command:?|entry:?|cmd:?|exec:?)$/;
/** Options whose value is loaded or run. */
const LOADS = /^(?:-r|-f|--(?:require|import|loader|experimental-loader|preload|rcfile|init-file|file|makefile))$/;
const WORDS_BETWEEN = /^(?:run|-|--|exec|eval|test|start)$/;
const COPIES = /^(?:cp|mv|ln|install|COPY|ADD|rsync)$/;
/** Where programs are looked for, or what is one by its name. */
const PLACE_OF_PROGRAMS =
  /(?:^|\/)(?:\.?s?bin|libexec|hooks|init\.d|cron[\w.-]*|profile\.d|docker-entrypoint[\w.-]*|entrypoint[\w.-]*)(?:\/|$)|\.(?:sh|bash|[cm]?js|ts|py|rb|pl|php)$/;
const MOST_WORDS = 400;

/** The files that commands run: given to a program that runs files, named as the command itself, made executable, or put where programs lie. */
export function calledFiles(commands: readonly ShellCommand[], from: string, find: FindFile): Called[] {
  const called: Called[] = [];
  for (const { text, line } of commands) {
    let before: readonly string[] = [];
    for (const { words, piped } of segmentsOf(text)) {
      const { found, runner } = filesRunBy(words, from, find);
      const files = found.map((each) => ({ ...each, line }));
      // `cat notes.txt | sh`
      const fed = piped && runner !== undefined && found.length === 0 ? filesIn(before, from, find) : [];
      called.push(...files, ...fed.map((path) => ({ path, language: runner ?? SHELL, line })));
      before = words;
    }
  }
  return called;
}

/** Commands between `;`, `&` and `|` as words, without what quotes and brackets around them. */
function segmentsOf(text: string): { readonly words: readonly string[]; readonly piped: boolean }[] {
  let piped = false;
  return text.split(/(\|\|?|[;&\n])/).flatMap((part, at) => {
    if (at % 2 === 1) {
      piped = part === "|";
      return [];
    }
    const words = part
      .replace(/["'`,<>=]|\$\(|[()[\]{}](?=\s|$)|(?<=\s|^)[()[\]{}]/g, " ")
      .trim()
      .split(/\s+/, MOST_WORDS);
    return [{ words: words.map(unbracketed).filter((word) => word !== ""), piped }];
  });
}

function unbracketed(word: string): string {
  return word.replace(/^[([{]{1,5}/, "").replace(/[)\]}]{1,5}$/, "");
}

interface Run {
  readonly found: readonly Omit<Called, "line">[];
  readonly runner: Language | undefined;
}

function filesRunBy(words: readonly string[], from: string, find: FindFile): Run {
  const found: Omit<Called, "line">[] = [];
  const add = (paths: readonly string[], language: Language, byItself?: true) => {
    for (const path of paths) found.push({ path, language, ...defined({ byItself }) });
  };
  let runner: Language | undefined;
  let last: Language | undefined;
  let isFirst = true;
  for (const [at, word] of words.entries()) {
    const name = nameOf(word);
    // In `eslint . bin/a` the dot is a folder.
    const told = word === "." && !isFirst ? undefined : RUNNERS.find(([pattern]) => pattern.test(name))?.[1];
    if (told !== undefined) {
      runner = told;
      last = told;
      isFirst = false;
      continue;
    }
    if (name === "eval" || name === "chmod") {
      const mode = words[at + 1] ?? "";
      const isMode = name === "chmod" && !(/^[0-7]{1,4}$/.test(mode) ? /[1357]/ : /\+[rwst]{0,4}x/).test(mode);
      if (!isMode) add(filesIn(words.slice(at + 1), from, find), SHELL, name === "chmod" ? true : undefined);
      break;
    }
    if (COPIES.test(name)) {
      const files = words.slice(at + 1).filter((each) => !each.startsWith("-"));
      if (PLACE_OF_PROGRAMS.test(files.at(-1) ?? "")) add(filesIn(files.slice(0, -1), from, find), SHELL, true);
      break;
    }
    if (/^(?:-?include|FROM)$/.test(name)) {
      add(filesIn(words.slice(at + 1), from, find), { name: "Make" });
      break;
    }
    if (runner !== undefined) {
      // What is printed into the text of `sh -c "$(cat notes.txt)"` runs too.
      if (/^(?:cat|head|tail|sed|base64|tr|rev|xxd|gunzip|zcat)$/.test(name)) {
        add(filesIn(words.slice(at + 1), from, find), runner);
        break;
      }
      if (word.startsWith("-") || WORDS_BETWEEN.test(word)) continue;
      const files = find(word, from);
      add(files, runner);
      const option = words[at - 1] ?? "";
      // What follows the program are its arguments; what follows an option may be its value.
      if (!LOADS.test(option) && (files.length > 0 || !option.startsWith("-"))) runner = undefined;
      continue;
    }
    if (!isFirst) continue;
    if (BEFORE.test(word) || /^[\w.-]{1,60}:$/.test(word) || /^-/.test(word) || /^\w{1,60}=/.test(word)) continue;
    isFirst = false;
    // Of YAML not every line is a command.
    const isPlain = /\.ya?ml$/i.test(from) && !/^(?:\.{1,2}\/|\$|~)/.test(word);
    if (word.includes("/") && !isPlain) add(find(word, from), SHELL, true);
  }
  return { found, runner: last };
}

function nameOf(word: string): string {
  return posix.basename(word.replace(/^[@+-]+(?=\w)/, "").replace(/\.exe$/i, "")) || word;
}

function filesIn(words: readonly string[], from: string, find: FindFile): string[] {
  return words.flatMap((word) => (word.startsWith("-") ? [] : find(word, from)));
}

const FIELDS = new Set(["bin", "main", "module", "browser", "exports", "imports", "preload", "directories"]);
const STARTED: ReadonlySet<string> = new Set(["bin", "directories"]);
/** Keys of settings whose value is loaded or run, by the files that have them. */
const ENTRIES: readonly (readonly [file: RegExp, key: RegExp])[] = [
  [/(?:^|\/)action\.ya?ml$/i, /^(?:main|pre|post|entrypoint|pre-entrypoint|post-entrypoint)$/],
  [
    /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.ya?ml)?|bunfig\.toml)$/i,
    /^(?:yarnPath|yarn-path|path|script-shell|scriptShell|node-options|onload-script|init-module|preload|git|shell|pnpmfile)$/,
  ],
  [/(?:^|\/)pyproject\.toml$/i, /^(?:backend-path|build|script|path|custom-hook)$/],
  [/(?:^|\/)cargo\.toml$/i, /^build$/],
  [
    /[._-](?:config|setup|workspace)\.|rc\.|rc$/i,
    /^(?:setupFiles|setupFilesAfterEnv|globalSetup|globalTeardown|preload|require|import|transform|runner|testRunner|reporter|loader)$/,
  ],
];
const PAIR = /^(?:- )?["']?([\w.@-]{1,60})["']?[ \t]{0,9}[:=]/;

/** The files that manifests and settings name as what is to be run or loaded, without a command. */
export function namedPrograms(text: string, from: string, find: FindFile): Called[] {
  if (/(?:^|\/)(?:package|composer)\.json$/.test(from)) return fieldsOf(text, from, find);
  const keys = ENTRIES.find(([file]) => file.test(from))?.[1];
  if (keys === undefined) return [];
  return text.split("\n").flatMap((written, at) => {
    const line = written.slice(0, 1_000).trim();
    const pair = PAIR.exec(line);
    if (pair === null || !keys.test(pair[1] ?? "")) return [];
    const words = line
      .slice(pair[0].length)
      .replace(/["'`,[\]{}()=]/g, " ")
      .trim()
      .split(/\s+/, MOST_WORDS);
    return filesIn(words, from, find).map((path) => ({ path, language: JAVASCRIPT, line: at + 1 }));
  });
}

function fieldsOf(text: string, from: string, find: FindFile): Called[] {
  let manifest: Record<string, unknown>;
  try {
    manifest = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof manifest !== "object" || manifest === null) return [];
  const lines = linesOfStrings(text);
  const folder = posix.dirname(from);
  return Object.entries(manifest).flatMap(([field, value]) =>
    FIELDS.has(field)
      ? stringsIn(value).flatMap((word) => {
          // Node reads it as data, whatever is in it.
          if (word.endsWith(".json") && !STARTED.has(field)) return [];
          const line = lines.get(JSON.stringify(word)) ?? 1;
          // Folders are named here, of which one holds programs; and nothing outside of the package is meant.
          const named = field === "directories" ? posix.join(folder, word, "*") : word;
          const isOwn = (path: string) => path.startsWith(posix.join(folder, word));
          if (field === "directories" && (value as { readonly bin?: unknown } | null)?.bin !== word) return [];
          return find(named, from)
            .filter(isOwn)
            .map((path) => ({
              path,
              language: JAVASCRIPT,
              line,
              ...defined({ byItself: STARTED.has(field) || undefined }),
            }));
        })
      : [],
  );
}

/** The first line of each string of a JSON text, with its quotation marks. */
function linesOfStrings(text: string): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const [at, line] of text.split("\n").entries()) {
    for (const [written] of line.matchAll(/"(?:[^"\\]|\\.)*"?/g)) if (!first.has(written)) first.set(written, at + 1);
  }
  return first;
}

/** Of values within values, however deep. */
function stringsIn(value: unknown): string[] {
  const found: string[] = [];
  const open = [value];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each === "string") found.push(each);
    else if (typeof each === "object" && each !== null)
      for (const inner of Object.values(each)) if (inner !== null) open.push(inner);
  }
  return found;
}
