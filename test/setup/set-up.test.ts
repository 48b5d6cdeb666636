import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { type Simulator, startSimulator } from "../../simulator/start-simulator.ts";
import { readConfig } from "../../src/app/config.ts";
import { withKeptApp } from "../../src/app/kept-app.ts";
import { setUp } from "../../src/app/set-up.ts";
import { defined } from "../../src/domain/defined.ts";
import { APP_USES, type AppUse, NEEDED } from "../../src/github/permissions.ts";
import { createEntry } from "../../src/setup/entry.ts";
import { serveSetUp } from "../../src/setup/serve-set-up.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A browser as far as it is needed: one cookie, and no redirect that is not asked for. */
function createVisitor() {
  let cookie = "";
  return {
    get: async (address: string) => {
      const response = await fetch(address, { headers: { cookie }, redirect: "manual" });
      cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    post: async (address: string, fields: Readonly<Record<string, string>>) => {
      const body = new URLSearchParams(fields);
      const response = await fetch(address, { method: "POST", headers: { cookie }, body, redirect: "manual" });
      return { status: response.status, text: await response.text() };
    },
  };
}
type Visitor = ReturnType<typeof createVisitor>;

function fieldIn(page: string, pattern: RegExp): string {
  const signs: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", "#39": "'" };
  return (pattern.exec(page)?.[1] ?? "").replace(/&(#?\w+);/g, (whole, name) => signs[name] ?? whole);
}

const manifestFor = (use: AppUse, page: string) =>
  fieldIn(page.slice(page.indexOf(`<h2 id="${use}">`)), /name="manifest" value="([^"]+)"/);

/** Presses the button on our page, and the one on GitHub's: where GitHub sends the browser then. */
async function pressBoth(page: string, by = "ana", as?: string, use: AppUse = "deploy"): Promise<string> {
  const action = fieldIn(page, /method="post" action="([^"]+)"/);
  const manifest = manifestFor(use, page);
  const asked = await fetch(action, { method: "POST", body: new URLSearchParams({ manifest }) });
  expect(asked.status).toBe(200);
  const name = as ?? JSON.parse(manifest).name;
  const made = await fetch(action.replace("/new?", "/new/confirmed?"), {
    method: "POST",
    body: new URLSearchParams({ manifest, name, by }),
    redirect: "manual",
  });
  return made.headers.get("location") ?? "";
}

/** Answers the question for a model, on the page that asks for one. */
async function choose(
  visitor: Visitor,
  page: string,
  link: string,
  fields: Readonly<Record<string, string>> = { without: "" },
) {
  const state = fieldIn(page, /name="state" value="([^"]+)"/);
  return visitor.post(new URL("/set-up/model", link).href, { state, ...fields });
}

async function enter(visitor: Visitor, link: string): Promise<string> {
  const opened = await visitor.get(link);
  expect([opened.status, opened.headers.get("location")]).toEqual([303, "/set-up"]);
  return (await visitor.get(new URL("/set-up", link).href)).text;
}

describe("OPS-5: set-up against a GitHub", () => {
  let github: Simulator;
  let folder: string;
  let environment: Record<string, string>;

  beforeEach(async () => {
    github = await startSimulator();
    ends.push(() => github.stop());
    github.createAccount("ana");
    folder = join(mkdtempSync(join(tmpdir(), "forge-set-up-")), "data");
    environment = { GHE_HOST: new URL(github.origin).host, GHE_PROTOCOL: "http", PORT: "0", FORGE_DATA: folder };
  });

  async function begin(isPrinted = false, modelMs?: number) {
    const said: string[] = [];
    const stopped = new AbortController();
    const how = { say: (text: string) => said.push(text), isPrinted, signal: stopped.signal };
    const done = setUp(environment, { ...how, ...defined({ modelMs }) });
    await expect.poll(() => said.length).toBeGreaterThan(0);
    const link = /http\S+/.exec(said[0] ?? "")?.[0] ?? "";
    return { link, said, done, stop: () => stopped.abort() };
  }

  it("two clicks register the App and keep its secrets for this start and the next, for nobody else to read", async () => {
    const { link, done, said } = await begin();
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/set-up\?token=[\w-]{43}$/);
    const ana = createVisitor();
    const page = await enter(ana, link);
    const back = await pressBoth(page);
    const registered = await ana.get(back);
    expect(registered.status).toBe(200);
    expect(registered.text).toContain("Its key and secrets are kept in the data folder of Forge, in app.env.");
    const ready = await choose(ana, registered.text, link);
    expect([ready.status, ready.text.includes("Forge is set up")]).toEqual([200, true]);
    const complete = (await done) ?? {};
    const file = join(folder, "app.env");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const kept = parseEnv(readFileSync(file, "utf8"));
    expect(Object.keys(kept).sort()).toEqual([
      ...["APP_ID", "FORGE_URL", "GHE_HOST", "GHE_PROTOCOL", "GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
      ...["PRIVATE_KEY", "WEBHOOK_SECRET"],
    ]);
    // the port that GitHub was told of stays
    expect(complete.PORT).toBe(new URL(link).port);
    const now = readConfig(complete);
    const next = readConfig(await withKeptApp(environment));
    expect([now.app, now.webhookSecrets]).toEqual([next.app, next.webhookSecrets]);
    expect(now.app.privateKey).toContain("-----BEGIN RSA PRIVATE KEY-----\n");
    expect(said.join()).not.toContain("BEGIN");
    expect(registered.text).not.toContain(kept.WEBHOOK_SECRET);
    expect(github.referee.findings).toEqual([]);
  });

  it("asks for what app.yml says, at the address that was written, by a page without scripts that posts to GitHub alone", async () => {
    const { link, stop, done } = await begin();
    const ana = createVisitor();
    await enter(ana, link);
    const asked = new URL("/set-up?organization=acme&address=https://forge.acme.example/", link);
    const { text, headers } = await ana.get(asked.href);
    expect(fieldIn(text, /method="post" action="([^"]+)"/)).toMatch(
      `${github.origin}/organizations/acme/settings/apps/new?state=`,
    );
    expect(JSON.parse(manifestFor("deploy", text))).toMatchObject({
      name: "forge-forge-acme-example",
      public: false,
      hook_attributes: { url: "https://forge.acme.example/api/github/webhooks", active: true },
      callback_urls: ["https://forge.acme.example/auth/callback"],
      setup_url: "https://forge.acme.example/installed",
      redirect_url: `${new URL(link).origin}/set-up/registered`,
      default_permissions: { contents: "write", checks: "write" },
    });
    expect(headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'self'; img-src data:; form-action 'self' ${github.origin}; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(text).not.toMatch(/<script|style=/);
    const strange = await ana.get(new URL('/set-up?organization="><b>&address=javascript:x', link).href);
    expect([strange.status, strange.text.includes("<b>"), strange.text.includes("manifest")]).toEqual([
      422,
      false,
      false,
    ]);
    stop();
    expect(await done).toBeUndefined();
  });

  it.each(APP_USES)(
    "registers an App with exactly the permissions of %s, and gives the reason for each",
    async (use) => {
      const { link, done } = await begin();
      const ana = createVisitor();
      const page = await enter(ana, link);
      const asked = JSON.parse(manifestFor(use, page));
      expect(asked.default_permissions).toEqual(NEEDED[use].permissions);
      expect(asked.default_events).toEqual(NEEDED[use].events);
      const section = page.slice(
        page.indexOf(`<h2 id="${use}">`),
        page.indexOf("</section>", page.indexOf(`<h2 id="${use}">`)),
      );
      for (const [name, level] of Object.entries(NEEDED[use].permissions))
        expect(section).toMatch(new RegExp(`<dt><code>${name}: ${level}</code></dt><dd>[A-Z][^<]+\\.</dd>`));
      const { text } = await ana.get(await pressBoth(page, "ana", undefined, use));
      expect((await choose(ana, text, link)).text).toContain("Forge is set up");
      await done;
      expect(github.referee.findings).toEqual([]);
    },
  );

  it("lets nobody else in: without the link, with a wrong token, with a used one, with another's state, or afterwards", async () => {
    const { link, done } = await begin();
    const [ana, eve] = [createVisitor(), createVisitor()];
    const at = (path: string) => new URL(path, link).href;
    expect((await eve.get(at("/set-up"))).status).toBe(403);
    expect((await eve.get(at(`/set-up?token=${"A".repeat(43)}`))).status).toBe(403);
    const page = await enter(ana, link);
    expect((await eve.get(link)).status).toBe(403);
    const back = await pressBoth(page);
    expect((await eve.get(back)).status).toBe(403);
    expect((await ana.get(back.replace(/state=[^&]+/, "state=other"))).status).toBe(403);
    expect((await ana.get(back.replace(/code=[^&]+&/, ""))).status).toBe(400);
    expect(existsSync(join(folder, "app.env"))).toBe(false);
    const asked = await ana.get(back);
    expect(asked.status).toBe(200);
    // Nobody else answers for the visitor, neither from another browser nor by a page of another site, and nothing is sent in an address.
    expect((await choose(eve, asked.text, link)).status).toBe(403);
    expect((await ana.post(at("/set-up/model"), { state: "other", without: "" })).status).toBe(403);
    expect((await ana.get(at("/set-up/model?without="))).status).toBe(405);
    expect((await choose(ana, asked.text, link)).status).toBe(200);
    await done;
    await expect(fetch(at("/set-up"))).rejects.toThrow();
  });

  it("prints the secrets where that is wanted, and where they cannot be written: nothing is lost", async () => {
    const printed = await begin(true);
    const ana = createVisitor();
    const asked = await ana.get(await pressBoth(await enter(ana, printed.link)));
    await choose(ana, asked.text, printed.link);
    const complete = (await printed.done) ?? {};
    expect(existsSync(join(folder, "app.env"))).toBe(false);
    expect(printed.said.join()).toContain(`WEBHOOK_SECRET='${complete.WEBHOOK_SECRET}'`);

    // Something else stands where the folder should be.
    writeFileSync(folder, "");
    const failed = await begin();
    const bo = createVisitor();
    const { text } = await bo.get(await pressBoth(await enter(bo, failed.link), "ana", "second"));
    await choose(bo, text, failed.link);
    const second = (await failed.done) ?? {};
    expect(text).toContain("could not be written to the data folder, so they were printed where Forge was started");
    expect(failed.said.join()).toContain(`PRIVATE_KEY='${second.PRIVATE_KEY}'`);
  });

  it("asks for a model next, tries it once, says what is wrong with one, and keeps the one that answers", async () => {
    const { link, done, said } = await begin();
    const ana = createVisitor();
    const asked = await ana.get(await pressBoth(await enter(ana, link)));
    expect(asked.text).toContain("Set up a model");
    const model = await startScriptedModel(() => ({
      status: 401,
      message: "invalid x-api-key",
      type: "authentication_error",
    }));
    ends.push(() => model.stop());
    const fields = {
      provider: "anthropic",
      key: "sk-wrong-key",
      address: model.anthropicUrl,
      model: "claude-sonnet-5-5",
    };
    const refused = await choose(ana, asked.text, link, fields);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("invalid x-api-key");
    expect(refused.text).toContain(`value="${model.anthropicUrl}"`);
    expect(refused.text).not.toContain("sk-wrong-key");
    for (const [wrong, problem] of [
      [{ key: "", address: "" }, "Write a key, or the address of a service that needs none."],
      [{ key: "a 'key' with spaces" }, "The key has spaces, quotes"],
      [{ key: "k", address: "javascript:x" }, "The address is not an address"],
    ] as const) {
      const { status, text } = await choose(ana, asked.text, link, { ...fields, ...wrong });
      expect([status, text.includes(problem)]).toEqual([422, true]);
    }
    const good = await startScriptedModel(() => ({ text: "ok" }));
    ends.push(() => good.stop());
    const ready = await choose(ana, refused.text, link, { ...fields, key: "sk-good-key", address: good.anthropicUrl });
    expect(ready.status).toBe(200);
    expect(ready.text).toMatch(/The model anthropic\/claude-sonnet-5-5 answers, in /);
    const complete = (await done) ?? {};
    expect(complete).toMatchObject({ ANTHROPIC_API_KEY: "sk-good-key", ANTHROPIC_BASE_URL: good.anthropicUrl });
    const file = join(folder, "app.env");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readConfig(await withKeptApp(environment)).models).toMatchObject({
      ...{ anthropic: { apiKey: "sk-good-key", baseUrl: good.anthropicUrl }, model: "claude-sonnet-5-5" },
    });
    expect(readdirSync(folder)).toEqual(["app.env"]);
    expect(said.join()).not.toContain("sk-");
  });

  it("goes on without a model where nobody chooses one in time, and asks nobody where one is set up", async () => {
    const { link, done } = await begin(false, 1);
    const ana = createVisitor();
    await ana.get(await pressBoth(await enter(ana, link)));
    expect(await done).toMatchObject({ APP_ID: expect.any(String) });
    environment = { ...environment, FORGE_DATA: `${folder}-2`, OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
    const second = await begin();
    const bo = createVisitor();
    const { text } = await bo.get(await pressBoth(await enter(bo, second.link), "ana", "second"));
    expect(text).toContain("Forge is set up");
    await second.done;
  });

  it("never writes over an App that is kept, and says what is wrong with half of one", async () => {
    const [one, two] = [await begin(), await begin()];
    const [ana, bo] = [createVisitor(), createVisitor()];
    const pages = [await enter(ana, one.link), await enter(bo, two.link)];
    await choose(ana, (await ana.get(await pressBoth(pages[0] ?? ""))).text, one.link);
    const file = join(folder, "app.env");
    const kept = readFileSync(file, "utf8");
    await choose(bo, (await bo.get(await pressBoth(pages[1] ?? "", "ana", "second"))).text, two.link);
    await Promise.all([one.done, two.done]);
    expect(two.said.join()).toContain(`${file} could not be written: EEXIST`);
    expect(readFileSync(file, "utf8")).toBe(kept);
    expect(readdirSync(folder)).toEqual(["app.env"]);

    const half = withKeptApp({ ...environment, APP_ID: "7" });
    await expect(half).rejects.toThrow(
      `The environment names half of an App: APP_ID set, WEBHOOK_SECRET, PRIVATE_KEY or PRIVATE_KEY_PATH missing.`,
    );
    writeFileSync(file, "APP_ID='7'\n");
    await expect(withKeptApp(environment)).rejects.toThrow(
      `${file}, where the App is kept, has no WEBHOOK_SECRET, PRIVATE_KEY: put it back from a backup`,
    );
  });
});

describe("OPS-5: what GitHub answers", () => {
  const pem = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  }).privateKey;

  /** A GitHub that answers each code by what stands here under it, on a page that was opened. */
  async function openAt(
    answers: Readonly<Record<string, (origin: string) => { status: number; body: unknown }>>,
    clock: "own" | "machine" = "own",
  ) {
    let origin = "";
    const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      const code = /app-manifests\/([^/]+)/.exec(request.url ?? "")?.[1] ?? "";
      const { status, body } = answers[code]?.(origin) ?? { status: 404, body: {} };
      response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ends.push(() => new Promise((resolve) => server.close(resolve)));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    origin = `http://${host}`;
    const kept: unknown[] = [];
    let time = 0;
    const page = await serveSetUp({
      ...{ host: "127.0.0.1", port: 0, ...(clock === "own" ? { now: () => time } : {}) },
      known: { host, protocol: "http", address: undefined, forwarder: undefined },
      keep: async (app) => `kept ${kept.push(app)}`,
    });
    ends.push(() => page.stop());
    const visitor = createVisitor();
    const state = /state=([\w-]+)/.exec(await enter(visitor, page.link))?.[1] ?? "";
    const back = (code: string) =>
      visitor.get(new URL(`/set-up/registered?code=${code}&state=${state}`, page.link).href);
    return { back, kept, page, visitor, passTime: (ms: number) => (time += ms) };
  }

  const app = (origin: string) => ({
    ...{ id: 7, slug: "forge-acme", html_url: `${origin}/apps/forge-acme`, pem, webhook_secret: "s".repeat(40) },
    ...{ client_id: "Iv1.1", client_secret: "c".repeat(40) },
    ...{ permissions: NEEDED.deploy.permissions, events: NEEDED.deploy.events },
  });

  it("refuses what is not the App that was asked for, says what to do, and goes on when a good answer comes", async () => {
    const { back, kept, page } = await openAt({
      busy: () => ({ status: 503, body: "" }),
      proxy: () => ({ status: 201, body: "<html>log in</html>" }),
      half: (origin) => ({ status: 201, body: { ...app(origin), pem: "no key", client_id: undefined } }),
      weak: (origin) => ({ status: 201, body: { ...app(origin), permissions: { metadata: "read" } } }),
      foreign: () => ({ status: 201, body: app("https://github.example.com") }),
      good: (origin) => ({ status: 201, body: app(origin) }),
    });
    const expected = {
      used: [502, "GitHub does not take this code (status 404): it is good once and for an hour. Begin again"],
      busy: [502, "GitHub answered with status 503. Try again in a minute."],
      proxy: [502, "answered with something that is not a new App (it: Invalid input"],
      half: [502, "not a new App (pem: is no private key; client_id: Invalid input"],
      weak: [
        502,
        "That is another App than was asked for: forge-acme lacks checks: write, pull_requests: write, merge_queues: read, issues: read, contents: read.",
      ],
      foreign: [502, "forge-acme is at https://github.example.com, not at http://127.0.0.1:"],
      "..%2F..%2Fuser": [502, "GitHub does not take this code"],
    };
    for (const [code, [status, message]] of Object.entries(expected)) {
      const answer = await back(code);
      expect([code, answer.status]).toEqual([code, status]);
      expect(answer.text).toContain(message);
      // Only where the same code may still be good.
      expect(answer.text.includes("Try again</a>")).toBe(code === "busy");
    }
    expect(kept).toEqual([]);
    const [first, second] = await Promise.all([back("good"), back("good")]);
    expect([first.status, second.status].sort()).not.toEqual([200, 200]);
    await page.registered;
    expect(kept).toMatchObject([{ id: 7, slug: "forge-acme" }]);
  });

  it("a wrong clock of the machine, and its correction, end no link", async () => {
    const { back, page, visitor } = await openAt({}, "machine");
    const clock = vi.spyOn(Date, "now").mockReturnValue(0);
    ends.push(async () => clock.mockRestore());
    expect((await back("used")).status).toBe(502);
    clock.mockReturnValue(Date.parse("2099-01-01"));
    expect((await back("used")).status).toBe(502);
    expect((await visitor.get(new URL("/set-up", page.link).href)).status).toBe(200);
  });

  it("a port that is taken is said, with what to do", async () => {
    const { page } = await openAt({});
    const known = { host: undefined, protocol: "http", address: undefined, forwarder: undefined } as const;
    const keep = async () => "";
    await expect(serveSetUp({ host: "127.0.0.1", port: page.port, known, keep })).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${page.port}: listen EADDRINUSE: address already in use 127.0.0.1:${page.port}. Set HOST and PORT to a free address.`,
    );
  });

  it("a link is good for an hour, and so is the visit that it opened", async () => {
    const { back, passTime } = await openAt({});
    passTime(59 * 60_000);
    expect((await back("used")).status).toBe(502);
    passTime(60_000);
    expect((await back("used")).status).toBe(403);
    let time = 0;
    const entry = createEntry(() => time);
    time = 60 * 60_000;
    expect(entry.open(entry.token)).toBeUndefined();
  });
});
