import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statement } from "../../src/store/statement.ts";
import { type GatedShop, openGatedShop } from "./gated-shop.ts";
import { createPerson, type Person } from "./person.ts";

/** As the simulator numbers ana, the first account of a world. */
const ANA = 1001;

let shop: GatedShop;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  shop = await openGatedShop({ FORGE_OPERATORS: String(ANA) });
  [ana, ben] = [createPerson(shop.home), createPerson(shop.home)];
  await ana.signIn("ana");
  await ben.signIn("ben");
});
afterAll(() => shop?.end());

const textOf = async (person: Person, path: string) => (await person.get(path)).text();

describe("OPS-2: the page of the process", () => {
  it("shows operators the queue, the workers, what was given up and the versions", async () => {
    const later = "2099-01-01T00:00:00.000Z";
    const add = sql`insert into jobs (kind, key, payload, priority, run_at, state, owner, lease_until, error) values
      ('learn', 'a', '{}', 5, ${later}, 'queued', null, null, null),
      ('review', 'b', '{}', 5, ${later}, 'running', 'worker-<7>', ${later}, null),
      ('review', 'c', '{}', 5, ${later}, 'dead', null, null, 'It broke <b>twice</b>.')`;
    await shop.world.forge!.store.queue.alone([statement(add)]);
    const page = await textOf(ana, "/process");
    expect(page).toContain("<code>learn</code></td><td>1</td><td>0</td><td>0</td><td>none</td>");
    expect(page).toContain("<code>review</code></td><td>1</td><td>1</td><td>1</td><td>none</td>");
    expect(page).toContain("<code>worker-&lt;7&gt;</code></td><td>1</td>");
    expect(page).toContain("It broke &lt;b&gt;twice&lt;/b&gt;.");
    expect(page).toContain(`<dt>Node.js</dt><dd>${process.versions.node}</dd>`);
    expect(await textOf(ana, "/")).toContain('<a href="/process">Process</a>');
  });

  it("is none for anybody else, who are not told either when something last happened in repositories of others", async () => {
    const [page, never] = await Promise.all([ben.get("/process"), ben.get("/no-such-page")]);
    expect([page.status, await page.text()]).toEqual([404, await never.text()]);
    const [his, hers] = [await textOf(ben, "/"), await textOf(ana, "/")];
    for (const words of ["Last webhook", "Oldest waiting job", "Jobs given up", "Last call of a model", "/process"]) {
      expect(hers).toContain(words);
      expect(his).not.toContain(words);
    }
    expect(his).toContain("Models today");
  });
});
