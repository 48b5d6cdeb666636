import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { defined } from "../domain/defined.ts";
import { ForgeError } from "../domain/errors.ts";
import { MINIMAL_PATH } from "./find-program.ts";
import type { Asked, Ended, Order, Told } from "./launcher.ts";
import { resourceLimitCommand } from "./resource-limits.ts";

const LAUNCHER = fileURLToPath(new URL("./launcher.ts", import.meta.url));

/** The program is gone, or its folder is. */
export class NotStarted extends Error {}

type OnOutput = (chunk: Buffer, stream: "stdout" | "stderr") => void;

/** A program that the launcher was asked to start. */
export interface Launched {
  /** @throws NotStarted, Error where it cannot be called like this, and ForgeError `launcher_ended` when the launcher died meanwhile, with all that it had started */
  readonly ended: Promise<Ended>;
  readonly abort: () => void;
}

/** Has a program started. */
export type Launch = (order: Omit<Order, "id">, onOutput: OnOutput) => Launched;

/** One for the whole process, whoever needs it first begins it; begun anew when it died. */
let standing: { readonly child: ChildProcess; readonly launch: Launch } | undefined;

/** The process that starts programs. It never keeps Forge alive, and dies with it. */
export async function openLauncher(): Promise<Launch> {
  if (standing?.child.connected) return standing.launch;
  const command = [...(await resourceLimitCommand({})), process.execPath, LAUNCHER];
  // Somebody else may have begun it meanwhile.
  if (!standing?.child.connected) standing = begin(command);
  return standing.launch;
}

function begin([file, ...args]: readonly string[]) {
  const child = spawn(file!, args, {
    // Its own session: what a terminal sends to Forge is for Forge to decide.
    detached: true,
    env: { PATH: MINIMAL_PATH, ...defined({ NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }) },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
  });
  return { child, launch: launchBy(child) };
}

function launchBy(child: ChildProcess): Launch {
  const waiting = new Map<number, { told(told: Told): void; lost(): void }>();
  const rest = () => {
    if (waiting.size === 0) child.channel?.unref();
  };
  child.unref();
  rest();
  child.on("message", (told: Told) => waiting.get(told.id)?.told(told));
  for (const event of ["error", "disconnect"]) {
    child.on(event, () => {
      for (const { lost } of waiting.values()) lost();
      waiting.clear();
    });
  }
  const ask = (asked: Asked) => child.send(asked, () => undefined);
  let last = 0;
  return (order, onOutput) => {
    const id = ++last;
    const ended = new Promise<Ended>((resolve, reject) => {
      waiting.set(id, {
        told: (told) => {
          if ("chunk" in told) return onOutput(told.chunk, told.stream);
          waiting.delete(id);
          rest();
          if ("ended" in told) resolve(told.ended);
          else reject(notStarted(told.failed));
        },
        lost: () => reject(launcherEnded()),
      });
    });
    child.channel?.ref();
    ask({ start: { id, ...order } });
    return { ended, abort: () => ask({ abort: id }) };
  };
}

function notStarted({ message, code, refused }: Extract<Told, { failed: unknown }>["failed"]): Error {
  return refused ? Object.assign(new Error(message), { code }) : new NotStarted(message);
}

function launcherEnded(): ForgeError {
  return new ForgeError(
    "launcher_ended",
    "The process that starts programs for Forge ended: what it ran is begun anew.",
    {
      source: "resource",
      severity: "high",
      recoverability: "auto",
    },
  );
}
