import { sql } from "drizzle-orm";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { live, MOST_OF_PERSON } from "../../src/dashboard/live.ts";
import { createLiveLog } from "../../src/dashboard/live-log.ts";
import { ForgeError } from "../../src/domain/errors.ts";
import { statement } from "../../src/store/statement.ts";
import { openPull } from "../e2e/pulls.ts";
import { type EventStream, openStream } from "./event-stream.ts";
import { type GatedShop, openGatedShop } from "./gated-shop.ts";
import { createPerson, hidden, type Person } from "./person.ts";

let shop: GatedShop;
let ben: Person;
beforeAll(async () => {
  shop = await openGatedShop();
  ben = createPerson(shop.home);
  await ben.signIn("ben");
});
afterAll(() => shop?.end());

let count = 0;
async function openAnother(): Promise<void> {
  count += 1;
  await openPull(shop.world, { [`src/new${count}.js`]: "export const one = 1;\n" }, { branch: `branch-${count}` });
  await shop.world.settled();
}

const address = () => `${shop.home}/live`;
const placeOf = async (person: Person) => /data-place="([0-9]+)"/.exec(await (await person.get("/")).text())?.[1] ?? "";

describe("OPS-2: live pages", () => {
  it("tell those who are signed in which runs changed, and nobody else", async () => {
    expect((await createPerson(shop.home).get("/live")).status).toBe(401);
    const stream = await openStream(ben, address());
    await stream.next("place");
    await openAnother();
    const { runs } = JSON.parse((await stream.next("changed")).data);
    expect(runs).toEqual(expect.arrayContaining([expect.stringMatching(/^[0-9A-Z]{26}$/)]));
    stream.close();
  });

  it("catch up from the place of the page, and from the last event that the browser heard, without a gap", async () => {
    const place = await placeOf(ben);
    await openAnother();
    const late = await openStream(ben, `${address()}?after=${place}`);
    const first = await late.next("changed");
    expect(Number(first.id)).toBeGreaterThan(Number(place));
    late.close();
    await openAnother();
    const again = await openStream(ben, `${address()}?after=${place}`, { headers: { "last-event-id": first.id } });
    const second = await again.next("changed");
    expect(Number(second.id)).toBeGreaterThan(Number(first.id));
    const named = (event: { readonly data: string }) => JSON.parse(event.data).runs as string[];
    expect(named(second).some((run) => !named(first).includes(run))).toBe(true);
    again.close();
  });

  it("begin now where a browser names a place that is not there", async () => {
    for (const place of ["999999999999", "-1", "9".repeat(40)]) {
      const stream = await openStream(ben, `${address()}?after=${encodeURIComponent(place)}`);
      await stream.next("place");
      await openAnother();
      await stream.next("changed");
      stream.close();
    }
  });

  it("tell of a repository to those for whom GitHub lists it, and at most 10 minutes longer", async () => {
    const eve = createPerson(shop.home);
    /** How many changes she hears from the start of the log until she signs out. */
    const heard = async () => {
      const stream = await openStream(eve, `${address()}?after=0`);
      await stream.next("place");
      await openAnother();
      const token = hidden(await (await eve.get("/")).text(), "token");
      await eve.post("/auth/sign-out", { token });
      await openAnother();
      await stream.next("ended");
      // Not even a comment, which would show when something happens elsewhere.
      expect(stream.left("")).toBe(0);
      return stream.left("changed");
    };
    await eve.signIn("eve");
    expect(await heard()).toBe(0);
    shop.world.github.setRole("acme/shop", "eve", "read");
    await eve.signIn("eve");
    expect(await heard()).toBeGreaterThan(0);
    await eve.signIn("eve");
    expect(await (await eve.get("/runs")).text()).toContain("acme/shop");
    shop.world.github.setRole("acme/shop", "eve", null);
    shop.world.clock.advance(10 * 60_000);
    expect(await heard()).toBe(0);
  });

  it("are kept by no proxy", async () => {
    const stream = await openStream(ben, address());
    expect(stream.headers["cache-control"]).toBe("no-store");
    stream.close();
  });

  it("leave room for others, however many one person opens or only asks for the headers of", async () => {
    const eve = createPerson(shop.home);
    await eve.signIn("eve");
    for (let asked = 0; asked < 2 * MOST_OF_PERSON; asked += 1) {
      expect((await eve.head("/live")).status).toBe(200);
    }
    const streams: EventStream[] = [];
    for (let asked = 0; asked <= MOST_OF_PERSON; asked += 1) streams.push(await openStream(eve, address()));
    expect(streams.map(({ status }) => status)).toEqual([...Array(MOST_OF_PERSON).fill(200), 503]);
    const stream = await openStream(ben, address());
    expect(stream.status).toBe(200);
    for (const each of [...streams, stream]) each.close();
  });

  it("go on for others while one never reads", async () => {
    const stuck = await openStream(ben, `${address()}?after=0`, { reads: false });
    const stream = await openStream(ben, address());
    await stream.next("place");
    for (let round = 0; round < 3; round += 1) {
      await openAnother();
      await stream.next("changed");
    }
    stuck.close();
    stream.close();
  });

  it("end when the person signs out", async () => {
    const ana = createPerson(shop.home);
    await ana.signIn("ana");
    const stream = await openStream(ana, address());
    await stream.next("place");
    const token = hidden(await (await ana.get("/")).text(), "token");
    expect((await ana.post("/auth/sign-out", { token })).status).toBe(303);
    await openAnother();
    await stream.next("ended");
    await stream.ended;
  });

  it("end as signed out when GitHub no longer accepts the sign-in", async () => {
    const log = createLiveLog(shop.world.forge!.store);
    const facts = { source: "permission", recoverability: "manual" } as const;
    const visitor = () => Promise.reject(new ForgeError("sign_in_ended", "GitHub does not accept it.", facts));
    const errors: unknown[] = [];
    const app = new Hono().get("/live", (call) =>
      live(call, { log, person: 1, visitor, onError: (error) => errors.push(error) }),
    );
    expect(await (await app.request("/live")).text()).toContain("event: ended");
    expect(errors).toEqual([]);
  });

  it("read nothing again for a page that is far behind: it hears that there is much", async () => {
    const { store } = shop.world.forge!;
    const insert = sql`
      insert into events (id, trace_id, version, at, source, type, payload, previous_hash, hash)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 6000)
      select 'Y' || printf('%025d', n), 'Y', n, '2026-11-27T10:00:00.000Z', 'test', 'agent.warning', '{}', '', '' from numbers`;
    await store.queue.alone([statement(insert)]);
    const stream = await openStream(ben, `${address()}?after=0`);
    const { data, id } = await stream.next("changed");
    expect(JSON.parse(data)).toEqual({ runs: [], many: true });
    expect(Number(id)).toBeGreaterThanOrEqual(6000);
    stream.close();
  });
});
