import { trimEndOf } from "../../domain/trim-characters.ts";
/** Runners of JavaScript tests that are known. */
export const SCRIPT_RUNNERS = ["vitest", "jest", "mocha", "ava", "tap", "node:test"] as const;
export type ScriptRunner = (typeof SCRIPT_RUNNERS)[number];

/** What a script of a manifest runs tests with. */
export interface ScriptedTests {
  readonly runner: ScriptRunner;
  /** Variables that the script sets. */
  readonly env: Readonly<Record<string, string>>;
  /** Options of Node, such as a loader. */
  readonly nodeOptions: readonly string[];
  /** Options of the runner that say how tests are loaded; how they are reported is ours to choose. */
  readonly options: readonly string[];
  /** Which files it takes for tests, where it says so. */
  readonly patterns: readonly string[];
}

/** Scripts that call scripts: real ones go a few deep. */
const DEEPEST = 6;

/**
 * What the manifest's script `test` runs tests with, also behind other programs (`c8`, `cross-env`, `tsx`), in a later command of it, or in
 * a script that it calls. Read and never run: `npm test` would need npm, and would report as it likes. Undefined where none is known.
 */
export function readTestScript(scripts: Readonly<Record<string, unknown>>): ScriptedTests | undefined {
  return readScript(scripts, "test", DEEPEST);
}

function readScript(
  scripts: Readonly<Record<string, unknown>>,
  name: string,
  depth: number,
): ScriptedTests | undefined {
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (typeof script !== "string" || depth === 0 || script.length > LONGEST) return undefined;
  for (const command of commandsOf(script)) {
    const found = readCommand(command, scripts, depth);
    if (found !== undefined) return found;
  }
  return undefined;
}

const LONGEST = 20_000;

/** The words of each command, without what stands for a shell's work in them. */
function commandsOf(script: string): string[][] {
  const commands: string[][] = [[]];
  for (const [, double, single, operator, plain] of script.matchAll(
    /"((?:[^"\\]|\\.)*)"|'([^']*)'|(&&|\|\||[;&|\n])|([^\s"'&|;]+(?:"[^"]*"|'[^']*')?)/g,
  )) {
    if (operator !== undefined) commands.push([]);
    else commands.at(-1)?.push(double ?? single ?? (plain ?? "").replace(/["']/g, ""));
  }
  return commands;
}

/**
 * What Yarn lays out for its Plug'n'Play, which leads to archives in a folder of Yarn's. Packages stand where Node looks for them here,
 * whatever the project's own way is.
 */
const PLUG_AND_PLAY = /(?:^|[/=])\.pnp\.(?:c?js|loader\.mjs)$/;

/** Options of Node in a variable, without that. */
function withoutPlugAndPlay(options: string): string {
  const words = options.split(/\s+/);
  const kept = words.filter((word, at) => {
    const value = /^(?:-r|--(?:require|import|loader|experimental-loader))$/.test(word) ? (words[at + 1] ?? "") : word;
    return !PLUG_AND_PLAY.test(value);
  });
  return kept.join(" ");
}

const ASSIGNMENT = /^([A-Z_][A-Z0-9_]*)=(.*)$/s;
/** Programs of the sandbox are found by ours, and its own folders stay as they are. */
const OURS = /^(?:PATH|HOME|TMPDIR|LD_.*|CI|NO_COLOR|FORCE_COLOR|PYTHONPATH)$/;

const RUNS_SCRIPTS = /^(?:npm|pnpm|yarn|bun)$/;
const RUNS_SEVERAL = /^(?:npm-run-all2?|run-[sp])$/;
/** Programs in whose place the one behind them is looked for. */
const WRAPPERS =
  /^(?:c8|nyc|cross-env|cross-env-shell|env|dotenv|dotenvx|npx|bunx|pnpx|exec|dlx|x|run|time|nice|better-npm-run|env-cmd|run-with-testrunner|wireit|start-server-and-test|xvfb-run)$/;
const RUNNER_OF: ReadonlyMap<string, ScriptRunner> = new Map([
  ["vitest", "vitest"],
  ["jest", "jest"],
  ["mocha", "mocha"],
  ["_mocha", "mocha"],
  ["electron-mocha", "mocha"],
  ["ava", "ava"],
  ["tap", "tap"],
  ["tape", "tap"],
]);

function readCommand(
  words: readonly string[],
  scripts: Readonly<Record<string, unknown>>,
  depth: number,
): ScriptedTests | undefined {
  const env: Record<string, string> = {};
  let wrapped = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [, variable, value = ""] = ASSIGNMENT.exec(word) ?? [];
    if (variable !== undefined) {
      if (!OURS.test(variable) && !value.includes("$"))
        env[variable] = variable === "NODE_OPTIONS" ? withoutPlugAndPlay(value) : value;
      continue;
    }
    const rest = words.slice(at + 1);
    const name = programOf(word);
    const runner = RUNNER_OF.get(name);
    if (runner !== undefined) return { runner, env, nodeOptions: [], ...argumentsOf(runner, rest) };
    if (name === "node" || name === "tsx" || name === "ts-node") return readNode(name, rest, env);
    if (RUNS_SEVERAL.test(name))
      return firstOf(
        rest.filter((each) => !each.startsWith("-")),
        scripts,
        depth,
      );
    if (RUNS_SCRIPTS.test(name)) {
      const called = calledScript(rest);
      if (called !== undefined && Object.hasOwn(scripts, called)) {
        const found = readScript(scripts, called, depth - 1);
        return found && { ...found, env: { ...found.env, ...env } };
      }
      wrapped = true;
      continue;
    }
    if (WRAPPERS.test(name)) wrapped = true;
    // Options of a wrapper, and what belongs to them; any other program is one that builds or checks.
    else if (!wrapped) return undefined;
  }
  return undefined;
}

function firstOf(
  names: readonly string[],
  scripts: Readonly<Record<string, unknown>>,
  depth: number,
): ScriptedTests | undefined {
  const all = names.flatMap((name) => {
    if (!name.endsWith("*")) return [name];
    return Object.keys(scripts).filter((each) => each.startsWith(trimEndOf(name, "*")));
  });
  for (const name of all) {
    const found = readScript(scripts, name, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `node_modules/.bin/jest`, `./node_modules/mocha/bin/mocha.js` and `jest` are the same program. */
function programOf(word: string): string {
  return word.replace(/^.*\//, "").replace(/\.[cm]?js$/, "");
}

function calledScript(words: readonly string[]): string | undefined {
  const said = words.filter((word) => !word.startsWith("-"));
  if (said[0] === "run" || said[0] === "run-script") return said[1];
  return said[0] === "t" ? "test" : said[0];
}

const WITH_VALUE =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C|--disable-warning|--test-global-setup|--test-setup|--test-reporter|--test-reporter-destination|--test-concurrency|--test-timeout|--test-name-pattern|--test-isolation)$/;
/** Options with which code is loaded. */
const LOADING =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C|--env-file(?:-if-exists)?|--experimental-(?!test-coverage)[\w-]+|--no-experimental-[\w-]+|--no-warnings|--disable-warning|--enable-source-maps|--expose-gc|--test-isolation|--test-global-setup|--test-setup)(?:=|$)/;

function readNode(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): ScriptedTests | undefined {
  const nodeOptions: string[] = program === "node" ? [] : ["--import", program === "tsx" ? "tsx" : "ts-node/esm"];
  const patterns: string[] = [];
  let isTest = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) {
      const runner = RUNNER_OF.get(programOf(word));
      if (runner !== undefined && !isTest)
        return { runner, env, nodeOptions, ...argumentsOf(runner, words.slice(at + 1)) };
      patterns.push(word);
      continue;
    }
    if (word === "--test") isTest = true;
    const value = WITH_VALUE.test(word) ? words.slice(at + 1, at + 2) : [];
    at += value.length;
    if (LOADING.test(word) && !PLUG_AND_PLAY.test(value[0] ?? word)) nodeOptions.push(word, ...value);
  }
  if (!isTest) return undefined;
  return { runner: "node:test", env, nodeOptions, options: [], patterns: patterns.filter(isLiteral) };
}

/** Options of each runner that are kept, and whether a value follows. */
const KEPT: Readonly<Record<ScriptRunner, Readonly<Record<string, boolean>>>> = {
  vitest: {
    "--config": true,
    "-c": true,
    "--root": true,
    "-r": true,
    "--dir": true,
    "--project": true,
    "--environment": true,
    "--globals": false,
    "--mode": true,
    "--pool": true,
  },
  jest: {
    "--config": true,
    "-c": true,
    "--rootDir": true,
    "--env": true,
    "--testEnvironment": true,
    "--preset": true,
    "--runInBand": false,
    "-i": false,
    "--testTimeout": true,
    "--injectGlobals": false,
  },
  mocha: {
    "--config": true,
    "--package": true,
    "--require": true,
    "-r": true,
    "--import": true,
    "--loader": true,
    "--experimental-loader": true,
    "--ui": true,
    "-u": true,
    "--timeout": true,
    "-t": true,
    "--extension": true,
    "--file": true,
    "--node-option": true,
    "-n": true,
    "--exit": false,
    "--recursive": false,
    "--delay": false,
    "--enable-source-maps": false,
  },
  ava: { "--config": true, "--node-arguments": true, "--timeout": true, "-T": true, "--serial": false, "-s": false },
  tap: { "--require": true, "-r": true },
  "node:test": {},
};
/** Others of them take a value too, which is no file. */
const DROPPED_WITH_VALUE =
  /^(?:--reporter|--reporters|-R|--reporter-options?|-O|--outputFile|--spec|--grep|-g|--fgrep|-f|--testNamePattern|--coverageDirectory|--concurrency|--maxWorkers|-w|-c|--match|-m|--jobs|-j|--ignore|--exclude|--watch-files|--slow)$/;

function argumentsOf(runner: ScriptRunner, words: readonly string[]): Pick<ScriptedTests, "options" | "patterns"> {
  const options: string[] = [];
  const patterns: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) {
      if (!(runner === "vitest" && /^(?:run|watch|dev|related|bench)$/.test(word))) patterns.push(word);
      continue;
    }
    const [option = "", given] = word.split(/=(.*)/s);
    const takesValue = KEPT[runner][option];
    const value =
      given === undefined && (takesValue ?? DROPPED_WITH_VALUE.test(option)) ? words.slice(at + 1, at + 2) : [];
    at += value.length;
    const isKept = takesValue !== undefined && !PLUG_AND_PLAY.test(value[0] ?? word);
    if (isKept && isLiteral(word) && value.every(isLiteral)) options.push(word, ...value);
  }
  return { options, patterns: patterns.filter(isLiteral) };
}

/** What a shell would have put something else for. */
function isLiteral(word: string): boolean {
  return !/[$`<>]/.test(word) && word !== "";
}
