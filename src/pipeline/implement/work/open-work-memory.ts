import { memoryOfRun } from "../../../memory/memory-of-run.ts";
import { appendFacts } from "../../../store/events/append-facts.ts";
import type { MemoryPort } from "../../../tools/ports.ts";
import { asPiece } from "../../ai/open-run-memory.ts";
import type { AgentMemory } from "../../ai/run-agent.ts";
import type { WorkPhase } from "./run-limits.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** The memory of the repository for the agents of a run on an issue (MEM-2). */
export interface WorkMemory {
  /** For the tools `recall` and `remember`. */
  readonly port: MemoryPort;
  /** For the first message and for reflection. */
  readonly agent: AgentMemory;
}

const AGENTS = { planning: "planner", implementation: "implementer", testing: "tester" } as const;

/** Every use of the memory stands in the log of the run. */
export function openWorkMemory(
  { store, ai, now, makeId }: WorkDependencies,
  { runId, subject, fence }: WorkJob,
  { phase, question }: { readonly phase: WorkPhase; readonly question: string },
): WorkMemory {
  const { installationId, id: repositoryId } = subject.repository;
  const own = memoryOfRun({
    memory: ai.memory,
    scope: { installationId, repositoryId },
    agentType: AGENTS[phase],
    source: runId,
    record: (event) =>
      appendFacts(store, {
        ...{ traceId: runId, at: now(), makeId, fence, source: "memory" },
        events: [{ phase, ...event }],
      }),
  });
  return {
    port: own,
    agent: {
      bearingOn: async (tokens) => (await own.bearingOn(question, tokens)).map((memory) => asPiece(memory, ai.redact)),
      learn: (learnings) => own.learn(learnings),
    },
  };
}
