import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Processes that never wait: each takes all that it gets of one processor. */
const BUSY = 4;
const SPIN = "for (;;) Math.sqrt(Math.random());";

/** Writes 64 MiB, waits until the disk has them, and starts again. */
const WRITE = `
const { closeSync, fsyncSync, openSync, writeSync } = require("node:fs");
const block = Buffer.alloc(4 << 20, 7);
for (;;) {
  const file = openSync(process.argv[1], "w");
  for (let at = 0; at < 16; at += 1) writeSync(file, block);
  fsyncSync(file);
  closeSync(file);
}`;

/** Keeps the machine busy with other work until it is disposed of. */
export function startLoad(): AsyncDisposable & { readonly what: string } {
  const folder = mkdtempSync(join(tmpdir(), "forge-load-"));
  const start = (...args: string[]) => spawn(process.execPath, ["-e", ...args], { stdio: "ignore" });
  const children: ChildProcess[] = Array.from({ length: BUSY }, () => start(SPIN));
  children.push(start(WRITE, join(folder, "written")));
  const killAll = () => {
    for (const child of children) child.kill("SIGKILL");
  };
  process.once("exit", killAll);
  return {
    what: `${BUSY} busy processes and a disk writer`,
    [Symbol.asyncDispose]: async () => {
      const ended = children.filter((child) => child.exitCode === null && child.signalCode === null);
      const exits = ended.map((child) => once(child, "exit"));
      killAll();
      await Promise.all(exits);
      process.off("exit", killAll);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
