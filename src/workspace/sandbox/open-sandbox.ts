import { ForgeError } from "../../domain/errors.ts";
import { findProgram } from "../find-program.ts";
import { adoptFolder } from "./adopt-folder.ts";
import { findBubblewrap } from "./find-bubblewrap.ts";
import { runInSandbox } from "./run-in-sandbox.ts";
import { runInstall } from "./run-install.ts";
import type { Sandbox, SandboxSpec, SandboxUnavailable } from "./sandbox.ts";
import { selfTest } from "./self-test.ts";
import { startModes } from "./start-command.ts";
import { systemCallFilter } from "./system-call-filter.ts";

let opened: Promise<Sandbox | SandboxUnavailable> | undefined;

/**
 * The sandbox of this machine, after it has shown once in this process that it holds (SEC-1). Without one, no project code may be run:
 * there is no weaker way to ask for.
 */
export function openSandbox(): Promise<Sandbox | SandboxUnavailable> {
  opened ??= open();
  return opened;
}

const PROGRAMS: Readonly<Record<string, string>> = { prlimit: "util-linux", bash: "bash" };
/** Nothing is downloaded unless a person asks for it. */
const WITHOUT_BUBBLEWRAP =
  "The program bwrap is missing: install the package bubblewrap, or run `npx forge doctor --fix`.";

async function open(): Promise<Sandbox | SandboxUnavailable> {
  if (process.platform !== "linux") return { unavailable: "The sandbox needs Linux: bubblewrap exists nowhere else." };
  const filter = systemCallFilter(process.arch);
  if (filter === undefined)
    return { unavailable: `There is no filter of system calls for ${process.arch} processors.` };
  for (const [program, packageName] of Object.entries(PROGRAMS)) {
    if ((await findProgram(program)) !== undefined) continue;
    return { unavailable: `The program ${program} is missing: install the package ${packageName}.` };
  }
  if ((await findBubblewrap()) === undefined) return { unavailable: WITHOUT_BUBBLEWRAP };
  let complaint = "";
  for (const mode of startModes()) {
    const machine = { mode, filter };
    const run = (spec: SandboxSpec) => runInSandbox(machine, spec);
    const found = await selfTest(run).catch(sandboxComplaint);
    if (found === undefined) {
      const adopt = async (folder: string) => (machine.mode === "user" ? undefined : adoptFolder(folder));
      return { run, runInstall: (spec) => runInstall(run, spec), adopt };
    }
    complaint = found;
  }
  return { unavailable: complaint };
}

/** A sandbox that cannot be started is an answer of the self-test; anything else that fails is ours and must be seen. */
function sandboxComplaint(error: unknown): string {
  if (error instanceof ForgeError) return error.message;
  throw error;
}
