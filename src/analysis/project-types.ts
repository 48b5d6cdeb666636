import { chmod, mkdir, readFile, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Observation } from "../domain/findings.ts";
import type { RepoConfig } from "../domain/repo-config.ts";
import { layPackages } from "../workspace/install/lay-packages.ts";
import { PROGRAM_ENVIRONMENT } from "../workspace/install/pip-plan.ts";
import { BOX_FOLDER, type Sandbox } from "../workspace/sandbox/sandbox.ts";
import type { Analyser, AnalyserContext, AnalyserResult, PastObservation } from "./analyser.ts";
import {
  CONFIGURED_LIMITS,
  type ConfiguredDependencies,
  readReportInChild,
  stopReason,
} from "./configured-analyser.ts";
import { newErrors, type TypeFault, withoutPlaces } from "./new-type-errors.ts";
import type { SourceFile } from "./source-file.ts";

/** Of head and base each, over all of their configurations: a review waits for it. */
const LIMITS = { ...CONFIGURED_LIMITS, timeoutMs: 150_000 } as const;
/** A change that touches more of a workspace is checked in part, and says so. */
const MOST_CONFIGURATIONS = 6;

export const TYPE_CHECK = "typecheck";

const CHECKED = new Set(["ts", "mts", "cts", "tsx"]);

/** What the check of a project's types needs beside what any program of the repository does. */
export interface TypeCheckDependencies extends ConfiguredDependencies {
  /** Every file of the head. */
  readonly listHead: (signal: AbortSignal) => Promise<readonly string[]>;
  /** As `writeHead`, of what the change is against. */
  readonly writeBase: ConfiguredDependencies["writeHead"];
}

/**
 * The project's own type check by its own settings (REV-1): its `tsc` with its packages, in the sandbox, on head and base. What is new is
 * reported, in changed files and wherever the change breaks others; what base has too never is. Where it cannot run it says why, and no
 * gap is left: what is certain without packages is found anyway. A project without TypeScript hears nothing.
 * @param renamed paths now by paths on base
 */
export function projectTypes(
  dependencies: TypeCheckDependencies,
  { tools }: Pick<RepoConfig, "tools">,
  renamed: ReadonlyMap<string, string>,
): Analyser {
  return {
    name: TYPE_CHECK,
    version: "1",
    layer: "static",
    appliesTo: ({ language }) => language?.dialect !== undefined && CHECKED.has(language.dialect),
    analyse: async (files, context) => {
      // Whoever runs it as an analyser has all of it already.
      if (tools.analysers.some(({ format }) => format === "tsc")) return NOTHING;
      const paths = await dependencies.listHead(context.signal);
      const configurations = configurationsFor(
        files.map(({ path }) => path),
        new Set(paths),
      );
      if (configurations.length === 0) return NOTHING;
      const checked = configurations.slice(0, MOST_CONFIGURATIONS);
      const left = configurations.length - checked.length;
      const changed = new Set(files.map(({ path }) => path));
      const given = { ...dependencies, command: tools.typecheck ?? [], paths, changed, renamed };
      const found = await check(given, checked, context);
      if ("reason" in found) return notRun(found.reason);
      const notes =
        left === 0 ? [] : [`Types were checked by ${checked.length} of ${configurations.length} \`tsconfig.json\`.`];
      return { ...place(found.faults, files), filesRead: files.length, problems: [], notes };
    },
  };
}

const NOTHING: AnalyserResult = { observations: [], filesRead: 0, problems: [] };

function notRun(reason: string): AnalyserResult {
  const note = `The project's own type check did not run, only what is certain without it was looked for: ${reason}.`;
  return { ...NOTHING, idle: true, notes: [note] };
}

/** The nearest settings of each file; the root's alone where they name the others. */
function configurationsFor(files: readonly string[], paths: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const file of files) {
    for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
      const path = posix.join(folder, "tsconfig.json");
      if (paths.has(path)) found.add(path);
      if (paths.has(path) || folder === ".") break;
    }
  }
  return [...found].sort();
}

interface Checking extends TypeCheckDependencies {
  readonly command: readonly string[];
  readonly paths: readonly string[];
  readonly changed: ReadonlySet<string>;
  readonly renamed: ReadonlyMap<string, string>;
}

type Found = { readonly faults: readonly TypeFault[] } | { readonly reason: string };

async function check(checking: Checking, configurations: readonly string[], context: AnalyserContext): Promise<Found> {
  const packages = await checking.packages?.();
  if (packages === undefined) return { reason: "packages are not installed here" };
  if (!packages.installed)
    return { reason: packages.needed ? "its packages could not be installed" : "it asks for no packages" };
  const sandbox = await checking.sandbox();
  if ("unavailable" in sandbox) return { reason: `there is no sandbox: ${withoutFullStop(sandbox.unavailable)}` };
  const { folder } = packages.packages;
  const side = { ...checking, sandbox, packages: folder, configurations };
  const head = await checkSide({ ...side, write: checking.writeHead, name: "head" }, context);
  if ("reason" in head) return head;
  if (head.faults.length === 0) return head;
  const base = await checkSide({ ...side, write: checking.writeBase, name: "base" }, context);
  if ("reason" in base) return { reason: `${base.reason} (on the base)` };
  const faults = newErrors(head.faults, base.faults, checking.renamed);
  // Of what base did not check nobody knows whether it is new; the change answers for its own files.
  return { faults: base.whole ? faults : faults.filter(({ file }) => checking.changed.has(file)) };
}

interface CheckedSide {
  readonly faults: readonly TypeFault[];
  /** Whether all settings are there. */
  readonly whole: boolean;
}

interface Side extends Omit<Checking, "sandbox" | "packages"> {
  readonly sandbox: Sandbox;
  readonly packages: string;
  readonly configurations: readonly string[];
  readonly write: ConfiguredDependencies["writeHead"];
  readonly name: "head" | "base";
}

async function checkSide(side: Side, context: AnalyserContext): Promise<CheckedSide | { readonly reason: string }> {
  const scratch = join(context.scratch, side.name);
  const folder = join(scratch, "files");
  await mkdir(folder, { recursive: true });
  // Where Forge is root in a container, another user lays out the sandbox, and has to pass here.
  await chmod(context.scratch, 0o711);
  await chmod(scratch, 0o711);
  const refused = await side.write(folder, context.signal);
  if (refused !== undefined) return { reason: withoutFullStop(refused) };
  const shown = await layPackages(side.packages, folder);
  const faults: TypeFault[] = [];
  let whole = true;
  const until = Date.now() + LIMITS.timeoutMs;
  const known = [...side.paths, ...side.renamed.keys()];
  for (const [at, configuration] of side.configurations.entries()) {
    const text = await readFile(join(folder, configuration), "utf8").catch(() => undefined);
    if (text === undefined) {
      whole = false;
      continue;
    }
    const [program = "tsc", ...args] = side.command.length > 0 ? side.command : commandFor(configuration, text);
    const run = await side.sandbox.run({
      ...LIMITS,
      timeoutMs: Math.max(1_000, until - Date.now()),
      command: program,
      args,
      writable: folder,
      readOnly: shown,
      env: PROGRAM_ENVIRONMENT,
      signal: context.signal,
    });
    const stopped = run.code === 127 ? "TypeScript is not among its packages" : stopReason(run, LIMITS.timeoutMs);
    if (stopped !== undefined) return { reason: stopped };
    const own = join(scratch, String(at));
    await mkdir(own);
    const report = await readReportInChild(
      { format: "tsc", bytes: run.stdout, root: BOX_FOLDER, paths: known },
      { ...context, scratch: own },
    );
    if (report.problem !== undefined) return { reason: report.problem };
    if (report.dropped.some(({ reason }) => reason === "above the limit")) return { reason: "it has too many errors" };
    for (const { file, line, column, message, rule } of report.observations) {
      const code = rule.slice(rule.lastIndexOf("/") + 1);
      faults.push({
        file,
        line,
        column,
        code,
        message: withoutPlaces(message),
        text: await lineOf(folder, file, line),
      });
    }
    if (side.command.length > 0) break;
  }
  return { faults, whole };
}

/** Projects that name others are built, as their files are read from what that makes; it goes to a copy that is thrown away. */
function commandFor(configuration: string, text: string): string[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s,{])\/\/[^\n]*/g, "");
  const names = /"references"\s*:\s*\[\s*\{/.test(plain);
  return names
    ? ["tsc", "-b", configuration, "--pretty", "false"]
    : ["tsc", "-p", configuration, "--noEmit", "--pretty", "false"];
}

const LARGEST_FILE = 4 * 1024 * 1024;

/** Of a file that we wrote, in a folder in which a program of the repository ran since: it may be anything by now. */
async function lineOf(folder: string, file: string, line: number): Promise<string> {
  const path = join(folder, file);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > LARGEST_FILE) return "";
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n")[line - 1]?.trim() ?? "";
}

/** Errors on lines of the change as any analyser's; others, which it brings elsewhere, wherever they stand. */
function place(
  faults: readonly TypeFault[],
  files: readonly SourceFile[],
): Pick<AnalyserResult, "observations" | "past"> {
  const added = new Map(files.map(({ path, addedLines }) => [path, addedLines]));
  // What is not resolved is any, and what hangs on it may be wrong because of that: a file may be made by a script that nobody runs here.
  const shaky = new Set(faults.flatMap(({ file, code }) => (UNRESOLVED.has(code) ? [file] : [])));
  const observations: Observation[] = [];
  const past: PastObservation[] = [];
  for (const fault of faults) {
    const observation = observe(fault, shaky.has(fault.file), added.has(fault.file));
    if (added.get(fault.file)?.has(fault.line)) observations.push(observation);
    else past.push({ observation, text: `${fault.code} ${fault.text}` });
  }
  return { observations, past };
}

/** Code that nobody uses or reaches, where settings make an error of it: nothing comes of it. */
const UNUSED = /^TS(?:6133|6138|6192|6196|6198|6199|6205|7027|7028)$/;

/** Modules and declarations that are not found. */
const UNRESOLVED = new Set(["TS2306", "TS2307", "TS2688", "TS2792", "TS7016"]);

function observe({ file, line, column, code, message }: TypeFault, isShaky: boolean, isChanged: boolean): Observation {
  return {
    source: "static",
    rule: `${TYPE_CHECK}/${code}`,
    severity: isShaky || UNUSED.test(code) ? "warning" : "error",
    category: "correctness",
    ...{ file, line, endLine: line },
    ...(column === undefined ? {} : { column }),
    message,
    why: isChanged
      ? "The project's own type check fails with it, and did not before the change."
      : "The change breaks this file: the project's own type check fails here, and did not before.",
    confidence: isShaky ? 0.6 : 0.9,
  };
}

function withoutFullStop(text: string): string {
  return text.replace(/\.$/, "");
}
