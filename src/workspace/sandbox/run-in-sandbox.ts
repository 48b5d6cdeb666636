import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { defined } from "../../domain/defined.ts";
import { removeFolder } from "../remove-folder.ts";
import { type ProgramResult, runProgram } from "../run-program.ts";
import { makeTemporary } from "../scratch.ts";
import type { ControlGroup, ControlGroups, GroupLimits } from "./control-groups.ts";
import { planBox } from "./plan-box.ts";
import { isNamespaceAlive } from "./process-tree.ts";
import { type LimitHit, SANDBOX_LIMITS, type SandboxResult, type SandboxSpec, sandboxFailed } from "./sandbox.ts";
import { type StartMode, startCommand } from "./start-command.ts";
import { watchLimits } from "./watch-limits.ts";
import { adoptFolder, removePlantedGit } from "./writable-folder.ts";

export interface SandboxMachine {
  readonly mode: StartMode;
  /** The seccomp program. */
  readonly filter: Buffer;
  /** Undefined where none can be made: then memory is counted from outside. */
  readonly groups: ControlGroups | undefined;
}

/** @throws ForgeError `sandbox_failed` when the program could not be started inside, or something survived its end */
export async function runInSandbox(machine: SandboxMachine, spec: SandboxSpec): Promise<SandboxResult> {
  const runFolder = await makeTemporary("sandbox");
  try {
    return await runWith(machine, spec, runFolder);
  } finally {
    await removeFolder(runFolder);
  }
}

async function runWith(machine: SandboxMachine, spec: SandboxSpec, runFolder: string): Promise<SandboxResult> {
  const plan = await planBox(spec);
  if (spec.writable !== undefined && machine.mode !== "user") await adoptFolder(spec.writable);
  const temporaryBytes = plan.temporaryBytes + SANDBOX_LIMITS.sharedMemoryBytes;
  await using group = openGroup(machine, {
    memoryBytes: spec.memoryBytes + temporaryBytes + SANDBOX_LIMITS.startBytes,
    maxProcesses: spec.maxProcesses + SANDBOX_LIMITS.startProcesses,
  });
  const entrances = group?.entrances ?? [];
  const files = { filter: join(runFolder, "filter"), status: join(runFolder, "status"), entrances };
  await writeFile(files.filter, machine.filter);
  const program = [...limitedBy(spec), spec.command, ...spec.args];
  const [command = "", ...args] = await startCommand(machine.mode, plan, files, program);

  let hit: LimitHit | undefined;
  const stop = new AbortController();
  const endWatch = watchLimits(
    {
      firstPid: () => readStartStatus(files.status).firstPid,
      memoryBytes: spec.memoryBytes,
      temporaryBytes,
      group,
      maxProcesses: spec.maxProcesses,
      folder: spec.writable,
      maxDiskBytes: spec.maxDiskBytes ?? SANDBOX_LIMITS.diskBytes,
    },
    (limit) => {
      hit = limit;
      stop.abort();
    },
  );
  try {
    const result = await runProgram({
      command,
      args,
      cwd: "/",
      timeoutMs: spec.timeoutMs,
      maxOutputBytes: spec.maxOutputBytes,
      signal: spec.signal === undefined ? stop.signal : AbortSignal.any([spec.signal, stop.signal]),
      ...defined({ input: spec.input, silenceMs: spec.silenceMs, onOutput: spec.onOutput, okCodes: spec.okCodes }),
    });
    const status = readStartStatus(files.status);
    if (status.firstPid !== undefined) await untilNamespaceEnds(status.firstPid);
    // The kernel was faster than the watch, and may have taken bubblewrap too.
    if (group?.ranOut()) hit ??= "memory";
    const stopped = hit !== undefined || result.aborted || result.timedOut || result.truncated;
    if (!status.programEnded && !stopped) throw sandboxFailed(setupComplaint(result));
    return withLimitHit(result, hit);
  } finally {
    endWatch();
    if (spec.writable !== undefined) await removePlantedGit(spec.writable);
  }
}

/** Never a run without its group where runs have one: the filter lets pass then what only the group counts. */
function openGroup({ groups }: SandboxMachine, limits: GroupLimits): ControlGroup | undefined {
  try {
    return groups?.open(limits);
  } catch (cause) {
    throw sandboxFailed("its control group cannot be made.", cause);
  }
}

/** The kernel's limits are set inside, where its count of processes starts anew, and cannot be raised again by what comes after. */
function limitedBy(spec: SandboxSpec): string[] {
  return [
    "prlimit",
    "--core=0",
    `--nofile=${SANDBOX_LIMITS.openFiles}`,
    `--data=${2 * spec.memoryBytes + SANDBOX_LIMITS.reservedMemoryBytes}`,
    // A second after the signal that can be caught comes the one that cannot.
    `--cpu=${spec.cpuSeconds}:${spec.cpuSeconds + 1}`,
    `--fsize=${spec.maxFileBytes}`,
    // bubblewrap's own process inside counts as well.
    `--nproc=${spec.maxProcesses + 1}`,
    "--",
  ];
}

/** Exit codes of a program that the kernel ended for its processor time or its file size. */
const KILLED_BY_KERNEL: Readonly<Record<number, LimitHit>> = { 152: "time", 153: "disk" };

function withLimitHit(result: ProgramResult, hitByWatch: LimitHit | undefined): SandboxResult {
  if (hitByWatch !== undefined) return { ...result, ok: false, aborted: false, limitHit: hitByWatch };
  if (result.timedOut) return { ...result, limitHit: "time" };
  if (result.truncated) return { ...result, limitHit: "output" };
  const limitHit = result.code === null ? undefined : KILLED_BY_KERNEL[result.code];
  return limitHit === undefined ? result : { ...result, limitHit };
}

function setupComplaint(result: ProgramResult): string {
  const said = result.stderr.toString().trim().split("\n").slice(-2).join(" ").slice(0, 300);
  return said === "" ? `bubblewrap ended with ${result.code ?? result.signal} before the program started.` : said;
}

interface StartStatus {
  /** The first process of the sandbox's PID namespace, by its number outside; undefined before it exists. */
  readonly firstPid: number | undefined;
  /** The program was started, and has ended by itself. */
  readonly programEnded: boolean;
}

/** The output of bubblewrap so far: one JSON document when it starts, one when the program has ended. */
function readStartStatus(file: string): StartStatus {
  const text = readIfPresent(file);
  const [, pid] = /"child-pid": (\d+)/.exec(text) ?? [];
  return { firstPid: pid === undefined ? undefined : Number(pid), programEnded: /"exit-code": \d+/.test(text) };
}

/**
 * bubblewrap returns a moment before the kernel has ended the rest. The next user of the writable folder must be alone in it.
 * @throws ForgeError `sandbox_failed`
 */
async function untilNamespaceEnds(firstPid: number): Promise<void> {
  const deadline = performance.now() + SANDBOX_LIMITS.endWaitMs;
  while (isNamespaceAlive(firstPid)) {
    if (performance.now() > deadline) throw sandboxFailed(`process ${firstPid} does not end.`);
    await delay(SANDBOX_LIMITS.endPollMs);
  }
}

function readIfPresent(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
