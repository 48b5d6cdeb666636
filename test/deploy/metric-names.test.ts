import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openMeters } from "../../src/learning/meters.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import { at } from "../store/fixtures.ts";
import { namesIn, panels, plots, rules } from "./shipped.ts";

it("MET-1: dashboard, alerts and documentation name each metric that Forge serves, and no other", async () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-names-"));
  const store = await openStore({ url: `file:${join(folder, "forge.db")}` });
  const meters = openMeters(store, () => at(0));
  onTestFinished(async () => {
    meters.close();
    await closeStore(store);
    rmSync(folder, { recursive: true, force: true });
  });
  const text = await meters.text();
  const served = [...text.matchAll(/^# TYPE (forge_\w+) /gm)].map(([, name]) => name!).sort();
  const page = readFileSync("docs/reference/metrics.md", "utf8");
  const documented = [...page.matchAll(/^\| `(forge_\w+)`/gm)].map(([, name]) => name!);
  expect([...new Set(documented)].sort()).toEqual(served);
  expect([...new Set(plots.flatMap(({ expr }) => namesIn(expr)))].sort()).toEqual(served);
  for (const { alert, expr } of rules) {
    for (const name of namesIn(expr)) expect(served, alert).toContain(name);
  }
  // What begins at 1 has no increase that an alert could see.
  expect(text).toContain('forge_events_total{type="deployment.rolled_back"} 0\n');
});

it("the dashboard's panels have ids of their own and do not lie on one another", () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const [index, { title, gridPos: a }] of panels.entries()) {
    expect(a.x + a.w).toBeLessThanOrEqual(24);
    for (const { title: other, gridPos: b } of panels.slice(index + 1)) {
      const isApart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
      expect(isApart, `${title} and ${other}`).toBe(true);
    }
  }
});
