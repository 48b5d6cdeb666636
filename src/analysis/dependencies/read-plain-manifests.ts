import { parseYaml } from "../../workspace/parse-yaml.ts";
import { parseJson } from "./json-blocks.ts";
import { isRecord, textOf } from "./locked-package.ts";
import { aliasOf, splitReference } from "./npm-words.ts";
import { exact, record, type WantedPackage, wantedPackage } from "./wanted-package.ts";

/** What Composer takes from the machine: PHP itself and its extensions. */
const OF_PLATFORM = /^(?:php|hhvm|composer|(?:php|composer|ext|lib)-[^/]{1,100})$/;

/** `composer.json`. */
export function readComposer(text: string): WantedPackage[] | undefined {
  const root = parseJson(text);
  if (root === undefined) return undefined;
  return [root.require, root["require-dev"]].flatMap((group) =>
    Object.entries(record(group)).flatMap(([name, value]) => {
      if (OF_PLATFORM.test(name)) return [];
      const wanted = textOf(value) ?? "";
      return [wantedPackage("Packagist", name.toLowerCase(), wanted, exact(wanted))];
    }),
  );
}

/** `pubspec.yaml` and its overrides. */
export function readPubspec(text: string): WantedPackage[] | undefined {
  const root = parseYaml(text);
  if (!isRecord(root)) return undefined;
  return ["dependencies", "dev_dependencies", "dependency_overrides"].flatMap((group) =>
    Object.entries(record(root[group])).flatMap(([name, value]) => {
      const of = record(value);
      // From the repository itself, or a part of the tool.
      if (of.path !== undefined || of.sdk !== undefined) return [];
      const wanted = textOf(value) ?? textOf(of.version) ?? (of.git === undefined ? "" : "from git");
      return [wantedPackage("Pub", name, wanted, exact(wanted))];
    }),
  );
}

/** `pnpm-workspace.yaml`: versions that it gives to manifests by a catalog, and versions that it forces. */
export function readPnpmWorkspace(text: string): WantedPackage[] | undefined {
  const root = parseYaml(text);
  if (!isRecord(root)) return undefined;
  const catalogs = [root.catalog, ...Object.values(record(root.catalogs))];
  const named = catalogs.flatMap((catalog) => Object.entries(record(catalog)));
  const forced = Object.entries(record(root.overrides)).map(([selector, value]) => {
    const last = selector.slice(selector.lastIndexOf(">", selector.length - 2) + 1);
    return [splitReference(last)?.[0] ?? last, value] as const;
  });
  return [...named, ...forced].flatMap(([key, value]) => {
    const wanted = textOf(value) ?? "";
    // `-` takes a package out, and `$name` is asked for elsewhere.
    if (wanted === "" || wanted === "-" || /^(?:\$|catalog:|workspace:|link:|file:)/.test(wanted)) return [];
    const alias = aliasOf(wanted);
    const version = alias?.wanted ?? wanted;
    return [wantedPackage("npm", alias?.name ?? key, version, exact(version))];
  });
}

const LONGEST_SPECIFIER = 1_000;

/** `deno.json` and import maps: packages of npm by name; those of JSR have no advisories, and are named. */
export function readDeno(text: string): WantedPackage[] | undefined {
  const root = parseJson(text);
  if (root === undefined) return undefined;
  const maps = [root.imports, ...Object.values(record(root.scopes))];
  return maps.flatMap((map) =>
    Object.values(record(map)).flatMap((value) => {
      const written = (textOf(value) ?? "").slice(0, LONGEST_SPECIFIER);
      const [, from, name, wanted = ""] = /^(npm|jsr):\/?((?:@[^/@]+\/)?[^/@]+)(?:@([^/]*))?/.exec(written) ?? [];
      if (name === undefined) return [];
      return from === "npm"
        ? [wantedPackage("npm", name, wanted, exact(wanted))]
        : [wantedPackage("npm", `jsr:${name}`, wanted, undefined)];
    }),
  );
}
