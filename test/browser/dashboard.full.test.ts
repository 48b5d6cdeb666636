import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GatedShop, openGatedShop } from "../dashboard/gated-shop.ts";
import { FORGETFUL } from "../e2e/cart.ts";
import { openPull } from "../e2e/pulls.ts";
import { describeInBrowser } from "../needs/programs.ts";
import { faultsOf } from "./axe.ts";
import { openBrowser, photograph, stickingOut } from "./open-browser.ts";

/** As the simulator numbers ana, the first account of a world. */
const ANA = "1001";

describeInBrowser("OPS-2: the pages, in a browser", () => {
  let shop: GatedShop;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const troubles: string[] = [];

  async function signIn(on: Page, login: string, path = "/"): Promise<void> {
    await on.goto(`${shop.home}${path}`);
    await on.locator("a.button").click();
    await on.locator(`button[value=${login}]`).click();
    await on.waitForURL(`${shop.home}${path}`);
  }

  beforeAll(async () => {
    [shop, browser] = await Promise.all([openGatedShop({ FORGE_OPERATORS: ANA }), openBrowser()]);
    context = await browser.newContext();
    page = await context.newPage();
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("console", (message) => /Content Security Policy/.test(message.text()) && troubles.push(message.text()));
    await signIn(page, "ben");
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await shop?.end();
    expect(troubles).toEqual([]);
  });

  const runOf = async () => {
    await page.goto(shop.home);
    return (await page.locator("#waits-section li a").first().getAttribute("href")) ?? "";
  };

  it("leads from signing in to the gate that waits, and from there to its run", async () => {
    await page.goto(shop.home);
    expect(await page.locator("h1").textContent()).toBe("1 gate waits for a person");
    await page.locator("#waits-section li a").first().click();
    expect(await page.locator("h2").allTextContents()).toEqual(
      expect.arrayContaining(["Waits for a person", "Timeline", "Findings", "Cost", "Log"]),
    );
    expect(await page.locator(".timeline .what").allTextContents()).toEqual(
      expect.arrayContaining(["review", expect.stringContaining("a word on the budget")]),
    );
    expect(await page.locator("#log code", { hasText: "agent.reasoned" }).count()).toBeGreaterThan(0);
  });

  const LOOKS = [
    [360, "light"],
    [800, "light"],
    [1440, "light"],
    [360, "dark"],
    [800, "dark"],
    [1440, "dark"],
  ] as const;
  it.each(LOOKS)("axe finds nothing and nothing sticks out at %i pixels, %s", async (width, colorScheme) => {
    const run = await runOf();
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const [name, path] of Object.entries({
      overview: "/",
      runs: "/runs?q=topic&kind=review",
      run,
      none: "/no-such",
    })) {
      await page.goto(`${shop.home}${path}`);
      await page.locator("#results details, #thinking details").evaluateAll((folds) => {
        for (const fold of folds) fold.setAttribute("open", "");
      });
      await photograph(page, `page-${name}-${width}-${colorScheme}`);
      expect(await faultsOf(page), name).toEqual([]);
      expect(await stickingOut(page), name).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBeLessThanOrEqual(width);
    }
  });

  it("axe finds nothing on the page of the process either, which operators alone have", async () => {
    shop.world.github.faults.add({ kind: "drop", match: { event: "issue_comment" }, times: 1 });
    shop.world.github.comment("acme/shop", 1, { by: "ben", body: "Nobody hears of it." });
    await shop.world.settled();
    const hers = await browser.newContext();
    const other = await hers.newPage();
    await signIn(other, "ana", "/process");
    for (const [width, colorScheme] of LOOKS) {
      await other.setViewportSize({ width, height: 900 });
      await other.emulateMedia({ colorScheme });
      await other.goto(`${shop.home}/process`);
      await photograph(other, `page-process-${width}-${colorScheme}`);
      expect(await other.locator("h1").textContent()).toBe("Process");
      expect(await faultsOf(other), `${width} ${colorScheme}`).toEqual([]);
      expect(await other.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      await other.locator("a", { hasText: "What GitHub delivered" }).click();
      await photograph(other, `page-deliveries-${width}-${colorScheme}`);
      expect(await other.locator("#failed button").textContent()).toBe("Deliver again");
      expect(await faultsOf(other), `deliveries ${width} ${colorScheme}`).toEqual([]);
      expect(await other.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
    await hers.close();
    expect((await page.goto(`${shop.home}/process`))?.status()).toBe(404);
  });

  it("can be walked by the keyboard: first to the content, then through all that can be pressed, each seen", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(shop.home);
    const reached: string[] = [];
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press("Tab");
      const [name, outline] = await page.evaluate<[string, string]>(
        "[document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim(), getComputedStyle(document.activeElement).outlineStyle]",
      );
      reached.push(name);
      expect(outline, name).toBe("solid");
    }
    expect(reached[0]).toBe("Skip to the content");
    expect(reached).toContain("Approve G-1 of acme/shop#1");
  });

  it("stays usable at twice the size", async () => {
    await page.setViewportSize({ width: 720, height: 450 });
    const run = await runOf();
    await page.goto(`${shop.home}${run}`);
    expect(await page.locator("#timeline").count()).toBe(1);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(720);
  });

  it("shows what happens meanwhile by itself, on the overview, the list and the run", async () => {
    const run = await runOf();
    const [overview, list, one] = [page, await context.newPage(), await context.newPage()];
    await overview.goto(shop.home);
    await list.goto(`${shop.home}/runs`);
    await one.goto(`${shop.home}${run}`);
    for (const each of [overview, list, one]) await each.locator("#live", { hasText: "Live" }).waitFor();
    await openPull(shop.world, { "src/more.js": "export const more = 1;\n" }, { branch: "second", title: "Say more" });
    await list.locator("#found li", { hasText: "Say more" }).waitFor();
    shop.world.github.comment("acme/shop", 1, { by: "ben", body: "/forge approve G-1" });
    await overview.locator("#waits-section li", { hasText: "acme/shop#1" }).waitFor({ state: "detached" });
    await one.locator(".timeline .took", { hasText: "approved" }).waitFor();
    await shop.world.settled();
    await Promise.all([list.close(), one.close()]);
  });

  it("is live again by itself after an answer that is an error, as a proxy gives one while Forge starts again", async () => {
    const other = await context.newPage();
    let answers = 0;
    await other.clock.install();
    await other.route("**/live?*", (route) => {
      answers += 1;
      return answers === 1 ? route.fulfill({ status: 502, body: "" }) : route.continue();
    });
    await other.goto(`${shop.home}/runs`);
    await other.locator("#live", { hasText: "The connection is lost" }).waitFor();
    await other.clock.fastForward(31_000);
    await other.locator("#live", { hasText: "Live" }).waitFor();
    await other.close();
  });

  it("keeps a note that was typed and not sent while the page updates, and shows markup in titles and branches as text", async () => {
    await openPull(shop.world, { "src/total.js": FORGETFUL }, { branch: "third", title: "Forget it" });
    await shop.world.settled();
    await page.goto(shop.home);
    await page.locator("#live", { hasText: "Live" }).waitFor();
    const note = page.locator("#waits-section li", { hasText: "acme/shop#3" }).locator("input[name=note]");
    await note.fill("half a sentence");
    await page.locator("h1").click();
    const [title, branch] = ["<img src=x onerror=document.title='run'>\u202e", "topic<img/src=x>"];
    await openPull(shop.world, { "src/total.js": FORGETFUL }, { branch, title });
    await page.locator("#waits-section li", { hasText: "acme/shop#4" }).waitFor();
    expect(await note.inputValue()).toBe("half a sentence");
    await page.locator("#waits-section li", { hasText: "acme/shop#4" }).locator("a").first().click();
    expect(await page.locator("h1").textContent()).toContain("<img src=x onerror=document.title='run'>");
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.title()).toContain("· acme/shop#4");
  });

  it("shows two people who are signed in at the same time what each may see", async () => {
    const hers = await browser.newContext();
    const other = await hers.newPage();
    await signIn(other, "eve", "/runs");
    await page.goto(`${shop.home}/runs`);
    for (const round of [1, 2]) {
      await Promise.all([page.reload(), other.reload()]);
      expect(await page.locator("main").textContent(), `${round}`).toContain("acme/shop");
      expect(await other.locator("main").textContent(), `${round}`).not.toContain("acme/shop");
    }
    await hers.close();
  });

  it("says what it has to say without JavaScript, the answer to a gate included", async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const still = await plain.newPage();
    await signIn(still, "ben", "/runs");
    await still.locator("form.filters input").fill("say more");
    await still.locator("form.filters button").click();
    expect(await still.locator("#found li").count()).toBe(1);
    await still.locator("#found li a").first().click();
    expect(await still.locator("h1").textContent()).toBe("Say more");
    await still.locator("#log summary").first().click();
    expect(await still.locator("#log pre").first().isVisible()).toBe(true);
    await still.goto(shop.home);
    const gate = still.locator("#waits-section li", { hasText: "acme/shop#3" });
    await gate.locator("input[name=note]").fill("without a script");
    await gate.locator("button[value=approve]").click();
    expect(await still.locator(".said").textContent()).toContain("Your yes");
    await shop.world.settled();
    const comments = shop.world.github.pullRequest("acme/shop", 3).comments.map(({ by, body }) => `${by}: ${body}`);
    expect(comments).toContainEqual(expect.stringMatching(/^ben: \/forge approve G-1 without a script/));
    await plain.close();
  });
});
