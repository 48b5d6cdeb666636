import { afterEach, describe, expect } from "vitest";
import { compareReplay } from "../../src/pipeline/compare-replay.ts";
import { readLedger } from "../../src/store/runs/ledger.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import { boxed } from "../needs/sandbox.ts";
import { goOnWith, stateOf, VERSIONS } from "./go-on.ts";

let end: (() => Promise<void>) | undefined;
afterEach(async () => end?.());

/** Those with work on issues and reviews in the middle of it. */
const WITH_WORK = VERSIONS.filter((version) => "unfinished" in stateOf(version).places);

describe.each(WITH_WORK)("the database in %s", (version) => {
  boxed(
    "PIPE-7, PIPE-8: is gone on with: what was in flight ends, and a call that waited for a person runs",
    async () => {
      const at = await goOnWith(version);
      end = at.end;
      const { world, say, statusOf, typesOf } = at;
      await world.settled();
      expect(await statusOf("unread")).toBe("completed");
      expect(await typesOf("unfinished")).toContain("pull.ready");
      await say("tests", "/forge approve");
      expect(await statusOf("tests")).toBe("completed");
      await world.expectGoodManners();
    },
  );

  boxed(
    "PIPE-7, PIPE-8: every gate in it is answered, and its run proceeds; what was stopped, dismissed and ready goes on too",
    async () => {
      const at = await goOnWith(version);
      end = at.end;
      const { world, github, places, say, statusOf, typesOf } = at;
      await world.settled();
      await say("expensive", "/forge reject");
      expect(await statusOf("expensive")).toBe("completed");
      await say("question", "/forge answer Yes, always two digits.");
      await say("risky plan", "/forge approve");
      await say("high risk", "/forge approve");
      await say("failing tests", "/forge approve");
      for (const what of ["high risk", "failing tests"]) {
        expect([what, (await typesOf(what)).includes("pull.ready")]).toEqual([what, true]);
      }
      // What they were asked for was merged meanwhile.
      for (const what of ["question", "risky plan"]) expect([what, await statusOf(what)]).toEqual([what, "completed"]);
      await say("changed hash", "/forge approve");
      expect(await typesOf("changed hash")).toContain("gate.approved");
      await say("never mended", "/forge reject");
      expect(await typesOf("never mended")).toContain("gate.rejected");
      await say("stopped", "/forge resume");
      expect(await typesOf("stopped")).toContain("run.resumed");
      await github.mergePullRequest("acme/cart", places.ready!.number + 1, "ana");
      await world.settled();
      expect(await statusOf("ready")).toBe("completed");
      const { shop } = stateOf(version).facts.repositories as Record<"shop", { dismissals: { findingId: string }[] }>;
      await say("dismissed", `/forge undismiss ${shop.dismissals[0]!.findingId}`);
      const { store } = world.forge!;
      const ledger = await readLedger(store, (await at.run("dismissed")).subject);
      expect(ledger.map(({ state }) => state)).toEqual(["open", "open"]);
      await world.expectGoodManners();
      for (const { traceId } of await listRuns(store, { limit: 1_000 })) {
        expect((await compareReplay(store, traceId)).differences).toEqual([]);
      }
    },
    600_000,
  );
});
