import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { answered, reviewed } from "../program/judge.ts";
import type { Ground, HostileClass, Payload } from "../program/payload.ts";
import { openPull } from "../program/strikes.ts";
import { hold, type Knock, knock, sendBytes, sign } from "./knock.ts";
import { STORMS } from "./storm.ts";
import { chanceBodies } from "./wrong-bodies.ts";

const MEBI = 2 ** 20;
const CLEAN = { "src/a.ts": "export const a = 1;\n" };

/** Knocks in its own way while there is a pull request to review, which is reviewed all the same. */
function door(
  name: string,
  does: string,
  act: (ground: Ground, number: number) => Promise<readonly string[]>,
): Payload {
  let wrong: readonly string[] = [];
  return {
    ...{ name, does },
    strike: async (ground) => {
      const number = await openPull(CLEAN)(ground);
      wrong = await act(ground, number);
      return number;
    },
    faults: async (seen) => [...wrong, ...(await reviewed(seen)), ...(await answered(seen))],
  };
}

/** One delivery, and the statuses that may be answered. */
function refused(name: string, does: string, statuses: readonly number[], knocked: Knock | (() => Knock)): Payload {
  return door(name, does, async ({ world }) => {
    const status = await knock(world, typeof knocked === "function" ? knocked() : knocked);
    return statuses.includes(status) ? [] : [`answered ${status}, not ${statuses.join(" or ")}`];
  });
}

/** A comment that GitHub told of, sent again: it may not count a second time. */
function replayed(
  name: string,
  does: string,
  again: (original: { guid: string }) => Partial<Knock>,
  times = 1,
): Payload {
  return door(name, does, async ({ world, repository }, number) => {
    await world.settled();
    world.github.comment(repository, number, { by: "ana", body: "/forge status" });
    await world.settled();
    const told = world.github.deliveries.findLast(({ event }) => event === "issue_comment")!;
    const body = JSON.stringify(told.payload);
    const knocks = Array.from({ length: times }, () =>
      knock(world, { body, event: told.event, guid: told.guid, ...again(told) }),
    );
    await Promise.all(knocks);
    await world.settled();
    const answers = world.github.issue(repository, number).comments.filter(({ by }) => by === "forge[bot]");
    return answers.length > 1 ? [`one command was answered ${answers.length} times`] : [];
  });
}

const PLAIN = (path: string, method = "POST") => `${method} ${path} HTTP/1.1\r\nhost: x\r\n`;
const HOOKS = "/api/github/webhooks";

async function bytes({ world }: Ground, ...parts: readonly (string | Buffer)[]): Promise<readonly string[]> {
  const said = await sendBytes(world, ...parts);
  return /^HTTP\/1\.1 (?:5|20)/.test(said) ? [`answered ${said.slice(0, 40)}`] : [];
}

/** The head of a wrongly signed delivery and the first bytes of its body. */
function begun(announcedBytes: number, body: string, path = HOOKS): string {
  const signed = `x-github-event: ping\r\nx-github-delivery: ${randomUUID()}\r\nx-hub-signature-256: ${sign("x", "x")}\r\n`;
  return `${PLAIN(path)}content-type: application/json\r\n${signed}content-length: ${announcedBytes}\r\n\r\n${body}`;
}

/** Holds connections that sent only this, and delivers 200 kB meanwhile, rightly signed. */
function held(name: string, does: string, count: number, beginning: () => string): Payload {
  return door(name, does, async ({ world }) => {
    const release = await hold(world, count, beginning());
    const status = await knock(world, { body: `{"text":"${"a".repeat(200_000)}"}` });
    release();
    return status === 202 ? [] : [`a signed delivery was answered ${status}`];
  });
}

const KNOCKS: readonly Payload[] = [
  refused("not JSON", "signs a body that is not JSON", [400], { body: "{ not json" }),
  refused("half of it", "signs the first half of a body", [400], {
    body: '{"action":"opened","pull_request":{"number":',
  }),
  refused("two of them", "signs two bodies in one", [400], { body: "{}{}" }),
  refused("a list", "signs a list", [400], { body: "[]" }),
  refused("nothing", "signs an empty body", [400], { body: "" }),
  refused("no text", "signs bytes that are no text", [400], { body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }),
  refused("UTF-16", "signs JSON in UTF-16", [400], { body: Buffer.from("{}", "utf16le") }),
  refused("deep", "signs a million brackets", [202, 400], {
    body: `{"a":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`,
  }),
  refused("unsigned", "signs nothing", [401, 403, 400], { headers: { "x-hub-signature-256": undefined } }),
  refused("wrongly signed", "signs with another secret", [401, 403], {
    headers: { "x-hub-signature-256": sign("guess", "{}") },
  }),
  refused("shortly signed", "signs with a part of the signature", [401, 403, 400], {
    headers: { "x-hub-signature-256": "sha256=00" },
  }),
  refused("signed in the old way", "signs by SHA-1", [401, 403, 400], {
    headers: { "x-hub-signature-256": undefined, "x-hub-signature": "sha1=da39a3ee5e6b4b0d3255bfef95601890afd80709" },
  }),
  refused("huge", "sends 26 MiB", [413, 0], () => ({ body: Buffer.alloc(26 * MEBI, " ") })),
  refused("as large as may be", "signs 24 MiB of JSON", [202, 400], () => ({
    body: `{"a":"${"x".repeat(24 * MEBI)}"}`,
  })),
  refused("many keys", "signs 100,000 keys", [202, 400], () => ({
    body: `{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":0`).join(",")}}`,
  })),
  refused("compressed", "sends it compressed", [400, 415], () => ({
    body: gzipSync(Buffer.alloc(50 * MEBI)),
    headers: { "content-encoding": "gzip" },
  })),
  refused("another type", "says that it is a form", [400, 415], {
    headers: { "content-type": "application/x-www-form-urlencoded" },
  }),
  refused("no number", "numbers it by what is no GUID", [400], { guid: "../../etc/passwd" }),
  refused("odd event", "names an event that is no name", [400], { event: "../constructor" }),
  refused("unknown event", "names an event that nobody knows", [202, 400], {
    event: "constructor",
    body: '{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}',
  }),
  refused("unknown installation", "tells of a repository that there is not", [202], {
    event: "pull_request",
    body: JSON.stringify({
      action: "opened",
      installation: { id: 99_999_999 },
      repository: { id: 1, name: "x", owner: { login: "y" } },
      pull_request: { number: 1 },
    }),
  }),
  replayed("replayed", "sends a command 20 times under its number", () => ({}), 20),
  replayed("replayed anew", "sends a command again under other numbers", () => ({ guid: randomUUID() }), 5),
  replayed(
    "replayed as another event",
    "sends a command again as other events",
    () => ({ guid: randomUUID(), event: "pull_request_review_comment" }),
    3,
  ),
  door("slow", "begins 200 requests and never ends them", async ({ world }) => {
    const release = await hold(world, 200, `${PLAIN(HOOKS)}content-type: application/json\r\ncontent-length: 1000\r\n`);
    const status = await knock(world);
    release();
    return status === 202 ? [] : [`another delivery was answered ${status}`];
  }),
  held("slow bodies", "announces 25 MiB 100 times and sends a byte of each", 100, () => begun(25 * MEBI, "{")),
  held("A5, a byte of 25 MB", "announces 25 MiB 70 times and sends a byte of each", 70, () => begun(25 * MEBI, "{")),
  held("A5, one of them", "announces 25 MiB once and sends a byte", 1, () => begun(25 * MEBI, "{")),
  held("A5, idle", "opens 600 connections and says nothing", 600, () => ""),
  held("A5, beyond the memory", "sends 100 kB of 25 MiB on 500 connections", 500, () =>
    begun(25 * MEBI, "{".repeat(100_000)),
  ),
  held("A5, at another path", "announces 1 MiB 500 times at a path that is not served", 500, () =>
    begun(MEBI, "{", "/api/feedback/alerts"),
  ),
  door("smuggled", "says two lengths at once", (ground) =>
    bytes(
      ground,
      `${PLAIN(HOOKS)}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n`,
    ),
  ),
  door("huge headers", "sends 1 MB of headers", (ground) =>
    bytes(ground, PLAIN(HOOKS), `x: ${"y".repeat(MEBI)}\r\n\r\n`),
  ),
  door("odd requests", "sends what is no request", (ground) =>
    bytes(ground, Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]), "\0\0\0\r\n\r\n"),
  ),
  door("other paths", "asks for files and for other methods", async (ground) => {
    const paths = [
      "/../../etc/passwd",
      "/%2e%2e/%2e%2e/etc/passwd",
      "//evil.example/",
      "/.env",
      "/api/github/webhooks/../../healthz",
    ];
    const all = await Promise.all(paths.map((path) => bytes(ground, `${PLAIN(path, "GET")}connection: close\r\n\r\n`)));
    const methods = await Promise.all(
      ["PUT", "DELETE", "TRACE"].map((method) =>
        bytes(ground, `${PLAIN("/healthz", method)}connection: close\r\n\r\n`),
      ),
    );
    return [...all, ...methods].flat();
  }),
];

/** Bodies whose types are not what they should be, rightly signed: none is an error of the server. */
function mistyped(seed: number): Payload[] {
  return Array.from({ length: 6 }, (_, at) =>
    door(
      `mistyped ${at + 1}`,
      "sends 25 deliveries whose values have other types",
      async ({ world, repository }, number) => {
        await world.settled();
        world.github.comment(repository, number, { by: "mallory", body: "/forge status" });
        await world.settled();
        const told = world.github.deliveries.filter(({ repositoryId }) => repositoryId !== null);
        const bodies = chanceBodies(told, seed + at, 25);
        const statuses = await Promise.all(bodies.map(({ event, body }) => knock(world, { event, body })));
        return statuses.filter((status) => status !== 202 && status !== 400).map((status) => `answered ${status}`);
      },
    ),
  );
}

/** The door that is open to everybody. */
export const knocking: HostileClass = { name: "door", payloads: (seed) => [...KNOCKS, ...STORMS, ...mistyped(seed)] };
