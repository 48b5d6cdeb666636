import { addsImports } from "./adds-imports.ts";
import { holdsSuite } from "./suites.ts";
import type { Token } from "./tokenize.ts";

/** What a text does, as far as its words say. */
export interface TextFacts {
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
  /** It imports a package that may load modules by their names, and not one that only reads or compares. */
  readonly tells: boolean;
  /** It means its own folder, the one above, or that of the process. */
  readonly here: boolean;
  readonly above: boolean;
  /** It calls what runners of scripts take for tests. */
  readonly tests: boolean;
  /** It holds tests, whatever it is called. */
  readonly suite: boolean;
  /** It holds tests and the code that they are for, or examples that may be run as tests. */
  readonly inSource: boolean;
  readonly examples: boolean;
  /** It says that it imports code that others use without an import. */
  readonly addsImports: boolean;
  /** It declares modules of the repository as names that are everywhere. */
  readonly declares: boolean;
}

const words = (text: string) => new Set(text.split(" "));
const LISTS = words(
  "readdir readdirSync opendir opendirSync glob globSync globby globbySync iglob fg fastGlob fast-glob tinyglobby walk walkSync walkDir listdir scandir iterdir rglob ReadDir WalkDir Walk Glob embed context ls-files readDir fdir klaw iter_modules walk_packages",
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

const FACTS = new Set([...LISTS, ...STARTS, ...OPENS, ...READS, ...HERE]);

const TESTS = /(?<![.\w$])(?:describe|it|test|suite|specify|tap\.test|t\.test)(?:\.\w{1,20})?\(/;
const LOADS =
  /\bimport\s?\((?!["'])|\brequire\((?!["'])|\bimport_module\b|\b__import__\b|\brunpy\b|require\.context|import\.meta\.glob|[Aa]uto-?[Ll]oad|require-(?:all|dir)|piscina|workerpool|tinypool|\bexec\(|\beval\(/;

/** Whether a word says what a text does. */
export function isFact(word: string): boolean {
  return FACTS.has(word);
}

export type Facts = { -readonly [Fact in keyof TextFacts]: boolean };

const EXAMPLES = /^[ \t]{0,80}>>> /m;

/** A folder that is listed where the process started, and the name of that place by itself. */
const FROM_PROCESS =
  /\b(?:readdir|readdirSync|opendir|opendirSync|listdir|scandir|walk|Path|ReadDir|WalkDir)\((?:["'`](?:\.\/?)?["'`]|\))|(?<![\w.$])cwd\(\)/;

/** The facts of a whole text; those of its tokens are noted one by one. */
export function factsOf(text: string, isPython: boolean): Facts {
  return {
    opens: false,
    reads: false,
    lists: false,
    starts: false,
    launches: false,
    tells: false,
    here: false,
    above: FROM_PROCESS.test(text),
    tests: TESTS.test(text),
    suite: holdsSuite(text, isPython),
    inSource: text.includes("import.meta.vitest"),
    examples: EXAMPLES.test(text),
    loads: LOADS.test(text),
    addsImports: addsImports(text),
    declares: text.includes("typeof import(") && /\bdeclare (?:global|module)\b/.test(text),
  };
}

/** Adds what one token says. */
export function noteFacts(token: Token, facts: Facts): void {
  const { text, opens, whole } = token;
  for (const word of text.split(/[./]/)) {
    if (!FACTS.has(word)) continue;
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
