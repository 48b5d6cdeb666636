import { defined } from "../domain/defined.ts";
import { ForgeError } from "../domain/errors.ts";
import type { NewEvent } from "../domain/events.ts";
import type { MemoryScope, MemoryType } from "../domain/memories.ts";
import type { CheckCitation } from "./citations.ts";
import type { Lesson } from "./lesson.ts";
import type { Memory } from "./open-memory.ts";
import type { RecalledMemory } from "./recall.ts";

/** What an agent may use of a memory: the scope, the kind of agent and the source are not its to choose. */
export interface RunMemoryOptions {
  readonly memory: Memory;
  readonly scope: MemoryScope;
  readonly agentType: string;
  /** What the memories come from: the id of an event or of the run. */
  readonly source: string;
  /** Appends to the log of the run. */
  readonly record: (event: NewEvent) => void | Promise<void>;
  /** Memories that a task begins with at most; as many as a recall gives when left out. */
  readonly most?: number;
  /** Tokens that a tool's recall may take. */
  readonly toolTokens?: number;
  /** Whether the code that memories rest on is there; without it nobody looks. */
  readonly check?: CheckCitation;
}

interface Note {
  readonly kind: MemoryType;
  readonly content: string;
  readonly context?: string;
  readonly keywords?: readonly string[];
  readonly tags: readonly string[];
  /** A model's own doubt: counts where it is below what a model is believed at first. */
  readonly confidence?: number;
}

export interface RunMemory {
  /** The id, or why it was not kept, in a sentence for the model. */
  readonly remember: (
    note: Note,
    signal?: AbortSignal,
  ) => Promise<{ readonly id: string } | { readonly refused: string }>;
  /** What a tool asks for, best first. */
  readonly recall: (query: {
    readonly text: string;
    readonly tags: readonly string[];
    readonly limit: number;
    readonly signal?: AbortSignal;
  }) => Promise<readonly (RecalledMemory & { readonly kind: MemoryType; readonly confidence: number })[]>;
  /** What bears on a task, for the first message; with episodes when it is for reflection. Inside `tokens`. */
  readonly bearingOn: (
    text: string,
    tokens: number,
    purpose?: "task" | "reflection",
  ) => Promise<readonly RecalledMemory[]>;
  /** What a reflection learnt (LOOP-13); what cannot be kept is left out. */
  readonly learn: (learnings: readonly Note[]) => Promise<void>;
}

const TOOL_TOKENS = 2_000;

/** The memory as one run of an agent may use it. Every use is recorded in the run's log (MEM-2). */
export function memoryOfRun(options: RunMemoryOptions): RunMemory {
  const { memory, scope, agentType, source, record, most, toolTokens = TOOL_TOKENS, check } = options;

  const remember: RunMemory["remember"] = async ({ kind, content, context, keywords, tags, confidence }, signal) => {
    const lesson: Lesson = {
      scope,
      type: kind,
      origin: "model",
      content,
      tags: [...tags],
      keywords: [...(keywords ?? [])],
      sourceEvent: source,
      ...defined({ context, confidence }),
    };
    try {
      const stored = await memory.remember(lesson, signal);
      if (stored.archived) return { refused: "This very note was put away: only people can bring it back." };
      await record(stored.event);
      return { id: stored.id };
    } catch (error) {
      if (error instanceof ForgeError && error.code === "memory_invalid") return { refused: error.message };
      throw error;
    }
  };

  return {
    remember,
    recall: async ({ text, tags, limit, signal }) => {
      const { items, event } = await memory.recall({
        scope,
        agentType,
        text,
        tags,
        limit,
        purpose: "task",
        budgetTokens: toolTokens,
        ...defined({ signal, check }),
      });
      await record(event);
      return items.map((item) => ({ ...item, kind: item.type, confidence: item.provenance.confidence }));
    },
    bearingOn: async (text, tokens, purpose = "task") => {
      const { items, event } = await memory.recall({
        scope,
        agentType,
        text,
        purpose,
        budgetTokens: tokens,
        ...defined({ limit: most, check }),
      });
      await record(event);
      return items;
    },
    learn: async (learnings) => {
      for (const learning of learnings) await remember(learning);
    },
  };
}
