import { z } from "zod";
import { ForgeError } from "../../domain/errors.ts";
import { type CheckedCall, ToolFailure, type ToolResult } from "../../tools/tool.ts";
import type { AgentDependencies } from "../ports.ts";
import { ImageSchema } from "./stored-step.ts";

export type Execution =
  | { readonly ok: true; readonly result: ToolResult; readonly retries: number }
  | { readonly ok: false; readonly error: ToolError; readonly retries: number }
  /** The tool gave back what no tool may: a bug, not a failure. */
  | { readonly ok: "broken"; readonly message: string; readonly retries: number };

const Result = z.object({
  text: z.string(),
  images: z.array(ImageSchema).max(4).exactOptional(),
  metrics: z.record(z.string(), z.number()).exactOptional(),
  warnings: z.array(z.string()).exactOptional(),
});

const TRIES = { network: 4, timeout: 4, tool: 2, unknown: 2, permission: 1, validation: 1, stopped: 1 } as const;
const LONGEST_WAIT_MS = 10_000;

/**
 * Runs a tool with its time limit, again where that may help (LOOP-7): network and time-outs up to 4 times with waits of 1, 2 and 4 s,
 * its own failure once more. A call that may have changed something is not repeated after a time-out or an unknown end.
 */
export async function executeTool(
  call: CheckedCall,
  dependencies: Pick<AgentDependencies, "clock" | "random">,
  stop: AbortSignal,
  onOutput?: (chunk: string) => void,
): Promise<Execution> {
  for (let retries = 0; ; retries += 1) {
    const outcome = await runOnce(call, stop, onOutput);
    if (outcome.ok !== false) return { ...outcome, retries };
    if (stop.aborted) return { ok: false, error: STOPPED, retries };
    const { kind } = outcome.error;
    const mayHaveActed = !call.tool.readOnly && (kind === "timeout" || kind === "unknown");
    if (mayHaveActed || retries + 1 >= TRIES[kind]) return { ...outcome, retries };
    if (kind === "network" || kind === "timeout") {
      const wait = 1_000 * 2 ** retries * (1 + dependencies.random() / 4);
      await dependencies.clock.sleep(Math.min(LONGEST_WAIT_MS, wait), stop);
    }
  }
}

type Outcome =
  | { readonly ok: true; readonly result: ToolResult }
  | { readonly ok: false; readonly error: ToolError }
  | { readonly ok: "broken"; readonly message: string };

async function runOnce(call: CheckedCall, stop: AbortSignal, onOutput?: (chunk: string) => void): Promise<Outcome> {
  const { tool, input } = call;
  if (stop.aborted) return { ok: false, error: STOPPED };
  const cut = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onStop = () => {};
  const ended = new Promise<Outcome>((resolve) => {
    const end = (error: ToolError) => {
      resolve({ ok: false, error });
      cut.abort();
    };
    timer = setTimeout(() => end(timeOut(tool)), tool.timeoutMs);
    onStop = () => end(STOPPED);
    stop.addEventListener("abort", onStop);
  });
  try {
    return await Promise.race([attempt(call, input, cut.signal, onOutput), ended]);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", onStop);
  }
}

function timeOut({ name, timeoutMs }: CheckedCall["tool"]): ToolError {
  const seconds = Math.round(timeoutMs / 1_000);
  return { kind: "timeout", code: "timeout", message: `${name} did not end within ${seconds} s and was aborted.` };
}

async function attempt(
  { tool }: CheckedCall,
  input: unknown,
  signal: AbortSignal,
  onOutput?: (chunk: string) => void,
): Promise<Outcome> {
  let given: unknown;
  try {
    given = await tool.run(input, onOutput ? { signal, onOutput } : { signal });
  } catch (thrown) {
    return { ok: false, error: classifyToolError(thrown) };
  }
  const parsed = Result.safeParse(given);
  if (parsed.success) return { ok: true, result: parsed.data };
  return { ok: "broken", message: `${tool.name} gave back what no tool may: ${z.prettifyError(parsed.error)}` };
}

const STOPPED: ToolError = { kind: "stopped", code: "stopped", message: "Not finished: the run was stopped." };

/** An error of a tool, for the loop and for the model. */
interface ToolError {
  readonly kind: "network" | "timeout" | "tool" | "permission" | "validation" | "stopped" | "unknown";
  readonly code: string;
  readonly message: string;
}

const NETWORK_CODES =
  /^(?:ECONN(?:RESET|REFUSED|ABORTED)|ENOTFOUND|EAI_AGAIN|EPIPE|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|UND_ERR_\w+)$/;
const PERMISSION_CODES = /^(?:EACCES|EPERM|EROFS)$/;

/**
 * The text of an error goes to the model only where it was written for it; anything else may tell what is none of its business (paths
 * of this machine, addresses, secrets).
 */
function classifyToolError(thrown: unknown): ToolError {
  if (thrown instanceof ToolFailure) return { kind: "tool", code: thrown.code, message: thrown.message };
  if (thrown instanceof ForgeError) return ofForge(thrown);
  const code = findCode(thrown);
  if (NETWORK_CODES.test(code)) return { kind: "network", code, message: `The network failed (${code}).` };
  if (PERMISSION_CODES.test(code)) return { kind: "permission", code, message: `Not permitted (${code}).` };
  return { kind: "unknown", code: "unexpected", message: "The tool failed unexpectedly." };
}

function ofForge({ source, code, message }: ForgeError): ToolError {
  if (source === "network" || source === "timeout" || source === "permission" || source === "validation") {
    return { kind: source, code, message };
  }
  return { kind: "tool", code, message };
}

/** The first system code on the way down the causes. */
function findCode(thrown: unknown): string {
  let error = thrown;
  for (let depth = 0; depth < 5 && error instanceof Error; depth += 1) {
    const code = (error as { code?: unknown }).code;
    if (typeof code === "string" && (NETWORK_CODES.test(code) || PERMISSION_CODES.test(code))) return code;
    error = error.cause;
  }
  return "";
}
