import { expect, it } from "vitest";
import type { NewEvent } from "../../src/domain/events.ts";
import type { RunStatus } from "../../src/domain/phases.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { readOpenGates } from "../../src/store/runs/open-gates.ts";
import type { Store } from "../../src/store/store.ts";
import { onEveryDatabase } from "./databases.ts";
import { at, decision, HEAD, pullRequest, run } from "./fixtures.ts";

function asked(gate: string, second: number): NewEvent {
  const question = { type: "cost_overrun", usedUsd: 1, limitUsd: 2, next: "read on" } as const;
  const payload = { gate, question, headSha: HEAD, deadline: at(second), needs: "write" } as const;
  return { type: "gate.requested", payload };
}

async function tell(
  store: Store,
  of: { id: string; number: number; repository: number; status?: RunStatus },
  events: NewEvent[],
) {
  const subject = pullRequest(of.number, 7, of.repository);
  await commitDecision(
    store,
    decision({
      appends: [{ traceId: of.id, expectedVersion: 0, events }],
      run: [run(of.id, of.status ?? "waiting", { subject, version: events.length })],
    }),
  );
}

onEveryDatabase((open) => {
  it("OPS-2: gates that wait are listed, of the repositories that may be seen, the most urgent first", async () => {
    const store = await open();
    await tell(store, { id: "late", number: 1, repository: 100 }, [asked("G-1", 50)]);
    await tell(store, { id: "soon", number: 2, repository: 100 }, [asked("G-1", 20)]);
    await tell(store, { id: "elsewhere", number: 1, repository: 200 }, [asked("G-1", 10)]);
    // Asked twice, answered once; answered, then asked anew; ended with a gate that nobody took back.
    const yes: NewEvent = { type: "gate.approved", payload: { gate: "G-1" } };
    await tell(store, { id: "half", number: 3, repository: 100 }, [asked("G-1", 30), asked("G-2", 40), yes]);
    await tell(store, { id: "none", number: 4, repository: 100 }, [asked("G-1", 5), yes]);
    await tell(store, { id: "over", number: 5, repository: 100, status: "failed" }, [asked("G-1", 5)]);
    const named = async (options: Parameters<typeof readOpenGates>[1]) =>
      (await readOpenGates(store, options)).map(({ runId, gate }) => `${runId} ${gate}`);
    expect(await named({ repositoryIds: [100], limit: 10 })).toEqual(["soon G-1", "half G-2", "late G-1"]);
    expect(await named({ limit: 2 })).toEqual(["elsewhere G-1", "soon G-1"]);
    expect(await named({ repositoryIds: [], limit: 10 })).toEqual([]);
    const [first] = await readOpenGates(store, { repositoryIds: [200], limit: 1 });
    expect(first).toMatchObject({ deadline: at(10), needs: "write", since: at(1), subject: pullRequest(1, 7, 200) });
  });
});
