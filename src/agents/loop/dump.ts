import { z } from "zod";
import { ForgeError } from "../../domain/errors.ts";
import type { AgentDefinition } from "../agent-definition.ts";
import { findHistoryFault } from "./legal-history.ts";
import { LoopState } from "./loop-state.ts";

/** The whole loop as text (LOOP-16): layers, history, tool names, reports, and a call that waits for approval. */
export function dump(state: LoopState): string {
  return JSON.stringify(state);
}

/** A state to go on from, and how the definition differs from the one it was made with. */
export interface Restored {
  readonly state: LoopState;
  /** What is different now: for people, and nothing that stops the loop. */
  readonly warnings: readonly string[];
}

/**
 * A loop from its dump, in any process.
 * @throws {ForgeError} `dump_unreadable` for text that is no dump, `dump_version` for one of another version, `history_invalid` for one
 * whose history no provider would take.
 */
export function restore(text: string, definition: AgentDefinition): Restored {
  const json = parseJson(text);
  const version = z.object({ version: z.number() }).safeParse(json);
  if (version.success && version.data.version !== 1) {
    throw unreadable("dump_version", `The dump is of version ${version.data.version}; this Forge reads version 1.`);
  }
  const parsed = LoopState.safeParse(json);
  if (!parsed.success)
    throw unreadable("dump_unreadable", `This is not a dump of a loop: ${z.prettifyError(parsed.error)}`);
  const fault = findHistoryFault(parsed.data.messages);
  if (fault !== undefined) throw unreadable("history_invalid", `The dump's history cannot be taken up: ${fault}.`);
  return adopt(parsed.data, definition);
}

/** A state under the definition as it is now, with a warning for each tool that came or went. */
export function adopt(state: LoopState, { tools, promptVersion }: AgentDefinition): Restored {
  const names = tools.map(({ name }) => name);
  const removed = state.toolNames.filter((name) => !names.includes(name));
  const added = names.filter((name) => !state.toolNames.includes(name));
  const { standing } = state;
  const pending = standing.is === "waiting" && standing.wait.for === "approval" ? standing.wait.tool : undefined;
  const warnings = [
    ...removed.map((name) => `The tool ${name} is not there any more.`),
    ...added.map((name) => `The tool ${name} was added.`),
    ...(pending !== undefined && removed.includes(pending) ? [`The call of ${pending} that waits cannot run.`] : []),
    ...(promptVersion === state.agent.promptVersion
      ? []
      : [
          `The prompt is of version ${promptVersion} now; the loop goes on with its own, ${state.agent.promptVersion}.`,
        ]),
  ];
  return { state: { ...state, toolNames: names }, warnings };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable("dump_unreadable", "This is not a dump of a loop: it is not JSON.");
  }
}

function unreadable(code: string, message: string): ForgeError {
  return new ForgeError(code, message, { source: "validation", recoverability: "none" });
}
