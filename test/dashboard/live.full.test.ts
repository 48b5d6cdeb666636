import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPull } from "../e2e/pulls.ts";
import { openStream } from "./event-stream.ts";
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

const live = () => `${shop.home}/live`;
const placeOf = async (person: Person) => /data-place="([0-9]+)"/.exec(await (await person.get("/")).text())?.[1] ?? "";

describe("OPS-2: live pages", () => {
  it("tell those who are signed in which runs changed, and nobody else", async () => {
    expect((await createPerson(shop.home).get("/live")).status).toBe(401);
    const stream = await openStream(ben, live());
    await stream.next("place");
    await openAnother();
    const { runs } = JSON.parse((await stream.next("changed")).data);
    expect(runs).toEqual(expect.arrayContaining([expect.stringMatching(/^[0-9A-Z]{26}$/)]));
    stream.close();
  });

  it("catch up from the place of the page, and from the last event that the browser heard, without a gap", async () => {
    const place = await placeOf(ben);
    await openAnother();
    const late = await openStream(ben, `${live()}?after=${place}`);
    const first = await late.next("changed");
    expect(Number(first.id)).toBeGreaterThan(Number(place));
    late.close();
    await openAnother();
    const again = await openStream(ben, `${live()}?after=${place}`, { headers: { "last-event-id": first.id } });
    const second = await again.next("changed");
    expect(Number(second.id)).toBeGreaterThan(Number(first.id));
    const named = (event: { readonly data: string }) => JSON.parse(event.data).runs as string[];
    expect(named(second).some((run) => !named(first).includes(run))).toBe(true);
    again.close();
  });

  it("begin now where a browser names a place that is not there", async () => {
    for (const place of ["999999999999", "-1", "9".repeat(40)]) {
      const stream = await openStream(ben, `${live()}?after=${encodeURIComponent(place)}`);
      await stream.next("place");
      await openAnother();
      await stream.next("changed");
      stream.close();
    }
  });

  it("tell of a repository while GitHub lists it for the person, at most 10 minutes longer", async () => {
    const eve = createPerson(shop.home);
    await eve.signIn("eve");
    const [hers, his] = [await openStream(eve, live()), await openStream(ben, live())];
    await Promise.all([hers.next("place"), his.next("place")]);
    const runs = (event: { readonly data: string }) => JSON.parse(event.data).runs as string[];
    /** Events of a new pull request: those that he heard. */
    const happen = async () => {
      await openAnother();
      return runs(await his.next("changed"))[0] ?? "";
    };
    const give = (role: "read" | null) => {
      shop.world.github.setRole("acme/shop", "eve", role);
      shop.world.clock.advance(10 * 60_000 + 1_000);
    };
    const before = await happen();
    give("read");
    await happen();
    expect(runs(await hers.next("changed"))).not.toContain(before);
    give(null);
    const hidden = await happen();
    give("read");
    await happen();
    const later = [...runs(await hers.next("changed"))];
    expect(later).not.toContain(hidden);
    give(null);
    hers.close();
    his.close();
  });

  it("go on for others while one never reads", async () => {
    const stuck = await openStream(ben, `${live()}?after=0`, { reads: false });
    const stream = await openStream(ben, live());
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
    const stream = await openStream(ana, live());
    await stream.next("place");
    const token = hidden(await (await ana.get("/")).text(), "token");
    expect((await ana.post("/auth/sign-out", { token })).status).toBe(303);
    await openAnother();
    await stream.next("ended");
    await stream.ended;
  });
});
