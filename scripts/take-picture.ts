// Takes the picture of README.md: the first pull request of `npm run demo -- review`, as the simulated GitHub shows it in Chromium.
//   node scripts/take-picture.ts [<folder>]     writes pull-request.png and pull-request-dark.png, by default to docs/pictures
// What Forge says in it is written to docs/pictures/pull-request.txt, which the demo compares.
// Nothing in the picture is drawn by hand. Forge runs as it does with a GitHub Enterprise Server, without a model, and a new picture shows
// what Forge says today. Needs Debian's packages chromium and fonts-liberation.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { foundInPlace } from "../demo/chapters/found-in-place.ts";
import { createExpectations } from "../demo/expect.ts";
import { SHOP } from "../demo/github.ts";
import { startLifetime } from "../demo/lifetime.ts";
import { PICTURE_TEXT, pictureText } from "../demo/picture-text.ts";
import { createScreen } from "../demo/screen.ts";
import { setStage } from "../demo/stage.ts";
import { openBrowser } from "../test/browser/open-browser.ts";

/** In pixels of CSS. */
const WIDTH = 1000;
const HEIGHT = 1120;

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "..", "docs", "pictures"));
mkdirSync(folder, { recursive: true });
const lifetime = await startLifetime();
try {
  const screen = createScreen({ quiet: true });
  const stage = await setStage(lifetime, { seed: undefined, screen });
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
  await browser.close();
} finally {
  await lifetime.end({ keepLog: false });
}
process.exit();
