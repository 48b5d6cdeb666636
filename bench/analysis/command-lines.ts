import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { biomeLintConfiguration } from "../../src/analysis/biome-rules.ts";
import { ESLINT_RULES } from "../../src/analysis/eslint-rules.ts";
import { ESLINT_SECURITY_RULES } from "../../src/analysis/eslint-security-rules.ts";

const require = createRequire(import.meta.url);

/** What people would run by hand over the same files, one after the other. */
export interface CommandLine {
  readonly name: string;
  readonly args: readonly string[];
}

export function commandLines(folder: string): CommandLine[] {
  mkdirSync(join(folder, "tools"));
  const eslintConfiguration = join(folder, "tools", "eslint.config.mjs");
  writeFileSync(eslintConfiguration, eslintConfigurationText());
  const biomeConfiguration = join(folder, "tools", "biome.json");
  writeFileSync(biomeConfiguration, JSON.stringify(biomeLintConfiguration()));
  const eslint = join(require.resolve("eslint/package.json"), "..", "bin", "eslint.js");
  const biome = require.resolve("@biomejs/biome/bin/biome");
  return [
    {
      name: "ESLint",
      args: [
        eslint,
        "--config",
        eslintConfiguration,
        "--no-inline-config",
        "--format=json",
        "--output-file=eslint.json",
        "src",
      ],
    },
    {
      name: "Biome",
      args: [biome, "lint", `--config-path=${biomeConfiguration}`, "--max-diagnostics=none", "--reporter=json", "src"],
    },
    secretlint(folder),
  ];
}

/**
 * Its command line is not among our packages. With SECRETLINT_BIN (the program of a folder where it and its recommended rules are
 * installed) that is run; otherwise a loop of ours, which does the same with each file and has less to start.
 */
function secretlint(folder: string): CommandLine {
  const program = process.env.SECRETLINT_BIN;
  if (program === undefined) {
    const loop = [resolve(import.meta.dirname, "..", "analysis.ts"), "--secretlint", "."];
    return { name: "secretlint's core in a loop (SECRETLINT_BIN names its command line)", args: loop };
  }
  const configuration = join(folder, "tools", "secretlintrc.json");
  writeFileSync(configuration, JSON.stringify({ rules: [{ id: "@secretlint/secretlint-rule-preset-recommend" }] }));
  return { name: "secretlint", args: [program, "--secretlintrc", configuration, "src/**/*.ts"] };
}

/** The rules of both tables, with the parser that Forge uses: typescript-eslint's cannot be had beside TypeScript 7. */
function eslintConfigurationText(): string {
  const rules = [...ESLINT_RULES.values(), ...ESLINT_SECURITY_RULES.values()];
  const settings = Object.fromEntries(rules.map(({ name, options = [] }) => [name, ["error", ...options]]));
  const sonarjs = rules.flatMap(({ name, sonarKey }) =>
    sonarKey === undefined
      ? []
      : [[name.slice("sonarjs/".length), require.resolve(`eslint-plugin-sonarjs/cjs/${sonarKey}/rule.js`)]],
  );
  const source = (path: string) => JSON.stringify(resolve(import.meta.dirname, "../../src/analysis", path));
  return `import { createRequire } from "node:module";
import { parseScript } from ${source("child/eslint/parse-script.ts")};
import { findLineStarts } from ${source("source-file.ts")};
const require = createRequire(${JSON.stringify(import.meta.filename)});
const rules = Object.fromEntries(${JSON.stringify(sonarjs)}.map(([name, file]) => [name, require(file).rule]));
const parseForESLint = (text) => parseScript(text, findLineStarts(text), { lang: "ts", sourceType: "module" });
export default [{
  files: ["**/*.ts"],
  languageOptions: { parser: { parseForESLint }, sourceType: "module" },
  plugins: { sonarjs: { rules }, "no-unsanitized": require("eslint-plugin-no-unsanitized") },
  rules: ${JSON.stringify(settings)},
}];
`;
}
