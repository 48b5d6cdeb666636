import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { COMMAND_NAMES, type CommandName } from "../../../src/domain/commands.ts";
import { ROLES, type Role } from "../../../src/domain/subjects.ts";
import { CLEAN } from "../../e2e/pulls.ts";
import { createTalkingWorld, fresh, talkIn } from "../../e2e/talk.ts";
import type { World } from "../../e2e/world.ts";
import { comments, forbiddenTo, INERT, leastOf, lineOf } from "./command-table.ts";
import { eventsSince, lookOf, markLog } from "./store-look.ts";

/** Each tries some forty commands, one after the other, on a program of its own. */
vi.setConfig({ testTimeout: 600_000 });

const SHOP = "acme/shop";
const BOT = "other[bot]";
const AUTHOR = "author-er";
const LEAVER = "leave-er";

interface Person {
  readonly login: string;
  readonly role: Role;
}

/** Of each role one; the author of the pull request, who is no collaborator; and somebody who was an admin once. */
const PEOPLE: readonly Person[] = [
  ...ROLES.map((role) => ({ login: `${role}-er`, role })),
  { login: AUTHOR, role: "none" },
  { login: LEAVER, role: "none" },
];
const whoMay = (name: CommandName) => `${leastOf(name)}-er`;

let world: World;
beforeAll(async () => {
  world = await createTalkingWorld();
  const { github } = world;
  for (const login of [AUTHOR, LEAVER]) github.createAccount(login);
  github.createAccount(BOT, "Bot");
  github.setRole(SHOP, BOT, "admin");
  github.setRole(SHOP, LEAVER, "admin");
  github.setRole(SHOP, LEAVER, null);
  await github.fork(SHOP, AUTHOR);
  await world.settled();
});
// What Forge may write in an hour is limited, and these tests say more than people do in one.
beforeEach(() => world.clock.advance(61 * 60_000));
afterEach(() => world.expectGoodManners());
afterAll(() => world.end());

const { view, reviewed, push } = talkIn(() => world);
const ofAuthor = () => reviewed(undefined, { by: AUTHOR, fork: AUTHOR });

/** The three places in which people speak on a pull request; each says what names the comment in the log. */
const PLACES = {
  "the conversation": (number: number, by: string, body: string) =>
    `issue_comment:${world.github.comment(SHOP, number, { by, body }).id}`,
  "a thread of Forge's review": (number: number, by: string, body: string) => {
    const [first] = view(number).reviewComments;
    return `review_comment:${world.github.replyToReviewComment(SHOP, number, first!.id, { by, body }).id}`;
  },
  "a review": async (number: number, by: string, body: string) =>
    `review:${(await world.github.submitReview(SHOP, number, { by, event: "COMMENT", body })).id}`,
} as const;
const EVERYWHERE = Object.entries(PLACES);

/** What happened while Forge was away, brought to it afterwards in the order in which it happened. */
async function lately(act: () => Promise<void>): Promise<void> {
  const { github } = world;
  await world.stop();
  const before = github.deliveries.length;
  await act().finally(() => world.start());
  const missed = github.deliveries.slice(before).map(({ id }) => id);
  for (const id of missed) github.redeliver(id);
  await world.settled();
}

/** How the commands of a comment ended, in their order: `done`, or the reason why not. */
async function endings(mark: number, source: string): Promise<string[]> {
  const own = (await eventsSince(world, mark)).filter((event) => event.source === source);
  const ends = own.filter(({ type }) => type === "command.received" || type === "command.refused");
  return ends.map(({ reason }) => reason ?? "done");
}

describe.each(EVERYWHERE)("GH-14: every command in %s", (_, say) => {
  it("that a role may not give changes nothing, whoever has that role, and says so in the log", async () => {
    const { number, ids } = await ofAuthor();
    const [before, mark] = [await lookOf(world, [number]), await markLog(world)];
    const said: { readonly person: Person; readonly source: string; readonly lines: number }[] = [];
    for (const person of PEOPLE) {
      for (const body of comments(forbiddenTo(person.role), ids[0]!)) {
        const source = await say(number, person.login, body);
        said.push({ person, source, lines: body.split("\n").length });
      }
    }
    await world.settled();
    expect(await lookOf(world, [number])).toEqual(before);
    const events = await eventsSince(world, mark);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["comment.taken", "command.refused"]));
    for (const { person, source, lines } of said) {
      const refused = events.filter((event) => event.source === source && event.type === "command.refused");
      expect(refused, person.login).toHaveLength(lines);
      const has = person.role === "none" ? "read" : person.role;
      expect(new Set(refused.map((event) => event.reason === "role" && event.has === has)), person.login).toEqual(
        new Set([true]),
      );
    }
  });

  it("by the least role that may give it is not refused for the role", async () => {
    const { number, ids } = await ofAuthor();
    const mark = await markLog(world);
    const given: [name: CommandName, source: string][] = [];
    for (const name of COMMAND_NAMES) {
      given.push([name, await say(number, whoMay(name), lineOf(name, ids[0]!))]);
      // One after another: what pauses would hold up what follows.
      await world.settled();
    }
    const ended = new Map<CommandName, string[]>();
    for (const [name, source] of given) ended.set(name, await endings(mark, source));
    const all = [...ended].map(([name, ends]) => [name, ends.length, ends.includes("role")]);
    expect(all).toEqual(COMMAND_NAMES.map((name) => [name, 1, false]));
    const done = [...ended].filter(([, ends]) => ends[0] === "done").map(([name]) => name);
    expect(done).toEqual(
      expect.arrayContaining(["review", "dismiss", "explain", "status", "override", "help", "pause"]),
    );
    expect(done).toEqual(expect.arrayContaining(["trust", "undismiss", "unpause", "cost", "config", "untrust"]));
    const changed = new Set((await eventsSince(world, mark)).map(({ type }) => type));
    for (const type of [
      "finding.dismissed",
      "finding.undismissed",
      "subject.paused",
      "subject.unpaused",
      "subject.trusted",
    ]) {
      expect(changed).toContain(type);
    }
  });

  it("by a bot is not even taken, whatever its role", async () => {
    const { number, ids } = await ofAuthor();
    const [before, mark] = [await lookOf(world, [number]), await markLog(world)];
    for (const body of comments(COMMAND_NAMES, ids[0]!)) await say(number, BOT, body);
    const control = await say(number, "read-er", "/forge help");
    await world.settled();
    const events = await eventsSince(world, mark);
    expect(events.filter(({ source }) => source !== control)).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(["comment.taken", "command.received"]);
    expect(await lookOf(world, [number])).toEqual(before);
  });

  it("by somebody who loses the role before its turn is refused, and carried out for somebody who keeps it", async () => {
    const [left, kept] = [await ofAuthor(), await ofAuthor()];
    const { github } = world;
    const mark = await markLog(world);
    const names = COMMAND_NAMES.filter((name) => leastOf(name) !== "read");
    let [ofLeaver, ofKeeper]: [string[], string[]] = [[], []];
    github.setRole(SHOP, LEAVER, "admin");
    await lately(async () => {
      for (const body of comments(names, left.ids[0]!)) ofLeaver.push(await say(left.number, LEAVER, body));
      for (const body of comments(names, kept.ids[0]!)) ofKeeper.push(await say(kept.number, "admin-er", body));
      github.setRole(SHOP, LEAVER, null);
    });
    const gone = (await Promise.all(ofLeaver.map((source) => endings(mark, source)))).flat();
    expect(gone).toEqual(names.map(() => "role"));
    const stayed = (await Promise.all(ofKeeper.map((source) => endings(mark, source)))).flat();
    expect(stayed).toHaveLength(names.length);
    expect(stayed).not.toContain("role");
    expect(stayed).toContain("done");
    [ofLeaver, ofKeeper] = [[], []];
    // What the keeper's check says in the end hangs on which of the comments came first: some take back what others do.
    expect(view(left.number).checkRuns[0]?.conclusion).toBe("failure");
    github.comment(SHOP, kept.number, { by: "admin-er", body: "/forge unpause" });
    await world.settled();
  });
});

describe("GH-4: a text that only shows commands", () => {
  it("does nothing, however it shows them, whoever wrote it; the same text as it is does", async () => {
    const { number, ids } = await ofAuthor();
    const [before, mark] = [await lookOf(world, [number]), await markLog(world)];
    const everything = COMMAND_NAMES.map((name) => lineOf(name, ids[0]!)).join("\n");
    const shown = new Map<string, string>();
    for (const [form, show] of Object.entries(INERT)) {
      const body = show(everything);
      for (const by of [...PEOPLE.map(({ login }) => login), BOT]) {
        for (const say of [PLACES["the conversation"], PLACES["a review"]]) {
          shown.set(await say(number, by, body), `${form}, ${by}`);
        }
      }
    }
    await world.settled();
    const events = await eventsSince(world, mark);
    expect(events.map(({ source = "" }) => shown.get(source) ?? source)).toEqual([]);
    expect(await lookOf(world, [number])).toEqual(before);
    const control = await PLACES["the conversation"](number, "read-er", lineOf("status", ""));
    await world.settled();
    expect(await endings(mark, control)).toEqual(["done"]);
  });

  it("does nothing when it becomes a command by an edit, before or after its turn, whoever wrote it", async () => {
    const { number, ids } = await ofAuthor();
    const { github } = world;
    const bodies = comments(COMMAND_NAMES, ids[0]!);
    const [before, mark] = [await lookOf(world, [number]), await markLog(world)];
    for (const { login: by } of PEOPLE) {
      for (const body of bodies)
        github.editComment(github.comment(SHOP, number, { by, body: "Looks good" }).id, { by, body });
    }
    await world.settled();
    expect(await eventsSince(world, mark)).toEqual([]);

    let edited: number[] = [];
    let control = "";
    await lately(async () => {
      edited = PEOPLE.map(({ login: by }) => github.comment(SHOP, number, { by, body: "/forge help" }).id);
      for (const [index, { login: by }] of PEOPLE.entries()) {
        for (const body of bodies) github.editComment(edited[index]!, { by, body });
      }
      control = `issue_comment:${github.comment(SHOP, number, { by: "read-er", body: "/forge help" }).id}`;
    });
    for (const id of edited) expect(await endings(mark, `issue_comment:${id}`)).toEqual(["edited"]);
    expect(await endings(mark, control)).toEqual(["done"]);
    expect(await lookOf(world, [number])).toEqual(before);
  });
});

describe("GH-14: a word about a head that is not there any more", () => {
  it("does not pass the next one; where nobody pushed it passes", async () => {
    const [moved, stayed] = [await reviewed(), await reviewed()];
    const { github } = world;
    await lately(async () => {
      for (const { number } of [moved, stayed]) {
        github.comment(SHOP, number, { by: "admin-er", body: "/forge override review because we looked at it" });
      }
      await github.commit(SHOP, moved.branch, { files: { [fresh("late")]: CLEAN }, message: "Late", author: "ana" });
    });
    expect(view(stayed.number).checkRuns[0]?.conclusion).toBe("success");
    expect(view(moved.number).checkRuns[0]?.conclusion).toBe("failure");
    // Whoever saw the new head may say so.
    github.comment(SHOP, moved.number, {
      by: "admin-er",
      body: "/forge override review because we looked at this too",
    });
    await world.settled();
    expect(view(moved.number).checkRuns[0]?.conclusion).toBe("success");
    await push(moved.branch);
    expect(view(moved.number).checkRuns[0]?.conclusion).toBe("failure");
  });
});
