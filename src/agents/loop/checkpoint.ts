import { z } from "zod";
import { ForgeError } from "../../domain/errors.ts";
import type { Message } from "../../llm/ports.ts";
import type { AgentDefinition } from "../agent-definition.ts";
import { findHistoryFault } from "./history.ts";
import { LoopState } from "./loop-state.ts";

type Core = Omit<LoopState, "messages" | "steps" | "layers">;

/**
 * The difference to the checkpoint before (PIPE-6): the first `kept` messages and all steps stay as they are, the rest follows. Its size
 * grows with the step, not with the history.
 */
export interface Checkpoint {
  /** Counts from 1 without gaps. */
  readonly sequence: number;
  readonly kept: number;
  readonly messages: readonly Message[];
  readonly steps: LoopState["steps"];
  /** Only in the first checkpoint, and where they changed. */
  readonly layers?: LoopState["layers"];
  readonly core: Core;
}

/** The difference between the last recorded state (undefined: none) and this one. */
export function checkpointOf(before: LoopState | undefined, after: LoopState): Checkpoint {
  const { messages, steps, layers, ...core } = after;
  const kept = commonFront(before?.messages ?? [], messages);
  return {
    sequence: after.recorded,
    kept,
    messages: messages.slice(kept),
    steps: steps.slice(before?.steps.length ?? 0),
    ...(before?.layers === layers ? {} : { layers }),
    core,
  };
}

/** Adds a checkpoint to the state that those before it gave; undefined begins. */
export function applyCheckpoint(state: LoopState | undefined, checkpoint: Checkpoint): LoopState {
  return {
    ...checkpoint.core,
    layers: checkpoint.layers ?? state?.layers ?? [],
    messages: [...(state?.messages.slice(0, checkpoint.kept) ?? []), ...checkpoint.messages],
    steps: [...(state?.steps ?? []), ...checkpoint.steps],
  };
}

/** Messages are never changed in place, so the same object is the same message. */
function commonFront(before: readonly Message[], after: readonly Message[]): number {
  let length = 0;
  while (length < before.length && before[length] === after[length]) length += 1;
  return length;
}

/** The version in which states are written (PIPE-6). */
const STATE_VERSION = 1;

/** Brings a state one version further, by the version that it has. */
type Migrations = Readonly<Record<number, (state: Readonly<Record<string, unknown>>) => object>>;

/** None yet: the first version is the present one. */
const MIGRATIONS: Migrations = {};

/**
 * The state of a loop as it was stored, brought to the present version (PIPE-6).
 * @throws ForgeError `checkpoint_version` for one that this Forge cannot read; ZodError when it is no state: the run then fails and says so,
 * rather than paying for everything again
 */
export function readLoopState(stored: unknown, migrations: Migrations = MIGRATIONS): LoopState {
  let state = stored as Readonly<Record<string, unknown>>;
  for (let version = versionOf(state); version !== STATE_VERSION; version = versionOf(state)) {
    const migrate = Number.isInteger(version) ? migrations[version] : undefined;
    if (migrate === undefined) throw unreadable(version);
    state = { ...migrate(state), version: version + 1 };
  }
  return LoopState.parse(state);
}

function versionOf(state: unknown): number {
  return Number((state as { version?: unknown } | undefined)?.version ?? Number.NaN);
}

function unreadable(version: number): ForgeError {
  const has = Number.isNaN(version) ? "names no version" : `has version ${version}`;
  const newer = version > STATE_VERSION ? " It was written by a newer Forge." : "";
  const message = `The checkpoint of an agent ${has}, and this Forge reads version ${STATE_VERSION}.${newer}`;
  return new ForgeError("checkpoint_version", message, { source: "validation", recoverability: "manual" });
}

/** The whole loop as text (LOOP-16): layers, history, tool names, reports, and a call that waits for approval. */
export function dump(state: LoopState): string {
  return JSON.stringify(state);
}

/** A state to go on from, and how the definition differs from the one it was made with. */
export interface Restored {
  readonly state: LoopState;
  /** Differences since then, for people; they do not stop the loop. */
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
    throw unreadableDump("dump_version", `The dump is of version ${version.data.version}; this Forge reads version 1.`);
  }
  const parsed = LoopState.safeParse(json);
  if (!parsed.success)
    throw unreadableDump("dump_unreadable", `This is not a dump of a loop: ${z.prettifyError(parsed.error)}`);
  const fault = findHistoryFault(parsed.data.messages);
  if (fault !== undefined) throw unreadableDump("history_invalid", `The dump's history cannot be taken up: ${fault}.`);
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
    throw unreadableDump("dump_unreadable", "This is not a dump of a loop: it is not JSON.");
  }
}

function unreadableDump(code: string, message: string): ForgeError {
  return new ForgeError(code, message, { source: "validation", recoverability: "none" });
}
