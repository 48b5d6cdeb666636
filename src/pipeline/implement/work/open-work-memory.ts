import type { RepoConfig } from "../../../domain/repo-config.ts";
import { memoryOfRun } from "../../../memory/memory-of-run.ts";
import { appendFacts } from "../../../store/events/append-facts.ts";
import type { MemoryPort } from "../../../tools/ports.ts";
import { asPiece } from "../../ai/open-run-memory.ts";
import type { AgentMemory } from "../../ai/run-agent.ts";
import { AGENT_OF, type LimitedPhase } from "../../runs/definition.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** The memory of the repository for the agents of a run on an issue (MEM-2). */
export interface WorkMemory {
  /** For the tools `recall` and `remember`; undefined where the repository wants no memory. */
  readonly port: MemoryPort | undefined;
  /** For the first message and for reflection. */
  readonly agent: AgentMemory | undefined;
}

/** Every use of the memory stands in the log of the run. */
export function openWorkMemory(
  { store, ai, now, makeId }: WorkDependencies,
  { runId, subject, fence }: WorkJob,
  { enabled, recalled }: RepoConfig["memory"],
  { phase, question }: { readonly phase: LimitedPhase; readonly question: string },
): WorkMemory {
  if (!enabled) return { port: undefined, agent: undefined };
  const { installationId, id: repositoryId } = subject.repository;
  const own = memoryOfRun({
    memory: ai.memory,
    scope: { installationId, repositoryId },
    agentType: AGENT_OF[phase],
    source: runId,
    most: recalled,
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
