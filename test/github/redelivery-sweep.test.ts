import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Probot, ProbotOctokit } from "probot";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAppDeliveries, type DeliveryAttempt, sweepRedeliveries } from "../../src/github/redelivery-sweep.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function attempt(guid: string, minutesAgo: number, statusCode: number, id = minutesAgo): DeliveryAttempt {
  return { id, guid, event: "push", statusCode, deliveredAt: new Date(NOW.getTime() - minutesAgo * MINUTE) };
}

/** Sweeps a list of attempts and gives what was asked of GitHub, by id. */
async function sweep(list: readonly DeliveryAttempt[], options: Partial<Parameters<typeof sweepRedeliveries>[0]> = {}) {
  const asked: number[] = [];
  const report = await sweepRedeliveries({
    listDeliveries: async function* () {
      yield* list;
    },
    redeliver: async (id) => {
      asked.push(id);
    },
    isStored: async () => false,
    since: new Date(NOW.getTime() - 24 * HOUR),
    now: NOW,
    ...options,
  });
  return { asked, report };
}

describe("the redelivery sweep", () => {
  it("asks again for what never succeeded, the oldest first", async () => {
    const { asked, report } = await sweep([
      attempt("timed-out", 5, 0),
      attempt("fine", 6, 202),
      attempt("refused", 7, 503),
    ]);
    expect(asked).toEqual([7, 5]);
    expect(report).toEqual({
      attempts: 3,
      redelivered: [
        { guid: "refused", event: "push" },
        { guid: "timed-out", event: "push" },
      ],
      failed: [],
      complete: true,
    });
  });

  it("asks once for several attempts of the same GUID, for the newest of them, and not at all when one arrived", async () => {
    const { asked } = await sweep([
      attempt("twice", 10, 502, 1),
      attempt("late", 11, 200, 2),
      attempt("twice", 20, 502, 3),
      attempt("late", 30, 500, 4),
    ]);
    expect(asked).toEqual([1]);
  });

  it("does not ask for what is stored although GitHub saw no answer", async () => {
    const { asked } = await sweep([attempt("stored", 5, 504), attempt("lost", 6, 504)], {
      isStored: async (guid) => guid === "stored",
    });
    expect(asked).toEqual([6]);
  });

  it("leaves alone what may still be on its way", async () => {
    const fresh = { ...attempt("fresh", 0, 0), deliveredAt: new Date(NOW.getTime() - 30_000) };
    expect((await sweep([fresh])).asked).toEqual([]);
  });

  it("waits longer each time for what keeps failing", async () => {
    const failing = (newestMinutesAgo: number, attempts: number) =>
      Array.from({ length: attempts }, (_, i) => attempt("failing", newestMinutesAgo + i * 30, 401, i));
    expect((await sweep(failing(5, 2))).asked).toEqual([0]);
    expect((await sweep(failing(5, 5))).asked).toEqual([]);
    expect((await sweep(failing(33, 5))).asked).toEqual([0]);
    expect((await sweep(failing(6 * 60, 30))).asked).toEqual([0]);
  });

  it("looks back three days at most, however long Forge was away", async () => {
    const days = (count: number) => count * 24 * 60;
    const list = [attempt("in time", days(2), 500), attempt("too old", days(3) + 1, 500)];
    expect((await sweep(list, { since: new Date(0) })).asked).toEqual([days(2)]);
  });

  it("stops at its limits and says that there is more", async () => {
    const list = [attempt("a", 5, 500), attempt("b", 6, 500), attempt("c", 7, 500)];
    expect((await sweep(list, { maxRedeliveries: 2 })).report).toMatchObject({ complete: false, attempts: 3 });
    expect((await sweep(list, { maxRedeliveries: 2 })).asked).toEqual([7, 6]);
    expect((await sweep(list, { maxAttempts: 1 })).report).toMatchObject({ complete: false, attempts: 1 });
  });

  it("goes on when GitHub refuses one, and reports it", async () => {
    const refusal = new Error("422");
    const asked: number[] = [];
    const { report } = await sweep([attempt("a", 5, 500), attempt("b", 6, 500)], {
      redeliver: async (id) => {
        if (id === 6) throw refusal;
        asked.push(id);
      },
    });
    expect(asked).toEqual([5]);
    expect(report.failed).toEqual([{ guid: "b", event: "push", error: refusal }]);
  });
});

describe("GitHub's list of deliveries", () => {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const PAGES: Record<string, object[]> = {
    "": [item(4, 5, 500), item(3, 10, 202)],
    v1_3: [item(2, 15, 0), item(1, 120, 500)],
    v1_1: [item(0, 130, 500)],
  };
  const NEXT: Record<string, string> = { "": "v1_3", v1_3: "v1_1" };
  /** What was asked, with whether it was asked as the App. */
  const asked: string[] = [];
  let origin = "";
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const url = new URL(request.url ?? "", origin);
    const cursor = url.searchParams.get("cursor") ?? "";
    asked.push(
      `${/^bearer ey/i.test(request.headers.authorization ?? "") ? "App" : "nobody"}: ${request.method} ${request.url}`,
    );
    const next = NEXT[cursor];
    if (request.method === "GET" && next !== undefined) {
      response.setHeader("link", `<${origin}/app/hook/deliveries?per_page=100&cursor=${next}>; rel="next"`);
    }
    response
      .writeHead(request.method === "GET" ? 200 : 202, { "content-type": "application/json" })
      .end(JSON.stringify(request.method === "GET" ? PAGES[cursor] : {}));
  });
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => void asked.splice(0));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  function authorize() {
    const Octokit = ProbotOctokit.defaults((options: object) => ({
      ...options,
      baseUrl: origin,
      throttle: { enabled: false },
      retry: { enabled: false },
    }));
    return new Probot({ appId: 1, privateKey, secret: "unused here", Octokit, logLevel: "fatal" }).auth();
  }

  function item(id: number, minutesAgo: number, statusCode: number) {
    const delivered = new Date(NOW.getTime() - minutesAgo * MINUTE).toISOString();
    return {
      id,
      guid: `guid-${id}`,
      delivered_at: delivered,
      redelivery: false,
      duration: 1,
      status: "",
      status_code: statusCode,
      event: "push",
      action: null,
      installation_id: 1,
      repository_id: 1,
    };
  }

  it("is read page by page as the App, no further back than asked, and asked to try again", async () => {
    const report = await sweepRedeliveries({
      ...createAppDeliveries(await authorize(), new AbortController().signal),
      isStored: async () => false,
      since: new Date(NOW.getTime() - HOUR),
      now: NOW,
    });
    expect(report).toMatchObject({ attempts: 3, failed: [], complete: true });
    expect(report.redelivered.map(({ guid }) => guid)).toEqual(["guid-2", "guid-4"]);
    expect(asked).toEqual([
      "App: GET /app/hook/deliveries?per_page=100",
      "App: GET /app/hook/deliveries?per_page=100&cursor=v1_3",
      "App: POST /app/hook/deliveries/2/attempts",
      "App: POST /app/hook/deliveries/4/attempts",
    ]);
  });

  it("is bounded in pages", async () => {
    const { listDeliveries } = createAppDeliveries(await authorize(), new AbortController().signal, 1);
    const ids: number[] = [];
    for await (const { id } of listDeliveries()) ids.push(id);
    expect(ids).toEqual([4, 3]);
    expect(asked).toHaveLength(1);
  });
});
