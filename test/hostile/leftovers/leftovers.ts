import fc from "../../properties.ts";
import { all, answered, neverGreen, reported, reviewed } from "../program/judge.ts";
import type { HostileClass, Payload } from "../program/payload.ts";
import { openPull, openPullAndSay } from "../program/strikes.ts";
import { MESSES, type Mess } from "./programs.ts";

const OPENING =
  'const fs = require("node:fs");\nconst path = require("node:path");\nconst { spawn, spawnSync } = require("node:child_process");\nconst run = (program, args) => spawnSync(program, args, { stdio: "ignore" });\n';
const attempt = (code: string) => `${OPENING}try {\n${code}\n} catch (error) {\n  console.error(error.code);\n}\n`;
const REPORT =
  'console.log(JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name: "Lint" } }, results: [] }] }));\n';
const FORGE_YML =
  'tools:\n  analysers:\n    - name: lint\n      command: ["node", "lint.config.cjs"]\n      format: sarif\n';
/** Assembled here: no such string stands in the repository. */
const KEY = ["AKIA", "Q3ZK7N5XW2LMP4TB"].join("");

/** By an analyser that loads what the pull request says: a secret beside it is reported all the same. */
function linted({ name, does, code }: Mess): Payload {
  return {
    ...{ name: `lint: ${name}`, does, needsSandbox: true, base: { ".github/forge.yml": FORGE_YML } },
    strike: openPull({
      "lint.config.cjs": `${attempt(code)}${REPORT}`,
      "src/a.ts": `export const a = 1;\nexport const key = "${KEY}";\n`,
    }),
    faults: all(neverGreen, reported("src/a.ts")),
  };
}

/** By a test that somebody who trusts it has run. */
function tested({ name, does, code }: Mess): Payload {
  const files = {
    "package.json": '{ "name": "shop", "scripts": { "test": "node --test" } }\n',
    "src/a.ts": "export const a = 1;\n",
    "a.test.cjs": `${attempt(code)}require("node:test").test("passes", () => {});\n`,
  };
  return {
    ...{ name: `test: ${name}`, does, needsSandbox: true },
    strike: openPullAndSay(openPull(files), "/forge test"),
    faults: all(reviewed, answered),
  };
}

const name = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  fc.constantFrom("...", ".git", ".GIT", "node_modules", "a".repeat(255), "-", "~", "%2e%2e", "\t"),
);
const deed = fc.oneof(
  fc.tuple(fc.constant("mkdir"), fc.array(name, { minLength: 1, maxLength: 8 })),
  fc.tuple(fc.constant("write"), fc.array(name, { minLength: 1, maxLength: 4 })),
  fc.tuple(
    fc.constant("link"),
    fc.tuple(name, fc.constantFrom("/", "..", ".", "/proc/self", "/dev/zero", "x".repeat(4_000))),
  ),
  fc.tuple(fc.constant("chmod"), fc.tuple(name, fc.constantFrom("0", "0111", "0222", "0444", "07777"))),
);
const DO = `for (const [deed, names] of deeds) try {
  const to = "./" + names.map((each) => each.replaceAll("/", "_").replaceAll("\\0", "_")).join("/");
  if (deed === "mkdir") fs.mkdirSync(to, { recursive: true });
  if (deed === "write") { fs.mkdirSync(path.dirname(to), { recursive: true }); fs.writeFileSync(to, "x"); }
  if (deed === "link") fs.symlinkSync(names[1], "./" + names[0].replaceAll("/", "_"));
  if (deed === "chmod") for (const each of fs.readdirSync(".")) if (each !== "lint.config.cjs") fs.chmodSync(each, parseInt(names[1], 8));
} catch {}`;

/** Trees that nobody thought of. */
function chanceMesses(seed: number): Mess[] {
  return fc.sample(fc.array(deed, { minLength: 5, maxLength: 60 }), { seed, numRuns: 6 }).map((deeds, at) => ({
    name: `chance ${at + 1}`,
    does: `leaves a tree of ${deeds.length} random deeds`,
    code: `const deeds = ${JSON.stringify(deeds)};\n${DO}`,
  }));
}

/** What sandboxed programs leave behind, for whoever clears up after them and for the next start. */
export const leftovers: HostileClass = {
  name: "leftovers",
  payloads: (seed) => [
    ...[...MESSES, ...chanceMesses(seed)].map(linted),
    ...MESSES.filter((_, at) => at % 3 === 1).map(tested),
  ],
};
