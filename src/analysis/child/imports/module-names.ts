import type { CleanTsconfig } from "./clean-tsconfig.ts";

export function isRelative(module: string): boolean {
  return /^\.\.?(?:\/|$)/.test(module);
}

export function nameOf(module: string): string {
  const parts = module.split("/");
  return parts.slice(0, module.startsWith("@") ? 2 : 1).join("/");
}

/** A folder and those around it, the nearest first, empty for the root. */
export function foldersAround(folder: string): string[] {
  const parts = folder === "" ? [] : folder.split("/");
  return Array.from({ length: parts.length + 1 }, (_, up) => parts.slice(0, parts.length - up).join("/"));
}

export function fits(name: string, module: string): boolean {
  const star = name.indexOf("*");
  if (star === -1) return name === module;
  const [before, after] = [name.slice(0, star), name.slice(star + 1)];
  return module.length >= before.length + after.length && module.startsWith(before) && module.endsWith(after);
}

/** A name without a star stands for what is below it too, unless it ends in `$`. */
export function fitsAlias(name: string, module: string): boolean {
  if (name.endsWith("$")) return module === name.slice(0, -1);
  return fits(name, module) || (!name.includes("*") && module.startsWith(`${name}/`));
}

/** Whether names of the settings, or the folder that they begin from, may make a file of the module. */
export function mayMean({ options }: CleanTsconfig, module: string): boolean {
  return options.baseUrl !== undefined || Object.keys(options.paths ?? {}).some((name) => fits(name, module));
}
