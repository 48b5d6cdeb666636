import { posix } from "node:path";
import { languageOfCode } from "../test-names.ts";
import { neededBy } from "./manifests.ts";

/** These load code by the folders in which it lies, and no file of the project names it. */
const FRAMEWORKS: ReadonlyMap<string, string> = new Map(
  [
    ["Nuxt", "nuxt nuxt3 nuxt-edge nuxt-nightly @nuxt/kit @nuxt/schema @nuxt/test-utils"],
    ["WXT", "wxt"],
    ["Nitro", "nitro nitropack nitropack-nightly"],
    ["Umi", "umi @umijs/max @umijs/preset-umi"],
    ["Ice", "ice ice.js @ice/app"],
    ["Modern.js", "@modern-js/app-tools"],
    ["Sails", "sails"],
    ["Egg", "egg @eggjs/mock egg-mock midway @midwayjs/core"],
    ["Strapi", "@strapi/strapi strapi"],
    ["LoopBack", "@loopback/boot loopback-boot"],
    ["Ember", "ember-source ember-cli"],
    ["Redwood", "@redwoodjs/core @redwoodjs/api @redwoodjs/web @redwoodjs/testing"],
    ["Meteor", "meteor meteor-node-stubs"],
  ].flatMap(([name = "", packages = ""]) => packages.split(" ").map((each) => [each, name] as const)),
);
const SETTINGS: Readonly<Record<string, string>> = { nuxt: "Nuxt", wxt: "WXT", nitro: "Nitro" };

/** Frameworks by the folders of the packages that use them, as their manifests and settings say. @param manifests texts by path */
export function frameworks(
  paths: readonly string[],
  manifests: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const path of paths) {
    const [, name = ""] = /(?:^|\/)\.?(nuxt|wxt|nitro)(?:\.config\.[cm]?[jt]s|rc)$/.exec(path) ?? [];
    const framework = SETTINGS[name];
    if (framework !== undefined) found.set(posix.dirname(path), framework);
  }
  for (const [path, text] of manifests) {
    if (posix.basename(path) !== "package.json") continue;
    for (const name of neededBy(text)) {
      const framework = FRAMEWORKS.get(name);
      if (framework !== undefined) found.set(posix.dirname(path), framework);
    }
  }
  return found;
}

/** The framework of a package: its own, or one that a folder above asks for, as workspaces share what their root installs. */
export function frameworkOf(found: ReadonlyMap<string, string>, folder: string): string | undefined {
  for (let at = folder; ; at = posix.dirname(at)) {
    const framework = found.get(at);
    if (framework !== undefined || at === posix.dirname(at)) return framework;
  }
}

/** Whether a framework may take a file for code. */
export function isFoundByFrameworks(path: string): boolean {
  return languageOfCode(path) !== undefined || /\.(?:vue|svelte|astro|hbs|gts|gjs)$/.test(path);
}
