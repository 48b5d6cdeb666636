import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { APP_USES, type AppUse, NEEDED } from "../../src/github/permissions.ts";
import type { ModelSetUp } from "../../src/setup/ports.ts";
import { serveSetUp } from "../../src/setup/serve-set-up.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs1", format: "pem" }).toString();

/** A server that gives an App with what this use needs for any code, and keeps the codes that it was sent. */
async function startGitHub(slug: string, use: AppUse = "deploy") {
  const codes: string[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, ({ url = "" }, response) => {
    codes.push(/app-manifests\/([^/]+)/.exec(url)?.[1] ?? "");
    const app = {
      ...{ id: 7, slug, html_url: `${origin}/apps/${slug}`, pem, webhook_secret: "s".repeat(40) },
      ...{ client_id: "Iv1.1", client_secret: "c".repeat(40), ...NEEDED[use] },
    };
    response.writeHead(201).end(JSON.stringify(app));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, codes };
}

/** The set-up page, opened by its visitor. */
async function open(model?: ModelSetUp) {
  const kept: unknown[] = [];
  const page = await serveSetUp({
    ...{ host: "127.0.0.1", port: 0, ...(model ? { model } : {}) },
    known: { host: undefined, protocol: "https", address: undefined, forwarder: "https://smee.io/x" },
    keep: async ({ slug }, { host, address }) => `kept ${kept.push({ slug, host, address })}`,
  });
  ends.push(() => page.stop());
  const opened = await fetch(page.link, { redirect: "manual" });
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const at = (path: string) => new URL(path, page.link).href;
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(at(path), { headers: { cookie, ...headers }, redirect: "manual" });
    return { status: response.status, text: await response.text() };
  };
  return { page, kept, cookie, at, get };
}

const offerOf = (github: string, more = "") => `/set-up?github=${encodeURIComponent(github)}${more}`;
/** Of the button for this use. */
const stateIn = (text: string, use: AppUse = "deploy") =>
  /state=([\w-]+)/.exec(text.slice(text.indexOf(`<h2 id="${use}">`)))?.[1] ?? "";
const modelState = (text: string) => /name="state" value="([^"]+)"/.exec(text)?.[1] ?? "";

describe("OPS-5: attacks on the set-up page", () => {
  it("a code goes to the GitHub whose button was pressed, whatever another tab or another page asked for since", async () => {
    const [github, evil] = [await startGitHub("good"), await startGitHub("evil")];
    const { get, kept } = await open();
    const first = await get(offerOf(github.origin, "&address=https://forge.example.com"));
    const other = await get(offerOf(evil.origin, "&address=https://evil.example.com"));
    expect(stateIn(other.text)).not.toBe(stateIn(first.text));
    const back = await get(`/set-up/registered?code=one&state=${stateIn(first.text)}`);
    expect(back.status).toBe(200);
    expect([github.codes, evil.codes]).toEqual([["one"], []]);
    const { host } = new URL(github.origin);
    expect(kept).toEqual([{ slug: "good", host, address: "https://forge.example.com" }]);
  });

  it("a link of another page fills in nothing", async () => {
    const evil = await startGitHub("evil");
    const { get } = await open();
    for (const site of ["cross-site", "same-site"]) {
      const { status, text } = await get(offerOf(evil.origin), { "sec-fetch-site": site });
      expect([status, text.includes(evil.origin)]).toEqual([200, false]);
    }
    const own = await get(offerOf(evil.origin), { "sec-fetch-site": "same-origin" });
    expect(own.text).toContain(evil.origin);
  });

  it("an App that may do less than its button said is another App", async () => {
    const github = await startGitHub("small", "review");
    const { get, kept } = await open();
    const { text } = await get(offerOf(github.origin));
    const states = APP_USES.map((use) => stateIn(text, use));
    expect(new Set(states).size).toBe(APP_USES.length);
    const more = await get(`/set-up/registered?code=one&state=${stateIn(text, "implement")}`);
    expect(more.status).toBe(502);
    expect(more.text).toContain("That is another App than was asked for: small lacks");
    expect((await get(`/set-up/registered?code=two&state=${stateIn(text, "review")}`)).status).toBe(200);
    expect(kept).toHaveLength(1);
  });

  it("offers that were pushed out by many others open nothing", async () => {
    const github = await startGitHub("good");
    const { get, kept } = await open();
    const first = stateIn((await get(offerOf(github.origin))).text);
    for (let at = 0; at < 20; at += 1) await get(offerOf(github.origin, `&organization=o${at}`));
    expect((await get(`/set-up/registered?code=one&state=${first}`)).status).toBe(403);
    expect([github.codes, kept]).toEqual([[], []]);
  });

  it("a browser that closes while a model is tried does not keep Forge waiting", async () => {
    const [asked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const model: ModelSetUp = {
      try: async () => {
        asked.resolve();
        await gone.promise;
        return { works: true, said: [] };
      },
      ...{ keep: async () => "kept", waitMs: 600_000 },
    };
    const github = await startGitHub("good");
    const { get, at, cookie, page } = await open(model);
    const registered = await get(
      `/set-up/registered?code=one&state=${stateIn((await get(offerOf(github.origin))).text)}`,
    );
    const body = new URLSearchParams({ state: modelState(registered.text), provider: "anthropic", key: "sk-key" });
    const leaving = new AbortController();
    const sent = fetch(at("/set-up/model"), { method: "POST", headers: { cookie }, body, signal: leaving.signal });
    await asked.promise;
    leaving.abort();
    await expect(sent).rejects.toThrow();
    // The server has to see that the connection is closed: it answers another one after that.
    await get("/healthz");
    gone.resolve();
    await page.done;
  });

  it("a form that comes in slowly does nothing where the visit has ended since", async () => {
    const tried: unknown[] = [];
    const model: ModelSetUp = {
      try: async (variables) => ({ works: tried.push(variables) > 0, said: [] }),
      ...{ keep: async () => "kept", waitMs: 600_000 },
    };
    const github = await startGitHub("good");
    const { get, at, cookie } = await open(model);
    const registered = await get(
      `/set-up/registered?code=one&state=${stateIn((await get(offerOf(github.origin))).text)}`,
    );
    const state = modelState(registered.text);
    const type = "application/x-www-form-urlencoded";
    const headers = { cookie, "content-type": type, expect: "100-continue" };
    const slow = request(at("/set-up/model"), { method: "POST", headers });
    const answered = once(slow, "response");
    slow.flushHeaders();
    // The server waits for the form now.
    await once(slow, "continue");
    const ended = await fetch(at("/set-up/model"), {
      ...{ method: "POST", headers: { cookie }, body: new URLSearchParams({ state, without: "" }) },
    });
    expect(ended.status).toBe(200);
    slow.end(`state=${state}&provider=anthropic&key=sk-late`);
    const [late] = await answered;
    late.resume();
    expect([late.statusCode, tried]).toEqual([403, []]);
  });
});
