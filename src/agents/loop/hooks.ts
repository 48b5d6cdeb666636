import type { CheckedCall } from "../../tools/tool.ts";
import type { LoopState } from "./loop-state.ts";

export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
}

/** The answer of a hook before a tool runs: go on, leave it out, this is its result, or end the loop after this step. */
export type ToolChoice =
  | { readonly do: "run" }
  | { readonly do: "skip"; readonly reason: string }
  | { readonly do: "override"; readonly text: string }
  | { readonly do: "stop"; readonly reason: string };

/** Code around run, step and tool (LOOP-17). Hooks are asked in order; the first that says something other than `run` decides. */
export interface Hooks {
  readonly beforeRun?: (state: LoopState) => void | Promise<void>;
  readonly afterRun?: (state: LoopState) => void | Promise<void>;
  readonly beforeStep?: (state: LoopState) => "go_on" | "stop" | Promise<"go_on" | "stop">;
  readonly afterStep?: (state: LoopState) => void | Promise<void>;
  readonly beforeTool?: (call: CheckedCall) => ToolChoice | Promise<ToolChoice>;
  /** May replace what the model reads. */
  readonly afterTool?: (call: CheckedCall, outcome: ToolOutcome) => ToolOutcome | Promise<ToolOutcome>;
  /** A result in the place of an error, or undefined to leave the error. */
  readonly onToolError?: (call: CheckedCall, message: string) => string | undefined | Promise<string | undefined>;
}
