import { Counter, Gauge, Registry } from "@prometheus-io/client";
import { EVENT_CATALOGUE } from "../domain/event-catalogue.ts";
import type { RunEvent } from "../domain/events.ts";
import { measureOpenGates } from "../store/events/read-events.ts";
import { countJobsByKind } from "../store/jobs/read-jobs.ts";
import { countAllMemories } from "../store/memories/read-memories.ts";
import { countRunsByOutcome } from "../store/runs/read-runs.ts";
import type { Store } from "../store/store.ts";
import { subscribe } from "../store/subscribe.ts";

/** What a monitoring system scrapes: counters of this process since it began, and what stands in the database at that moment. */
export interface Meters {
  readonly contentType: string;
  /** In the text format of Prometheus. */
  text(): Promise<string>;
  /** A webhook was taken in; `event` as GitHub names it. */
  accepted(event: string): void;
  close(): void;
}

/** GitHub has some eighty kinds of events; a signed sender of more is none of GitHub. */
const MOST_EVENTS = 120;

/**
 * The metrics of an operator (MET-1). Names and labels are a contract, said in docs/reference/metrics.md. No label names a repository, a pull
 * request, a run or a person: that would be a series for each.
 */
export function openMeters(store: Store, now: () => string): Meters {
  const registry = new Registry();
  const registers = [registry];
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames, registers });

  const webhooks = counter("forge_webhooks_accepted_total", "Webhook deliveries that were verified and stored.", [
    "event",
  ]);
  const events = counter("forge_events_total", "Events written to the log by this process.", ["type"]);
  const calls = counter("forge_llm_calls_total", "Calls of models that were answered.", ["provider", "model"]);
  const tokens = counter("forge_llm_tokens_total", "Tokens of answered calls.", ["provider", "model", "kind"]);
  const money = counter("forge_llm_cost_usd_total", "What answered calls cost.", ["provider", "model"]);
  const posted = counter("forge_findings_posted_total", "Findings that people can see.", ["placement"]);
  const dismissed = counter("forge_findings_dismissed_total", "Findings dismissed.");
  const resolved = counter("forge_findings_resolved_total", "Findings proven gone, or whose file left the change.");
  const outcomes = counter("forge_findings_outcomes_total", "Findings followed to the merge.", ["layer", "outcome"]);
  const recalled = counter("forge_memories_recalled_total", "Memories given to an agent.");
  const jobs = gauge("forge_jobs", "Jobs in the queue.", ["kind", "state"]);
  const oldest = gauge("forge_jobs_oldest_ready_seconds", "How long the job has waited whose turn it is.");
  const runs = gauge("forge_runs", "Runs on record.", ["kind", "outcome"]);
  const gates = gauge("forge_gates_open", "Questions that wait for a person.");
  const waiting = gauge("forge_gates_oldest_seconds", "How long the oldest open question has waited.");
  const memories = gauge("forge_memories", "Memories in store.", ["state"]);

  // What begins at 1 has no increase that a monitoring system could see.
  for (const type of Object.keys(EVENT_CATALOGUE)) events.inc({ type }, 0);

  function hear(event: RunEvent): void {
    events.inc({ type: event.type });
    switch (event.type) {
      case "agent.reasoned": {
        const { provider, model, usage, costUsd } = event.payload;
        calls.inc({ provider, model });
        money.inc({ provider, model }, costUsd);
        tokens.inc({ provider, model, kind: "input" }, usage.inputTokens);
        tokens.inc({ provider, model, kind: "cache_read" }, usage.cacheReadTokens);
        tokens.inc({ provider, model, kind: "cache_write" }, usage.cacheWriteTokens);
        tokens.inc({ provider, model, kind: "output" }, usage.outputTokens);
        return;
      }
      case "finding.posted":
        posted.inc({ placement: event.payload.placement });
        return;
      case "finding.dismissed":
        dismissed.inc();
        return;
      case "finding.resolved":
        resolved.inc();
        return;
      case "feedback.outcome":
        outcomes.inc({ layer: event.payload.layer, outcome: event.payload.outcome });
        return;
      case "memory.recalled":
        recalled.inc(event.payload.items.length);
        return;
    }
  }

  async function look(): Promise<void> {
    const at = now();
    const secondsSince = (moment: string | undefined) =>
      moment === undefined ? 0 : Math.max(0, (Date.parse(at) - Date.parse(moment)) / 1000);
    const [queue, ended, open, known] = await Promise.all([
      countJobsByKind(store, at),
      countRunsByOutcome(store),
      measureOpenGates(store),
      countAllMemories(store),
    ]);
    for (const one of [jobs, runs, memories]) one.reset();
    for (const { kind, state, count } of queue.counts) jobs.set({ kind, state }, count);
    for (const { kind, outcome, count } of ended) runs.set({ kind, outcome }, count);
    oldest.set(secondsSince(queue.readySince));
    gates.set(open.count);
    waiting.set(secondsSince(open.since));
    memories.set({ state: "active" }, known.active);
    memories.set({ state: "archived" }, known.archived);
  }

  const stop = subscribe(store, "*", hear);
  const seen = new Set<string>();
  return {
    contentType: registry.contentType,
    text: async () => {
      await look();
      return registry.metrics();
    },
    accepted: (event) => {
      if (seen.size < MOST_EVENTS) seen.add(event);
      webhooks.inc({ event: seen.has(event) ? event : "other" });
    },
    close: stop,
  };
}
