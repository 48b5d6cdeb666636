import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentSubject } from "../../src/domain/deployments.ts";
import { Subject } from "../../src/domain/subjects.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { decision, HEAD, run } from "../store/fixtures.ts";
import { type GatedShop, openGatedShop } from "./gated-shop.ts";
import { createPerson, hidden, type Person } from "./person.ts";

let shop: GatedShop;
let ben: Person;
beforeEach(async () => {
  shop = await openGatedShop();
  ben = createPerson(shop.home);
  await ben.signIn("ben");
});
afterEach(() => shop?.end());

async function form(person: Person): Promise<Record<string, string>> {
  const page = await (await person.get("/")).text();
  const fields = Object.fromEntries(["token", "run", "gate"].map((name) => [name, hidden(page, name)]));
  return { ...fields, action: "approve", note: "go on" };
}

const comments = () =>
  shop.world.github.pullRequest("acme/shop", 1).comments.map(({ by, body }) => `${by}: ${body.split("\n")[0]}`);

describe("OPS-2, SAFE-3: answering a gate on the page", () => {
  it("is a comment of the person on GitHub, which is decided and answered there as any other", async () => {
    const given = await form(ben);
    const answered = await ben.post("/actions", { ...given, note: "go on\n/forge stop" });
    expect(answered.status).toBe(303);
    const page = await (await ben.get(answered.headers.get("location") ?? "")).text();
    expect(page).toContain("Your yes was posted on GitHub as your comment.");
    const ana = createPerson(shop.home);
    await ana.signIn("ana");
    for (const [person, address] of [
      [ana, answered.headers.get("location") ?? ""],
      [ben, "/?done=approve"],
    ] as const) {
      expect(await (await person.get(address)).text()).not.toContain("Your yes");
    }
    await shop.world.settled();
    expect(comments()).toContainEqual("ben: /forge approve G-1 go on /forge stop");
    expect(comments()).toContainEqual(expect.stringMatching(/^forge\[bot\]: \*\*G-1 approved\*\* by `ben`/));
    const after = await (await ben.get("/")).text();
    expect(after).toContain("Nothing waits for a person.");
    // A second tab still shows it.
    const late = await ben.post("/actions", { ...given, action: "reject" });
    expect(late.status).toBe(409);
    expect(await late.text()).toContain("G-1 was approved by ben. Your answer was not given.");
    expect(comments().filter((comment) => comment.includes("/forge reject"))).toEqual([]);
    await shop.world.expectGoodManners();
  });

  it("of two tabs that answer at once counts the first; the second hears so on its page or on GitHub", async () => {
    const given = await form(ben);
    const pressed = await Promise.all([
      ben.post("/actions", { ...given, note: "" }),
      ben.post("/actions", { ...given, note: "", action: "reject" }),
    ]);
    await shop.world.settled();
    const ends = await shop.world.forge!.store.read.all<{ type: string }>(
      sql`select type from events where type in ('gate.approved', 'gate.rejected')`,
    );
    expect(ends).toHaveLength(1);
    const how = ends[0]!.type === "gate.approved" ? "approved" : "rejected";
    const late = pressed.find(({ status }) => status === 409);
    const told = late ? await late.text() : comments().join("\n");
    expect(told).toContain(
      late
        ? `G-1 was ${how} by ben. Your answer was not given.`
        : `\`G-1\` was ${how} by \`ben\` already; the first answer counts.`,
    );
    await shop.world.expectGoodManners();
  });

  it("SAFE-3: does nothing where a deployment asks under the same number in this conversation, and says so", async () => {
    const given = await form(ben);
    const { store } = shop.world.forge!;
    const [reviewed] = await store.read.all<{ subject: string }>(sql`select subject from runs`);
    const { repository } = Subject.parse(JSON.parse(reviewed!.subject));
    const subject = environmentSubject(repository, "staging");
    const question = { type: "cost_overrun", usedUsd: 2, limitUsd: 2, next: "read on" } as const;
    const payload = {
      gate: "G-1",
      question,
      headSha: HEAD,
      deadline: "2099-01-01T00:00:00.000Z",
      needs: "write",
    } as const;
    await commitDecision(
      store,
      decision({
        appends: [{ traceId: "deploying", expectedVersion: 0, events: [{ type: "gate.requested", payload }] }],
        run: [run("deploying", "waiting", { subject, kind: "deploy" })],
      }),
    );
    const answered = await ben.post("/actions", given);
    expect([answered.status, await answered.text()]).toEqual([
      409,
      expect.stringContaining("A deployment asks under the number G-1 in the same conversation. Nothing was done."),
    ]);
    expect(comments().filter((comment) => comment.startsWith("ben: "))).toEqual([]);
  });

  it("does nothing for pages of others, whatever they send, nor without the token of the form", async () => {
    const given = await form(ben);
    const elsewhere = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    const types = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain", "application/json", ""];
    for (const type of types) {
      const headers = { ...elsewhere, ...(type === "" ? {} : { "content-type": type }) };
      expect((await ben.post("/actions", new URLSearchParams(given).toString(), headers)).status).toBe(403);
    }
    expect((await ben.post("/actions", given, {})).status).toBe(403);
    expect((await ben.post("/actions", given, { "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await ben.post("/actions", { ...given, token: "" })).status).toBe(403);
    const ana = createPerson(shop.home);
    await ana.signIn("ana");
    expect((await ana.post("/actions", given)).status).toBe(403);
    expect((await ben.post("/actions", { ...given, note: "x".repeat(20_000) })).status).toBe(413);
    await shop.world.settled();
    expect(comments().filter((comment) => comment.startsWith("ben: "))).toEqual([]);
  });

  it("asks GitHub at that moment: whoever lost access answers nothing, though the page still showed it", async () => {
    const given = await form(ben);
    shop.world.github.setRole("acme/shop", "ben", null);
    expect((await ben.post("/actions", given)).status).toBe(404);
    expect((await (await ben.get("/")).text()).includes("acme/shop")).toBe(false);
    expect(comments().filter((comment) => comment.startsWith("ben: "))).toEqual([]);
  });

  it("keeps the person signed in where GitHub refuses the comment alone, and says so", async () => {
    const given = await form(ben);
    const body = { message: "Unable to create comment because issue is locked." };
    shop.world.github.faults.add({
      kind: "status",
      status: 403,
      body,
      match: { path: /\/issues\/1\/comments$/, method: "POST" },
      times: 1,
    });
    const refused = await ben.post("/actions", given);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("GitHub does not let you do this there");
    expect((await ben.get("/")).status).toBe(200);
  });

  it("asks GitHub for lists that it did not get again after 20 seconds only, however often pages ask", async () => {
    const { github, clock } = shop.world;
    const lists = { operation: "apps/list-installations-for-authenticated-user" };
    clock.advance(10 * 60_000);
    github.faults.add({ kind: "status", status: 502, match: lists });
    for (let asked = 0; asked < 3; asked += 1) expect((await ben.get("/")).status).toBe(503);
    github.faults.clear();
    // What was not had is held.
    expect((await ben.get("/")).status).toBe(503);
    clock.advance(20_000);
    expect((await ben.get("/")).status).toBe(200);
  });

  it("offers no buttons to whoever may only look", async () => {
    shop.world.github.setRole("acme/shop", "eve", "read");
    const eve = createPerson(shop.home);
    await eve.signIn("eve");
    const page = await (await eve.get("/")).text();
    expect(page).toContain("waits for a word on the budget");
    expect(page).not.toContain("Approve");
  });
});
