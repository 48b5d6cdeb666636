import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { ActionForm, commentFor } from "../../src/dashboard/actions/action.ts";
import { RUN_LIMITS } from "../../src/domain/command-arguments.ts";
import { statement } from "../../src/store/statement.ts";
import { goodMind, SHOP } from "../e2e/implementer.ts";
import { ALWAYS_ASK, createIssueWorld } from "../e2e/issue-world.ts";
import { CLEAN, FAULTY, openPull } from "../e2e/pulls.ts";
import { createWorld, type World } from "../e2e/world.ts";
import { until } from "../until.ts";
import { createPerson, hidden, type Person } from "./person.ts";

const REPOSITORY = "acme/shop";

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

const homeOf = (world: World) => `http://127.0.0.1:${world.forge?.port}`;

async function signedIn(world: World, login: string): Promise<Person> {
  const person = createPerson(homeOf(world));
  await person.signIn(login);
  return person;
}

/** The newest run of a search: its id, and its page as this person sees it. */
async function newest(person: Person, search = ""): Promise<{ id: string; page: string }> {
  const list = await (await person.get(`/runs${search}`)).text();
  const id = /href="\/runs\/([0-9A-Z]{26})"/.exec(list)?.[1] ?? "";
  return { id, page: await (await person.get(`/runs/${id}`)).text() };
}

/** Presses a button of the page of a run. */
async function press(person: Person, fields: Readonly<Record<string, string>>, search = ""): Promise<Response> {
  const { id, page } = await newest(person, search);
  return person.post("/actions", { token: hidden(page, "token"), run: id, back: "run", ...fields });
}

const offered = (page: string) => [...page.matchAll(/name="action" value="(\w+)"/g)].map(([, name]) => name);

describe("OPS-2, SAFE-3: actions on the page of a run are commands of the person on GitHub", () => {
  it("dismisses a finding and takes that back, as far as each person may", async () => {
    const world = await createWorld({ signIn: true });
    ended.push(world.end);
    const { github } = world;
    for (const [login, role] of Object.entries({ tom: "triage", eve: "read" } as const)) {
      github.createAccount(login);
      github.setRole(REPOSITORY, login, role);
    }
    await openPull(world, { "src/same.ts": FAULTY }, { branch: "topic" });
    await world.settled();
    const said = () =>
      github.pullRequest(REPOSITORY, 1).comments.map(({ by, body }) => `${by}: ${body.split("\n")[0]}`);
    const ben = await signedIn(world, "ben");
    const { page } = await newest(ben);
    expect(offered(page)).toEqual(["review", "dismiss", "dismiss"]);
    const finding = hidden(page, "finding");

    // A note is one line, and no option.
    expect((await press(ben, { action: "dismiss", finding, note: "see --path src" })).status).toBe(400);
    expect((await press(ben, { action: "dismiss", finding, note: "x", reach: "path" })).status).toBe(400);
    expect((await press(ben, { action: "dismiss", finding: "F-1 --rule" })).status).toBe(400);
    expect(said()).toEqual([]);
    const done = await press(ben, { action: "dismiss", finding, note: "on purpose\n/forge stop" });
    expect(done.status).toBe(303);
    const next = await (await ben.get(done.headers.get("location") ?? "")).text();
    expect(next).toContain("<code>/forge dismiss</code> was posted on GitHub as your comment.");
    await world.settled();
    expect(said()).toContainEqual(`ben: /forge dismiss ${finding} on purpose /forge stop`);
    const after = await newest(ben);
    expect(after.page).toContain("dismissed by ben");
    expect(offered(after.page)).toEqual(["review", "dismiss", "undismiss"]);

    const tom = await signedIn(world, "tom");
    expect((await press(tom, { action: "undismiss", finding })).status).toBe(303);
    await world.settled();
    expect((await newest(tom)).page).not.toContain("dismissed by ben");
    // A rule of the whole repository takes push permission, which Forge would say on GitHub as well.
    const refused = await press(tom, { action: "dismiss", finding, reach: "rule" });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("needs push permission");

    const eve = await signedIn(world, "eve");
    expect(offered((await newest(eve)).page)).toEqual([]);
    const own = await (await eve.get("/")).text();
    const { id } = await newest(eve);
    const forced = { token: hidden(own, "token"), run: id, action: "dismiss", finding };
    expect((await eve.post("/actions", forced)).status).toBe(403);
    expect(said().filter((comment) => comment.startsWith("eve: "))).toEqual([]);
    await world.expectGoodManners();
  });

  it("stops work on an issue, and resumes it with instructions", async () => {
    const told = await createIssueWorld(goodMind, { files: { ...SHOP, ...ALWAYS_ASK }, signIn: true });
    ended.push(told.end);
    const { world, said, view } = told;
    await told.label();
    const ben = await signedIn(world, "ben");
    expect(offered((await newest(ben)).page)).toEqual(["approve", "reject", "stop", "extend"]);
    expect((await press(ben, { action: "stop" })).status).toBe(303);
    await world.settled();
    const stopped = await newest(ben);
    expect(offered(stopped.page)).toEqual(["resume", "retry", "extend"]);
    expect((await press(ben, { action: "extend", limit: "usd", amount: "-3" })).status).toBe(400);
    // The most that the page lets a person type is what the command takes.
    const most = /name="amount"[^>]* max="(\d+)"/.exec(stopped.page)?.[1];
    for (const limit of RUN_LIMITS) {
      const form = ActionForm.parse({ run: "r", action: "extend", limit, amount: most });
      expect(commentFor(form, "")?.body).toBe(`/forge extend ${limit} ${most}`);
    }
    // Who presses "Retry" and chooses nothing begins no earlier phase again.
    const [, phase] = /<select name="phase"><option value="(\w*)">/.exec(stopped.page) ?? [];
    expect(commentFor(ActionForm.parse({ run: "r", action: "retry", phase }), "")?.body).toBe("/forge retry");
    expect((await press(ben, { action: "extend", limit: "usd", amount: "2.5" })).status).toBe(303);
    expect((await press(ben, { action: "resume", note: "two digits, always" })).status).toBe(303);
    await world.settled();
    const own = view().comments.filter(({ by }) => by === "ben");
    expect(own.map(({ body }) => body)).toEqual([
      "/forge stop",
      "/forge extend usd 2.5",
      "/forge resume two digits, always",
    ]);
    expect(said().join("\n")).toContain("2.5");
    expect((await newest(ben)).page).toContain("G-");
    // A review of Forge's own pull request: the command reaches the work, and the page says so.
    expect((await press(ben, { action: "approve", gate: hidden((await newest(ben)).page, "gate") })).status).toBe(303);
    await world.settled();
    const { store } = world.forge!;
    const review = await newest(ben, "?kind=review");
    expect(review.page).not.toContain("Forge&#39;s own");
    await store.queue.alone([statement(sql`update runs set status = 'waiting' where trace_id = ${review.id}`)]);
    const waiting = (await newest(ben, "?kind=review")).page;
    expect(offered(waiting)).toContain("resume");
    expect(waiting.match(/This pull request is Forge&#39;s own, so the command is for the work on #1\./g)).toHaveLength(
      1,
    );
    await store.queue.alone([statement(sql`update runs set status = 'completed' where trace_id = ${review.id}`)]);
    await told.expectGoodManners();
  });

  it("answers the gate of a deployment, promotes it and takes it back, on the pull request that it came from", async () => {
    const workflow = ".github/workflows/deploy.yml";
    const settings = `deploy:
  after_merge: production
  production:
    way: deployment
    workflow: ${workflow}
    steps: [50, 100]
    bake_minutes: 0
    ask_minutes: 0
    probe_seconds: 1
    watch_minutes: 0.02
`;
    const files = {
      ".github/forge.yml": settings,
      [workflow]: "on: deployment\njobs:\n  deploy: { runs-on: ubuntu-latest }\n",
    };
    const world = await createWorld({ files, signIn: true });
    ended.push(world.end);
    world.github.workflows(REPOSITORY).on(workflow, async () => {});
    const { number } = await openPull(world, { "src/total.ts": CLEAN }, { branch: "change" });
    await world.settled();
    await world.github.mergePullRequest(REPOSITORY, number, "ana");
    await world.settled();
    const comments = () =>
      world.github.pullRequest(REPOSITORY, number).comments.map(({ by, body }) => `${by}: ${body}`);
    const ana = await signedIn(world, "ana");
    const deployments = "?kind=deploy";
    const { id, page } = await newest(ana, deployments);
    const gate = hidden(page, "gate");
    const yes = { action: "approve", gate, note: "it is the first version" };
    expect((await press(ana, yes, deployments)).status).toBe(303);
    await until(() => comments().some((comment) => comment.includes("**The health of this step is unknown")));
    expect((await press(ana, { action: "promote", note: "looked at it" }, deployments)).status).toBe(303);
    await until(() => comments().some((comment) => comment.includes("**Deployed, and not judged**")));
    await world.settled();
    expect(offered((await newest(ana, deployments)).page)).toEqual(["rollback", "release"]);
    // A page that was loaded before: the command would be about the deployment that comes next.
    const late = await press(ana, { action: "promote" }, deployments);
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining("The run has moved on")]);
    const list = await (await ana.get("/repositories")).text();
    const own = await (await ana.get(/href="(\/repositories\/\d+)"/.exec(list)?.[1] ?? "")).text();
    expect(own).toMatch(/<strong>production<\/strong> runs <code>[0-9a-f]{7}<\/code> since/);
    expect(own).toContain("deployed, watched by nobody");
    const ask = { token: hidden(own, "token"), run: hidden(own, "run"), action: "deploy", back: "repository" };
    expect(own).toContain("<button>Deploy to production</button>");
    expect(own).not.toContain("Deploy to staging");
    // Without an environment, the command would be about production.
    for (const odd of [{}, { environment: "prod" }, { environment: "production", commit: "HEAD~1" }])
      expect((await ana.post("/actions", { ...ask, ...odd })).status).toBe(400);
    const ben = await signedIn(world, "ben");
    const his = { ...ask, token: hidden(await (await ben.get("/")).text(), "token"), environment: "production" };
    expect((await ben.post("/actions", his)).status).toBe(403);
    const again = await ana.post("/actions", { ...ask, environment: "production" });
    expect(again.headers.get("location")).toMatch(/^\/repositories\/\d+\?done=/);
    await world.settled();
    // The page of the deployment before: its buttons would be about the one that followed.
    const first = { token: hidden(await (await ana.get("/")).text(), "token"), run: id, back: "run" };
    expect(offered(await (await ana.get(`/runs/${id}`)).text())).toEqual([]);
    expect((await ana.post("/actions", { ...first, action: "rollback" })).status).toBe(409);
    expect((await press(ana, { action: "rollback", note: "odd prices" }, deployments)).status).toBe(303);
    await until(() => comments().some((comment) => comment.includes("no version to go back to in production")));
    expect(comments().filter((comment) => comment.startsWith("ana: "))).toEqual([
      `ana: /forge approve production ${gate} it is the first version`,
      "ana: /forge promote production looked at it",
      "ana: /forge deploy production",
      "ana: /forge rollback production odd prices",
    ]);
    await world.expectGoodManners();
  });
});
