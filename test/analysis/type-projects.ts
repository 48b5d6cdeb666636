import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ConfiguredDependencies } from "../../src/analysis/configured-analyser.ts";
import { RepoConfig } from "../../src/domain/repo-config.ts";
import { temporaryFolder } from "../workspace/sandbox-machine.ts";
import { analyse } from "./change-of.ts";

export type Files = Readonly<Record<string, string>>;

/** Without the types of browsers, which take most of the time of a check. */
export const SETTINGS = '{ "compilerOptions": { "strict": true, "noEmit": true, "lib": ["es5"], "types": [] } }\n';
export const PRICE = "export function price(cents: number): string {\n  return String(cents);\n}\n";
export const SHOP = 'import { price } from "./price.ts";\nexport const cheap = price(1);\n';
export const OLD = "export const old: string = 1;\n";
export const BASE: Files = {
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
export function packagesWithTypeScript(own: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const compiler = join(folder, "node_modules/typescript");
  mkdirSync(join(compiler, "lib"), { recursive: true });
  cpSync("node_modules/typescript/package.json", join(compiler, "package.json"));
  cpSync("node_modules/typescript/bin", join(compiler, "bin"), { recursive: true });
  for (const name of readdirSync("node_modules/typescript/lib"))
    if (/^(?:_?tsc\.js|lib\..*\.d\.ts|lib\.d\.ts)$/.test(name))
      cpSync(join("node_modules/typescript/lib", name), join(compiler, "lib", name));
  mkdirSync(join(folder, "node_modules/.bin"));
  symlinkSync("../typescript/bin/tsc", join(folder, "node_modules/.bin/tsc"));
  for (const [at, name] of Object.entries(own)) {
    mkdirSync(join(folder, "node_modules", dirname(name)), { recursive: true });
    symlinkSync(join("../..", at), join(folder, "node_modules", name));
  }
  return installed(folder);
}

export function installed(folder: string): NonNullable<ConfiguredDependencies["packages"]> {
  const ready = { folder, kept: true, notes: [], [Symbol.asyncDispose]: async () => undefined };
  return async () => ({ installed: true, packages: ready });
}

/** What the type check of a change says. */
export async function check(
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

export const said = ({ observations }: Awaited<ReturnType<typeof analyse>>) =>
  observations.map(({ file, line, rule, severity, message }) => [file, line, rule, severity, message]);
export const CHANGED = { "src/price.ts": PRICE.replace("number", "bigint") };
