import { expect, it } from "vitest";
import type { StandingDismissal } from "../../src/domain/findings.ts";
import type { FindingClass } from "../../src/domain/hiding.ts";
import { createIdMaker } from "../../src/domain/ids.ts";
import type { RunOutcome } from "../../src/domain/ladder.ts";
import { type Subject, subjectKey } from "../../src/domain/subjects.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { deleteInstallation } from "../../src/store/delete-installation.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { countActions, readOutcomes } from "../../src/store/runs/level-record.ts";
import { type RepositoryChange, readRepositoryFacts } from "../../src/store/runs/repository-facts.ts";
import type { Store } from "../../src/store/store.ts";
import { outcome } from "../safety/level-record.ts";
import { onEveryDatabase } from "./databases.ts";
import { at } from "./fixtures.ts";

const CLASS: FindingClass = {
  ...{ id: "H-7K2Q", rule: "biome/known", folder: "", endings: [".ts"], severity: "warning", blocking: false },
  taught: [],
};

const makeId = createIdMaker();
const inRepository = (id: number): Subject => ({
  kind: "pull_request",
  repository: { id, owner: "acme", name: "shop", installationId: id + 1 },
  number: 3,
});

function standing(findingId: string, reason: string): StandingDismissal {
  const by = { login: "ana", id: 7, kind: "user" } as const;
  return { findingId, by, at: at(0), reason, scope: { kind: "here" }, fingerprint: `of ${findingId}`, rule: "x/rule" };
}

function change(store: Store, ...repository: RepositoryChange[]) {
  return commitDecision(store, { appends: [], repository, at: at(0), makeId, source: "test" });
}

onEveryDatabase((open) => {
  it("HUM-1: keeps one dismissal of a finding, the latest, until it is taken back", async () => {
    const store = await open();
    const subject = inRepository(100);
    for (const reason of ["first", "second"]) {
      await change(store, { kind: "dismissed", subject, standing: standing("F-1", reason) });
    }
    await change(store, { kind: "dismissed", subject, standing: standing("F-2", "other") });
    expect((await readRepositoryFacts(store, 100)).dismissals).toEqual([
      standing("F-1", "second"),
      standing("F-2", "other"),
    ]);
    expect((await readRepositoryFacts(store, 200)).dismissals).toEqual([]);
    await change(store, { kind: "undismissed", subject, findingId: "F-1" });
    expect((await readRepositoryFacts(store, 100)).dismissals).toEqual([standing("F-2", "other")]);
  });

  it("keeps who paused a repository first, until the pause ends", async () => {
    const store = await open();
    const subject = inRepository(100);
    for (const by of ["ana", "ben"]) {
      await change(store, { kind: "paused", subject, pause: { scope: "repository", by, at: at(1) } });
    }
    expect((await readRepositoryFacts(store, 100)).pause).toEqual({ scope: "repository", by: "ana", at: at(1) });
    await change(store, { kind: "unpaused", subject });
    expect((await readRepositoryFacts(store, 100)).pause).toBeUndefined();
  });

  it("SAFE-4: keeps the level as it was set last, and writes nothing that was decided on an older one", async () => {
    const store = await open();
    const subject = inRepository(100);
    const standing = { level: 2, carries: { fix: 2 }, by: "ana", at: at(1) };
    await change(store, { kind: "levelled", subject, standing, after: 0 });
    expect((await readRepositoryFacts(store, 100)).level).toEqual({ ...standing, changes: 1 });
    const late = change(store, { kind: "levelled", subject, standing: { ...standing, level: 3 }, after: 0 });
    await expect(late).rejects.toMatchObject({ code: "version_conflict" });
    await change(store, { kind: "levelled", subject, standing: { ...standing, level: 1 }, after: 1 });
    expect((await readRepositoryFacts(store, 100)).level).toMatchObject({ level: 1, changes: 2 });
    expect((await readRepositoryFacts(store, 200)).level).toBeUndefined();
  });

  it("SAFE-4: keeps one outcome of a run, the latest, newest run first, and begins anew after a miss", async () => {
    const store = await open();
    const subject = inRepository(100);
    const cameOut = (runId: string, to: Partial<RunOutcome> = {}) => {
      return change(store, { kind: "came_out", subject, outcome: outcome({ runId, ...to }), at: at(1) });
    };
    await cameOut("one", { outcome: "merged" });
    await cameOut("two");
    await cameOut("one", { outcome: "reverted" });
    const known = async () => {
      return (await readOutcomes(store, 100)).map((kept) => `${kept.outcome.runId} ${kept.outcome.outcome}`);
    };
    expect(await known()).toEqual(["two right", "one reverted"]);
    const miss = { is: "reverted" } as const;
    const standing = { level: 1, carries: {}, by: "forge", at: at(0), miss };
    await change(store, { kind: "levelled", subject, standing, after: 0 });
    // Also what was merged before it, and comes out later.
    await cameOut("two", { outcome: "wrong" });
    await cameOut("three");
    expect(await known()).toEqual(["three right"]);
    await change(store, {
      kind: "levelled",
      subject,
      standing: { level: 0, carries: {}, by: "ana", at: at(9) },
      after: 1,
    });
    expect(await known()).toEqual(["three right"]);
    const acted = { kind: "acted", subject, level: 2, action: "approved", at: at(1) } as const;
    await change(store, acted, acted);
    expect(await countActions(store, 100)).toEqual([{ level: 2, action: "approved", count: 2 }]);
    await deleteInstallation(store, 101);
    expect([await known(), await countActions(store, 100)]).toEqual([[], []]);
    expect((await readRepositoryFacts(store, 100)).level).toBeUndefined();
  });

  it("DATA-2: forgets dismissals, pauses and the logs of subjects with the installation, and nobody else's", async () => {
    const store = await open();
    for (const subject of [inRepository(100), inRepository(200)]) {
      const source = { kind: "issue_comment", id: "1" } as const;
      const taken = { type: "comment.taken", payload: { subject, source, deliveryId: "d" } } as const;
      const appends = [{ traceId: subjectKey(subject), expectedVersion: 0, events: [taken] }];
      const repository: RepositoryChange[] = [
        { kind: "dismissed", subject, standing: standing("F-1", "known") },
        { kind: "paused", subject, pause: { scope: "repository", by: "ana", at: at(0) } },
        { kind: "hiding_proposed", subject, class: CLASS, at: at(0) },
      ];
      await commitDecision(store, { appends, repository, at: at(0), makeId, source: "test" });
    }
    expect((await readRepositoryFacts(store, 100)).hidings).toMatchObject([{ class: CLASS, state: "proposed" }]);
    await deleteInstallation(store, 101);
    expect(await readRepositoryFacts(store, 100)).toEqual({ dismissals: [], hidings: [] });
    expect(await readEvents(store, subjectKey(inRepository(100)))).toEqual([]);
    expect((await readRepositoryFacts(store, 200)).dismissals).toHaveLength(1);
    expect((await readRepositoryFacts(store, 200)).hidings).toHaveLength(1);
    expect(await readEvents(store, subjectKey(inRepository(200)))).toHaveLength(1);
  });
});
