import { type Project, replaced } from "../project.ts";

const VITEST = `import { expect, test } from "vitest";\n`;

const folders = {
  "package.json": `{ "type": "module", "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "3", "unplugin-auto-import": "20" } }\n`,
  "vite.config.js": `import AutoImport from "unplugin-auto-import/vite";\nexport default { plugins: [AutoImport({ dirs: ["lib"], dts: false })] };\n`,
  "lib/price.js": `import { rate } from "../rates/rate.js";\nexport const price = (count) => count * rate;\n`,
  "rates/rate.js": "export const rate = 2;\n",
  "src/cart.js": "export const cart = (count) => price(count) + 1;\n",
  "src/plain.js": "export const plain = () => 1;\n",
  "test/cart.test.js": `${VITEST}import { cart } from "../src/cart.js";\ntest("cart", () => expect(cart(2)).toBe(5));\n`,
  "test/price.test.js": `${VITEST}import { price } from "../lib/price.js";\ntest("nothing", () => expect(price(0)).toBe(0));\n`,
  "test/rate.test.js": `${VITEST}import { rate } from "../rates/rate.js";\ntest("rate", () => expect(typeof rate).toBe("number"));\n`,
  "test/plain.test.js": `${VITEST}import { plain } from "../src/plain.js";\ntest("plain", () => expect(plain()).toBe(1));\n`,
};

/** Files of a folder are imported by the names that they export, and no text says so. */
export const vitestFolders: Project = {
  name: "vitest: a folder whose exports need no import",
  packages: ["vitest@3.2.4", "unplugin-auto-import@20.3.0"],
  files: folders,
  mutations: [
    {
      what: "file of the folder",
      to: replaced(folders, "lib/price.js", "count * rate", "count * rate * 2"),
      breaks: ["test/cart.test.js"],
    },
    {
      what: "what a file of the folder imports",
      to: { "rates/rate.js": "export const rate = 3;\n" },
      breaks: ["test/cart.test.js"],
    },
    {
      what: "file of another folder",
      to: { "src/plain.js": "export const plain = () => 2;\n" },
      breaks: ["test/plain.test.js"],
    },
  ],
};

const told = {
  "package.json": `{ "type": "module", "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "3", "unimport": "5" } }\n`,
  "vitest.config.js": `import { plugins } from "./build/plugins.js";\nexport default { plugins, test: { include: ["test/*.test.js"] } };\n`,
  "build/plugins.js": `import { readFileSync } from "node:fs";\nimport Unimport from "unimport/unplugin";\nimport { own } from "./own.js";\nconst { dirs } = JSON.parse(readFileSync("build/names.json", "utf8"));\nexport const plugins = [Unimport.vite({ dirs, dts: false }), own("/words")];\n`,
  "build/names.json": `{ "dirs": ["./stores/**"] }\n`,
  "build/own.js": `export const own = (folder) => ({\n  name: "own",\n  transform(code, id) {\n    return id.includes("/src/") && code.includes("greet(") ? \`import { greet } from "\${folder}/greet.js";\\n\${code}\` : undefined;\n  },\n});\n`,
  "stores/deep/stock.js": "export const stock = () => 4;\n",
  "words/greet.js": `export const greet = () => "hello";\n`,
  "src/shelf.js": "export const shelf = () => stock() + 1;\n",
  "src/door.js": "export const door = () => greet() + ` there`;\n",
  "test/shelf.test.js": `${VITEST}import { shelf } from "../src/shelf.js";\ntest("shelf", () => expect(shelf()).toBe(5));\n`,
  "test/stock.test.js": `${VITEST}import { stock } from "../stores/deep/stock.js";\ntest("stock", () => expect(stock()).toBeGreaterThan(0));\n`,
  "test/door.test.js": `${VITEST}import { door } from "../src/door.js";\ntest("door", () => expect(door()).toBe("hello there"));\n`,
  "test/greet.test.js": `${VITEST}import { greet } from "../words/greet.js";\ntest("greet", () => expect(greet().length).toBe(5));\n`,
};

/** The same, where the folder is in data of the settings, and where a plugin of the repository adds the imports. */
export const vitestTold: Project = {
  name: "vitest: folders without imports that data of settings name, a plugin of its own",
  packages: ["vitest@3.2.4", "unimport@5.5.0"],
  files: told,
  mutations: [
    {
      what: "file of a folder that data names",
      to: { "stores/deep/stock.js": "export const stock = () => 5;\n" },
      breaks: ["test/shelf.test.js"],
    },
    {
      what: "what a plugin of the repository imports",
      to: { "words/greet.js": `export const greet = () => "howdy";\n` },
      breaks: ["test/door.test.js"],
    },
  ],
};

const pages = {
  "package.json": `{ "type": "module", "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "3", "vite-plugin-pages": "0" } }\n`,
  "vite.config.js": `import pages from "vite-plugin-pages";\nexport default { plugins: [pages({ extensions: ["js"], importMode: "sync", resolver: "vue" })] };\n`,
  "src/pages/index.js": `export default () => "home";\n`,
  "src/pages/about.js": `import { owner } from "../owner.js";\nexport default () => owner;\n`,
  "src/owner.js": `export const owner = "ours";\n`,
  "src/routes.js": `import routes from "virtual:generated-pages";\nexport const titles = () => routes.map(({ component }) => component()).sort();\n`,
  "test/routes.test.js": `${VITEST}import { titles } from "../src/routes.js";\ntest("titles", () => expect(titles()).toEqual(["home", "ours"]));\n`,
  "test/home.test.js": `${VITEST}import home from "../src/pages/index.js";\ntest("home", () => expect(home().length).toBe(4));\n`,
  "test/owner.test.js": `${VITEST}import { owner } from "../src/owner.js";\ntest("owner", () => expect(owner).toHaveLength(4));\n`,
};

/** A plugin finds code in a folder that is its own choice, and is given none. */
export const vitestPages: Project = {
  name: "vitest: a plugin that is given no folder",
  packages: ["vitest@3.2.4", "vite-plugin-pages@0.33.1"],
  files: pages,
  mutations: [
    {
      what: "page that nothing names",
      to: { "src/pages/index.js": `export default () => "main";\n` },
      breaks: ["test/routes.test.js"],
    },
    {
      what: "what such a page imports",
      to: { "src/owner.js": `export const owner = "mine";\n` },
      breaks: ["test/routes.test.js"],
    },
  ],
};
