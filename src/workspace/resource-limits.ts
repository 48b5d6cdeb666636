import { findProgram } from "./find-program.ts";

export interface ResourceLimits {
  /** Private memory of each process. Not address space: Node and git map far more than they use. */
  readonly memoryBytes?: number;
  /** Processor seconds of each process. */
  readonly cpuSeconds?: number;
  /** Size of any one file that is written. */
  readonly fileBytes?: number;
}

/**
 * The command to put before a program so that the kernel holds the limits and kills the program when Forge dies. Linux only: elsewhere,
 * or where util-linux is missing, it is empty and only the limits on time and output hold.
 */
export async function resourceLimitCommand(limits: ResourceLimits): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const [prlimit, setpriv] = await Promise.all([findProgram("prlimit"), findProgram("setpriv")]);
  const command: string[] = [];
  if (prlimit !== undefined) {
    command.push(prlimit, "--core=0");
    if (limits.memoryBytes !== undefined) command.push(`--data=${limits.memoryBytes}`);
    if (limits.cpuSeconds !== undefined) command.push(`--cpu=${limits.cpuSeconds}`);
    if (limits.fileBytes !== undefined) command.push(`--fsize=${limits.fileBytes}`);
    command.push("--");
  }
  if (setpriv !== undefined) command.push(setpriv, "--pdeathsig", "KILL", "--");
  return command;
}
