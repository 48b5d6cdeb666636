import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { requireTool } from "../../scripts/tools.ts";
import { CHROMIUM } from "../needs/programs.ts";

/** A real browser that talks to nobody by itself. */
export function openBrowser(): Promise<Browser> {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  const { chromium } = requireTool("playwright-core") as typeof import("playwright-core");
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args });
}

let folder: string | undefined;

/** A picture of the whole page: in the folder that FORGE_SCREENSHOTS names, or in a new one that is said once. */
export async function photograph(page: Page, name: string): Promise<void> {
  if (folder === undefined) {
    folder = process.env.FORGE_SCREENSHOTS ?? mkdtempSync(join(tmpdir(), "forge-screenshots-"));
    mkdirSync(folder, { recursive: true });
    console.info(`screenshots: ${folder}`);
  }
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

const STICKING_OUT = `
  const overflow = (element) => getComputedStyle(element).overflowX;
  const scrolls = (element) => element !== null && (/auto|scroll/.test(overflow(element)) || scrolls(element.parentElement));
  const sticksOut = (element) => element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element.parentElement);
  const cutsOff = (element) => overflow(element) === "hidden" && element.scrollWidth > element.clientWidth + 1;
  [...document.body.querySelectorAll("*")]
    .filter((element) => sticksOut(element) || cutsOff(element))
    .map((element) => element.tagName.toLowerCase() + "." + element.className);
`;

/** What sticks out of the window to the right or is cut off by its box, as selectors; what can be scrolled in its own box is neither. */
export function stickingOut(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(STICKING_OUT);
}
