import type { ZodType } from "zod";
import type { ImagePart } from "../llm/ports.ts";

/** What every tool gets beside its input: nothing else of Forge is in its reach but what it was made with. */
export interface ToolContext {
  readonly signal: AbortSignal;
  /** Output while it runs, for the terminal and the status comment; the model sees the result only. */
  readonly onOutput?: (chunk: string) => void;
}

/**
 * A failure that the model should read and can act on: a file that is not there, a pattern that does not parse. Anything else that a
 * tool throws is reported to the model as an unknown error, without its text.
 */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Numbers of one call, for the run report. */
export type ToolMetrics = Readonly<Record<string, number>>;

/** What a call that went well gives back; one that did not throws. */
export interface ToolResult {
  /** What the model reads, cut where it must be, with a mark that says how to get the rest. */
  readonly text: string;
  /** What the model sees beside it, where its provider takes images: at most 4. Text in them is data, and no guardrail reads it. */
  readonly images?: readonly ImagePart[];
  readonly metrics?: ToolMetrics;
  readonly warnings?: readonly string[];
}

/**
 * One tool (TOOLS-1): a value made by a function of its dependencies, so that an agent can call only what it was handed. `inputSchema`
 * validates what the model sent; the error text goes back to it. `run` is a method, so that tools of different inputs fit one list: only
 * what `inputSchema` gave may be handed to it.
 */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** Written for the model: what it does, when to use it, what it gives back. */
  readonly description: string;
  readonly inputSchema: ZodType<Input>;
  /** Read-only calls of one step may run at the same time. */
  readonly readOnly: boolean;
  readonly timeoutMs: number;
  /** USD that this call may cost, where it costs anything: above `approve_over_usd` a person is asked (LOOP-6). */
  estimateCostUsd?(input: Input): number;
  /** Milliseconds that a program which it runs may take on this machine, where it runs one: its price is the operator's. */
  mayRunMs?(input: Input): number;
  /** @throws {ToolFailure} for what the model can mend. */
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

/** One call of a tool, after its arguments were found valid. */
export interface CheckedCall {
  readonly id: string;
  readonly tool: Tool;
  readonly input: unknown;
}

/** The good outcome of what a tool may use; a refusal becomes the failure that the model reads. */
export function given<T extends { readonly ok: boolean }>(outcome: T): Extract<T, { readonly ok: true }> {
  if (isGood(outcome)) return outcome;
  const { reason = "refused", detail = "It was refused." } = outcome as { reason?: string; detail?: string };
  throw new ToolFailure(reason.replaceAll(" ", "_").replaceAll("'", ""), detail);
}

function isGood<T extends { readonly ok: boolean }>(outcome: T): outcome is Extract<T, { readonly ok: true }> {
  return outcome.ok;
}
