import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatedShop, openGatedShop } from "./gated-shop.ts";
import { createPerson, hidden } from "./person.ts";

let shop: GatedShop;
beforeAll(async () => {
  shop = await openGatedShop();
});
afterAll(() => shop?.end());

const WAITS = "waits for a word on the budget";

describe("OPS-2: signing in to the pages", () => {
  it("shows nothing to whoever is not signed in, and leads back to where they were", async () => {
    const ben = createPerson(shop.home);
    const asked = await ben.get("/?answered=approve");
    const page = await asked.text();
    expect(asked.status).toBe(401);
    expect(page).not.toContain("acme/shop");
    expect(page).toContain('href="/auth/login?return_to=%2F%3Fanswered%3Dapprove"');
    expect(await ben.signIn("ben", "/?answered=approve")).toBe(`${shop.home}/?answered=approve`);
    const first = await ben.get("/");
    expect(await first.text()).toContain(WAITS);
    expect(first.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(first.headers.get("cache-control")).toBe("no-store");
  });

  it("does not say that nothing waits on a page after the last gate", async () => {
    const ben = createPerson(shop.home);
    await ben.signIn("ben");
    const page = await (await ben.get("/?after=30")).text();
    expect(page).toContain("1 gate waits for a person");
    expect(page).not.toContain("Nothing waits");
    expect(page).toContain('<a href="/">To the first page</a>');
  });

  it("shows a stranger nothing of a public repository, and an operator all of them", async () => {
    const eve = createPerson(shop.home);
    await eve.signIn("eve");
    const page = await (await eve.get("/")).text();
    expect(page).not.toContain("acme/shop");
    expect(page).toContain("GitHub lists no repository for you");
  });

  it("keeps neither the cookie nor the token of a person where the database can be read", async () => {
    const ben = createPerson(shop.home);
    await ben.signIn("ben");
    const rows = await shop.world.forge!.store.read.all(sql`select * from sessions`);
    const stored = JSON.stringify(rows);
    expect(rows.length).toBeGreaterThan(0);
    expect(stored).not.toContain("ghu_");
    expect(stored).not.toContain(ben.cookies.get("forge"));
  });

  it("works from an address that is too long for a cookie, and leads to the first page then", async () => {
    const ben = createPerson(shop.home);
    const asked = await ben.get(`/auth/login?return_to=${encodeURIComponent(`/runs?q=${"x".repeat(4_000)}`)}`);
    expect(asked.headers.getSetCookie().join().length).toBeLessThan(4_096);
    expect(await ben.signIn("ben", `/runs?q=${"x".repeat(4_000)}`)).toBe(`${shop.home}/`);
  });

  it.each([
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "/auth/login",
  ])("leads nobody elsewhere: %j", async (path) => {
    const target = await createPerson(shop.home).signIn("ben", path);
    expect(new URL(target).origin).toBe(shop.home);
    expect(target).not.toContain("/auth/");
  });

  it("takes a code once, and only in the browser that began with it", async () => {
    const ben = createPerson(shop.home);
    const back = await ben.agree("ben");
    const thief = createPerson(shop.home);
    const stolen = await thief.get(back);
    expect(stolen.status).toBe(400);
    expect(await stolen.text()).toContain("This sign-in was not begun in this browser");
    const underWay = ben.cookies.get("forge-sign-in") ?? "";
    expect((await ben.get(back)).status).toBe(302);
    // Even with the sealed state of back then the code is spent.
    const again = createPerson(shop.home);
    again.cookies.set("forge-sign-in", underWay);
    const replayed = await again.get(back);
    expect(await replayed.text()).toContain("GitHub did not accept this sign-in");
    expect(again.cookies.has("forge")).toBe(false);
    const changed = createPerson(shop.home);
    changed.cookies.set("forge-sign-in", `${underWay.slice(0, -2)}AA`);
    expect((await changed.get(back)).status).toBe(400);
  });

  it("says that somebody cancelled", async () => {
    const ben = createPerson(shop.home);
    const back = new URL(await ben.agree("ben"));
    back.searchParams.delete("code");
    back.searchParams.set("error", "access_denied");
    expect(await (await ben.get(back.href)).text()).toContain(
      "You are not signed in: the sign-in was canceled on GitHub.",
    );
  });

  it("ends when the person signs out, takes it back on GitHub, or after 8 hours; an old cookie opens nothing", async () => {
    const ben = createPerson(shop.home);
    await ben.signIn("ben");
    const old = ben.cookies.get("forge") ?? "";
    const token = hidden(await (await ben.get("/")).text(), "token");
    expect((await ben.post("/auth/sign-out", { token })).status).toBe(303);
    expect(ben.cookies.has("forge")).toBe(false);
    ben.cookies.set("forge", old);
    expect((await ben.get("/")).status).toBe(401);

    await ben.signIn("ben");
    expect((await ben.get("/")).status).toBe(200);
    shop.world.github.revokeAuthorization(shop.world.app, "ben");
    await shop.world.settled();
    expect((await ben.get("/")).status).toBe(401);

    await ben.signIn("ben");
    shop.world.clock.advance(8 * 3_600_000 - 60_000);
    expect((await ben.get("/")).status).toBe(200);
    shop.world.clock.advance(60_000);
    expect((await ben.get("/")).status).toBe(401);
  });
});
