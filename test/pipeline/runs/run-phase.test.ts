import { describe, expect, it } from "vitest";
import { ForgeError, RetryLater } from "../../../src/domain/errors.ts";
import { AwaitsPerson, type PhaseOfJob, runPhase } from "../../../src/pipeline/runs/run-phase.ts";

const now = () => "2026-11-20T10:00:00.000Z";

/** What a phase that does this tells its run, and what the queue gets. */
async function play(run: PhaseOfJob["run"], over: Partial<PhaseOfJob> = {}) {
  const told: string[] = [];
  const phase: PhaseOfJob = {
    ...{ run, now, signal: new AbortController().signal },
    park: async (until, message) => told.push(`parked until ${until}: ${message}`),
    suspend: async ({ needs }) => {
      told.push(`asked somebody with ${needs}`);
      return "suspended";
    },
    fail: async ({ code }) => told.push(`failed: ${code}`),
    ...over,
  };
  const thrown = await runPhase(phase).then(
    () => "nothing",
    (error: Error) => error,
  );
  return { told, thrown };
}

const asking = new AwaitsPerson(
  { type: "cost_overrun", usedUsd: 4, limitUsd: 5, next: "the change is read on" },
  "write",
);
const code = (code: string) => new ForgeError(code, "It is so.", { source: "logic" });

describe("a phase that does not come to its end", () => {
  it("tells its run that it failed, and the queue with what", async () => {
    const bug = new TypeError("a bug");
    expect(await play(() => Promise.reject(bug))).toEqual({ told: ["failed: unexpected"], thrown: bug });
  });

  it("says that it waits for a provider, and leaves the waiting to the queue", async () => {
    const later = new RetryLater("model_later", "busy", { source: "llm", afterMs: 60_000 });
    const told = ["parked until 2026-11-20T10:01:00.000Z: busy"];
    expect(await play(() => Promise.reject(later))).toEqual({ told, thrown: later });
  });

  it("says nothing where GitHub does not answer", async () => {
    const later = new RetryLater("github_unavailable", "no answer", { source: "network" });
    expect(await play(() => Promise.reject(later))).toEqual({ told: [], thrown: later });
  });

  it("asks a person, and is done as far as the queue goes", async () => {
    const asked = await play(() => Promise.reject(asking));
    expect(asked).toEqual({ told: ["asked somebody with write"], thrown: "nothing" });
  });

  it("is run anew where what a person was to be asked about is outdated", async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      if (runs === 1) throw asking;
    };
    expect(await play(run, { suspend: async () => "outdated" })).toEqual({ told: [], thrown: "nothing" });
    expect(runs).toBe(2);
  });

  it("has failed where asking did", async () => {
    const bug = new TypeError("a bug");
    const asked = await play(() => Promise.reject(asking), { suspend: () => Promise.reject(bug) });
    expect(asked).toEqual({ told: ["failed: unexpected"], thrown: bug });
  });

  it("keeps what it has where people stopped it, and says nothing", async () => {
    expect(await play(() => Promise.reject(code("run_stopped")))).toEqual({ told: [], thrown: "nothing" });
  });

  it("says nothing once the job is another worker's or aborted", async () => {
    const lost = code("lease_lost");
    expect(await play(() => Promise.reject(lost))).toEqual({ told: [], thrown: lost });
    const bug = new TypeError("a bug");
    expect(await play(() => Promise.reject(bug), { signal: AbortSignal.abort("lost") })).toEqual({
      told: [],
      thrown: bug,
    });
  });

  it("throws alone where its kind of job has nothing to be told", async () => {
    for (const error of [asking, code("change_unreadable"), new RetryLater("model_later", "busy", { source: "llm" })]) {
      const thrown = runPhase({ now, signal: new AbortController().signal, run: () => Promise.reject(error) });
      await expect(thrown).rejects.toBe(error);
    }
  });
});
