import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "../needs/programs.ts";
import { until } from "../until.ts";
import { faultsOf } from "./axe.ts";
import { openBrowser, photograph, stickingOut } from "./open-browser.ts";

describeInBrowser("OPS-5: npm run demo -- set-up, in a browser", () => {
  let demo: ChildProcess;
  let browser: Browser;
  let page: Page;
  let printed = "";

  beforeAll(async () => {
    demo = spawn(process.execPath, ["demo/main.ts", "set-up"], { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [demo.stdout, demo.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
      });
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 800, height: 900 } });
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    if (demo.exitCode === null) demo.kill("SIGKILL");
  });

  it("leads from nothing to the first review, by what the demo and the pages say alone", async () => {
    await until(() => /Open {7}http\S+/.test(printed) && printed.includes("Install "));
    const said = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? "";
    const forge = said(/Forge {3}(http\S+)/);
    await page.goto(said(/Open {7}(http\S+)/));
    await page.locator("section", { hasText: "Review and implement" }).locator("button").click();
    await page.getByRole("button", { name: "Create GitHub App" }).click();
    await page.locator("#key").fill("any-key");
    await page.locator("#address").fill(said(/the address (http\S+):/));
    await page.getByRole("button", { name: "Try it and go on" }).click();
    expect(await page.locator("h1").innerText()).toBe("Forge is set up");
    await until(() => printed.includes("Forge runs, with the App that you registered"));
    await page.locator("a.main").click();
    await page.locator("select").selectOption("acme");
    await page.getByRole("button", { name: "Install" }).click();
    await page.waitForURL(`${forge}/installed?**`);
    await page.locator("a.button").click();
    await page.locator("button[value=ana]").click();
    await page.waitForURL(`${forge}/installed?**`);
    expect(await page.locator("h1").innerText()).toBe("Forge in acme/shop");
    const editor = new URL((await page.locator("a.button").getAttribute("href")) ?? "");
    expect(editor.searchParams.get("value")).toContain("review:");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect([width, colorScheme, await faultsOf(page), await stickingOut(page)]).toEqual([
          width,
          colorScheme,
          [],
          [],
        ]);
        await photograph(page, `installed-${width}-${colorScheme}`);
      }
    }
    await until(() => /The first review came \d+ s after/.test(printed));
    expect(printed).toMatch(/\/acme\/shop\/pull\/1 {2}\S.*, \d+ comments/);
    demo.kill("SIGINT");
    const [code] = demo.exitCode === null ? await once(demo, "exit") : [demo.exitCode];
    expect([code, printed.includes("Not as told")]).toEqual([0, false]);
  });
});
