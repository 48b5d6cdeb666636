import { expect, it } from "vitest";
import { describeInSandbox } from "../needs/sandbox.ts";
import {
  CHANGED,
  check,
  type Files,
  OLD,
  PRICE,
  packagesWithTypeScript,
  SETTINGS,
  SHOP,
  said,
} from "./type-projects.ts";

describeInSandbox("REV-1: the project's own tsc", (sandbox) => {
  const inside = { sandbox: async () => sandbox, packages: packagesWithTypeScript() };

  it("builds projects that name others, and lets modules that are not there be doubtful", async () => {
    const project = (more: string) =>
      `{ "compilerOptions": { "composite": true, "strict": true, "types": [] }, ${more} }`;
    const settings = {
      "packages/a/tsconfig.json": project('"include": ["*.ts"]'),
      "packages/b/tsconfig.json": project('"include": ["*.ts"], "references": [{ "path": "../a" }]'),
    };
    const files = {
      ...settings,
      "packages/a/a.ts": "export const a = 1;\n",
      "packages/b/b.ts": 'import { a } from "../a/a";\nexport const b: number = a;\n',
    };
    const head = {
      "packages/b/b.ts":
        'import { a } from "../a/a";\nimport { made } from "./made";\nexport const b: string = a;\nexport const c = made;\n',
    };
    const result = await check(head, inside, { base: files });
    expect(said(result).map(([file, line, rule, severity]) => [file, line, rule, severity])).toEqual([
      ["packages/b/b.ts", 2, "typecheck/TS2307", "warning"],
      ["packages/b/b.ts", 3, "typecheck/TS2322", "warning"],
    ]);
  });

  it("checks packages that need the changed one by their own settings, though these do not name it, as far as that can be done", async () => {
    const settings = SETTINGS.replace("true,", 'true, "allowImportingTsExtensions": true, "module": "nodenext",');
    const packageOf = (name: string, needs: object, files: Files) => {
      const manifest = { name: `@shop/${name}`, type: "module", exports: "./index.ts", devDependencies: needs };
      const all = { "package.json": JSON.stringify(manifest), "tsconfig.json": settings, ...files };
      return Object.fromEntries(Object.entries(all).map(([path, text]) => [`packages/${name}/${path}`, text]));
    };
    const needs = { "@shop/prices": "*" };
    const broken = { "tsconfig.json": '{ "include": ["nothing"] }' };
    const shop = SHOP.replace("./price.ts", "@shop/prices");
    const base: Files = {
      "package.json": '{ "workspaces": ["packages/*"] }',
      ...packageOf("prices", {}, { "index.ts": PRICE }),
      ...packageOf("site", needs, { "index.ts": shop, "old.ts": OLD }),
      ...packageOf("empty", needs, broken),
      ...packageOf("stock", {}, { "index.ts": OLD }),
    };
    const packages = packagesWithTypeScript({ "packages/prices": "@shop/prices" });
    const head = { "packages/prices/index.ts": CHANGED["src/price.ts"] };
    const result = await check(head, { ...inside, packages }, { base });
    const wrong = expect.stringContaining("'number' is not assignable to parameter of type 'bigint'");
    expect(said(result)).toEqual([["packages/site/index.ts", 2, "typecheck/TS2345", "error", wrong]]);
    expect(result.coverage.notes).toEqual(["Types were checked by 2 of 3 `tsconfig.json`."]);
  });
});
