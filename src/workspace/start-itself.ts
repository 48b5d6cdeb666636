import { type ChildProcess, spawn } from "node:child_process";

/**
 * Starts this program in a child, with the same options of Node, environment and output. The child has a process group of its own: Ctrl-C in a
 * terminal reaches this process alone, which can pass it on once. A channel between the two closes when this process ends, so the child
 * can notice that.
 * @param argv the program's file and its arguments
 */
export function startItself(argv: readonly string[]): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, ...argv], {
    detached: true,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
}
