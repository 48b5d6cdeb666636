import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorld, type World } from "../e2e/world.ts";
import { fillHistory, historyOf } from "../learning/history.ts";
import { describeInBrowser } from "../needs/programs.ts";
import { faultsOf } from "./axe.ts";
import { openBrowser, photograph, stickingOut } from "./open-browser.ts";

/** As the simulator numbers ana, the first account of a world. */
const ANA = "1001";
/** A repository that only operators see here. */
const REPOSITORY = 900_001;
const SIZES = [360, 800, 1440] as const;

describeInBrowser("MET-1: the page of the metrics, in a browser", () => {
  let world: World;
  let browser: Browser;
  let page: Page;
  let home: string;
  const troubles: string[] = [];

  async function signIn(on: Page, login: string): Promise<void> {
    await on.goto(`${home}/insights`);
    await on.locator("a.button").click();
    await on.locator(`button[value=${login}]`).click();
    await on.waitForURL(`${home}/insights`);
  }

  beforeAll(async () => {
    [world, browser] = await Promise.all([
      createWorld({ signIn: true, environment: { FORGE_OPERATORS: ANA } }),
      openBrowser(),
    ]);
    const people = { ana: "admin", ben: "write" } as const;
    await world.github.createRepository("acme", "store", {
      private: false,
      files: { "a.md": "# Store\n" },
      collaborators: people,
    });
    home = `http://127.0.0.1:${world.forge?.port}`;
    await fillHistory(historyOf(world.forge!.store, REPOSITORY, world.clock.now), REPOSITORY);
    // Pages have to work without a script, and this one has none to lose.
    const context = await browser.newContext({ javaScriptEnabled: false });
    page = await context.newPage();
    page.on("console", (message) => /Content Security Policy/.test(message.text()) && troubles.push(message.text()));
    await signIn(page, "ana");
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await world?.end();
    expect(troubles).toEqual([]);
  });

  it("shows each metric with its number, its sample, its plot and its table, without JavaScript", async () => {
    await page.goto(`${home}/insights`);
    const parts = await page.locator("section.metric").evaluateAll((all) => all.map(({ id }) => id));
    expect(parts).toEqual([
      ...["findings", "first_pass", "precision-layer", "precision-rule", "precision-model"],
      ...["seconds_to_check", "seconds_to_answer", "cost_of_run", "bounces_of_run"],
      ...["ends", "memory", "rollbacks_false", "all"],
    ]);
    for (const id of ["findings", "first_pass", "seconds_to_check", "cost_of_run", "rollbacks_false"]) {
      const part = page.locator(`#${id}`);
      expect(await part.locator(".number").innerText(), id).toMatch(/\bof \d+|\d+ fixed/);
      expect(await part.locator(".plot svg rect, .plot svg .line").count(), id).toBeGreaterThan(0);
      await part.locator("summary").click();
      expect(await part.locator("tbody tr").first().isVisible(), id).toBe(true);
    }
    expect(await page.locator("#rollbacks_false .number").innerText()).toContain("1 of 3 rollbacks");
    expect(await page.locator("#rollbacks_false .few").innerText()).toContain("Only 3");
    expect(await page.locator("#seconds_to_answer").innerText()).toContain("Nothing was counted in these days.");
    expect(await page.locator("#precision-rule tbody").innerText()).toContain("<b>a-rule");
  });

  it("goes to another period by its links", async () => {
    await page.locator(".periods a", { hasText: "7 days" }).click();
    expect(page.url()).toBe(`${home}/insights?days=7`);
    expect(await page.locator(".periods a[aria-current]").innerText()).toBe("7 days");
    expect(await page.locator("#rollbacks_false").innerText()).toContain("Nothing was counted in these days.");
  });

  it("goes to one repository by its form, and stays in the period", async () => {
    await page.locator("main select").selectOption({ label: "acme/store" });
    await page.locator("main form button").click();
    expect(page.url()).toMatch(/\/insights\?days=7&repository=\d+$/);
    expect(await page.locator("main select option:checked").innerText()).toBe("acme/store");
    expect(await page.locator("main").innerText()).toContain("There is nothing to count yet");
  });

  it.each(["light", "dark"] as const)(
    "axe finds nothing and nothing sticks out, at any width, %s",
    async (colorScheme) => {
      const context = await browser.newContext({ colorScheme });
      const looking = await context.newPage();
      await signIn(looking, "ana");
      for (const width of SIZES) {
        await looking.setViewportSize({ width, height: 900 });
        for (const days of [7, 30, 90]) {
          const what = `page-metrics-${days}-${width}-${colorScheme}`;
          await looking.goto(`${home}/insights?days=${days}`);
          await photograph(looking, what);
          await looking.locator("details").evaluateAll((folds) => {
            for (const fold of folds) fold.setAttribute("open", "");
          });
          expect(await faultsOf(looking), what).toEqual([]);
          expect(await stickingOut(looking), what).toEqual([]);
          expect(await looking.evaluate("document.documentElement.scrollWidth"), what).toBeLessThanOrEqual(width);
        }
      }
      await context.close();
    },
  );

  it("says that there is nothing to count, to a person whose repositories have no history", async () => {
    const context = await browser.newContext();
    const other = await context.newPage();
    await signIn(other, "ben");
    expect(await other.locator("main").innerText()).toContain("There is nothing to count yet");
    expect(await other.locator("section.metric").count()).toBe(0);
    expect(await faultsOf(other)).toEqual([]);
    await photograph(other, "page-metrics-none");
    await context.close();
  });
});
