import { isBuiltin } from "node:module";
import { readOwnPackages } from "../map/own-packages.ts";

/** A module that is named by its path. */
export function isByPath(module: string): boolean {
  return /^\.\.?(?:\/|$)/.test(module);
}

/**
 * Tells modules that settings of the project may give to files of it from those of others, which its manifests ask for.
 * @param settings texts by path, manifests among them
 */
export function aliasTest(settings: ReadonlyMap<string, Buffer>): (module: string) => boolean {
  const own = readOwnPackages(settings);
  const needs = new Set([...own.values()].flatMap((each) => [...each.needs]));
  // Packages of the repository under other names, and folders of it.
  const renamed = [...own.values()].flatMap((each) => [...each.renamed]);
  const isOwn = ([, name]: readonly [string, string | undefined]) => name === undefined || own.has(name);
  const foreign = needs.difference(new Set([...own.keys(), ...renamed.filter(isOwn).map(([name]) => name)]));
  return (module) => {
    if (module === "" || isByPath(module) || module.includes(":") || isBuiltin(module)) return false;
    const parts = module.split("/");
    return !foreign.has(parts.slice(0, module.startsWith("@") ? 2 : 1).join("/"));
  };
}
