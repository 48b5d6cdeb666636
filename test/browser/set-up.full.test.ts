import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { type Simulator, startSimulator } from "../../simulator/start-simulator.ts";
import { setUp } from "../../src/app/set-up.ts";
import { describeInBrowser } from "../needs/programs.ts";
import { until } from "../until.ts";
import { faultsOf } from "./axe.ts";
import { openBrowser, photograph, stickingOut } from "./open-browser.ts";

const WIDTHS = [360, 800, 1440];
const THEMES = ["light", "dark"] as const;

describeInBrowser("OPS-5: setting Forge up, in a browser", () => {
  let github: Simulator;
  let model: ScriptedModel;
  let browser: Browser;
  let page: Page;
  let complete: ReturnType<typeof setUp>;
  const stopped = new AbortController();
  const said: string[] = [];
  const troubles: string[] = [];

  beforeAll(async () => {
    [github, model, browser] = await Promise.all([
      startSimulator(),
      startScriptedModel(() => ({ text: "ok" })),
      openBrowser(),
    ]);
    github.createAccount("ana");
    page = await browser.newPage();
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("console", (message) => /Content Security Policy/.test(message.text()) && troubles.push(message.text()));
    const environment = {
      ...{ GHE_HOST: new URL(github.origin).host, GHE_PROTOCOL: "http", PORT: "0" },
      FORGE_DATA: join(mkdtempSync(join(tmpdir(), "forge-set-up-")), "data"),
    };
    complete = setUp(environment, { say: (text) => said.push(text), isPrinted: false, signal: stopped.signal });
    await until(() => said.length > 0);
  }, 300_000);
  afterAll(async () => {
    stopped.abort();
    await browser?.close();
    await Promise.all([github?.stop(), model?.stop()]);
    expect(troubles).toEqual([]);
  });

  /** Everything opened, in both themes and at each width. */
  async function looksRight(name: string): Promise<void> {
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect([name, width, colorScheme, await faultsOf(page), await stickingOut(page)]).toEqual([
          ...[name, width, colorScheme, [], []],
        ]);
        if (width !== 1440) await photograph(page, `set-up-${name}-${width}-${colorScheme}`);
      }
    }
  }

  it("leads by the keyboard from the link to an App with the chosen permissions and a model that answers", async () => {
    await page.goto(/http\S+/.exec(said[0] ?? "")?.[0] ?? "");
    expect(page.url()).not.toContain("token");
    await looksRight("register");
    await page.locator("section", { hasText: "Review only" }).locator("button").press("Enter");
    await page.waitForURL(`${github.origin}/settings/apps/new?**`);
    await page.locator("button").first().press("Enter");
    await page.waitForURL("**/set-up/registered?**");
    expect(await page.locator("h1").innerText()).toBe("Set up a model");
    await looksRight("model");
    await page.locator("#key").fill("a-key-for-tests-only");
    await page.locator("#address").fill("not an address");
    await page.locator("#address").press("Enter");
    expect(await page.locator("[role=alert]").innerText()).toMatch(/^The address /);
    expect(await page.locator("#key").inputValue()).toBe("");
    await looksRight("problem");
    await page.locator("#key").fill("a-key-for-tests-only");
    await page.locator("#address").fill(model.anthropicUrl);
    await page.locator("#address").press("Enter");
    expect(await page.locator("h1").innerText()).toBe("Forge is set up");
    await looksRight("ready");
    const slug = /apps\/([^/]+)\//.exec((await page.locator("a.main").getAttribute("href")) ?? "")?.[1] ?? "";
    expect(slug).toMatch(/^forge-/);
    expect(await complete).toMatchObject({ ANTHROPIC_BASE_URL: model.anthropicUrl });
  });
});
