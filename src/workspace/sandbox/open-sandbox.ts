import { ForgeError } from "../../domain/errors.ts";
import { calledAs } from "../called-as.ts";
import { findProgram } from "../find-program.ts";
import { type ControlGroups, openControlGroups } from "./control-groups.ts";
import { findBubblewrap } from "./find-bubblewrap.ts";
import { findControlGroups } from "./find-control-groups.ts";
import { runInSandbox, type SandboxMachine } from "./run-in-sandbox.ts";
import { runInstall } from "./run-install.ts";
import type { Sandbox, SandboxSpec, SandboxUnavailable } from "./sandbox.ts";
import { selfTest } from "./self-test.ts";
import { startModes } from "./start-command.ts";
import { systemCallFilter } from "./system-call-filter.ts";
import { adoptFolder } from "./writable-folder.ts";

let opened: Promise<Sandbox | SandboxUnavailable> | undefined;

/**
 * The sandbox of this machine, after it has shown once in this process that it holds (SEC-1). Without one, no project code may be run:
 * there is no weaker way to ask for.
 */
export function openSandbox(): Promise<Sandbox | SandboxUnavailable> {
  opened ??= openSandboxWith({});
  return opened;
}

const PROGRAMS: Readonly<Record<string, string>> = { prlimit: "util-linux", bash: "bash" };
/** Nothing is downloaded unless a person asks for it. */
const withoutBubblewrap = () =>
  `The program bwrap is missing: install the package bubblewrap, or run \`${calledAs()} doctor --fix\`.`;

/** @param options `groups: false` does without control groups, as on machines where none can be made */
export async function openSandboxWith({
  groups = true,
}: {
  readonly groups?: boolean;
}): Promise<Sandbox | SandboxUnavailable> {
  if (process.platform !== "linux") return { unavailable: "The sandbox needs Linux: bubblewrap exists nowhere else." };
  if (systemCallFilter(process.arch, false) === undefined)
    return { unavailable: `There is no filter of system calls for ${process.arch} processors.` };
  for (const [program, packageName] of Object.entries(PROGRAMS)) {
    if ((await findProgram(program)) !== undefined) continue;
    return { unavailable: `The program ${program} is missing: install the package ${packageName}.` };
  }
  if ((await findBubblewrap()) === undefined) return { unavailable: withoutBubblewrap() };
  let complaint = "";
  const controlGroups = groups ? openControlGroups(findControlGroups()) : undefined;
  for (const machine of machines(controlGroups)) {
    const run = (spec: SandboxSpec) => runInSandbox(machine, spec);
    const found = await selfTest(run).catch(sandboxComplaint);
    if (found === undefined) {
      const adopt = async (folder: string) => (machine.mode === "user" ? undefined : adoptFolder(folder));
      const held = machine.groups === undefined ? {} : { controlGroups: machine.groups.version };
      return { run, runInstall: (spec) => runInstall(run, spec), adopt, ...held };
    }
    complaint = found;
  }
  return { unavailable: complaint };
}

/** The ways to start a sandbox here, the best first. */
function machines(controlGroups: ControlGroups | undefined): SandboxMachine[] {
  const held = controlGroups === undefined ? [] : [controlGroups];
  return startModes().flatMap((mode) =>
    [...held, undefined].flatMap((groups) => {
      const filter = systemCallFilter(process.arch, groups !== undefined);
      return filter === undefined ? [] : [{ mode, filter, groups }];
    }),
  );
}

/** A sandbox that cannot be started is an answer of the self-test; anything else that fails is ours and must be seen. */
function sandboxComplaint(error: unknown): string {
  if (error instanceof ForgeError) return error.message;
  throw error;
}
