import { type SQL, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { statement } from "../../src/store/statement.ts";
import { createWorld, type World } from "../e2e/world.ts";
import { createPerson, hidden, type Person } from "./person.ts";

/** As the simulator numbers ana, the first account of a world. */
const ANA = 1001;
const PATH = "/process/deliveries";

describe("OPS-2: the deliveries of GitHub, for operators", () => {
  let world: World;
  let ana: Person;
  let ben: Person;
  let issue: number;
  beforeAll(async () => {
    world = await createWorld({ signIn: true, environment: { FORGE_OPERATORS: String(ANA) } });
    const home = `http://127.0.0.1:${world.forge?.port}`;
    [ana, ben] = [createPerson(home), createPerson(home)];
    await ana.signIn("ana");
    await ben.signIn("ben");
    issue = world.github.openIssue("acme/shop", { by: "ben", title: "Carts" }).number;
    await world.settled();
  });
  afterAll(() => world?.end());
  afterEach(() => world.github.faults.clear());

  const pageOf = async (path = PATH) => (await ana.get(path)).text();
  const answers = () =>
    world.github
      .issue("acme/shop", issue)
      .comments.filter(({ by }) => by === "forge[bot]")
      .map(({ body }) => body);
  const lostDelivery = async (body: string) => {
    world.github.faults.add({ kind: "drop", match: { event: "issue_comment" }, times: 1 });
    world.github.comment("acme/shop", issue, { by: "ben", body });
    await world.settled();
  };
  /** The form of the first row that offers something. */
  const formOf = (page: string) => {
    const [form = ""] = /<form method="post" action="\/process\/deliveries"[\s\S]*?<\/form>/.exec(page) ?? [];
    return Object.fromEntries(
      ["token", "guid", "attempt"].map((name) => [name, hidden(form, name)]).filter(([, value]) => value),
    );
  };

  it("has GitHub deliver again what was not received, and Forge answers it then", async () => {
    await lostDelivery("/forge help");
    const page = await pageOf();
    expect(page).toContain("<td>none</td><td>not received</td>");
    const pressed = await ana.post(PATH, formOf(page));
    expect(pressed.status).toBe(303);
    const next = pressed.headers.get("location") ?? "";
    expect(next).toMatch(/^\/process\/deliveries\?done=/);
    expect(await pageOf(next)).toContain("GitHub will deliver it again.");
    await world.settled();
    expect(answers()).toEqual([expect.stringContaining("/forge")]);
    expect(await pageOf()).toContain("<td>202, 2 tries</td><td>handled</td>");
    expect(await pageOf()).toContain("Forge has received and handled everything in this list.");
  });

  it("handles again what Forge gave up on: a comment gets the answer that it is owed, besides the word that it was lost", async () => {
    const write = (change: SQL) => world.forge!.store.queue.alone([statement(change)]);
    const before = answers().length;
    // As a database that refuses to write what follows.
    await write(sql`create trigger no_command before insert on jobs when new.kind = 'command'
      begin select raise(abort, 'no <b>room</b>'); end`);
    world.github.comment("acme/shop", issue, { by: "ben", body: "/forge help" });
    await world.settled();
    await write(sql`drop trigger no_command`);
    const page = await pageOf();
    expect(page).toMatch(/<td>202<\/td><td>given up: [^<]+<\/td>/);
    expect(answers().slice(before)).toEqual([expect.stringContaining("If it was meant for Forge: write it again.")]);
    const pressed = await ana.post(PATH, formOf(page));
    expect(await pageOf(pressed.headers.get("location") ?? "")).toContain("Forge handles this delivery again.");
    await world.settled();
    expect(answers().slice(before)).toEqual([
      expect.stringContaining("write it again"),
      expect.stringContaining("| `/forge status` | what is going on here |"),
    ]);
    expect(await pageOf()).toContain("Forge has received and handled everything in this list.");
    await world.expectGoodManners();
  });

  it("says what GitHub says where it refuses, and changes nothing", async () => {
    await lostDelivery("/forge help");
    const page = await pageOf();
    const body = { message: "This delivery is <too old>." };
    world.github.faults.add({ kind: "status", status: 422, body, match: { path: /attempts$/ }, times: 1 });
    const refused = await ana.post(PATH, formOf(page));
    expect(refused.status).toBe(502);
    expect(await refused.text()).toContain("GitHub says: This delivery is &lt;too old&gt;.");
    expect(await pageOf()).toContain("<td>none</td><td>not received</td>");
    expect((await ana.post(PATH, formOf(page))).status).toBe(303);
    await world.settled();
  });

  it("shows what Forge received where GitHub does not list anything", async () => {
    world.github.faults.add({
      kind: "status",
      status: 503,
      body: { message: "Down." },
      match: { path: /hook\/deliveries/ },
    });
    const page = await pageOf();
    expect(page).toContain("GitHub does not list what it delivered: ");
    expect(page).toContain("<code>issue_comment</code>");
    expect(page).toContain("<td>handled</td>");
  });

  it("does nothing for anybody else, without the form of the session, or for what was handled", async () => {
    await lostDelivery("/forge help");
    const form = formOf(await pageOf());
    const before = world.github.deliveries.length;
    const theirs = hidden(await (await ben.get("/")).text(), "token");
    const answered = async (pressed: Promise<Response>) => (await pressed).status;
    expect(await answered(ben.get(PATH))).toBe(404);
    expect(await answered(ben.post(PATH, { ...form, token: theirs }))).toBe(404);
    expect(await answered(ana.post(PATH, { ...form, token: theirs }))).toBe(403);
    expect(await answered(ana.post(PATH, form, { "sec-fetch-site": "cross-site" }))).toBe(403);
    expect(await answered(ana.post(PATH, { ...form, guid: "" }))).toBe(400);
    const handled = world.github.deliveries.find(({ status }) => status === "OK");
    // An attempt that no page offered for this delivery: GitHub would send what was handled.
    expect(await answered(ana.post(PATH, { ...form, attempt: `${handled?.id}` }))).toBe(400);
    expect(await answered(ana.post(PATH, { ...form, guid: "0b0c5f0a-5a3c-11f0-8de9-0242ac120002" }))).toBe(400);
    const again = await ana.post(PATH, { ...form, guid: handled?.guid ?? "" });
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining("would change nothing")]);
    await world.settled();
    expect(world.github.deliveries.length).toBe(before);
  });

  it("asks GitHub for the person first: a sign-in that GitHub no longer takes delivers nothing", async () => {
    await lostDelivery("/forge help");
    const form = formOf(await pageOf());
    const before = world.github.deliveries.length;
    const body = { message: "Bad credentials" };
    world.github.faults.add({ kind: "status", status: 401, body, match: { path: /\/user$/ }, times: 1 });
    expect((await ana.post(PATH, form)).status).toBe(401);
    expect((await ana.post(PATH, form)).status).toBe(401);
    await world.settled();
    expect(world.github.deliveries.length).toBe(before);
    await ana.signIn("ana");
    expect((await ana.post(PATH, formOf(await pageOf()))).status).toBe(303);
    await world.settled();
  });
});

describe("OPS-2: the rate limits of GitHub on the page of the process", () => {
  it("are those of the last answers, by installation and resource, without a request for them", async () => {
    const world = await createWorld({ signIn: true, environment: { FORGE_OPERATORS: String(ANA) } });
    try {
      const ana = createPerson(`http://127.0.0.1:${world.forge?.port}`);
      await ana.signIn("ana");
      const { number } = world.github.openIssue("acme/shop", { by: "ben", title: "Carts" });
      world.github.comment("acme/shop", number, { by: "ben", body: "/forge help" });
      await world.settled();
      await ana.get(PATH);
      const asked = world.github.requests.length;
      const page = await (await ana.get("/process")).text();
      expect(world.github.requests.length).toBe(asked);
      expect(page).toMatch(/<td>acme<\/td><td><code>core<\/code><\/td><td>4,9\d\d<\/td><td>5,000<\/td><td><time /);
      expect(page).toMatch(
        /<td>acme<\/td><td>[1-9] of 500<\/td><td>[1-9] of 80<\/td><td>[1-9] of 180<\/td><td>none<\/td>/,
      );
      expect(page).toMatch(/<dt>Models today \(UTC\)<\/dt><dd>\$0\.00 of \$[\d.,]+<\/dd>/);
      expect(page).toMatch(/<td>the App itself<\/td><td><code>core<\/code><\/td><td>4,9\d\d<\/td><td>5,000<\/td>/);
      world.github.faults.add({
        ...{
          kind: "status",
          status: 403,
          body: { message: "API rate limit exceeded" },
          match: { path: /hook/ },
          times: 1,
        },
        headers: { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "4102444800" },
      });
      await ana.get(PATH);
      const after = await (await ana.get("/process")).text();
      expect(after).toContain(
        '<td>the App itself</td><td><code>core</code></td><td>0</td><td>5,000</td><td><time datetime="2100-01-01',
      );
    } finally {
      await world.end();
    }
  });
});
