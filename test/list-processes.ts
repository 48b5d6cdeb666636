import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface Seen {
  readonly pid: number;
  /** One letter, as `ps` has it: Z has ended and waits to be collected. */
  readonly state: string;
  readonly words: string;
}

/** All processes of this machine. From `/proc`, where there is one: the program `ps` is not installed everywhere. */
export function listProcesses(): Seen[] {
  if (process.platform !== "linux") return byPs();
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, state = ""] = /\) (\S)/.exec(readFileSync(`/proc/${name}/stat`, "latin1").replace(/^.*\)/s, ")")) ?? [];
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return [{ pid: Number(name), state, words }];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}

function byPs(): Seen[] {
  const listed = execFileSync("ps", ["-A", "-ww", "-o", "pid=,stat=,args="], { maxBuffer: 16 * 1024 * 1024 });
  return listed
    .toString()
    .split("\n")
    .flatMap((line) => {
      const [, pid, state = "", words = ""] = /^\s*(\d+)\s+(\S)\S*\s+(.*)$/.exec(line) ?? [];
      return pid === undefined ? [] : [{ pid: Number(pid), state, words }];
    });
}
