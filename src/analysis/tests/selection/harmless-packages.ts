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
  ...names(
    "@vitest/browser-playwright @vitest/browser-webdriverio @vitest/coverage-c8 @vitest/runner @vitest/snapshot",
  ),
  ...names("@cloudflare/vite-plugin @cloudflare/vitest-pool-workers @codspeed/vitest-plugin @codecov/vite-plugin"),
  ...names(
    "@analogjs/vite-plugin-angular @babel/core @swc/core esbuild rollup rolldown oxc-transform @rolldown/plugin-babel",
  ),
  ...names(
    "@rollup/plugin-babel @rollup/plugin-commonjs @rollup/plugin-json @rollup/plugin-node-resolve @rollup/plugin-replace",
  ),
  ...names(
    "@rollup/plugin-terser @rollup/plugin-typescript @rollup/plugin-yaml @rollup/plugin-swc @rollup/plugin-wasm",
  ),
  ...names("@rollup/plugin-strip @rollup/plugin-url @rollup/plugin-image @rollup/plugin-graphql @rollup/plugin-eslint"),
  ...names(
    "rollup-plugin-copy rollup-plugin-dts rollup-plugin-esbuild rollup-plugin-node-externals rollup-plugin-polyfill-node",
  ),
  ...names(
    "rollup-plugin-postcss rollup-plugin-string rollup-plugin-svelte rollup-plugin-terser rollup-plugin-typescript2",
  ),
  ...names(
    "vite-plugin-babel vite-plugin-commonjs vite-plugin-css-injected-by-js vite-plugin-environment vite-plugin-eslint",
  ),
  ...names("vite-plugin-eslint2 vite-plugin-externalize-deps vite-plugin-glsl vite-plugin-html vite-plugin-imagemin"),
  ...names(
    "vite-plugin-mkcert vite-plugin-pwa vite-plugin-static-copy vite-plugin-string vite-plugin-stylelint vite-plugin-svg-icons",
  ),
  ...names("vite-plugin-vue-devtools vite-plugin-vuetify vite-svg-loader vite-bundle-analyzer @sentry/vite-plugin"),
  ...names("@intlify/unplugin-vue-i18n unocss @unocss/vite @vanilla-extract/vite-plugin @emotion/babel-plugin"),
  ...names(
    "@stryker-mutator/core @testing-library/react @vue/test-utils browserslist postcss tailwindcss autoprefixer",
  ),
  ...names(
    "semver chalk picocolors kolorist debug lodash lodash-es lodash.merge deepmerge dotenv-expand find-up pkg-dir",
  ),
  ...names("resolve-package-path read-pkg read-pkg-up nanoid uuid zod magic-string portfinder get-port selfsigned"),
]);

/** Whether a package that settings load may bring code into other code that has no import of it. @param name as it is imported */
export function mayAddImports(name: string): boolean {
  return !PLUGINS.has(name) && mayLoad(name, false);
}

/** Whether a package may load a module of the repository whose name it is given. @param name as it is imported */
export function mayLoad(name: string, isPython: boolean): boolean {
  return !(isPython ? PYTHON : SCRIPTS).has(name);
}
