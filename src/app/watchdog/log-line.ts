import { hostname } from "node:os";

const LEVELS = { error: 50, fatal: 60 } as const;

/** A line in the form of Forge's log, where its logger cannot write: in the thread of the watchdog and in the process that restarts Forge. */
export function logLine(level: keyof typeof LEVELS, facts: object, msg: string): string {
  const of = { level: LEVELS[level], time: Date.now(), pid: process.pid, hostname: hostname(), name: "forge" };
  return `${JSON.stringify({ ...of, ...facts, msg })}\n`;
}
