// Takes the picture of README.md: the first pull request of `npm run demo -- review`, as the simulated GitHub shows it in Chromium.
//   node scripts/take-picture.ts [<folder>]     writes pull-request.png and pull-request-dark.png, by default to docs/pictures,
//                                               and the pages of Forge: page-run.png as mia sees it then, and page-overview.png of a shop
//                                               where a review waits for a person, each with -dark, page-process.png and page-deliveries.png as its
//                                               operator sees them, and page-repository.png and page-metrics.png of the same shop with a history of
//                                               two months, which is made up
// What Forge says in it is written to docs/pictures/pull-request.txt, which the demo compares.
// Nothing in the picture is drawn by hand. Forge runs as it does with a GitHub Enterprise Server, without a model, and a new picture shows
// what Forge says today. Needs Debian's packages chromium and fonts-liberation.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { sql } from "drizzle-orm";
import { foundInPlace } from "../demo/chapters/found-in-place.ts";
import { createExpectations } from "../demo/expect.ts";
import { SHOP } from "../demo/github.ts";
import { startLifetime } from "../demo/lifetime.ts";
import { PICTURE_TEXT, pictureText } from "../demo/picture-text.ts";
import { createScreen } from "../demo/screen.ts";
import { setStage } from "../demo/stage.ts";
import { openBrowser } from "../test/browser/open-browser.ts";
import { openGatedShop } from "../test/dashboard/gated-shop.ts";
import { fillHistory, historyOf } from "../test/learning/history.ts";

/** In pixels of CSS. */
const WIDTH = 1000;
const HEIGHT = 1120;
const PAGE_HEIGHT = 720;
/** As the simulator numbers ana, the first account of a world. */
const OPERATOR = "1001";
const OPERATOR_PAGES = [
  ["page-process", "/process"],
  ["page-deliveries", "/process/deliveries"],
] as const;
const SCHEMES = [
  ["", "light"],
  ["-dark", "dark"],
] as const;

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "..", "docs", "pictures"));
mkdirSync(folder, { recursive: true });
const lifetime = await startLifetime();
try {
  const screen = createScreen({ quiet: true });
  const stage = await setStage(lifetime, { stories: ["review"], environment: process.env, seed: undefined, screen });
  const telling = {
    stage,
    screen,
    expectations: createExpectations(),
    opened: [],
    verdicts: [],
    refuted: [],
    told: {},
  };
  const number = await foundInPlace(telling);
  writeFileSync(PICTURE_TEXT, pictureText(stage.github.pullRequest(SHOP, number)));
  const browser = await openBrowser();
  for (const [name, colorScheme] of [
    ["pull-request", "light"],
    ["pull-request-dark", "dark"],
  ] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: WIDTH, height: HEIGHT } });
    await page.goto(`${stage.github.origin}/${SHOP}/pull/${number}`);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
  for (const [ending, colorScheme] of SCHEMES) {
    const page = await browser.newPage({ colorScheme, viewport: { width: WIDTH, height: PAGE_HEIGHT } });
    await page.goto(`${stage.forge.address}/auth/login?login=mia`);
    await page.goto(`${stage.forge.address}/runs`);
    await page.locator("#found li a").first().click();
    await page.locator("#findings").waitFor();
    await page.screenshot({ path: join(folder, `page-run${ending}.png`) });
  }
  const shop = await openGatedShop({ FORGE_OPERATORS: OPERATOR });
  for (const [ending, colorScheme] of SCHEMES) {
    const page = await browser.newPage({ colorScheme, viewport: { width: WIDTH, height: PAGE_HEIGHT } });
    await page.goto(`${shop.home}/auth/login?login=ben`);
    await page.locator("#live", { hasText: "Live" }).waitFor();
    await page.screenshot({ path: join(folder, `page-overview${ending}.png`) });
  }
  for (const [ending, colorScheme] of SCHEMES) {
    const page = await browser.newPage({ colorScheme, viewport: { width: WIDTH, height: HEIGHT } });
    await page.goto(`${shop.home}/auth/login?login=ana`);
    for (const [name, path] of OPERATOR_PAGES) {
      await page.goto(`${shop.home}${path}`);
      await page.screenshot({ path: join(folder, `${name}${ending}.png`) });
    }
  }
  const { forge, clock } = shop.world;
  const [reviewed] = await forge!.store.read.all<{ id: number }>(sql`select repository_id as id from runs`);
  await fillHistory(historyOf(forge!.store, reviewed!.id, clock.now), reviewed!.id);
  for (const [ending, colorScheme] of SCHEMES) {
    const page = await browser.newPage({ colorScheme, viewport: { width: WIDTH, height: HEIGHT } });
    await page.goto(`${shop.home}/auth/login?login=ben`);
    await page.goto(`${shop.home}/repositories/${reviewed!.id}`);
    await page.screenshot({ path: join(folder, `page-repository${ending}.png`) });
    await page.goto(`${shop.home}/insights`);
    await page.screenshot({ path: join(folder, `page-metrics${ending}.png`) });
  }
  await shop.end();
  await browser.close();
} finally {
  await lifetime.end({ keepLog: false });
}
process.exit();
