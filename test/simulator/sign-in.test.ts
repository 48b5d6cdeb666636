import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { App } from "../../simulator/records.ts";
import { aGitHub, as, type GitHub } from "./a-github.ts";

const CALLBACK = "http://localhost:3000/auth/callback";
const VERIFIER = "a verifier that only the App knows, of more than 43 characters";
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

let github: GitHub;
let app: App;
beforeAll(async () => {
  github = await aGitHub();
  app = Object.assign(github.registered, { callbackUrls: [CALLBACK] });
  await github.simulator.createRepository("acme", "open", { private: false, files: { a: "a" } });
  await github.simulator.createRepository("acme", "vault", { files: { a: "a" } });
  github.simulator.addRepositories(github.installation, ["open", "vault"]);
});
afterAll(() => github.stop());

/** What the browser does: the page, and the press of one button. Returns where it is sent. */
async function agree(pressed: Record<string, string>, asked: Record<string, string> = {}): Promise<URL | number> {
  const query = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: CALLBACK,
    state: "a state",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    ...asked,
  });
  const address = `${github.simulator.origin}/login/oauth/authorize?${query}`;
  const page = await fetch(address);
  if (!page.ok) return page.status;
  const answer = await fetch(address, { method: "POST", body: new URLSearchParams(pressed), redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "");
}

async function exchange(code: string, other: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const body = new URLSearchParams({
    client_id: app.clientId,
    client_secret: app.clientSecret ?? "",
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    code,
    ...other,
  });
  const address = `${github.simulator.origin}/login/oauth/access_token`;
  const answer = await fetch(address, { method: "POST", body, headers: { accept: "application/json" } });
  return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) };
}

async function codeOf(login: string): Promise<string> {
  return ((await agree({ as: login })) as URL).searchParams.get("code") ?? "";
}

async function tokenOf(login: string): Promise<string> {
  return String((await exchange(await codeOf(login))).access_token);
}

describe("signing in to an App", () => {
  it("leads back with the state and a code that is a token once", async () => {
    const back = (await agree({ as: "ana" })) as URL;
    expect(back.href).toMatch(/^http:\/\/localhost:3000\/auth\/callback\?code=\w+&state=a\+state$/);
    const code = back.searchParams.get("code") ?? "";
    const token = await exchange(code);
    expect(token).toMatchObject({ status: 200, token_type: "bearer", expires_in: 28_800 });
    expect(as(await github.call("GET", "/user", String(token.access_token)))).toMatchObject({ login: "ana" });
    expect(await exchange(code)).toMatchObject({ status: 200, error: "bad_verification_code" });
  });

  it.each([
    ["a wrong secret", { client_secret: "wrong" }, "incorrect_client_credentials"],
    ["another callback", { redirect_uri: `${CALLBACK}?more` }, "redirect_uri_mismatch"],
    ["another verifier", { code_verifier: "of somebody else" }, "bad_verification_code"],
  ])("refuses %s with status 200", async (_, other, error) => {
    expect(await exchange(await codeOf("ana"), other)).toMatchObject({ status: 200, error });
  });

  it("says that somebody cancelled, and goes to no address that is not the App's", async () => {
    const back = (await agree({ deny: "yes" })) as URL;
    expect(back.searchParams.get("error")).toBe("access_denied");
    expect(await agree({ as: "ana" }, { redirect_uri: "https://example.org/" })).toBe(400);
    expect(await agree({ as: "ana" }, { client_id: "nobody" })).toBe(404);
    expect(await agree({ as: "ana" }, { code_challenge_method: "plain" })).toBe(400);
  });
});

describe("what a person reaches through an App", () => {
  it("is what they were given, with their permissions; a public repository gives a stranger nothing", async () => {
    const token = await tokenOf("ben");
    expect(as(await github.call("GET", "/user/installations", token))).toMatchObject({
      total_count: 1,
      installations: [{ id: github.installation.id }],
    });
    const listed = await github.call("GET", `/user/installations/${github.installation.id}/repositories`, token);
    expect(as(listed)).toMatchObject({
      total_count: 1,
      repositories: [{ full_name: "acme/shop", permissions: { push: true, maintain: false } }],
    });
    const strangers = await github.call("GET", "/user/installations", await tokenOf("eve"));
    expect(as(strangers)).toMatchObject({ total_count: 0, installations: [] });
  });

  it("is not listed for a token of their own", async () => {
    const own = github.simulator.createUserToken("ben");
    expect((await github.call("GET", "/user/installations", own)).status).toBe(403);
  });

  it("ends with the token, or when the person takes it back, of which the App is told", async () => {
    const token = await tokenOf("ana");
    const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64");
    const ended = await fetch(`${github.simulator.origin}/api/v3/applications/${app.clientId}/token`, {
      method: "DELETE",
      headers: { authorization: `Basic ${basic}` },
      body: JSON.stringify({ access_token: token }),
    });
    expect(ended.status).toBe(204);
    expect((await github.call("GET", "/user", token)).status).toBe(401);
    const another = await tokenOf("ana");
    github.simulator.revokeAuthorization(app, "ana");
    await github.simulator.idle();
    expect(github.events()).toContain("github_app_authorization.revoked");
    expect((await github.call("GET", "/user", another)).status).toBe(401);
    expect(github.simulator.referee.findings).toEqual([]);
  });
});

describe("an App that is registered by its manifest", () => {
  const manifest = {
    name: "Forge of acme",
    url: "http://localhost:3000",
    redirect_url: "http://localhost:3000/set-up/registered",
    hook_attributes: { url: "http://localhost:3000/api/github/webhooks", active: false },
    callback_urls: [CALLBACK],
    default_permissions: { checks: "write", metadata: "read" },
    default_events: ["check_run"],
  };
  const post = (path: string, form: Record<string, string>) =>
    fetch(`${github.simulator.origin}${path}`, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
  const convert = (code: string) =>
    fetch(`${github.simulator.origin}/api/v3/app-manifests/${code}/conversions`, { method: "POST" });

  it("tells its secrets once", async () => {
    const text = JSON.stringify(manifest);
    const page = await post("/settings/apps/new?state=mine", { manifest: text });
    expect(await page.text()).toContain("/settings/apps/new/confirmed?state=mine");
    const form = { manifest: text, name: manifest.name, by: "ana" };
    const created = await post("/settings/apps/new/confirmed?state=mine", form);
    const back = new URL(created.headers.get("location") ?? "");
    expect(back.href).toMatch(/^http:\/\/localhost:3000\/set-up\/registered\?code=\w+&state=mine$/);
    const code = back.searchParams.get("code") ?? "";
    const converted = await convert(code);
    expect(converted.status).toBe(201);
    expect(await converted.json()).toMatchObject({
      slug: "forge-of-acme",
      owner: { login: "ana" },
      permissions: manifest.default_permissions,
      pem: expect.stringContaining("RSA PRIVATE KEY"),
    });
    expect((await convert(code)).status).toBe(404);
    expect(github.simulator.referee.findings).toEqual([]);
    expect((await post("/settings/apps/new/confirmed", form)).status).toBe(422);
  });

  it.each([
    ["text that is no JSON", "{"],
    ["no address for webhooks", JSON.stringify({ ...manifest, hook_attributes: {} })],
    ["too many callbacks", JSON.stringify({ ...manifest, callback_urls: Array(11).fill(CALLBACK) })],
  ])("is refused with %s", async (_, text) => {
    expect((await post("/settings/apps/new", { manifest: text })).status).toBe(422);
  });
});
