import { builtinModules } from "node:module";

const names = (text: string) => text.split(" ");

/** These run tests, compare, or read files as texts: none of them loads a module that it is given the name of. */
const SCRIPTS = new Set([
  ...builtinModules,
  ...names("vitest @jest/globals mocha ava tap tape uvu zora chai expect should sinon"),
  ...names("glob fast-glob globby tinyglobby fs-extra graceful-fs picomatch minimatch micromatch"),
]);
const PYTHON = new Set(
  names(
    "__future__ abc argparse ast base64 collections contextlib copy csv dataclasses datetime decimal enum functools glob hashlib io itertools json logging math operator os pathlib pytest random re shutil string sys tempfile textwrap time tomllib types typing unittest uuid yaml",
  ),
);

/** Runners, bundlers and plugins that turn one language into another, check, or resolve: no import is added by them. */
const PLUGINS = new Set([
  ...names("vite vitest jest ts-jest babel-jest next astro typescript jsdom happy-dom dotenv pathe defu ava karma"),
  ...names("@vitejs/plugin-vue @vitejs/plugin-vue-jsx @vitejs/plugin-react @vitejs/plugin-react-swc"),
  ...names("@vitejs/plugin-legacy @vitejs/plugin-basic-ssl @sveltejs/vite-plugin-svelte @sveltejs/kit"),
  ...names("vite-plugin-solid @preact/preset-vite @testing-library/svelte @testing-library/jest-dom"),
  ...names("vite-tsconfig-paths vite-plugin-dts vite-plugin-svgr vite-plugin-checker vite-plugin-inspect"),
  ...names("vite-plugin-compression vite-plugin-wasm vite-plugin-top-level-await vite-plugin-node-polyfills"),
  ...names("rollup-plugin-visualizer @tailwindcss/vite @vitest/coverage-v8 @vitest/coverage-istanbul @vitest/ui"),
  ...names("@vitest/browser @vitest/eslint-plugin @swc/jest unplugin-swc @jest/types @nx/vite jest-config"),
]);

/** Whether a package that settings load may bring code into other code that has no import of it. @param name as it is imported */
export function mayAddImports(name: string): boolean {
  return !PLUGINS.has(name) && mayLoad(name, false);
}

/** Whether a package may load a module of the repository whose name it is given. @param name as it is imported */
export function mayLoad(name: string, isPython: boolean): boolean {
  return !(isPython ? PYTHON : SCRIPTS).has(name);
}
