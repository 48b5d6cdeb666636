import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Running } from "../lifetime.ts";

/** Where Debian puts servers, which is not on the PATH of everybody. */
const SYSTEM = "/usr/sbin";
const STOP_MS = 3_000;
/** Of its output, to show why it ended. */
const KEPT_CHARACTERS = 4_000;

/** The path of a program of this machine; undefined where it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), SYSTEM];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // It is not there.
    return false;
  }
}

export interface Program extends Running {
  kill(): void;
  /** What it wrote last. */
  said(): string;
  /** Resolves with the first match of a line that it writes. @throws Error when it ends before, with what it said. */
  saying(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts a program that gets everything from its arguments and `env`. It ends with the process that started it. */
export function startProgram(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Program {
  const child = spawn(file, args, { env: { PATH: process.env.PATH, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const output = new EventEmitter();
  const keep = (data: Buffer) => {
    said = (said + data.toString()).slice(-KEPT_CHARACTERS);
    output.emit("more");
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const kill = () => void child.kill("SIGKILL");
  return {
    kill,
    said: () => said,
    stop: async () => {
      child.kill("SIGTERM");
      const impatient = setTimeout(kill, STOP_MS);
      await ended;
      clearTimeout(impatient);
    },
    saying: async (pattern) => {
      const over = new AbortController();
      const isOver = ended.then(() => over.abort());
      try {
        for (;;) {
          const match = pattern.exec(said);
          if (match) return match;
          await once(output, "more", { signal: over.signal });
        }
      } catch {
        await isOver;
        throw new Error(`${file} ended: ${said}`);
      }
    },
  };
}
