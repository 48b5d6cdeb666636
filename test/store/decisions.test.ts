import { describe, expect, it } from "vitest";
import { GENESIS, type RunEvent } from "../../src/domain/events.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { listEffectsOfRun } from "../../src/store/effects/read-effects.ts";
import { readEvents, verifyRun } from "../../src/store/events/read-events.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { countJobs } from "../../src/store/jobs/read-jobs.ts";
import { readLedger, takenFindingIds } from "../../src/store/runs/ledger.ts";
import {
  findActiveRun,
  findImplementation,
  listRuns,
  listRunsOfSubject,
  readRun,
} from "../../src/store/runs/read-runs.ts";
import { subscribe } from "../../src/store/subscribe.ts";
import { onEveryDatabase } from "./databases.ts";
import { at, decision, finding, HEAD, happened, opening, pullRequest, run } from "./fixtures.ts";

const review = { kind: "review", key: "k", payload: { runId: "run-1", subject: pullRequest() }, runAt: at(0) } as const;

describe("a decision", () => {
  onEveryDatabase((open) => {
    it("EVT-1, EVT-3: its events come back as they were sealed, in a chain that continues", async () => {
      const store = await open();
      const rich = {
        ...happened("d-2"),
        phase: "review",
        actor: { login: "ana", id: 5, kind: "user" },
        durationMs: 12.5,
        cost: { tokens: 10, usd: 0.25 },
      } as const;
      const first = await commitDecision(store, decision());
      const second = await commitDecision(
        store,
        decision({ appends: [{ traceId: "run-1", expectedVersion: 1, events: [rich, happened("d-3")] }] }),
      );
      const stored = await readEvents(store, "run-1");
      expect(stored).toEqual([...first, ...second]);
      expect(stored.map(({ version }) => version)).toEqual([1, 2, 3]);
      expect(stored.map(({ previousHash }) => previousHash)).toEqual([GENESIS, stored[0]!.hash, stored[1]!.hash]);
      expect(await verifyRun(store, "run-1")).toEqual({});
      expect(await readEvents(store, "run-2")).toEqual([]);
    });

    it("EVT-3: of a log that was read before, what came later is read, and all of it where it is another one", async () => {
      const store = await open();
      const append = (expectedVersion: number, ...ids: readonly string[]) =>
        commitDecision(
          store,
          decision({ appends: [{ traceId: "run-1", expectedVersion, events: ids.map((id) => happened(id)) }] }),
        );
      const ids = async () =>
        (await readEvents(store, "run-1")).map(({ payload }) => "deliveryId" in payload && payload.deliveryId);
      await append(0, "d-1");
      expect(await ids()).toEqual(["d-1"]);
      await append(1, "d-2", "d-3");
      expect(await ids()).toEqual(["d-1", "d-2", "d-3"]);
      await store.queue.alone([{ sql: "update events set payload = '{}' where version = 1", args: [] }]);
      expect(await ids()).toEqual(["d-1", "d-2", "d-3"]);
      await store.queue.alone([{ sql: "delete from events", args: [] }]);
      expect(await ids()).toEqual([]);
      await append(0, "e-1");
      expect(await ids()).toEqual(["e-1"]);
      await store.queue.alone([{ sql: "delete from events", args: [] }]);
      await append(0, "f-1", "f-2");
      expect(await ids()).toEqual(["f-1", "f-2"]);
    });

    it("EVT-3: a changed log is detected", async () => {
      const store = await open();
      const events = [happened("d-1"), happened("d-2"), happened("d-3")];
      await commitDecision(store, decision({ appends: [{ traceId: "run-1", expectedVersion: 0, events }] }));
      const sql = "update events set payload = replace(payload, 'd-2', 'd-9') where version = 2";
      await store.queue.alone([{ sql, args: [] }]);
      expect(await verifyRun(store, "run-1")).toEqual({ brokenAt: 2 });
    });

    it("PIPE-7: of two decisions on the same state one is refused, and nothing of it is written", async () => {
      const store = await open();
      const answers = await Promise.allSettled(
        ["a", "b"].map((mark) =>
          commitDecision(
            store,
            decision({
              appends: [{ traceId: "run-1", expectedVersion: 0, events: [happened(mark)] }],
              effects: [{ runId: "run-1", subject: pullRequest(), headSha: HEAD, effects: [opening(mark)] }],
              jobs: [{ ...review, key: mark }],
            }),
          ),
        ),
      );
      const refused = answers.filter((answer) => answer.status === "rejected");
      expect(refused).toHaveLength(1);
      expect(refused[0]!.reason).toMatchObject({ code: "version_conflict" });
      expect(await readEvents(store, "run-1")).toHaveLength(1);
      expect(await listEffectsOfRun(store, "run-1")).toHaveLength(1);
      expect((await countJobs(store)).queued).toBe(1);
    });

    it("refuses a decision that saw more events than there are", async () => {
      const store = await open();
      const ahead = decision({ appends: [{ traceId: "run-1", expectedVersion: 3, events: [happened()] }] });
      await expect(commitDecision(store, ahead)).rejects.toMatchObject({ code: "version_conflict" });
      expect(await readEvents(store, "run-1")).toEqual([]);
    });

    it("PIPE-3: a subject has one active run of a kind; ending one and starting the next is one decision", async () => {
      const store = await open();
      await commitDecision(store, decision({ run: [run("run-1", "running")] }));
      const start = (traceId: string, runs: ReturnType<typeof run>[]) =>
        commitDecision(
          store,
          decision({ appends: [{ traceId, expectedVersion: 0, events: [happened()] }], run: runs }),
        );
      await expect(start("run-2", [run("run-2", "pending")])).rejects.toMatchObject({ code: "version_conflict" });
      expect(await readEvents(store, "run-2")).toEqual([]);
      await start("run-2", [run("run-2", "pending"), run("run-1", "cancelled", { endedAt: at(2) })]);
      expect(await findActiveRun(store, pullRequest(), "review")).toMatchObject({ traceId: "run-2" });
      await start("run-3", [run("run-3", "pending", { kind: "implement" })]);
      await start("run-4", [run("run-4", "pending", { subject: pullRequest(2) })]);
    });

    it("GH-5: runs are found by id, subject, status and head", async () => {
      const store = await open();
      const ended = run("run-1", "completed", { endedAt: at(9), conclusion: "success" });
      const later = run("run-2", "waiting", { startedAt: at(5), headSha: "c".repeat(40) });
      await commitDecision(store, decision({ appends: [], run: [later, ended] }));
      expect(await readRun(store, "run-1")).toEqual(ended);
      expect(await readRun(store, "run-9")).toBeUndefined();
      expect(await listRunsOfSubject(store, pullRequest())).toEqual([later, ended]);
      expect(await listRunsOfSubject(store, pullRequest(), { since: at(1) })).toEqual([later]);
      expect(await listRunsOfSubject(store, pullRequest(), { limit: 1 })).toEqual([later]);
      expect(await listRuns(store, { limit: 1 })).toEqual([later]);
      expect(await listRuns(store, { status: "completed", limit: 9 })).toEqual([ended]);
      expect(await findActiveRun(store, pullRequest(2), "review")).toBeUndefined();
    });

    it("GH-5, GH-6: the newest implementation is found by the pull request that it opened, and by the head of its branch", async () => {
      const store = await open();
      const of = { kind: "implement", subject: { ...pullRequest(3), kind: "issue" } } as const;
      const older = run("run-1", "failed", { ...of, endedAt: at(2), pullNumber: 8, branch: "forge/3-limit" });
      const newer = run("run-2", "running", { ...of, startedAt: at(3), pullNumber: 8, branch: "forge/3-limit-2" });
      const early = run("run-3", "pending", { ...of, subject: { ...of.subject, number: 4 }, headSha: "", baseSha: "" });
      const review = run("run-4", "running", { startedAt: at(9) });
      await commitDecision(store, decision({ appends: [], run: [older, newer, early, review] }));
      expect(await findImplementation(store, 100, { pull: 8 })).toEqual(newer);
      expect(await findImplementation(store, 100, { headSha: HEAD })).toEqual(newer);
      expect(await findImplementation(store, 100, { pull: 1 })).toBeUndefined();
      expect(await findImplementation(store, 101, { pull: 8 })).toBeUndefined();
      const opened = { ...early, status: "running", headSha: "d".repeat(40), pullNumber: 9, version: 2 } as const;
      await commitDecision(store, decision({ appends: [], run: [opened] }));
      expect(await findImplementation(store, 100, { pull: 9 })).toEqual(opened);
    });

    it("GH-3a: the ledger keeps a finding's place and comment until they are told anew", async () => {
      const store = await open();
      const subject = pullRequest();
      const tell = (change: object) =>
        commitDecision(
          store,
          decision({
            appends: [],
            ledger: [{ subject, finding: finding("F-AAAA"), state: "open", headSha: HEAD, ...change }],
          }),
        );
      await tell({});
      expect(await readLedger(store, subject)).toEqual([
        { finding: finding("F-AAAA"), state: "open", placement: "none", headSha: HEAD },
      ]);
      await tell({ placement: "comment", commentId: 55 });
      const renamed = finding("F-AAAA", { file: "src/b.ts", fingerprint: "another" });
      await tell({ state: "fixed", headSha: "c".repeat(40), finding: renamed });
      expect(await readLedger(store, subject)).toEqual([
        { finding: renamed, state: "fixed", placement: "comment", commentId: 55, headSha: "c".repeat(40) },
      ]);
      expect(await takenFindingIds(store, 100, ["F-AAAA", "F-BBBB"])).toEqual(
        new Map([["F-AAAA", { fingerprint: "another", subjectNumber: 1 }]]),
      );
      expect(await takenFindingIds(store, 101, ["F-AAAA"])).toEqual(new Map());
    });

    it("VOICE 8: an id stays with its pull request; another one of the repository cannot take it", async () => {
      const store = await open();
      const ledger = (number: number, repositoryId: number) => [
        {
          subject: pullRequest(number, 7, repositoryId),
          finding: finding("F-AAAA"),
          state: "open" as const,
          headSha: HEAD,
        },
      ];
      await commitDecision(store, decision({ appends: [], ledger: ledger(1, 100) }));
      await expect(commitDecision(store, decision({ ledger: ledger(2, 100) }))).rejects.toMatchObject({
        code: "finding_id_taken",
      });
      expect(await readEvents(store, "run-1")).toEqual([]);
      expect(await readLedger(store, pullRequest(1))).toHaveLength(1);
      await commitDecision(store, decision({ appends: [], ledger: ledger(1, 101) }));
    });

    it("takes 1,200 findings and their events at once", async () => {
      const store = await open();
      const all = Array.from({ length: 1200 }, (_, index) => finding(`F-${String(index).padStart(4, "0")}`));
      const events = all.map((one) => ({ type: "finding.detected", payload: { finding: one } }) as const);
      await commitDecision(
        store,
        decision({
          appends: [{ traceId: "run-1", expectedVersion: 0, events }],
          ledger: all.map((one) => ({ subject: pullRequest(), finding: one, state: "open" as const, headSha: HEAD })),
        }),
      );
      expect(await readLedger(store, pullRequest())).toHaveLength(1200);
      expect(await readEvents(store, "run-1")).toHaveLength(1200);
      const taken = await takenFindingIds(
        store,
        100,
        all.map(({ id }) => id),
      );
      expect(taken.size).toBe(1200);
    });

    it("PIPE-7: counts only while the job of its fence is still held", async () => {
      const store = await open();
      await commitDecision(store, decision({ appends: [], jobs: [review] }));
      const first = await claimJob(store, { workerId: "w1", now: at(1), leaseMs: 1000 });
      const fence = { jobId: first!.id, token: first!.token };
      await commitDecision(store, decision({ fence }));
      const second = await claimJob(store, { workerId: "w2", now: at(3), leaseMs: 1000 });
      expect(second?.id).toBe(first?.id);
      const late = decision({ appends: [{ traceId: "run-1", expectedVersion: 1, events: [happened()] }], fence });
      await expect(commitDecision(store, late)).rejects.toMatchObject({ code: "lease_lost" });
      expect(await readEvents(store, "run-1")).toHaveLength(1);
      await commitDecision(store, { ...late, fence: { jobId: second!.id, token: second!.token } });
      expect(await readEvents(store, "run-1")).toHaveLength(2);
    });

    it("a cancelled run takes its waiting jobs along and asks its running ones to stop", async () => {
      const store = await open();
      const jobs = ["a", "b"].map((key) => ({ ...review, key, runId: "run-1" }));
      await commitDecision(store, decision({ appends: [], jobs: [...jobs, { ...review, key: "c", runId: "run-2" }] }));
      const running = await claimJob(store, { workerId: "w", now: at(1), leaseMs: 60_000 });
      expect(running?.key).toBe("a");
      await commitDecision(store, decision({ cancelJobsOfRuns: ["run-1"] }));
      expect(await countJobs(store)).toEqual({ queued: 1, running: 1, dead: 0 });
      expect((await claimJob(store, { workerId: "w", now: at(2), leaseMs: 60_000 }))?.key).toBe("c");
    });

    it("EVT-3: is stored before anybody hears of it, and a failing subscriber neither stops the others nor loses it", async () => {
      const reported: unknown[] = [];
      const store = await open({ onListenerError: (error) => void reported.push(error) });
      const heard: string[] = [];
      const stored: Promise<readonly RunEvent[]>[] = [];
      subscribe(store, "*", () => {
        throw new Error("broken");
      });
      subscribe(store, "webhook.received", () => Promise.reject(new Error("broken later")));
      subscribe(store, "webhook.*", (event) => {
        heard.push(event.type);
        stored.push(readEvents(store, "run-1"));
      });
      subscribe(store, "run.*", (event) => void heard.push(event.type));
      const stop = subscribe(store, "webhook.received", () => void heard.push("exact"));
      await commitDecision(store, decision());
      expect(heard).toEqual(["webhook.received", "exact"]);
      expect(await stored[0]).toHaveLength(1);
      expect(reported.map(String)).toEqual(["Error: broken", "Error: broken later"]);
      stop();
      await expect(commitDecision(store, decision())).rejects.toMatchObject({ code: "version_conflict" });
      expect(heard).toHaveLength(2);
    });
  });
});
