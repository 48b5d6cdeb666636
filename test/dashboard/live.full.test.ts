import { sql } from "drizzle-orm";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { live, MOST_OF_PERSON } from "../../src/dashboard/live.ts";
import { createLiveLog } from "../../src/dashboard/live-log.ts";
import { createLogPlaces } from "../../src/dashboard/log-places.ts";
import { createSeal } from "../../src/dashboard/seal.ts";
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
const placeOf = async (person: Person) => /data-place="([^"]+)"/.exec(await (await person.get("/")).text())?.[1] ?? "";

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
    expect(first.id).not.toBe(place);
    late.close();
    await openAnother();
    const again = await openStream(ben, `${address()}?after=${place}`, { headers: { "last-event-id": first.id } });
    const second = await again.next("changed");
    expect(second.id).not.toBe(first.id);
    const named = (event: { readonly data: string }) => JSON.parse(event.data).runs as string[];
    expect(named(second).some((run) => !named(first).includes(run))).toBe(true);
    again.close();
  });

  it("have the page loaded again where it names a place that Forge did not give to this person, and tell what follows", async () => {
    const ana = createPerson(shop.home);
    await ana.signIn("ana");
    for (const place of ["999999999999", "-1", "9".repeat(400), await placeOf(ana)]) {
      const stream = await openStream(ben, `${address()}?after=${encodeURIComponent(place)}`);
      await stream.next("place");
      expect(JSON.parse((await stream.next("changed")).data)).toEqual({ runs: [], many: true });
      await openAnother();
      expect(JSON.parse((await stream.next("changed")).data)).toMatchObject({ many: false });
      stream.close();
    }
  });

  it("carry no number by which a person could tell how much happens elsewhere", async () => {
    const eve = createPerson(shop.home);
    await eve.signIn("eve");
    const stream = await openStream(eve, address());
    const ids = [(await stream.next("place")).id, await placeOf(eve), await placeOf(eve)];
    expect(new Set(ids).size).toBe(3);
    expect(new Set(ids.map((id) => id.length)).size).toBe(1);
    stream.close();
  });

  it("tell of a repository to those for whom GitHub lists it, and at most 10 minutes longer", async () => {
    const eve = createPerson(shop.home);
    /** How many changes she hears from her page on until she signs out. */
    const heard = async () => {
      const stream = await openStream(eve, `${address()}?after=${await placeOf(eve)}`);
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
    const stuck = await openStream(ben, address(), { reads: false });
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
    const places = createLogPlaces(createSeal("secret"), "1");
    const errors: unknown[] = [];
    const app = new Hono().get("/live", (call) =>
      live(call, { log, places, person: 1, visitor, onError: (error) => errors.push(error) }),
    );
    expect(await (await app.request("/live")).text()).toContain("event: ended");
    expect(errors).toEqual([]);
  });

  it("read nothing again for a page that is far behind: it hears that there is much", async () => {
    const { store } = shop.world.forge!;
    const before = await placeOf(ben);
    const insert = sql`
      insert into events (id, trace_id, version, at, source, type, payload, previous_hash, hash)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 6000)
      select 'Y' || printf('%025d', n), 'Y', n, '2026-11-27T10:00:00.000Z', 'test', 'agent.warning', '{}', '', '' from numbers`;
    await store.queue.alone([statement(insert)]);
    const stream = await openStream(ben, `${address()}?after=${before}`);
    const { data } = await stream.next("changed");
    expect(JSON.parse(data)).toEqual({ runs: [], many: true });
    stream.close();
  });
});
