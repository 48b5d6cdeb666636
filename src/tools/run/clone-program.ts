import { StringDecoder } from "node:string_decoder";
import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { Redact } from "../../safety/redact.ts";
import type { Clone } from "../../workspace/clone.ts";
import { PROGRAM_ENVIRONMENT } from "../../workspace/install/pip-plan.ts";
import { BOX_FOLDER, type SandboxResult } from "../../workspace/sandbox/sandbox.ts";
import { cleanText } from "../data/clean-text.ts";
import { cutLine } from "../data/cut.ts";
import { type ToolContext, ToolFailure } from "../tool.ts";

export interface RunDependencies {
  readonly clone: Clone;
  readonly redact: Redact;
}

export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  /** Clean path of a folder of the clone; empty for its root. */
  readonly folder: string;
  /** Beside what every program gets, which none of these takes the place of. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether Forge's own loader for TypeScript is shown to it. */
  readonly withLoader?: boolean;
  readonly timeoutMs: number;
}

const MEBI = 1024 * 1024;

export const COMMAND_LIMITS = {
  timeoutMs: 600_000,
  memoryBytes: 2_048 * MEBI,
  maxProcesses: 256,
  /** A report of thousands of tests in JSON has a few megabytes. */
  maxOutputBytes: 8 * MEBI,
  maxFileBytes: 256 * MEBI,
  maxDiskBytes: 1_024 * MEBI,
} as const;

/**
 * Runs a program in the sandbox over the clone, when no file tool is at work in it.
 * @throws {ToolFailure} `sandbox_failed`
 */
export async function runProgramInClone(
  { clone, redact }: RunDependencies,
  { program, args, folder, env, withLoader, timeoutMs }: ProgramCall,
  { signal, onOutput }: ToolContext,
): Promise<SandboxResult> {
  const stream = onOutput === undefined ? undefined : cleanedLines(redact, onOutput);
  try {
    return await clone.run({
      ...COMMAND_LIMITS,
      command: program,
      args,
      workingDirectory: folder === "" ? BOX_FOLDER : `${BOX_FOLDER}/${folder}`,
      timeoutMs,
      // On several cores a program uses up its time several times over.
      cpuSeconds: Math.ceil((timeoutMs * 4) / 1_000),
      env: {
        ...env,
        ...PROGRAM_ENVIRONMENT,
        ...(folder === "" ? {} : { PATH: `${PROGRAM_ENVIRONMENT.PATH}:${BOX_FOLDER}/${folder}/node_modules/.bin` }),
        CI: "true",
        NO_COLOR: "1",
        FORCE_COLOR: "0",
      },
      signal,
      ...defined({ onOutput: stream?.push, withLoader }),
    });
  } catch (error) {
    if (error instanceof ForgeError) throw new ToolFailure(error.code, `The program was not run: ${error.message}`);
    throw error;
  } finally {
    await stream?.end();
  }
}

/** How it ended, in words. */
export function describeEnd(result: SandboxResult, timeoutMs: number): string {
  const took = `${(result.durationMs / 1_000).toFixed(1)} s`;
  const { limitHit } = result;
  switch (limitHit) {
    case "time":
      return `Stopped: it took longer than ${Math.round(timeoutMs / 1_000)} s.`;
    case "memory":
      return `Stopped after ${took}: it needed more than ${COMMAND_LIMITS.memoryBytes / MEBI} MB of memory.`;
    case "output":
      return `Stopped after ${took}: it printed more than ${COMMAND_LIMITS.maxOutputBytes / MEBI} MB.`;
    case "processes":
      return `Stopped after ${took}: it started more than ${COMMAND_LIMITS.maxProcesses} processes.`;
    case "disk":
      return `Stopped after ${took}: it wrote too much to the disk.`;
    case undefined:
      return result.aborted ? "Stopped from outside." : endedBy(result, took);
    default:
      return limitHit satisfies never;
  }
}

function endedBy({ code, signal }: SandboxResult, took: string): string {
  if (signal !== null) return `Ended by signal ${signal} after ${took}.`;
  // The sandbox reports the end by a signal as shells do.
  if (code !== null && code > 128 && code < 160)
    return `Exit code ${code} (ended by signal ${code - 128}) after ${took}.`;
  return `Exit code ${code} after ${took}.`;
}

/** A program that prints without line breaks is passed on in pieces of this size. */
const LONGEST_PENDING = 16_384;

type Stream = "stdout" | "stderr";

interface LineStream {
  readonly push: (chunk: Buffer, stream: Stream) => void;
  /** Passes on what stands behind the last line break, and resolves when all was passed on. */
  readonly end: () => Promise<void>;
}

/** Output as it comes, line by line, so that a secret is seen as a whole and taken out before anybody reads it. */
function cleanedLines(redact: Redact, emit: (text: string) => void): LineStream {
  const pending: Record<Stream, { readonly decoder: StringDecoder; text: string }> = {
    stdout: { decoder: new StringDecoder("utf8"), text: "" },
    stderr: { decoder: new StringDecoder("utf8"), text: "" },
  };
  let passed = Promise.resolve();
  const clean = async (text: string) => {
    const { lines } = await cleanText(text, { redact, prose: false });
    emit(`${lines.map((line) => cutLine(line)).join("\n")}\n`);
  };
  const pass = (text: string) => {
    if (text === "") return;
    passed = passed.then(() => clean(text));
    // What fails is thrown at the end.
    passed.catch(() => undefined);
  };
  return {
    push: (chunk, stream) => {
      const held = pending[stream];
      held.text += held.decoder.write(chunk);
      const end = held.text.length > LONGEST_PENDING ? held.text.length : held.text.lastIndexOf("\n");
      if (end < 0) return;
      pass(held.text.slice(0, end));
      held.text = held.text.slice(end).replace(/^\n/, "");
    },
    end: () => {
      for (const held of Object.values(pending)) pass(held.text + held.decoder.end());
      return passed;
    },
  };
}
