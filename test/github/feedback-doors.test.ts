import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { closeServer } from "../../simulator/close-server.ts";
import { createBodyRoom } from "../../src/github/intake/body-room.ts";
import type { Delivery } from "../../src/github/intake/delivery.ts";
import { feedbackRoute } from "../../src/github/intake/feedback-doors.ts";
import { createGathering } from "../../src/github/intake/gather-messages.ts";
import { createClean } from "../../src/monitoring/doors/clean-text.ts";
import { readMessages } from "../../src/monitoring/doors/read-messages.ts";
import { NO_SOURCES, type Sources } from "../../src/monitoring/open-sources.ts";
import { SourceSettings } from "../../src/monitoring/settings.ts";
import { createRedactor } from "../../src/safety/redact.ts";

const SECRET = "a secret of thirty-two characters";
const NOW = new Date("2026-11-23T12:00:00Z");
const SECONDS = String(NOW.getTime() / 1000);
const project = { "*": { repository: "Acme/Shop", environment: "production" } };
const secret = { variable: "S" };

const SOURCES: Sources = {
  ...NO_SOURCES,
  ...SourceSettings.parse({
    doors: {
      sentry: { kind: "sentry", secret, projects: project },
      alerts: { kind: "alertmanager", secret, projects: project },
      grafana: { kind: "grafana", secret, projects: project },
      timed: { kind: "grafana", secret, projects: project, timestamp_header: "X-Grafana-Time" },
      own: { kind: "plain", secret, projects: { shop: project["*"] }, per_minute: 3 },
    },
  }),
  secretAt: () => SECRET,
};

/** The doors on a real server; what they stored, in deliveries. */
async function open(accept?: (delivery: Delivery) => Promise<"accepted" | "duplicate">) {
  const stored: { guid: string; event: string; body: string }[] = [];
  const refused: unknown[] = [];
  const log = {
    info: () => {},
    error: () => {},
    warn: ({ reason }: { reason?: unknown }) => void refused.push(reason),
  };
  const take = async (delivery: Delivery) => {
    if (stored.some(({ guid }) => guid === delivery.guid)) return "duplicate" as const;
    stored.push({ guid: delivery.guid, event: delivery.event, body: delivery.body.toString() });
    return "accepted" as const;
  };
  const route = feedbackRoute({ sources: SOURCES, accept: accept ?? take, log, now: () => NOW });
  const bodies = createBodyRoom({ clientOf: ({ socket }) => socket, sendAway: (response) => response.destroy() });
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void route(request, response, bodies).then((served) => served || response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => closeServer(server));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/feedback`;
  const send = async (door: string, body: string | Buffer, headers: Record<string, string> = {}) => {
    const response = await fetch(`${origin}/${door}`, {
      method: "POST",
      body: new Uint8Array(Buffer.from(body)),
      headers,
    });
    return response.status;
  };
  return { send, stored, refused, origin };
}

const hmac = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHmac("sha256", SECRET)).digest("hex");
const bySentry = (body: string | Buffer) => ({
  "sentry-hook-signature": hmac(body),
  "sentry-hook-resource": "event_alert",
});
const byOwn = (body: string, time = SECONDS) => {
  return { "x-forge-timestamp": time, "x-forge-signature-256": `sha256=${hmac(`${time}.`, body)}` };
};
const clean = createClean(createRedactor([]));
const read = (body: string) => readMessages(Buffer.from(body), SOURCES, clean);

describe("doors for what production says (PROD-2)", () => {
  it("take a message that is signed over its very bytes, and store it before they say so", async () => {
    const { send, stored } = await open();
    const body = `{ "data" : {"event": {"title": "é"}}, "n": 1e3 }`;
    expect(await send("sentry", body, bySentry(body))).toBe(202);
    expect(stored).toHaveLength(1);
    expect(stored[0]).toMatchObject({
      event: "feedback.sentry",
      guid: expect.stringMatching(/^feedback:[0-9a-f]{32}$/),
    });
    expect(stored[0]!.body).toContain(body);
  });

  it.each([
    ["no signature", "sentry", {}],
    ["a signature of other bytes", "sentry", { "sentry-hook-signature": hmac("{ }") }],
    ["a signature in capitals", "sentry", { "sentry-hook-signature": hmac("{}").toUpperCase() }],
    ["a signature that is too long", "sentry", { "sentry-hook-signature": `${hmac("{}")}00` }],
    ["no token", "alerts", {}],
    ["half a token", "alerts", { authorization: `Bearer ${SECRET.slice(0, 9)}` }],
    ["a signature for another door", "alerts", bySentry("{}")],
    ["Grafana's with a prefix", "grafana", { "x-grafana-alerting-signature": `sha256=${hmac("{}")}` }],
    ["no time where one is signed", "timed", { "x-grafana-alerting-signature": hmac("{}") }],
    ["an old time", "own", byOwn("{}", String(Number(SECONDS) - 301))],
    ["a time of the future", "own", byOwn("{}", String(Number(SECONDS) + 301))],
    [
      "a time that was not signed",
      "own",
      { ...byOwn("{}", String(Number(SECONDS) - 301)), "x-forge-timestamp": SECONDS },
    ],
    ["no time", "own", { "x-forge-signature-256": `sha256=${hmac("{}")}` }],
  ])("turn away %s", async (_, door, headers) => {
    const { send, stored, refused } = await open();
    expect(await send(door, "{}", headers as Record<string, string>)).toBe(401);
    expect([stored, refused]).toEqual([[], ["feedback_not_genuine"]]);
  });

  it("take Grafana's signature with and without a time, Alertmanager's token and our own form", async () => {
    const { send, stored } = await open();
    expect(await send("grafana", "{}", { "x-grafana-alerting-signature": hmac("{}") })).toBe(202);
    const timed = { "x-grafana-alerting-signature": hmac(`${SECONDS}:`, "{}"), "x-grafana-time": SECONDS };
    expect(await send("timed", "{}", timed)).toBe(202);
    expect(await send("alerts", "{}", { authorization: `Bearer ${SECRET}` })).toBe(202);
    expect(await send("own", "{}", byOwn("{}"))).toBe(202);
    expect(stored.map(({ event }) => event)).toEqual([
      "feedback.grafana",
      "feedback.timed",
      "feedback.alerts",
      "feedback.own",
    ]);
  });

  it("turn away what is no JSON object, too large, or more than the door takes in a minute", async () => {
    const { send, stored } = await open();
    expect(await send("own", "[]", byOwn("[]"))).toBe(400);
    const cut = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    expect(await send("sentry", cut, bySentry(cut))).toBe(400);
    const huge = `{"a":"${"x".repeat(1024 * 1024)}"}`;
    expect(await send("sentry", huge, bySentry(huge))).toBe(413);
    for (const body of ['{"a":1}', '{"a":2}']) expect(await send("own", body, byOwn(body))).toBe(202);
    expect(await send("own", '{"a":3}', byOwn('{"a":3}'))).toBe(429);
    // Forgeries do not count.
    expect(await send("own", "{}", {})).toBe(401);
    expect(stored).toHaveLength(2);
  });

  it("say that a message was there before, at once and when it comes twice at the same time", async () => {
    const { send, stored } = await open();
    const body = '{"data":{}}';
    expect(await Promise.all([1, 2, 3].map(() => send("sentry", body, bySentry(body))))).toEqual([202, 202, 202]);
    // A replay with other headers, which Sentry does not sign.
    expect(await send("sentry", body, { ...bySentry(body), "request-id": "another" })).toBe(202);
    expect(stored).toHaveLength(1);
  });

  it("store all of a storm, and nothing of it twice", async () => {
    const { send, stored } = await open();
    const bodies = Array.from({ length: 300 }, (_, index) => `{"data":{"event":{"title":"E","event_id":"${index}"}}}`);
    const answers = await Promise.all(
      [...bodies, ...bodies.slice(0, 50)].map((body) => send("sentry", body, bySentry(body))),
    );
    expect(new Set(answers)).toEqual(new Set([202]));
    const kept = stored.flatMap(({ body }) => (JSON.parse(body) as { messages: { body: unknown }[] }).messages);
    expect(kept).toHaveLength(300);
  });

  it("PROD-3: messages that come while one is stored are one delivery", async () => {
    const sizes: number[] = [];
    let begun = () => {};
    let end = () => {};
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const isOver = new Promise<void>((resolve) => {
      end = resolve;
    });
    const gather = createGathering(
      { name: "sentry", event: "feedback.sentry" },
      async ({ body }) => {
        sizes.push((JSON.parse(body.toString()) as { messages: unknown[] }).messages.length);
        begun();
        await isOver;
        return "accepted";
      },
      () => new Date(0),
    );
    const first = gather({ id: "0", body: Buffer.from("{}") });
    await isBegun;
    const others = Array.from({ length: 299 }, (_, at) => gather({ id: `${at + 1}`, body: Buffer.from("{}") }));
    end();
    expect(new Set(await Promise.all([first, ...others]))).toEqual(new Set(["accepted"]));
    expect(sizes).toEqual([1, 299]);
  });

  it("say so when a message cannot be stored, and take it when it comes again", async () => {
    let broken = true;
    const { send } = await open(() =>
      broken ? Promise.reject(new Error("no space left")) : Promise.resolve("accepted"),
    );
    expect(await send("sentry", "{}", bySentry("{}"))).toBe(503);
    broken = false;
    expect(await send("sentry", "{}", bySentry("{}"))).toBe(202);
  });

  it("answer within a second where storing takes longer", async () => {
    const { send } = await open(() => new Promise(() => {}));
    expect(await send("sentry", "{}", bySentry("{}"))).toBe(503);
  });

  it("are not there under other names", async () => {
    const { send, origin } = await open();
    for (const name of ["", "other", "sentry/", "__proto__", "constructor"]) expect(await send(name, "{}")).toBe(404);
    expect((await fetch(`${origin}/sentry`)).status).toBe(405);
  });
});

describe("what a door took", () => {
  it("is read by project, and left out where that is unknown", async () => {
    const { send, stored } = await open();
    for (const name of ["shop", "other", "__proto__"]) {
      const body = JSON.stringify({ project: name, type: "TypeError", message: "x is undefined" });
      expect(await send("own", body, byOwn(body))).toBe(202);
    }
    const told = (await Promise.all(stored.map(({ body }) => read(body)))).flat();
    expect(told).toMatchObject([
      { repository: "acme/shop", environment: "production", feedback: [{ is: "error", type: "TypeError" }] },
    ]);
  });
});
