import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "../domain/defined.ts";
import type { Observation } from "../domain/findings.ts";
import type { RepoConfig } from "../domain/repo-config.ts";
import { cleanPath } from "../workspace/files/clean-path.ts";
import { readBeneath } from "../workspace/files/read-beneath.ts";
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
import { ownManifests } from "./map/own-packages.ts";
import { newErrors, type TypeFault, withoutPlaces } from "./new-type-errors.ts";
import type { SourceFile } from "./source-file.ts";
import { settingsFor, settingsOfDependents } from "./type-settings.ts";

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
 * reported, in changed files and wherever the change breaks others, in packages of a workspace that need a changed one as well; what base
 * has too never is. Where it cannot run it says why, and no gap is left: what is certain without packages is found anyway. A project without
 * TypeScript hears nothing.
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
      // As an analyser it tells all of it already.
      if (tools.analysers.some(({ format }) => format === "tsc")) return NOTHING;
      const paths = await dependencies.listHead(context.signal);
      const changed = files.map(({ path }) => path);
      const own = settingsFor(changed, new Set(paths));
      const command = tools.typecheck ?? [];
      // A command of people's own checks what it checks.
      const others = command.length > 0 ? [] : await dependentsOf(changed, paths, context);
      const wanted = [...new Set([...own, ...others])];
      if (wanted.length === 0) return NOTHING;
      const configurations = wanted.slice(0, MOST_CONFIGURATIONS);
      const isOptional = (each: string) => own.length > 0 && !own.includes(each);
      const given = { ...dependencies, command, paths, changed: new Set(changed), renamed };
      const found = await check({ ...given, configurations, isOptional }, context);
      if ("reason" in found) return notRun(found.reason);
      const checked = configurations.length - new Set(found.left).size;
      const notes =
        checked === wanted.length ? [] : [`Types were checked by ${checked} of ${wanted.length} \`tsconfig.json\`.`];
      return { ...place(found.faults, files), filesRead: files.length, problems: [], notes };
    },
  };
}

const NOTHING: AnalyserResult = { observations: [], filesRead: 0, problems: [] };

function notRun(reason: string): AnalyserResult {
  const note = `The project's own type check did not run, only what is certain without it was looked for: ${reason}.`;
  return { ...NOTHING, idle: true, notes: [note] };
}

/** Settings of packages that may not fit the change any more, as their manifests say. */
async function dependentsOf(changed: readonly string[], paths: readonly string[], { tree, signal }: AnalyserContext) {
  const manifests = await tree?.readMany(ownManifests(paths), signal);
  return settingsOfDependents(changed, new Set(paths), manifests ?? new Map());
}

interface Checking extends TypeCheckDependencies {
  readonly command: readonly string[];
  readonly paths: readonly string[];
  readonly changed: ReadonlySet<string>;
  readonly renamed: ReadonlyMap<string, string>;
  readonly configurations: readonly string[];
  /** Whether the others count without it. */
  readonly isOptional: (configuration: string) => boolean;
}

interface Checked {
  readonly faults: readonly TypeFault[];
  /** Settings that are not there, and optional ones by which nothing could be checked. */
  readonly left: readonly string[];
}

type NotChecked = { readonly reason: string };

async function check(checking: Checking, context: AnalyserContext): Promise<Checked | NotChecked> {
  const packages = await checking.packages?.();
  if (packages === undefined) return { reason: "packages are not installed here" };
  if (!packages.installed)
    return { reason: packages.needed ? "its packages could not be installed" : "it asks for no packages" };
  const sandbox = await checking.sandbox();
  if ("unavailable" in sandbox) return { reason: `there is no sandbox: ${withoutFullStop(sandbox.unavailable)}` };
  const { folder } = packages.packages;
  const side = { ...checking, sandbox, packages: folder };
  const head = await checkSide({ ...side, write: checking.writeHead, name: "head" }, context);
  if ("reason" in head || head.faults.length === 0) return head;
  const configurations = checking.configurations.filter((each) => !head.left.includes(each));
  const base = await checkSide({ ...side, configurations, write: checking.writeBase, name: "base" }, context);
  if ("reason" in base) return { reason: `${base.reason} (on the base)` };
  const faults = newErrors(head.faults, base.faults, checking.renamed);
  return {
    // Whether what base did not check is new is unknown; the change answers for its own files.
    faults: base.left.length === 0 ? faults : faults.filter(({ file }) => checking.changed.has(file)),
    left: [...head.left, ...base.left.filter(checking.isOptional)],
  };
}

interface Side extends Omit<Checking, "sandbox" | "packages"> {
  readonly sandbox: Sandbox;
  readonly packages: string;
  readonly write: ConfiguredDependencies["writeHead"];
  readonly name: "head" | "base";
}

async function checkSide(side: Side, context: AnalyserContext): Promise<Checked | NotChecked> {
  const scratch = join(context.scratch, side.name);
  const folder = join(scratch, "files");
  await mkdir(folder, { recursive: true });
  // Where Forge is root in a container, another user lays out the sandbox, and has to pass here.
  await chmod(context.scratch, 0o711);
  await chmod(scratch, 0o711);
  const refused = await side.write(folder, context.signal);
  if (refused !== undefined) return { reason: withoutFullStop(refused) };
  const shown = await layPackages(side.packages, folder);
  const place = { folder, shown, until: Date.now() + LIMITS.timeoutMs };
  const faults: TypeFault[] = [];
  const left: string[] = [];
  for (const [at, configuration] of side.configurations.entries()) {
    const text = await textIn(folder, configuration);
    const command = side.command.length > 0 ? side.command : compilerCommand(configuration, text ?? "");
    const own = join(scratch, String(at));
    const found = text === undefined ? undefined : await checkOne(side, command, place, { ...context, scratch: own });
    if (found !== undefined && !("reason" in found)) faults.push(...found);
    else if (found === undefined || side.isOptional(configuration)) left.push(configuration);
    else return found;
    if (found !== undefined && side.command.length > 0) break;
  }
  return { faults, left };
}

interface CheckContext {
  /** Holds the files of one side. */
  readonly folder: string;
  readonly shown: readonly string[];
  /** When all of it has to be done, as `Date.now()` says it. */
  readonly until: number;
}

/** @param context with a scratch folder that is not there yet */
async function checkOne(
  { sandbox, paths, renamed }: Side,
  [program = "tsc", ...args]: readonly string[],
  { folder, shown, until }: CheckContext,
  context: AnalyserContext,
): Promise<TypeFault[] | NotChecked> {
  const run = await sandbox.run({
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
  await mkdir(context.scratch);
  const known = [...paths, ...renamed.keys()];
  const report = await readReportInChild({ format: "tsc", bytes: run.stdout, root: BOX_FOLDER, paths: known }, context);
  if (report.problem !== undefined) return { reason: report.problem };
  if (report.dropped.some(({ reason }) => reason === "above the limit")) return { reason: "it has too many errors" };
  const faults: TypeFault[] = [];
  for (const [file, found] of Map.groupBy(report.observations, (each) => each.file)) {
    const lines = (await textIn(folder, file))?.split("\n") ?? [];
    for (const { line, column, message, rule } of found)
      faults.push({
        ...{ file, line, column },
        code: rule.slice(rule.lastIndexOf("/") + 1),
        message: withoutPlaces(message),
        text: (lines[line - 1] ?? "").trim().slice(0, MOST_OF_LINE),
      });
  }
  return faults;
}

/** Projects that name others are built, as their files are read from what that makes; it goes to a copy that is thrown away. */
export function compilerCommand(configuration: string, text: string): string[] {
  const names = /"references"\s*:\s*\[\s*\{/.test(withoutComments(text));
  return names
    ? ["tsc", "-b", configuration, "--pretty", "false"]
    : ["tsc", "-p", configuration, "--noEmit", "--pretty", "false"];
}

const COMMENT = /\/\*|(?<=^|[\s,{])\/\//g;

function withoutComments(text: string): string {
  // Behind the last end of a comment none is looked for: from each beginning of one the rest would be searched for its end.
  const lastEnd = text.lastIndexOf("*/");
  let plain = "";
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(COMMENT)) {
    const within = index + mark.length;
    if (index < from || (mark === "/*" && within > lastEnd)) continue;
    const end = mark === "/*" ? text.indexOf("*/", within) + "*/".length : text.indexOf("\n", within);
    plain += text.slice(from, index);
    from = end === -1 ? text.length : end;
  }
  return plain + text.slice(from);
}

const LARGEST_FILE = 4 * 1024 * 1024;
/** Enough to know a line again; thousands of errors may stand on one. */
const MOST_OF_LINE = 1_000;

/** Of a file that we wrote, in a folder in which a program of the repository ran since: it may be a link, a pipe or endless by now. */
async function textIn(folder: string, path: string): Promise<string | undefined> {
  const clean = cleanPath(path);
  const read = clean.ok ? await readBeneath(folder, clean, LARGEST_FILE) : clean;
  return read.ok ? read.content.toString("utf8") : undefined;
}

/** Errors on lines of the change as any analyser's; others, which it brings elsewhere, wherever they stand. */
function place(
  faults: readonly TypeFault[],
  files: readonly SourceFile[],
): Pick<AnalyserResult, "observations" | "past"> {
  const added = new Map(files.map(({ path, addedLines }) => [path, addedLines]));
  // What is not resolved is any, and what hangs on it may be wrong because of that: a file may be made by a script that is not run here.
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

/** Unused or unreachable code, where settings make an error of it: harmless. */
const UNUSED = /^TS(?:6133|6138|6192|6196|6198|6199|6205|7027|7028)$/;

/** Modules and declarations that are not found. */
const UNRESOLVED = new Set(["TS2306", "TS2307", "TS2688", "TS2792", "TS7016"]);

function observe({ file, line, column, code, message }: TypeFault, isShaky: boolean, isChanged: boolean): Observation {
  return {
    source: "static",
    rule: `${TYPE_CHECK}/${code}`,
    severity: isShaky || UNUSED.test(code) ? "warning" : "error",
    category: "correctness",
    ...{ file, line, endLine: line, ...defined({ column }) },
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
