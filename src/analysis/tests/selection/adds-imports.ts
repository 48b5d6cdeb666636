import { mayAddImports } from "./harmless-packages.ts";

const ADDS_IMPORTS = /auto-?import|\bunimport\b|\bunplugin\b|unplugin-(?:vue-)?(?:components|router)/i;
/** Hooks of a plugin that is written in place. */
const HOOKS = /\b(?:transform|resolveId|transformIndexHtml|load|Program|visitor)\s?[(:]/;

/** Whether a text has a plugin that may add imports, by what it imports or holds. */
export function holdsPlugin(text: string, packages: Iterable<string>): boolean {
  return addsImports(text) || HOOKS.test(text) || [...packages].some(mayAddImports);
}

/** Whether a text says that it adds imports. */
export function addsImports(text: string): boolean {
  return ADDS_IMPORTS.test(text);
}
