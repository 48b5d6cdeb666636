import { createServer, get, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startForge } from "../../src/app/forge.ts";
import { localPageRoute } from "../../src/dashboard/local-page.ts";
import { createEntry } from "../../src/setup/entry.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createWorld } from "../e2e/world.ts";
import { temporaryFolder } from "../store/databases.ts";

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const folder = temporaryFolder();
let store: Store;
let server: Server;
let time = 0;
let entry: ReturnType<typeof createEntry>;
beforeEach(async () => {
  store = await openStore({ url: `file:${join(folder(), "forge.db")}` });
  entry = createEntry(() => time);
  const process = {
    ...{ dayLimitUsd: 10, hasModel: true, models: ["a-model"], version: "1.2.3", asksAdvisories: false },
    sandbox: () => "broken" as const,
    rateLimits: () => [],
  };
  const route = localPageRoute({ store, process, now: () => new Date() }, entry);
  server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    if (!(await route(request, response, undefined as never))) response.writeHead(404).end("not here");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  server.close();
  await closeStore(store);
});

function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, headers, agent: false }, async (response) => {
      let text = "";
      for await (const part of response.setEncoding("utf8")) text += part;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    }).on("error", reject);
  });
}

describe("OPS-2: the page of the process without signing in", () => {
  it("opens once by the link, shows how the process does, and has no form", async () => {
    expect((await ask("/")).status).toBe(403);
    const opened = await ask(`/?token=${entry.token}`);
    expect([opened.status, opened.headers.location]).toEqual([303, "/"]);
    const [cookie = ""] = opened.headers["set-cookie"] ?? [];
    expect(cookie).toContain("HttpOnly; SameSite=Strict");
    const page = await ask("/", { cookie: cookie.split(";")[0] ?? "" });
    expect(page.status).toBe(200);
    for (const words of ["failed its test", "a-model", "1.2.3", "No job is waiting", "Set FORGE_URL"]) {
      expect(page.text).toContain(words);
    }
    expect(page.text).not.toContain("<form");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    const again = await ask(`/?token=${entry.token}`);
    expect([again.status, again.text.includes("webhooks go to /api/github/webhooks")]).toEqual([403, true]);
    time += 60 * 60_000;
    expect((await ask("/", { cookie: cookie.split(";")[0] ?? "" })).status).toBe(403);
  });

  it("has its link printed by a Forge at a terminal where nobody can sign in, and by no other", async () => {
    for (const [signIn, printsStart] of [
      [false, true],
      [false, false],
      [true, true],
    ]) {
      const world = await createWorld({ start: false, signIn: signIn === true });
      const forge = await startForge({
        ...{ config: world.config, log: pino({ level: "silent" }), role: "web", printsStart: printsStart === true },
      });
      expect(forge.pageLink !== undefined, `${signIn} ${printsStart}`).toBe(!signIn && printsStart);
      if (forge.pageLink !== undefined) {
        const opened = await fetch(forge.pageLink, { redirect: "manual" });
        expect([opened.status, opened.headers.get("location")]).toEqual([303, "/"]);
      }
      await forge.stop();
      await world.end();
    }
  });

  it("is not there for requests that a proxy passed on, or that ask for another name, and uses up no link for them", async () => {
    const elsewhere = [
      { host: "forge.example" },
      { host: "127.0.0.1.evil.example" },
      { "x-forwarded-for": "203.0.113.9" },
      { forwarded: "for=203.0.113.9" },
      { via: "1.1 proxy" },
    ];
    for (const headers of elsewhere) {
      expect((await ask(`/?token=${entry.token}`, headers)).status, JSON.stringify(headers)).toBe(404);
    }
    expect((await ask(`/?token=${entry.token}`)).status).toBe(303);
  });
});
