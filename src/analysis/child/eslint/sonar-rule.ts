import { createRequire, Module } from "node:module";

const require = createRequire(import.meta.url);

/**
 * A rule of sonarjs. Its helpers load a TypeScript of nine megabytes and look into it only where ESLint has types, which it never has here:
 * so TypeScript is loaded when one of them does look.
 * @param key names its folder in the package
 */
export function loadSonarRule(key: string): unknown {
  const path = require.resolve(`eslint-plugin-sonarjs/cjs/${key}/rule.js`);
  putOffTypeScript(createRequire(path));
  return (require(path) as { rule: unknown }).rule;
}

function putOffTypeScript(requireOfRule: NodeJS.Require): void {
  const path = requireOfRule.resolve("typescript");
  if (requireOfRule.cache[path] !== undefined) return;
  const standIn = new Module(path);
  standIn.loaded = true;
  let typescript: Record<string | symbol, unknown> | undefined;
  standIn.exports = new Proxy(
    {},
    {
      get(_, name) {
        // Asked of each module by who imports it.
        if (typescript === undefined && name === "__esModule") return undefined;
        if (typescript === undefined) {
          delete requireOfRule.cache[path];
          typescript = requireOfRule("typescript") as Record<string | symbol, unknown>;
        }
        return typescript[name];
      },
    },
  );
  requireOfRule.cache[path] = standIn;
}
