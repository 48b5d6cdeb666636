import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import { factsOf } from "./facts-of.ts";
import { stateOf, VERSIONS } from "./go-on.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

describe.each(VERSIONS)("the database in %s", (version) => {
  it("PIPE-2, DATA-1: is brought up to date, and says the same of every run, from its events and in its tables", async () => {
    const folder = mkdtempSync(join(tmpdir(), "forge-stored-"));
    undo.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "forge.db");
    writeFileSync(file, gunzipSync(readFileSync(join(version, "forge.db.gz"))));
    const store = await openStore({ url: `file:${file}` });
    undo.push(() => closeStore(store));
    const { places, facts } = stateOf(version);
    expect(Object.keys(facts.runs as object).length).toBeGreaterThan(Object.keys(places).length);
    // What was recorded is as it was; a setting that came later has its default besides.
    expect(await factsOf(store)).toMatchObject(facts);
  });
});
