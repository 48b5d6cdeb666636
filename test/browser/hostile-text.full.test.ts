import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type Asked,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "../../simulator/models/scripted-model.ts";
import { CART, CLAIM, FORGETFUL } from "../e2e/cart.ts";
import { openPull } from "../e2e/pulls.ts";
import { createWorld, type World } from "../e2e/world.ts";
import { describeInBrowser } from "../needs/programs.ts";
import { openBrowser } from "./open-browser.ts";

const MARKUP = `</p></details><img src=x onerror="document.title='run'"><script>document.title='run'</script><a href="javascript:document.title='run'">press</a>`;
const TURNED = "\u202egnp.exe";
const FILE = `src/"><img src=x onerror=document.title='run'>.js`;

/** A model that was talked into writing pages: its claims, reasons and summary are markup. */
function hostile({ messages, toolNames }: Asked): ScriptedReply {
  if (toolNames.length === 0) return { text: MARKUP };
  if (JSON.stringify(messages).includes("Your task is to refute each claim")) {
    const judgements = [{ claim: 1, verdict: "stands", reason: `${MARKUP} ${TURNED}` }];
    return { calls: [{ name: "complete", input: { judgements } }] };
  }
  const claim = {
    ...CLAIM,
    file: FILE,
    claim: `It forgets the count. ${MARKUP} ${TURNED}`,
    scenario: `Two. ${MARKUP}`,
  };
  return { calls: [{ name: "complete", input: { summary: MARKUP, findings: [claim] } }] };
}

describeInBrowser("OPS-2: what a hostile model and a hostile repository wrote, in a browser", () => {
  let world: World;
  let model: ScriptedModel;
  let browser: Browser;
  let page: Page;
  const troubles: string[] = [];

  beforeAll(async () => {
    model = await startScriptedModel(hostile);
    const files = { ...CART, ".github/forge.yml": "review:\n  ai: always\n" };
    [world, browser] = await Promise.all([
      createWorld({ files, signIn: true, environment: model.environment }),
      openBrowser(),
    ]);
    await openPull(world, { [FILE]: FORGETFUL }, { branch: "topic", title: `Sum ${MARKUP}` });
    await world.settled();
    page = await browser.newPage();
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("console", (message) => /Content Security Policy/.test(message.text()) && troubles.push(message.text()));
    page.on("dialog", (dialog) => troubles.push(dialog.message()));
    await page.goto(`http://127.0.0.1:${world.forge?.port}/runs`);
    await page.locator("a.button").click();
    await page.locator("button[value=ben]").click();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await world?.end();
    await model?.stop();
  });

  it("is text on the page of the run: in the finding, its evidence, its file, the title and the log", async () => {
    await page.locator("#found li a").first().click();
    const findings = page.locator("section", { has: page.locator("#findings") });
    await findings.locator("summary").first().click();
    const text = await findings.innerText();
    expect(text).toContain("It forgets the count. </p></details><img src=x");
    expect(text).toContain(FILE);
    expect(text).toContain("<script>");
    for (const summary of await page.locator("#log summary").all()) await summary.click();
    expect(await page.locator("#log").innerText()).toContain("<script>");
    const whole = await page.content();
    expect(whole).not.toContain("\u202e");
    expect(await page.locator("main img, main script, main a[href^='javascript']").count()).toBe(0);
    expect(await page.title()).toContain("· acme/shop#1");
    expect(troubles).toEqual([]);
  });

  it("leads nowhere but to GitHub and to Forge", async () => {
    const links = await page.locator("a[href]").all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute("href")));
    const origins = new Set(addresses.map((address) => new URL(address ?? "", page.url()).origin));
    expect([...origins].sort()).toEqual([new URL(page.url()).origin, world.github.origin].sort());
  });
});
