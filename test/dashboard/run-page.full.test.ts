import { request } from "node:http";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statement } from "../../src/store/statement.ts";
import { openPull } from "../e2e/pulls.ts";
import { type GatedShop, openGatedShop } from "./gated-shop.ts";
import { createPerson, type Person } from "./person.ts";

let shop: GatedShop;
let ben: Person;
let path: string;
beforeAll(async () => {
  shop = await openGatedShop();
  ben = createPerson(shop.home);
  await ben.signIn("ben");
  path = /href="(\/runs\/[0-9A-Z]{26})"/.exec(await (await ben.get("/")).text())?.[1] ?? "";
});
afterAll(() => shop?.end());

const textOf = async (person: Person, address: string) => (await person.get(address)).text();

describe("OPS-2: the page of a run", () => {
  it("is where its check leads", async () => {
    const check = shop.world.github.pullRequest("acme/shop", 1).checkRuns[0];
    expect(check?.detailsUrl).toBe(`${shop.home}${path}`);
  });

  it("shows what the run did when, what it cost by phase and model, and its log", async () => {
    const page = await textOf(ben, path);
    for (const words of [
      "Timeline",
      "a word on the budget",
      "Tokens read",
      "$0.11",
      "agent.reasoned",
      "gate.requested",
    ])
      expect(page).toContain(words);
  });

  it("is there for nobody who does not see the repository, in the words for a run that never was", async () => {
    const eve = createPerson(shop.home);
    await eve.signIn("eve");
    const [hers, never] = await Promise.all([eve.get(path), eve.get(`/runs/${"0".repeat(26)}`)]);
    expect([hers.status, never.status]).toEqual([404, 404]);
    expect(await hers.text()).toBe(await never.text());
    expect(await textOf(eve, "/runs")).not.toContain("acme/shop");
    expect(await textOf(eve, `/runs?q=${path.slice(6)}`)).not.toContain("acme/shop");
    expect((await createPerson(shop.home).get(path)).status).toBe(401);
  });

  it("tells strangers nothing by an error either: a run with events that cannot be read is none for them", async () => {
    const { store } = shop.world.forge!;
    const id = path.slice("/runs/".length);
    const insert = sql`insert into events (id, trace_id, version, at, source, type, payload, previous_hash, hash)
      values ('Z', ${id}, 900, '2026-11-27T10:00:00.000Z', 'test', 'phase.entered', '{"phase":7}', '', '')`;
    await store.queue.alone([statement(insert)]);
    const eve = createPerson(shop.home);
    await eve.signIn("eve");
    expect((await ben.get(path)).status).toBe(500);
    expect((await eve.get(path)).status).toBe(404);
    await store.queue.alone([statement(sql`delete from events where id = 'Z'`)]);
  });

  it("says what a run at work does, in the words of its check, until something else happens to it", async () => {
    const { store } = shop.world.forge!;
    const id = path.slice("/runs/".length);
    const hash = "0".repeat(64);
    const add = (version: number, type: string, payload: object) =>
      statement(sql`insert into events (id, trace_id, version, at, source, type, payload, previous_hash, hash)
        values (${String(version).padStart(26, "0")}, ${id}, ${version}, '2026-11-27T10:00:00.000Z', 'test', ${type}, ${JSON.stringify(payload)}, ${hash}, ${hash})`);
    const [{ status } = { status: "" }] = await store.read.all<{ status: string }>(
      sql`select status from runs where trace_id = ${id}`,
    );
    const stand = (now: string) => statement(sql`update runs set status = ${now} where trace_id = ${id}`);
    const activity = { doing: "tool", tool: "read_file", about: "<b>x</b>", files: 1 };
    await store.queue.alone([add(900, "review.progressed", activity), stand("running")]);
    expect(await textOf(ben, path)).toContain("Now: reading &lt;b&gt;x&lt;/b&gt; ");
    await store.queue.alone([stand("waiting")]);
    expect(await textOf(ben, path)).not.toContain("Now: ");
    await store.queue.alone([add(901, "phase.completed", { phase: "review", durationMs: 1 }), stand("running")]);
    expect(await textOf(ben, path)).not.toContain("Now: ");
    await store.queue.alone([
      statement(sql`delete from events where trace_id = ${id} and version in (900, 901)`),
      stand(status),
    ]);
  });

  it("keeps the steps of agents from those who may only read", async () => {
    shop.world.github.setRole("acme/shop", "eve", "read");
    await shop.world.settled();
    const eve = createPerson(shop.home);
    await eve.signIn("eve");
    const page = await textOf(eve, path);
    expect(page).toContain("gate.requested");
    for (const type of ["run.started", "phase.entered", "gate.requested"])
      expect(page).toContain(`<code>${type}</code>`);
    for (const type of ["agent.reasoned", "memory.stored", "memory.recalled", "webhook.received"])
      expect(page).not.toContain(type);
    expect(page).toContain("People with push permission also see");
    shop.world.github.setRole("acme/shop", "eve", null);
    await shop.world.settled();
  });

  it("shows the texts of others as text, without what hides or turns it around", async () => {
    const title = '</a><img src=x onerror=alert(1)>" onclick="x \u202egpj.exe';
    await openPull(shop.world, { "src/b.js": "export const b = 1;\n" }, { branch: "hostile", title });
    await shop.world.settled();
    const list = await textOf(ben, "/runs?q=gpj");
    expect(list).toContain("&lt;img src=x onerror=alert(1)&gt;&quot; onclick=&quot;x gpj.exe");
    expect(list).not.toMatch(/<img|\u202e/);
    const own = await textOf(ben, `/runs?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(own).not.toContain("<script>");
    expect(own).toContain("&quot;&gt;&lt;script&gt;");
  });

  it("stays small with 20,000 events and payloads of 1 MB, and has the rest on further pages", async () => {
    const { store } = shop.world.forge!;
    const id = path.slice("/runs/".length);
    // As a very long run would leave them; the page reads them as they are.
    const insert = sql`
      insert into events (id, trace_id, version, at, source, type, payload, previous_hash, hash)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 20000)
      select 'X' || printf('%025d', n), ${id}, 1000 + n, '2026-11-27T10:00:00.000Z', 'test', 'agent.warning',
        iif(n % 5000 = 1, json_object('message', printf('%.*c', 1000000, 'x')), '{}'), '', '' from numbers`;
    await store.queue.alone([statement(insert)]);
    const page = await textOf(ben, path);
    expect(page.length).toBeLessThan(150_000);
    const next = /href="(\?after=[0-9]+#log)"/.exec(page)?.[1]?.replace("#log", "") ?? "";
    const second = await textOf(ben, `${path}${next}`);
    expect(second).toContain(">1100<");
    expect(second.length).toBeLessThan(150_000);
    for (const after of ["-1", "x", "1e400", "99999999999999999999"])
      expect((await ben.get(`${path}?after=${after}`)).status).toBe(200);
  });

  it("trusts no Host header: neither an address of the page nor a redirect is made of it", async () => {
    const cookie = [...ben.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const ask = (address: string) =>
      new Promise<{ location: string; text: string }>((resolve, reject) => {
        const { port } = new URL(shop.home);
        request({ port, path: address, headers: { host: "evil.example", "x-forwarded-host": "evil.example", cookie } })
          .on("response", (response) => {
            let text = "";
            response.setEncoding("utf8").on("data", (part) => {
              text += part;
            });
            response.on("end", () => resolve({ location: response.headers.location ?? "", text }));
          })
          .on("error", reject)
          .end();
      });
    for (const address of ["/", path, "/runs", "/auth/login", "/no-such"]) {
      const { location, text } = await ask(address);
      expect(`${location}${text}`).not.toContain("evil.example");
    }
  });
});
