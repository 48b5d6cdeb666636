import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statement } from "../../src/store/statement.ts";
import { type GatedShop, openGatedShop } from "../dashboard/gated-shop.ts";
import { createPerson } from "../dashboard/person.ts";
import { forge } from "./run-kit.ts";

let shop: GatedShop;
beforeAll(async () => {
  shop = await openGatedShop();
});
afterAll(() => shop?.end());

const run = (...args: string[]) => forge(args, { DATABASE_URL: shop.world.config.database.url });

describe("OPS-1, OPS-2: status, history and show print what the pages show, while Forge runs", () => {
  it("forge status names the gate that waits, who may answer it, and the money of today", async () => {
    const { code, out, err } = await run("status");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(
      /^1 gate waits for a person:\n {2}[0-9A-Z]{26} {2}G-\d+ {2}acme\/shop#1 {2}a word on the budget {2}asked .* needs push permission/,
    );
    expect(out).toMatch(/\nJobs: \d+ waiting, 0 running, 0 given up\. Models today \(UTC\): \$0\.11\.\n$/);
    const { gates, waiting, jobs } = JSON.parse((await run("status", "--json")).out);
    expect({ waiting, jobs }).toMatchObject({ waiting: 1, jobs: { dead: 0 } });
    expect(gates[0]).toMatchObject({ needs: "write", subject: { number: 1 }, question: { type: "cost_overrun" } });
  });

  it("forge history finds runs by what the page's search finds", async () => {
    const all = JSON.parse((await run("history", "--json")).out);
    expect(all).toHaveLength(1);
    for (const fitting of [["1"], ["acme/shop"], [all[0].runId], ["--kind", "review", "--status", "waiting"]])
      expect(JSON.parse((await run("history", ...fitting, "--json")).out)).toEqual(all);
    for (const other of [["2"], ["--status", "failed"], ["--kind", "deploy"]])
      expect((await run("history", ...other)).out).toBe("  (no runs)\n");
  });

  it("forge show prints the report of the page, and --log its events", async () => {
    const [{ runId }] = JSON.parse((await run("history", "--json")).out);
    const { out } = await run("show", runId);
    const ben = createPerson(shop.home);
    await ben.signIn("ben");
    const page = await (await ben.get(`/runs/${runId}`)).text();
    for (const words of ["Timeline", "a word on the budget", "Findings", "Cost", "Tokens read", "$0.11"]) {
      expect(page).toContain(words);
      expect(out).toContain(words);
    }
    expect(out.split("\n")[0]).toMatch(/^acme\/shop#1, review at [0-9a-f]{7}: waits, .* by ana, run [0-9A-Z]{26}$/);
    expect(out).toMatch(/\nThe log, event by event: forge show [0-9A-Z]{26} --log\n$/);
    const report = JSON.parse((await run("show", runId.slice(0, 20), "--json")).out);
    expect(report).toMatchObject({ run: { runId }, gates: [{ question: { type: "cost_overrun" } }] });
    expect((await run("show", runId, "--log")).out).toMatch(/\n\S+ review +gate\.requested /);
    const [first] = JSON.parse((await run("show", runId, "--log", "--json")).out);
    expect(first).toMatchObject({ type: "run.started", version: 1 });
  });

  it("shows text of others without what moves a cursor or turns text around", async () => {
    const { store } = shop.world.forge!;
    const [{ runId }] = JSON.parse((await run("history", "--json")).out);
    const title = "A\u001b]0;owned\u0007 \u202etitle";
    const rename = sql`update events set payload = json_set(payload, '$.task', ${`Review: ${title}`}, '$.issue.title', ${title})
      where trace_id = ${runId} and version = 1`;
    await store.queue.alone([statement(rename)]);
    for (const args of [["status"], ["history"], ["show", runId]]) {
      const { out } = await run(...args);
      expect(out).toContain("owned");
      for (const character of ["\u001b", "\u0007", "\u202e"]) expect(out).not.toContain(character);
    }
  });
});
