import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GatedShop, openGatedShop } from "../dashboard/gated-shop.ts";
import { describeInBrowser } from "../needs/programs.ts";
import { faultsOf } from "./axe.ts";
import { openBrowser, photograph, stickingOut } from "./open-browser.ts";

describeInBrowser("OPS-2: what people do on the pages, in a browser", () => {
  let shop: GatedShop;
  let browser: Browser;
  let page: Page;
  const troubles: string[] = [];

  beforeAll(async () => {
    [shop, browser] = await Promise.all([openGatedShop(), openBrowser()]);
    page = await browser.newPage();
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("console", (message) => /Content Security Policy/.test(message.text()) && troubles.push(message.text()));
    await page.goto(shop.home);
    await page.locator("a.button").click();
    await page.locator("button[value=ben]").click();
    await page.waitForURL(`${shop.home}/`);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await shop?.end();
    expect(troubles).toEqual([]);
  });

  it("leads from a gate that waits to a yes, a run that goes on, and its finding that is dismissed, which the metrics count", async () => {
    await page.locator("#waits-section li a").first().click();
    await page.locator("#live", { hasText: "Live" }).waitFor();
    await page.locator("#gates input[name=note]").fill("it is worth it");
    await page.locator("#gates button[value=approve]").click();
    expect(await page.locator(".said").textContent()).toContain("Your yes was posted on GitHub");
    // The review goes on and ends meanwhile: the page shows it by itself.
    const finding = page.locator("#results li", { hasText: "multiplied" }).first();
    await finding.waitFor();
    await page.locator("#actions button", { hasText: "Review again" }).waitFor();
    await finding.locator("summary").click();
    await finding.locator("input[name=note]").fill("counts are always 1 here");
    await finding.locator("button").click();
    await page.locator("#results", { hasText: "dismissed by ben" }).waitFor();
    await shop.world.settled();
    const run = page.url();
    await page.locator("nav a", { hasText: "Metrics" }).click();
    expect(await page.locator("#seconds_to_answer").textContent()).toContain("of 1 gate");
    expect(await page.locator("#cost_of_run").textContent()).toContain("$0.11, of 1 run");
    // What came of findings is known when their pull request is merged.
    await shop.world.github.mergePullRequest("acme/shop", 1, "ben");
    await shop.world.settled();
    await page.reload();
    expect(await page.locator("#findings").textContent()).toContain("0 fixed, 1 dismissed, of 1 finding");
    expect(await page.locator("#precision-layer").textContent()).toContain("0 of 1");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsOf(page), `metrics, ${colorScheme}`).toEqual([]);
    }
    await page.goto(run);
    const comments = shop.world.github.pullRequest("acme/shop", 1).comments.filter(({ by }) => by === "ben");
    expect(comments.map(({ body }) => body)).toEqual([
      "/forge approve G-1 it is worth it",
      expect.stringMatching(/^\/forge dismiss F-[0-9A-Z]+ counts are always 1 here$/),
    ]);
  });

  const LOOKS = [
    [360, "light"],
    [800, "dark"],
    [1440, "light"],
    [1440, "dark"],
  ] as const;
  it.each(LOOKS)(
    "axe finds nothing and nothing sticks out with forms open at %i pixels, %s",
    async (width, colorScheme) => {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const run = page.url();
      await page.reload();
      for (const fold of await page.locator("#results details:not([open]) > summary").all()) await fold.click();
      await looksWell("actions", width, colorScheme);
      await page.goto(`${shop.home}/repositories`);
      await page.locator("main li a", { hasText: "acme/shop" }).click();
      expect(await page.locator("h1").textContent()).toBe("acme/shop");
      await looksWell("repository", width, colorScheme);
      await page.locator("main a", { hasText: "What Forge remembers here" }).click();
      await looksWell("memories", width, colorScheme);
      await page.goto(run);
    },
  );

  async function looksWell(name: string, width: number, colorScheme: string): Promise<void> {
    await photograph(page, `page-${name}-${width}-${colorScheme}`);
    expect(await faultsOf(page), name).toEqual([]);
    expect(await stickingOut(page), name).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBeLessThanOrEqual(width);
  }
});
