import { expect, it } from "vitest";
import { deleteInstallation } from "../../src/store/delete-installation.ts";
import { keepConfiguration, readKeptConfiguration } from "../../src/store/runs/kept-configuration.ts";
import { onEveryDatabase } from "./databases.ts";
import { at } from "./fixtures.ts";

onEveryDatabase((open) => {
  it("CONF-1: keeps the newest configuration of each repository and of the organisation, apart", async () => {
    const store = await open();
    const shop = { installationId: 7, repositoryId: 100 };
    expect(await readKeptConfiguration(store, shop)).toBeUndefined();
    await keepConfiguration(store, shop, { text: "old", at: at(0) });
    await keepConfiguration(store, shop, { text: "new", at: at(1) });
    await keepConfiguration(store, { installationId: 7 }, { text: "shared", at: at(2) });
    expect(await readKeptConfiguration(store, shop)).toBe("new");
    expect(await readKeptConfiguration(store, { installationId: 7 })).toBe("shared");
    expect(await readKeptConfiguration(store, { installationId: 8, repositoryId: 100 })).toBeUndefined();
  });

  it("DATA-2: forgets them with the installation", async () => {
    const store = await open();
    const mine = { installationId: 7, repositoryId: 100 };
    const theirs = { installationId: 8, repositoryId: 200 };
    for (const key of [mine, theirs]) await keepConfiguration(store, key, { text: "x", at: at(0) });
    await deleteInstallation(store, 7);
    expect(await readKeptConfiguration(store, mine)).toBeUndefined();
    expect(await readKeptConfiguration(store, theirs)).toBe("x");
  });
});
