import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { environmentSubject } from "../../src/domain/deployments.ts";
import { createIdMaker } from "../../src/domain/ids.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { statement } from "../../src/store/statement.ts";
import { FAULTY, openPull } from "../e2e/pulls.ts";
import { createWorld, type World } from "../e2e/world.ts";
import { run } from "../store/fixtures.ts";
import { createPerson, hidden, type Person } from "./person.ts";

const REPOSITORY = "acme/shop";

let world: World;
let home: string;
let ben: Person;
let path: string;

const textOf = async (person: Person, address: string) => (await person.get(address)).text();
const say = async (by: string, body: string) => {
  world.github.comment(REPOSITORY, 1, { by, body });
  await world.settled();
};
/** The address of the first run on a page. */
const runOn = (page: string) => /href="(\/runs\/[0-9A-Z]{26})"/.exec(page)?.[1] ?? "";
async function signedIn(login: string): Promise<Person> {
  const person = createPerson(home);
  await person.signIn(login);
  return person;
}

beforeAll(async () => {
  const settings = "review:\n  max_comments: 7\nsafety:\n  automation_level: 2\n";
  world = await createWorld({
    files: { ".github/forge.yml": settings, "src/cents.ts": "export const CENTS = 100;\n" },
    signIn: true,
  });
  home = `http://127.0.0.1:${world.forge?.port}`;
  world.github.createAccount("eve");
  world.github.createAccount("tom");
  world.github.setRole(REPOSITORY, "tom", "triage");
  await openPull(world, { "src/same.ts": FAULTY }, { branch: "topic", title: "Same <img src=x>" });
  await world.settled();
  ben = await signedIn("ben");
  path = /href="(\/repositories\/\d+)"/.exec(await textOf(ben, "/repositories"))?.[1] ?? "";
});
afterAll(() => world?.end());

describe("OPS-2: the page of a repository", () => {
  it("is listed for those whom GitHub lists it for, and is there for nobody else", async () => {
    expect(path).toMatch(/^\/repositories\/\d+$/);
    const eve = await signedIn("eve");
    expect(await textOf(eve, "/repositories")).not.toContain("acme/shop");
    for (const each of [path, `${path}/memories`]) {
      const [hers, never] = await Promise.all([eve.get(each), eve.get(each.replace(/\d+/, "999999"))]);
      expect([hers.status, never.status]).toEqual([404, 404]);
      expect(await hers.text()).toBe(await never.text());
    }
  });

  it("shows pull requests with their verdicts, the settings with their source, and the level with what is missing", async () => {
    const page = await textOf(ben, path);
    expect(page).toContain("Same &lt;img src=x&gt;");
    expect(page).toContain("did not pass");
    expect(page).toContain("<code>review.max_comments</code></td><td><code>7</code></td><td>.github/forge.yml");
    expect(page).toContain("Level 1: Forge suggests, people decide.");
    expect(page).toMatch(
      /<th scope="col">To level 2<\/th>[\s\S]*0 reviewed pull requests, 0 failed[\s\S]*50 of 50 good ones/,
    );
    expect(page).toContain("Forge has deployed nothing here.");
    expect(page).not.toContain('value="level"');
  });

  it("is there although an environment has an event that this version does not know", async () => {
    const { store } = world.forge!;
    const repository = { id: Number(path.split("/").at(-1)), owner: "acme", name: "shop", installationId: 1 };
    const subject = environmentSubject(repository, "staging");
    const hash = "0".repeat(64);
    await commitDecision(store, {
      ...{ appends: [], at: "2026-11-27T10:00:00.000Z", makeId: createIdMaker(), source: "test" },
      run: [run("R".padStart(26, "0"), "running", { subject, kind: "deploy" })],
    });
    await store.queue.alone([
      statement(sql`insert into events (id, trace_id, version, at, source, type, payload, previous_hash, hash) values
        (${"E".padStart(26, "0")}, ${"R".padStart(26, "0")}, 1, '2026-11-27T10:00:00.000Z', 'test', 'deploy.later', '{}', ${hash}, ${hash})`),
    ]);
    const page = await textOf(ben, path);
    expect(page).toContain("has an event that this version of Forge cannot read");
    expect(page).toContain("Same &lt;img src=x&gt;");
    await store.queue.alone([
      statement(sql`delete from events where type = 'deploy.later'`),
      statement(sql`delete from runs where kind = 'deploy'`),
    ]);
  });

  it("shows dismissals with who, why and how far they reach, and a pause", async () => {
    const finding = hidden(await textOf(ben, runOn(await textOf(ben, path))), "finding");
    await say("ben", `/forge dismiss ${finding} we compare with itself --rule`);
    await say("ana", "/forge pause --repository");
    const page = await textOf(ben, path);
    expect(page).toContain(finding);
    expect(page).toContain("the rule everywhere");
    expect(page).toContain("we compare with itself");
    expect(page).toContain("Paused by ana");
    await say("ana", "/forge unpause --repository");
    expect(await textOf(ben, path)).not.toContain("Paused by");
  });

  it("sets the level for those who maintain the repository, in the latest conversation", async () => {
    const ana = await signedIn("ana");
    const page = await textOf(ana, path);
    expect(page).toContain("The command is posted on acme/shop#1");
    const form = { token: hidden(page, "token"), run: hidden(page, "run"), action: "level", back: "repository" };
    for (const level of ["9", "", "1e0"]) expect((await ana.post("/actions", { ...form, level })).status).toBe(400);
    const set = await ana.post("/actions", { ...form, level: "0" });
    expect(set.headers.get("location")).toMatch(new RegExp(`^${path}\\?done=`));
    await world.settled();
    expect(await textOf(ana, path)).toContain("Level 0: Forge reports, and does nothing else.");
    const own = world.github.pullRequest(REPOSITORY, 1).comments.filter(({ by }) => by === "ana");
    expect(own.at(-1)?.body).toBe("/forge level 0");
    await say("ana", "/forge level 1");
  });

  it("shows memories with who taught them and whether the code is still there, and has one forgotten", async () => {
    await say("ben", "/forge remember Prices are in cents, as `src/cents.ts` says.");
    world.github.setRole(REPOSITORY, "tom", "read");
    const tom = await signedIn("tom");
    expect(await textOf(tom, path)).not.toContain("/memories");
    expect((await tom.get(`${path}/memories`)).status).toBe(404);
    const page = await textOf(ben, `${path}/memories`);
    expect(page).toContain("Prices are in cents");
    expect(page).toContain("taught by ben");
    expect(page).toMatch(/rests on <code>src\/cents\.ts<\/code> \(still there\)/);
    await world.github.commit(REPOSITORY, "main", {
      files: { "src/cents.ts": null as never },
      message: "Drop it",
      author: "ana",
    });
    await world.settled();
    expect(await textOf(ben, `${path}/memories`)).toContain("(gone, so it is not used)");
    const fields = {
      action: "forget",
      memory: /<code>(M-[0-9A-Z]+)<\/code> Prices/.exec(page)?.[1] ?? "",
      back: "memories",
    };
    const done = await ben.post("/actions", { token: hidden(page, "token"), run: hidden(page, "run"), ...fields });
    expect(done.headers.get("location")).toMatch(new RegExp(`^${path}/memories\\?done=`));
    await world.settled();
    expect(await textOf(ben, `${path}/memories`)).not.toContain("Prices are in cents");
  });
});
