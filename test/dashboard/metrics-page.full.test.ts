import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../e2e/world.ts";
import { historyOf, merged } from "../learning/history.ts";
import { type GatedShop, openGatedShop } from "./gated-shop.ts";
import { createPerson, type Person } from "./person.ts";

/** As the simulator numbers ana, the first account of a world. */
const ANA = 1001;
/** A repository that GitHub lists for nobody here. */
const OTHERS = 900_001;

let shop: GatedShop;
let ana: Person;
let ben: Person;
let eve: Person;
beforeAll(async () => {
  shop = await openGatedShop({ FORGE_OPERATORS: String(ANA), FORGE_METRICS_TOKEN: "a token for Prometheus" });
  [ana, ben, eve] = [createPerson(shop.home), createPerson(shop.home), createPerson(shop.home)];
  await ana.signIn("ana");
  await ben.signIn("ben");
  await eve.signIn("eve");
});
afterAll(() => shop?.end());

const textOf = async (person: Person, path: string) => (await person.get(path)).text();
const history = (repositoryId: number) => {
  const { forge, clock } = shop.world;
  return historyOf(forge!.store, repositoryId, () => new Date(clock.now()));
};
const shopId = async () => {
  const [row] = await shop.world.forge!.store.read.all<{ id: number }>(sql`select repository_id as id from runs`);
  return row!.id;
};
/** What a section of the page says, without markup. */
const part = (page: string, id: string) => {
  const [section = ""] = new RegExp(`<section class="metric[ a-z]*" id="${id}"[\\s\\S]*?</section>`).exec(page) ?? [];
  return section
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
};

describe("MET-1: the page of the metrics", () => {
  it("says that there is nothing to count yet, and to whom GitHub lists nothing, that it does not", async () => {
    const empty = await createWorld({ signIn: true });
    const newcomer = createPerson(`http://127.0.0.1:${empty.forge?.port}`);
    await newcomer.signIn("ben");
    expect(await textOf(newcomer, "/insights")).toContain("There is nothing to count yet");
    await empty.end();
    expect(await textOf(eve, "/insights")).toContain("GitHub lists no repository for you");
    expect(await textOf(ben, "/")).toContain('<a href="/insights">Metrics</a>');
  });

  it("counts for each person what they may see, in the period of the address, with the samples", async () => {
    const here = history(await shopId());
    await here.learned(2, [merged(true), merged(true), merged(false)]);
    await here.learned(20, [merged(false)]);
    await history(OTHERS).learned(1, [merged(true), merged(false)]);
    const [week, month, hers] = await Promise.all([
      textOf(ben, "/insights?days=7"),
      textOf(ben, "/insights"),
      textOf(ana, "/insights?days=7"),
    ]);
    expect(part(week, "first_pass")).toContain("2 of 3 pull requests");
    expect(part(week, "first_pass")).not.toContain("%");
    expect(part(week, "first_pass")).toContain("Only 3: one more can change this a lot.");
    expect(part(month, "first_pass")).toContain("2 of 4 pull requests");
    expect(part(hers, "first_pass")).toContain("3 of 5 pull requests");
    expect(week).toContain('<a href="/insights?days=7" aria-current="page">7 days</a>');
    expect(month).toContain('<a href="/insights?days=30" aria-current="page">30 days</a>');
  });

  it("shows one repository by the address, and says no word of one that the person may not see", async () => {
    const id = await shopId();
    expect(part(await textOf(ben, `/insights?repository=${id}`), "first_pass")).toContain("2 of 4 pull requests");
    expect(part(await textOf(ana, `/insights?repository=${OTHERS}`), "first_pass")).toContain("1 of 2 pull requests");
    const page = await textOf(ana, `/insights?repository=${OTHERS}&days=7`);
    expect(page).toContain(`<a href="/insights?days=90&amp;repository=${OTHERS}">90 days</a>`);
    const [hidden, never] = await Promise.all([ben.get(`/insights?repository=${OTHERS}`), ben.get("/no-such-page")]);
    expect([hidden.status, await hidden.text()]).toEqual([404, await never.text()]);
  });

  it("counts what people and Forge really did: an answered gate, a review with its result, and what became of its finding", async () => {
    const { github } = shop.world;
    const before = await textOf(ben, "/insights");
    expect(part(before, "seconds_to_answer")).toContain("Nothing was counted");
    expect(part(before, "seconds_to_check")).toContain("Nothing was counted");
    github.comment("acme/shop", 1, { by: "ben", body: "/forge approve G-1" });
    await shop.world.settled();
    const [thread] = github.pullRequest("acme/shop", 1).reviewComments;
    github.replyToReviewComment("acme/shop", 1, thread!.id, { by: "ben", body: "/forge dismiss by design" });
    await shop.world.settled();
    await github.mergePullRequest("acme/shop", 1, "ana");
    await shop.world.settled();
    const after = await textOf(ben, "/insights");
    expect(part(after, "seconds_to_answer")).toContain("of 1 gate");
    expect(part(after, "seconds_to_check")).toContain("of 1 review");
    expect(part(after, "findings")).toContain("0 fixed, 1 dismissed, of 1 finding");
    expect(part(after, "precision-layer")).toContain("ai 0 of 1 0 1 0 1");
    expect(part(after, "cost_of_run")).toContain("of 1 run");
    expect(part(after, "ends")).toContain("1 run");
  });
});
