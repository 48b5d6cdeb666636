import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { type EnvironmentSubject, type Subject, subjectKey } from "../../src/domain/subjects.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { deleteInstallation } from "../../src/store/delete-installation.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { expireFeedback } from "../../src/store/expire.ts";
import { type CountedMessage, changeFeedback, type FeedbackChange, readFeedback } from "../../src/store/feedback.ts";
import type { Store } from "../../src/store/store.ts";
import { onEveryDatabase } from "./databases.ts";
import { decision, happened } from "./fixtures.ts";

const there: EnvironmentSubject = {
  kind: "environment",
  repository: { id: 3, owner: "acme", name: "shop", installationId: 7 },
  environment: "production",
};
const elsewhere: EnvironmentSubject = { ...there, environment: "staging" };
const message = (id: string, fingerprint = "f", resolved = false) => ({ id, fingerprint, resolved });
const feedback = {
  is: "alert",
  id: "1",
  fingerprint: "f",
  name: "A",
  resolved: false,
  labels: {},
  summary: "",
} as const;
const AT = "2026-11-23T10:00:00.000Z";
const LATER = "2026-12-24T10:00:00.000Z";

type Rest = Partial<Pick<FeedbackChange, "told" | "today">>;

function count(store: Store, environment: Subject, counted: readonly CountedMessage[], rest: Rest = {}, at = AT) {
  const heard = counted.map(({ id }) => id);
  const none = { told: [], today: { heard: 0, others: 0, othersTold: 0, changes: 0 } };
  const feedback = { environment, heard, counted, ...none, ...rest };
  return commitDecision(store, decision({ appends: [], run: [], at, feedback }));
}

async function counts(store: Store, environment: Subject, fingerprints = ["f", "g"], at = AT) {
  const asked = fingerprints.map((fingerprint) => message("?", fingerprint));
  const { known } = await readFeedback(store, environment, asked, at);
  return fingerprints.map((fingerprint) => known.get(fingerprint)?.count);
}

onEveryDatabase((open) => {
  it("PROD-2: a message counts once, however often it comes and in however many deliveries", async () => {
    const store = await open();
    await count(store, there, [message("1"), message("2"), message("1"), message("3", "g")]);
    expect(await counts(store, there)).toEqual([2, 1]);
    await count(store, there, [message("2"), message("1"), message("4")]);
    expect(await counts(store, there)).toEqual([3, 1]);
    await count(store, elsewhere, [message("1")]);
    expect(await counts(store, there)).toEqual([3, 1]);
    const { counted } = await readFeedback(store, there, [message("1"), message("9")], AT);
    expect([...counted]).toEqual(["1"]);
  });

  it("PROD-3: a batch is counted with what follows from it or not at all", async () => {
    const store = await open();
    const own = subjectKey(there);
    await commitDecision(
      store,
      decision({ appends: [{ traceId: own, expectedVersion: 0, events: [happened()] }], run: [] }),
    );
    const feedback = {
      ...{ environment: there, heard: ["1"], counted: [message("1")], told: [] },
      today: { heard: 1, others: 0, othersTold: 0, changes: 0 },
    };
    const late = decision({ appends: [{ traceId: own, expectedVersion: 0, events: [happened()] }], run: [], feedback });
    await expect(commitDecision(store, late)).rejects.toMatchObject({ code: "version_conflict" });
    expect(await counts(store, there)).toEqual([undefined, undefined]);
    expect((await readFeedback(store, there, [message("1")], AT)).counted.size).toBe(0);
  });

  it("GH-9: an environment that only feedback knows is forgotten with its installation, and those of others are not", async () => {
    const store = await open();
    const others = { ...there, repository: { ...there.repository, id: 30, installationId: 8 } };
    for (const environment of [there, others]) {
      const own = subjectKey(environment);
      await count(store, environment, [message("1")]);
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
    const days = await store.read.all<{ id: number }>("select installation_id as id from feedback_days");
    expect(days).toEqual([{ id: 8 }]);
  });

  it("knows what the pipeline was told, which issues are of the last 24 hours, and the numbers of the day", async () => {
    const store = await open();
    const shown = { environment: "production", feedback, times: 2, firstAt: AT, lastAt: AT, resolved: false } as const;
    const told = [{ fingerprint: "f", told: 2, toldResolved: false, issueAt: AT, shown }];
    const today = { heard: 2, others: 1, othersTold: 1, changes: 0 };
    await count(store, there, [message("1"), message("2"), message("3", "g")], { told, today });
    await count(store, there, [message("4", "g", true)], { today: { heard: 0, others: 1, othersTold: 0, changes: 3 } });
    const known = await readFeedback(store, there, [message("?"), message("?", "g")], AT);
    expect(known.known.get("f")).toMatchObject({ count: 2, told: 2, issueAt: AT, firstAt: AT, shown });
    expect(known.known.get("g")).toMatchObject({ count: 2, told: 0, issueAt: null, resolved: true, shown: null });
    expect(known).toMatchObject({ today: { heard: 2, others: 2, othersTold: 1, changes: 3 } });
    const issues = (at: string) => readFeedback(store, there, [], at).then((facts) => facts.issues);
    expect([await issues(AT), await issues("2026-11-24T10:00:00.000Z")]).toEqual([1, 0]);
  });

  it("PROD-3: every row of a batch finds its count and its message by their keys", async () => {
    const store = await open();
    const change = { environment: there, heard: ["1"], counted: [message("1")], told: [] };
    const today = { heard: 1, others: 0, othersTold: 0, changes: 0 };
    const plans = await Promise.all(
      changeFeedback({ ...change, today }, AT).map(({ sql: text, args }) => {
        const parts = text
          .split("?")
          .flatMap((part, index) => [sql.raw(part), ...(index < args.length ? [sql`${args[index]}`] : [])]);
        return store.read.all<{ detail: string }>(sql.join([sql.raw("explain query plan "), ...parts]));
      }),
    );
    const steps = plans.flat().map(({ detail }) => detail);
    expect(steps).toContainEqual(expect.stringMatching(/^SEARCH feedback_counts .*subject_key=\? AND fingerprint=\?/));
    expect(steps.filter((step) => /^SCAN feedback/.test(step) || /subject_key=\?\)/.test(step))).toEqual([]);
  });

  it("the last message about a thing says whether it is over", async () => {
    const store = await open();
    await count(store, there, [message("1", "f", true), message("2"), message("3", "g"), message("4", "g", true)]);
    const { known } = await readFeedback(store, there, [message("?"), message("?", "g")], AT);
    expect([known.get("f")?.resolved, known.get("g")?.resolved]).toEqual([false, true]);
  });

  it("PROD-3: what has no issue of its own expires, and what has one does not", async () => {
    const store = await open();
    const told = [{ fingerprint: "f", told: 1, toldResolved: false, issueAt: AT, shown: null }];
    await count(store, there, [message("1"), message("2", "g"), message("3", "h")], { told });
    await count(store, there, [message("4", "h")], {}, LATER);
    await expireFeedback(store, "2026-12-07T10:00:00.000Z");
    expect(await counts(store, there, ["f", "g", "h"])).toEqual([1, undefined, 2]);
    const days = await store.read.all<{ day: string }>("select day from feedback_days");
    expect(days).toEqual([{ day: "2026-12-24" }]);
  });
});
