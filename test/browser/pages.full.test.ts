import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createWorld, type World } from "../e2e/world.ts";
import { describeInBrowser } from "../needs/programs.ts";
import { openBrowser, photograph, stickingOut } from "./open-browser.ts";
import { REPOSITORY, talkAboutShop } from "./shop-pull.ts";

/** What people see: not what is folded, hidden or a comment. */
function seen(locator: Locator): Promise<string> {
  return locator.innerText();
}

describeInBrowser("the pages of the simulated GitHub, in a browser", () => {
  let world: World;
  let browser: Browser;
  let page: Page;
  let path: string;
  const troubles: string[] = [];

  beforeAll(async () => {
    [world, browser] = await Promise.all([createWorld(), openBrowser()]);
    await world.settled();
    path = `${world.github.origin}/${REPOSITORY}/pull/${await talkAboutShop(world)}`;
    page = await browser.newPage();
    // For six seconds after a webhook pages look again by themselves: on a busy machine in the middle of a test.
    await page.addInitScript(
      "{ const later = setTimeout; globalThis.setTimeout = (run, ...rest) => run.name === 'look' ? 0 : later(run, ...rest); }",
    );
    page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== "data:" && origin !== world.github.origin) troubles.push(`asks ${request.url()}`);
    });
  }, 300_000);
  afterEach(() => expect(troubles.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser?.close();
    await world?.end();
  });

  const pull = () => world.github.pullRequest(REPOSITORY, Number(path.split("/").at(-1)));

  it("shows each comment under its line of the diff", async () => {
    await page.goto(`${path}/files`);
    const places = await page.locator(".below .thread").evaluateAll((threads) =>
      threads.map((thread) => {
        let row = thread.closest("tr")?.previousElementSibling;
        while (row?.classList.contains("below")) row = row.previousElementSibling;
        const file = thread.closest(".file")?.querySelector("header .place")?.textContent;
        return `${file}:${row?.getAttribute("data-line")}`;
      }),
    );
    const standing = pull().reviewComments.filter(({ inReplyTo, outdated }) => inReplyTo === null && !outdated);
    expect(standing.length).toBeGreaterThan(2);
    expect(places.sort()).toEqual(standing.map((comment) => `${comment.path}:${comment.currentLine}`).sort());
  });

  it("shows a review with code, suggestions as diffs, and what is resolved or outdated folded", async () => {
    await page.goto(path);
    const first = page.locator(".review").first();
    expect(await first.locator(".thread").count()).toBe(pull().reviews[0]?.comments.length);
    expect(await page.locator("details.thread[open]").count()).toBe(0);
    expect(await page.locator("section.thread .comment").first().isVisible()).toBe(true);
    const suggestions = pull().reviewComments.filter(({ body }) => body.includes("```suggestion")).length;
    expect(suggestions).toBeGreaterThan(0);
    expect(await page.locator(".suggestion .deleted").count()).toBeGreaterThanOrEqual(suggestions);
    expect(await page.locator(".merge .verdict").textContent()).toMatch(/^Merging is blocked: forge\/review/);
    const text = await seen(page.locator("main"));
    for (const raw of ["<!--", "```", "<details", "|---", " **"]) expect(text).not.toContain(raw);
  });

  it("leads from the words above a review to its check", async () => {
    await page.goto(path);
    await page.locator(".review .box a", { hasText: "forge/review" }).last().click();
    expect(page.url()).toMatch(/\/pull\/\d+\/checks\?run=\d+$/);
    const review = pull().reviews.findLast(({ by, body }) => by === "forge[bot]" && body !== "");
    const shown = pull().allCheckRuns.find(({ headSha }) => headSha === review?.commitId);
    expect(shown?.title).toBeTruthy();
    expect(await page.locator(".run h2").first().textContent()).toBe(shown?.title);
    expect((await fetch(`${world.github.origin}/${REPOSITORY}/runs/999999`)).status).toBe(404);
  });

  it("renders the summary of a check with its table, and annotations with their places", async () => {
    await page.goto(`${path}/checks`);
    const run = page.locator(".run");
    const summary = pull().checkRuns[0]?.summary ?? "";
    const rows = summary.split("\n").filter((line) => line.startsWith("| ")).length;
    expect(rows).toBeGreaterThan(2);
    expect(await run.locator(".markdown table tr").count()).toBe(rows);
    expect(await seen(run)).not.toMatch(/\|---|\*\*|<details/);
    expect(await page.locator(".annotation").count()).toBe(pull().checkRuns[0]?.annotations.length);
    expect(await page.locator(".heads code").allTextContents()).toEqual(
      [...pull().heads].reverse().map((sha) => sha.slice(0, 7)),
    );
  });

  it("takes a comment of whoever is chosen, escapes it, and refuses an empty one", async () => {
    await page.goto(path);
    const form = page.locator("form.form");
    await form.locator("select").selectOption("ben");
    await form.locator("textarea").fill('<img src="x" onerror="alert(1)"> & **bold**');
    await form.locator("button").click();
    const last = page.locator(".comment.box").last();
    expect(await seen(last)).toContain('<img src="x" onerror="alert(1)"> & bold');
    expect(pull().comments.at(-1)?.by).toBe("ben");
    const empty = await fetch(`${path}/comments`, {
      method: "POST",
      headers: { origin: world.github.origin },
      body: new URLSearchParams({ by: "ben", body: " " }),
    });
    expect(empty.status).toBe(422);
    expect(await empty.text()).toContain("A comment needs words.");
  });

  it("takes no form from another site", async () => {
    const foreign = await fetch(`${path}/comments`, {
      method: "POST",
      headers: { origin: "http://elsewhere.test" },
      body: new URLSearchParams({ by: "ana", body: "/forge override forge/review" }),
    });
    expect(foreign.status).toBe(403);
  });

  it("replies in a thread and resolves it", async () => {
    await page.goto(path);
    const thread = page.locator("section.thread").last();
    const id = await thread.getAttribute("id");
    await thread.locator(".talk summary").click();
    await thread.locator("textarea").fill("Agreed.");
    await thread.locator("button", { hasText: "Reply" }).click();
    expect(await seen(page.locator(`#${id} .comment`).last())).toContain("Agreed.");
    await page.locator(`#${id} .talk summary`).click();
    await page.locator(`#${id} button`, { hasText: "Resolve" }).click();
    expect(await seen(page.locator(`#${id} > summary`))).toContain("resolved by ana");
  });

  it("presses the buttons of a check for those who may, and for nobody else", async () => {
    const [check] = pull().checkRuns;
    await page.goto(`${path}/checks`);
    await page.locator(".run select").selectOption("ana");
    await page.locator(".run button", { hasText: "Re-run" }).click();
    await world.settled();
    expect(pull().checkRuns[0]?.id).not.toBe(check?.id);
    world.github.createAccount("eve");
    const refused = await fetch(`${path}/checks/${check?.id}`, {
      method: "POST",
      headers: { origin: world.github.origin },
      body: new URLSearchParams({ by: "eve", do: "rerun" }),
    });
    expect(refused.status).toBe(403);
  });

  const LOOKS = [
    ["wide", 1280, "light"],
    ["narrow", 390, "light"],
    ["dark", 1280, "dark"],
  ] as const;
  it.each(LOOKS)("nothing sticks out of a %s window of %i pixels, %s", async (name, width, colorScheme) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const pages = { home: world.github.origin, conversation: path, files: `${path}/files`, checks: `${path}/checks` };
    for (const [what, address] of Object.entries(pages)) {
      await page.goto(address);
      await page.locator("details").evaluateAll((folds) => {
        for (const fold of folds) if (!fold.classList.contains("talk")) fold.setAttribute("open", "");
      });
      await photograph(page, `${what}-${name}`);
      expect(await stickingOut(page), what).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth"), what).toBeLessThanOrEqual(width);
    }
  });

  it("says what is not there", async () => {
    expect((await fetch(`${world.github.origin}/acme/nothing/pull/1`)).status).toBe(404);
    expect((await fetch(`${path}999`)).status).toBe(404);
  });
});
