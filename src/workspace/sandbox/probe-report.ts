import type { NetConnectOpts } from "node:net";

/** Targets for the probe of the self-test, all within reach of Forge itself. */
export interface ProbeTargets {
  /** Stands in the environment of Forge while the probe runs. */
  readonly canary: string;
  readonly insideFile: string;
  readonly hiddenPaths: readonly string[];
  /** The test's own files, which the probe writes to: never anything of the machine, for the sandbox may not hold. */
  readonly outsideFiles: readonly string[];
  /** Asked about only: whether the probe might write there. */
  readonly guardedPaths: readonly string[];
  readonly addresses: readonly NetConnectOpts[];
}

/** The probe's results. */
export interface ProbeReport {
  readonly ownWrite: boolean;
  readonly canarySeen: boolean;
  readonly variables: readonly string[];
  readonly processes: number;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly reachable: readonly string[];
  /** User, group, effective capabilities, no-new-privileges, seccomp mode. */
  readonly identity: string;
}

/** The user nobody, without capabilities, bound to gain none, system calls filtered. */
const EXPECTED_IDENTITY = "65534 65534 0000000000000000 1 2";

/** bubblewrap's own and the probe's: whatever else is seen is none of its business. */
const EXPECTED_PROCESSES = 2;

/** Everything that is wrong with a sandbox in which the probe achieved this; nothing when it holds. */
export function complaints(report: ProbeReport): string[] {
  const found: string[] = [];
  if (!report.ownWrite) found.push("the folder that should be writable is not");
  if (report.canarySeen) found.push("the environment of Forge can be read");
  if (report.variables.some((name) => !EXPECTED_VARIABLES.includes(name))) found.push("it has foreign variables");
  if (report.processes > EXPECTED_PROCESSES) found.push(`${report.processes} processes can be seen`);
  for (const path of report.readable) found.push(`${JSON.stringify(path)} can be read`);
  for (const path of report.writable) found.push(`${JSON.stringify(path)} can be written`);
  for (const address of report.reachable) found.push(`${address} can be connected to`);
  if (report.identity !== EXPECTED_IDENTITY) found.push(`its identity is ${JSON.stringify(report.identity)}`);
  return found;
}

const EXPECTED_VARIABLES = ["HOME", "LANG", "PATH", "PWD", "TMPDIR"];
