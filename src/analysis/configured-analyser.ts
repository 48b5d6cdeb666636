import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ForgeError } from "../domain/errors.ts";
import type { ConfiguredAnalyser, ReportFormat } from "../domain/repo-config.ts";
import type { PackagesOutcome } from "../workspace/install/install-packages.ts";
import { layPackages } from "../workspace/install/lay-packages.ts";
import { PROGRAM_ENVIRONMENT } from "../workspace/install/pip-plan.ts";
import { BOX_FOLDER, type Sandbox, type SandboxResult, type SandboxUnavailable } from "../workspace/sandbox/sandbox.ts";
import type { Analyser, AnalyserContext, AnalyserResult } from "./analyser.ts";
import { runInChild } from "./reader/run-in-child.ts";
import type { ToolReport } from "./reports/tool-report.ts";
import type { SourceFile } from "./source-file.ts";

const MEBI = 1024 * 1024;

export const CONFIGURED_LIMITS = {
  /** A type checker over a large repository takes minutes; a review waits for it. */
  timeoutMs: 5 * 60_000,
  cpuSeconds: 10 * 60,
  memoryBytes: 2048 * MEBI,
  maxProcesses: 256,
  /** What the readers of reports take at most. */
  maxOutputBytes: 64 * MEBI,
  maxFileBytes: 256 * MEBI,
  maxDiskBytes: 1024 * MEBI,
} as const;

/** What configured analysers need of the machine and the repository. */
export interface ConfiguredDependencies {
  /** Opened only when there is something to run. */
  readonly sandbox: () => Promise<Sandbox | SandboxUnavailable>;
  /**
   * Writes the head's files into an empty folder of ours.
   * @returns why that cannot be done, in a sentence
   */
  readonly writeHead: (folder: string, signal: AbortSignal) => Promise<string | undefined>;
  /** The head's, made ready when they are first asked for; without it none are there. */
  readonly packages?: () => Promise<PackagesOutcome>;
}

/** A program of the repository (REV-5) as an analyser: in the sandbox or not at all. */
export function configuredAnalyser(
  configured: ConfiguredAnalyser,
  dependencies: ConfiguredDependencies | undefined,
  taken: ReadonlySet<string>,
): Analyser {
  const { name, paths } = configured;
  return {
    name,
    version: "configured",
    layer: "static",
    paths,
    appliesTo: () => true,
    analyse: async (files, context) => {
      // The ledger tells analysers apart by their names.
      if (taken.has(name))
        throw notRun("an analyser of Forge has that name: choose another in .github/forge.yml", "none");
      return runConfigured(configured, dependencies, files, context);
    },
  };
}

async function runConfigured(
  { name, command, format }: ConfiguredAnalyser,
  dependencies: ConfiguredDependencies | undefined,
  files: readonly SourceFile[],
  context: AnalyserContext,
): Promise<AnalyserResult> {
  if (dependencies === undefined) throw notRun("there is no sandbox for it here", "manual");
  const sandbox = await dependencies.sandbox();
  if ("unavailable" in sandbox) throw notRun(`there is no sandbox: ${sandbox.unavailable}`, "manual");
  const folder = join(context.scratch, "head");
  await mkdir(folder);
  // Where Forge is root in a container, another user lays out the sandbox, and has to pass here.
  await chmod(context.scratch, 0o711);
  const refused = await dependencies.writeHead(folder, context.signal);
  if (refused !== undefined) throw notRun(refused, "auto");
  const packages = await dependencies.packages?.();
  const shown = packages?.installed ? await layPackages(packages.packages.folder, folder) : [];
  const [program = "", ...args] = command;
  const run = await sandbox.run({
    ...CONFIGURED_LIMITS,
    command: program,
    args,
    writable: folder,
    readOnly: shown,
    env: PROGRAM_ENVIRONMENT,
    signal: context.signal,
  });
  const missing = packages?.installed === false && packages.needed ? packages.reason : undefined;
  const stopped = stopReason(run, CONFIGURED_LIMITS.timeoutMs, missing);
  if (stopped !== undefined) throw notRun(stopped, "manual");
  const paths = files.map(({ path }) => path);
  const report = await readReportInChild({ format, bytes: run.stdout, root: BOX_FOLDER, paths }, context);
  // Most linters end with 1 when they found something: the report decides, and the code explains a bad one.
  if (report.problem !== undefined) throw notRun(`${report.problem}${endedWith(run)}`, "manual");
  return {
    observations: report.observations.map((observation) => ({ ...observation, rule: ownRule(name, observation.rule) })),
    filesRead: files.length,
    problems: [],
    notes: noteDropped(name, report),
  };
}

/**
 * Why a program did not get to its end, in words that follow its name; undefined where it did.
 * @param missing why the packages of the repository are not there
 */
export function stopReason(run: SandboxResult, timeoutMs: number, missing?: string): string | undefined {
  if (run.aborted) return "the review was stopped";
  if (run.limitHit === "time" || run.timedOut) return `it took longer than ${timeoutMs / 60_000} minutes`;
  if (run.limitHit === "output" || run.truncated) return "it printed more than 64 MB";
  if (run.limitHit !== undefined) return `it reached the limit of ${run.limitHit}`;
  // A program that the sandbox does not have ends with 127, one that may not be executed with 126.
  if (run.code === 127 && missing !== undefined)
    return `its program was not found, and the packages of the repository could not be installed: ${missing}`;
  if (run.code === 127) return "its program was not found in the sandbox";
  if (run.code === 126) return "its program cannot be executed in the sandbox";
  return undefined;
}

function endedWith({ code }: SandboxResult): string {
  return code === 0 || code === null ? "" : ` (it ended with ${code})`;
}

/** `<name>/<rule>` whatever tool the report names. */
function ownRule(name: string, rule: string): string {
  return rule.startsWith(`${name}/`) ? rule : `${name}/${rule}`;
}

const TOLD = new Set(["outside the checkout", "not readable", "above the limit"]);

function noteDropped(name: string, { dropped }: ToolReport): string[] {
  return dropped
    .filter(({ reason }) => TOLD.has(reason))
    .map(
      ({ reason, count }) => `${name}: ${count === 1 ? "1 result was" : `${count} results were`} left out (${reason}).`,
    );
}

function notRun(reason: string, recoverability: "auto" | "manual" | "none"): ForgeError {
  return new ForgeError("configured_analyser_failed", reason, { source: "tool", severity: "low", recoverability });
}

interface PrintedReport {
  readonly format: ReportFormat;
  readonly bytes: Buffer;
  /** Absolute path of the checkout as the tool saw it. */
  readonly root: string;
  /** What is said about other files is of no interest. */
  readonly paths: readonly string[];
}

/**
 * Reads what a tool printed in a process of its own: the tool is the repository's, its report may have 64 MB, and reading that here would
 * hold up every other review. What cannot be read at all is the report's `problem`.
 */
export async function readReportInChild(
  { format, bytes, root, paths }: PrintedReport,
  context: AnalyserContext,
): Promise<ToolReport> {
  const folder = join(context.scratch, "report");
  const file = "printed";
  await mkdir(folder);
  await writeFile(join(folder, file), bytes);
  const asked = { id: 0, text: "", report: { file, format, root, paths } };
  const { results, unread } = await runInChild<ToolReport>("report", [asked], context, { folder });
  const problem = `its report could not be read: ${unread[0]?.reason ?? "there was no answer"}`;
  return results.get(0) ?? { observations: [], dropped: [], problem };
}
