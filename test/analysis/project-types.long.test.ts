import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { ConfiguredDependencies } from "../../src/analysis/configured-analyser.ts";
import { RepoConfig } from "../../src/domain/repo-config.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { temporaryFolder } from "../workspace/sandbox-machine.ts";
import { analyse } from "./change-of.ts";

type Files = Readonly<Record<string, string>>;

const SETTINGS = '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] } }\n';
const PRICE = "export function price(cents: number): string {\n  return String(cents);\n}\n";
const SHOP = 'import { price } from "./price.ts";\nexport const cheap = price(1);\n';
const OLD = "export const old: string = 1;\n";
const BASE: Files = {
  "package.json": "{}\n",
  "tsconfig.json": SETTINGS.replace("true,", 'true, "allowImportingTsExtensions": true,'),
  "src/price.ts": PRICE,
  "src/shop.ts": SHOP,
  "src/old.ts": OLD,
};

function write(files: Files) {
  return async (folder: string) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return undefined;
  };
}

/** TypeScript as a project has it. @param own packages of a workspace by their folders */
function packagesWithTypeScript(own: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const compiler = join(folder, "node_modules/typescript");
  mkdirSync(join(compiler, "lib"), { recursive: true });
  cpSync("node_modules/typescript-6/package.json", join(compiler, "package.json"));
  cpSync("node_modules/typescript-6/bin", join(compiler, "bin"), { recursive: true });
  for (const name of readdirSync("node_modules/typescript-6/lib"))
    if (/^(?:_?tsc\.js|lib\..*\.d\.ts|lib\.d\.ts)$/.test(name))
      cpSync(join("node_modules/typescript-6/lib", name), join(compiler, "lib", name));
  mkdirSync(join(folder, "node_modules/.bin"));
  symlinkSync("../typescript/bin/tsc", join(folder, "node_modules/.bin/tsc"));
  for (const [at, name] of Object.entries(own)) {
    mkdirSync(join(folder, "node_modules", dirname(name)), { recursive: true });
    symlinkSync(join("../..", at), join(folder, "node_modules", name));
  }
  return installed(folder);
}

function installed(folder: string): NonNullable<ConfiguredDependencies["packages"]> {
  const ready = { folder, kept: true, notes: [], [Symbol.asyncDispose]: async () => undefined };
  return async () => ({ installed: true, packages: ready });
}

/** What the type check of a change says. */
async function check(
  head: Files,
  dependencies: Partial<ConfiguredDependencies>,
  {
    base = BASE,
    tools = {},
    review = {},
  }: { readonly base?: Files; readonly tools?: object; readonly review?: object } = {},
) {
  const all = { ...base, ...head };
  const configured = {
    sandbox: async () => ({ unavailable: "Not here." }),
    ...{ writeHead: write(all), writeBase: write(base), listHead: async () => Object.keys(all) },
    ...dependencies,
  };
  const sides = Object.entries(head).map(([path, text]) => [
    path,
    base[path] === undefined ? text : [text, base[path]],
  ]);
  const readOthers = async (paths: readonly string[]) =>
    new Map(paths.flatMap((path) => (all[path] === undefined ? [] : [[path, Buffer.from(all[path])] as const])));
  return analyse(Object.fromEntries(sides), {
    ...{ paths: Object.keys(all), readOthers },
    configuration: RepoConfig.parse({ tools, review }),
    analysers: [],
    configured,
  });
}

const said = ({ observations }: Awaited<ReturnType<typeof analyse>>) =>
  observations.map(({ file, line, rule, severity, message }) => [file, line, rule, severity, message]);
const CHANGED = { "src/price.ts": PRICE.replace("number", "bigint") };

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
