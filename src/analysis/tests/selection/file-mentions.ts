import { posix } from "node:path";
import { defined } from "../../../domain/defined.ts";
import { languageOfCode } from "../test-names.ts";
import { COMMON, type PathNames, plain, withoutEnding } from "./path-names.ts";
import { type Token, tokenize } from "./tokenize.ts";

/** Something in a text that can mean a file: under `key` it is found. */
export interface Mention {
  readonly key: string;
  /** What stands before the name, from the nearest root that it shows. */
  readonly within: readonly string[];
  /** What it leads to from its own folder, where something is there. */
  readonly exact?: string;
  /** It begins at a folder, its own or that of the process. */
  readonly relative?: boolean;
  /** It means that alone. */
  readonly only: boolean;
  /** It names one file, and is no folder, pattern or bare word. */
  readonly names: boolean;
  /** A word that is a path only where the file, or one that it imports, opens files. */
  readonly word: boolean;
  /** It is what an import asks for. */
  readonly imported: boolean;
}

/** What a text mentions, and what else it does. */
export interface FileMentions {
  readonly mentions: readonly Mention[];
  /** It opens files or starts programs. */
  readonly opens: boolean;
  /** It reads files or starts programs, by calls that are known. */
  readonly reads: boolean;
  /** It reads folders whole. */
  readonly lists: boolean;
  /** It starts programs. */
  readonly starts: boolean;
  /** It starts what a manifest, a task file or an image says: anything of its package. */
  readonly launches: boolean;
  /** It starts programs, or loads modules whose names are computed. */
  readonly loads: boolean;
  /** It means its own folder, the one above, or that of the process. */
  readonly here: boolean;
  readonly above: boolean;
  /** It calls what runners of scripts take for tests. */
  readonly tests: boolean;
}

const words = (text: string) => new Set(text.split(" "));
const LISTS = words(
  "readdir readdirSync opendir opendirSync glob globSync globby globbySync iglob fg fastGlob fast-glob tinyglobby walk walkSync walkDir listdir scandir iterdir rglob ReadDir WalkDir Walk Glob embed context ls-files readDir fdir klaw",
);
const STARTS = words(
  "spawn spawnSync exec execSync execFile execFileSync execa execaSync execaCommand fork child_process subprocess Popen check_output check_call system Command Worker worker_threads shelljs zx tinyexec nano-spawn cross-spawn run_module runpy ProcessBuilder",
);
const OPENS = words(
  "fs promises path join resolve readFile readFileSync readJson readJSON createReadStream existsSync stat statSync URL url Path PurePath pathlib open os io importlib import_module require createRequire import resources read_text ReadFile Open filepath render include source load",
);
const READS = words(
  "fs readFile readFileSync readJson readJSON createReadStream readSync open opens Path PurePath pathlib resources read_text read_bytes ReadFile Open FS io file render renderFile compileFile views source include load loadFile",
);
const LAUNCHERS = words(
  "npm npx yarn pnpm pnpx bun bunx deno make just docker docker-compose podman compose tox nox poetry uv hatch pip cargo mvn gradle gradlew next nuxt astro vite webpack rollup tsc turbo nx lerna",
);
const HERE = words("__dirname dirname __file__ cwd getcwd meta getwd Getwd __DIR__");

/** Texts in which a bare word can be a name: templates, and settings and scripts without quotes. */
const LOOSE =
  /\.(?:hbs|handlebars|mustache|ejs|pug|jade|njk|nunjucks|liquid|eta|twig|j2|jinja2?|html?|haml|erb|slim|tmpl|gohtml|ya?ml|toml|sh|bash|mk|s[ac]ss|less|styl|graphql|gql|proto|sql|ini|cfg|conf|tex)$|(?:^|\/)(?:Makefile|Dockerfile|justfile)$/i;
const TESTS = /(?<![.\w$])(?:describe|it|test|suite|specify|tap\.test|t\.test)(?:\.\w{1,20})?\(/;
const LOADS =
  /\bimport\s?\((?!["'])|\brequire\((?!["'])|\bimport_module\b|\b__import__\b|\brunpy\b|require\.context|import\.meta\.glob|[Aa]uto-?[Ll]oad|require-(?:all|dir)|piscina|workerpool|tinypool|\bexec\(|\beval\(/;
const LONGEST_CHAIN = 8;
const BUILT = /\.(?:[cm]?js|jsx|css|html?)$/;

/** What is known of the repository when a text is read. */
export interface TextContext {
  readonly known: PathNames;
  /** Names under which programs are started. */
  readonly programs: ReadonlySet<string>;
  /** Packages that come from elsewhere. */
  readonly foreign: ReadonlySet<string>;
}

/** What a text mentions of the paths that there are, in one pass. */
export function readMentions(path: string, text: string, { known, programs, foreign }: TextContext): FileMentions {
  const found = new Map<string, Mention>();
  const facts = {
    opens: false,
    reads: false,
    lists: false,
    starts: false,
    launches: false,
    here: false,
    above: false,
    tests: TESTS.test(text),
    loads: LOADS.test(text),
  };
  const loose = LOOSE.test(path);
  const language = languageOfCode(path);
  const add = (mention: Mention) => {
    found.set(`${mention.key} ${mention.within.join("/")} ${mention.names} ${mention.exact ?? ""}`, mention);
  };
  let pending: Token[] = [];
  const isFact = (word: string) =>
    READS.has(word) || LISTS.has(word) || STARTS.has(word) || OPENS.has(word) || HERE.has(word);
  const wants = (word: string) =>
    word.includes(".") ? word.split(".").some(isFact) || known.names.has(word.toLowerCase()) : isFact(word);
  const isWorded = loose || language === "python" || language === "go";
  for (const token of tokenize(text, { words: isWorded, wants })) {
    noteFacts(token, facts);
    if (token.opens && programs.has(token.text))
      add({ key: `program ${token.text}`, within: [], only: false, imported: false, names: true, word: false });
    if (token.imported && isForeign(token.text, foreign)) continue;
    pending.push(token);
    if (token.continues && pending.length < LONGEST_CHAIN) continue;
    for (const each of joined(pending, path, known)) {
      if (each.whole && /^(?:\.\.\/?){1,20}$/.test(each.text)) facts.above = true;
      for (const mention of mentionsOf(each, { path, language, loose, known })) add(mention);
    }
    pending = [];
  }
  return {
    mentions: [...found.values()],
    ...facts,
    loads: facts.loads || facts.starts,
    reads: facts.reads || facts.lists || facts.starts || facts.loads,
  };
}

function isForeign(specifier: string, foreign: ReadonlySet<string>): boolean {
  const [first = "", second = ""] = specifier.split("/", 2);
  return foreign.has(first.startsWith("@") ? `${first}/${second}` : first);
}

function noteFacts(token: Token, facts: { -readonly [key in keyof Omit<FileMentions, "mentions">]: boolean }): void {
  const { text, opens, whole } = token;
  for (const word of text.split(/[./]/)) {
    if (LISTS.has(word)) facts.lists = true;
    if (STARTS.has(word)) facts.starts = true;
    if (OPENS.has(word)) facts.opens = true;
    if (READS.has(word)) facts.reads = true;
    if (HERE.has(word)) facts.here = true;
  }
  if (opens && !token.imported && LAUNCHERS.has(text.slice(text.lastIndexOf("/") + 1))) facts.launches = true;
  if (whole && (text === "." || text === "./")) facts.here = true;
  if (/\b(?:cwd|getcwd|Getwd)$/.test(text)) facts.above = true;
}

interface Place {
  readonly path: string;
  readonly language: ReturnType<typeof languageOfCode>;
  readonly loose: boolean;
  readonly known: PathNames;
}

/** Literals that are arguments of one call, as the path that they make together where there is one; else each by itself. */
function joined(tokens: readonly Token[], path: string, known: PathNames): readonly Token[] {
  const last = tokens.at(-1);
  if (last === undefined || tokens.length === 1) return tokens;
  for (let from = 0; from < tokens.length - 1; from += 1) {
    const text = tokens
      .slice(from)
      .map((each) => each.text)
      .join("/");
    const isThere = [posix.join(posix.dirname(path), text), text.replace(UPWARDS, "")].some((each) =>
      isKnown(each, known),
    );
    // The members of an array are as likely paths of their own.
    if (isThere) return [...tokens.slice(0, tokens[0]?.listed ? -1 : from), { ...last, text }];
  }
  return tokens;
}

function* mentionsOf(token: Token, { path, language, loose, known }: Place): Generator<Mention> {
  const isModule = language === "python" && token.imported && !token.opens;
  const dotted = (token.whole && /^\w+(?:\.\w+)+$/.test(token.text)) || isModule;
  const text = token.text;
  const parts = text.split("/").filter((part) => part !== "" && part !== "." && part !== "..");
  const last = parts.at(-1);
  if (last === undefined) return;
  const within = parts.slice(0, -1).map((part) => part.toLowerCase());
  const exact = exactOf(text, path, known);
  const only = token.imported || text.startsWith("../");
  const { imported } = token;
  const relative = /^\.{1,2}\/./.test(text);
  const place = { within, only, imported, relative, ...defined({ exact }) };
  const isPath = text.includes("/");
  const bareWord = !isPath && !token.imported;
  const name = last.toLowerCase();
  if (known.names.has(name)) yield { key: `name ${name}`, ...place, names: true, word: false };
  const stem = plain(BUILT.test(name) ? withoutEnding(name) : name);
  const mayBeStem = isPath || token.whole || token.imported || (loose && stem.length > 2);
  if (mayBeStem && known.stems.has(stem))
    yield { key: `stem ${stem}`, ...place, names: isPath || token.imported, word: bareWord };
  if (dotted) yield* moduleOf(text, known);
  // A package of Go is a folder; of other languages an import of a folder means one file in it, unless the rest is computed.
  const asFolder = token.whole || (isPath && !isModule) || (loose && !COMMON.has(name));
  const whole = language === "go" || !token.imported || token.holeAfter;
  if (asFolder && whole && known.folderNames.has(name))
    yield { key: `folder ${name}`, ...place, names: false, word: bareWord };
  if (token.holeAfter && !text.endsWith("/") && name.length > 1)
    yield { key: `prefix ${name}`, within, only: false, imported: false, names: false, word: false };
  // A folder or a beginning that is known says more than the end.
  const startsIn = token.started?.toLowerCase().split("/").filter(Boolean).at(-1) ?? "";
  const isBegun = startsIn.length > 1 && startsIn !== "..";
  const isStarted = isBegun && (!token.started?.endsWith("/") || known.folderNames.has(startsIn));
  if (!isStarted && !isPath && name.length > 1 && (token.holeBefore || (token.whole && name.startsWith("."))))
    yield { key: `suffix ${name}`, within, only: false, imported: false, names: false, word: false };
}

/** `shop.cart` means `shop/cart.py`, and perhaps what `shop/cart` begins with. */
function* moduleOf(text: string, known: PathNames): Generator<Mention> {
  const parts = text.toLowerCase().split(".").filter(Boolean);
  for (const length of [parts.length, parts.length - 1]) {
    const stem = plain(parts[length - 1] ?? "");
    if (known.stems.has(stem))
      yield {
        key: `stem ${stem}`,
        within: parts.slice(0, length - 1),
        only: false,
        imported: false,
        names: true,
        word: false,
      };
    if (length > 0 && known.folderNames.has(parts[length - 1] ?? ""))
      yield {
        key: "stem init",
        within: parts.slice(0, length),
        only: false,
        imported: false,
        names: true,
        word: false,
      };
  }
}

const UPWARDS = /^(?:\.{1,2}\/)+/;

/** What a path leads to from the folder of its file; the program that reads it may start elsewhere where there is nothing. */
function exactOf(text: string, path: string, known: PathNames): string | undefined {
  if (!text.startsWith(".") || !text.includes("/")) return undefined;
  const there = posix.join(posix.dirname(path), text.replace(/\/{1,8}$/, ""));
  return isKnown(there, known) ? there : undefined;
}

function isKnown(path: string, known: PathNames): boolean {
  const { files, bare, folders } = known;
  if (files.has(path) || bare.has(path) || folders.has(path)) return true;
  return BUILT.test(path) && bare.has(withoutEnding(path));
}

/** Whether a mention can mean this path. */
export function fits({ within, exact, key, only, relative }: Mention, path: string, known: PathNames): boolean {
  if (exact !== undefined) {
    const bare = withoutEnding(path);
    if (exact === path || exact === bare || (BUILT.test(exact) && withoutEnding(exact) === bare)) return true;
    if (only) return false;
  }
  // Other relative paths are as often meant from where the program starts.
  if (relative) {
    const depth = path.split("/").length - 1 - within.length;
    const root = path.split("/").slice(0, Math.max(0, depth)).join("/");
    return depth >= 0 && known.roots.has(root === "" ? "" : `${root}/`) && agrees(within, path);
  }
  if (within.length === 0) return true;
  if (agrees(within, path)) return true;
  // What leads to another file for sure does not mean this one; an alias may.
  const last = key.slice(key.indexOf(" ") + 1);
  if (key.startsWith("folder ")) return false;
  return !known.pairs.has(`${within.at(-1)}/${last}`);
}

/** Whether the folders of both are the same, as far up as both go. */
function agrees(within: readonly string[], path: string): boolean {
  const folders = path.toLowerCase().split("/").slice(0, -1);
  for (let back = 1; back <= Math.min(within.length, folders.length); back += 1)
    if (within.at(-back)?.replace(/^[@#~]/, "") !== folders.at(-back)) return false;
  return true;
}
