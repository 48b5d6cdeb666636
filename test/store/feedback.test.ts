import { expect, it } from "vitest";
import { type Subject, subjectKey } from "../../src/domain/subjects.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { deleteInstallation } from "../../src/store/delete-installation.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { countFeedback, listUntold, markTold } from "../../src/store/feedback.ts";
import { onEveryDatabase } from "./databases.ts";
import { decision, happened } from "./fixtures.ts";

const there: Subject = {
  kind: "environment",
  repository: { id: 3, owner: "acme", name: "shop", installationId: 7 },
  number: 2,
};
const elsewhere: Subject = { ...there, number: 1 };
const message = (id: string, fingerprint = "f", resolved = false) => ({ id, fingerprint, resolved });
const AT = "2026-11-23T10:00:00.000Z";

onEveryDatabase((open) => {
  it("PROD-2: a message counts once, however often it comes and in however many deliveries", async () => {
    const store = await open();
    const counted = async () =>
      (await listUntold(store, there, ["f", "g"])).map(({ fingerprint, count }) => [fingerprint, count]);
    await countFeedback(store, there, [message("1"), message("2"), message("1"), message("3", "g")], AT);
    expect(await counted()).toEqual([
      ["f", 2],
      ["g", 1],
    ]);
    await countFeedback(store, there, [message("2"), message("1"), message("4")], AT);
    expect(await counted()).toEqual([
      ["f", 3],
      ["g", 1],
    ]);
    await countFeedback(store, elsewhere, [message("1")], AT);
    expect(await counted()).toEqual([
      ["f", 3],
      ["g", 1],
    ]);
  });

  it("GH-9: an environment that only feedback knows is forgotten with its installation, and those of others are not", async () => {
    const store = await open();
    const others = { ...there, repository: { ...there.repository, id: 30, installationId: 8 } };
    for (const environment of [there, others]) {
      const own = subjectKey(environment);
      await countFeedback(store, environment, [message("1")], AT);
      await commitDecision(
        store,
        decision({ appends: [{ traceId: own, expectedVersion: 0, events: [happened()] }], run: [] }),
      );
    }
    await deleteInstallation(store, 7);
    expect(await readEvents(store, subjectKey(there))).toEqual([]);
    expect(await readEvents(store, subjectKey(others))).toHaveLength(1);
    const left = await store.read.all<{ id: string }>("select id from feedback_messages");
    expect(left).toEqual([{ id: `${subjectKey(others)}:1` }]);
  });

  it("the pipeline is told of what is new, ten times as much, over, and there again", async () => {
    const store = await open();
    let next = 0;
    const come = async (many: number, resolved = false) => {
      await countFeedback(
        store,
        there,
        Array.from({ length: many }, () => message(String(next++), "f", resolved)),
        AT,
      );
      const untold = await listUntold(store, there, ["f"]);
      await markTold(store, there, untold);
      return untold.map(({ count, resolved: over }) => [count, over]);
    };
    expect(await come(1)).toEqual([[1, false]]);
    expect(await come(8)).toEqual([]);
    expect(await come(1)).toEqual([[10, false]]);
    expect(await come(89)).toEqual([]);
    expect(await come(1, true)).toEqual([[100, true]]);
    expect(await come(1, true)).toEqual([]);
    expect(await come(1)).toEqual([[102, false]]);
  });

  it("the last message about a thing says whether it is over", async () => {
    const store = await open();
    await countFeedback(
      store,
      there,
      [message("1", "f", true), message("2"), message("3", "g"), message("4", "g", true)],
      AT,
    );
    expect((await listUntold(store, there, ["f", "g"])).map(({ resolved }) => resolved)).toEqual([false, true]);
  });
});
