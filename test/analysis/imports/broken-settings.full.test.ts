import { expect, it } from "vitest";
import { resolved } from "./resolver-of.ts";

it("SEC-1, TEST-3: where settings end the reading process, paths still lead to files, and what else may be own is lost", async () => {
  const files = {
    // More than the process may hold: no repository gets so far, as less is read of it.
    "tsconfig.json": `[${"1,".repeat(12_000_000)}1]`,
    "package.json": { name: "shop", dependencies: { react: "1" } },
    "src/a.ts": "",
    "src/b.ts": "",
  };
  const importers = ["src/a.ts", "src/b.ts"].map((path) => ({
    path,
    modules: ["./a", "./b", "./none", "~x", "react", "node:fs"],
  }));
  const { targets, lost, isCut } = await resolved(files, importers);
  for (const { path } of importers) {
    expect([targets(path, "./a"), targets(path, "./b")]).toEqual([["src/a.ts"], ["src/b.ts"]]);
    expect([lost(path), isCut(path)]).toEqual([["./none", "~x"], true]);
  }
});
