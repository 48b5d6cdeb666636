import type { HostileClass, Payload } from "../program/payload.ts";
import { openPull } from "../program/strikes.ts";

const FORGE_YML =
  'tools:\n  analysers:\n    - name: lint\n      command: ["node", "lint.config.js"]\n      format: sarif\n';
const REPORT =
  'console.log(JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name: "Lint" } }, results: [] }] }));\n';

/** By an analyser that loads a configuration of the pull request. */
function linted(name: string, does: string, code: string): Payload {
  return {
    name: `lint: ${name}`,
    does,
    needsSandbox: true,
    base: { ".github/forge.yml": FORGE_YML },
    strike: openPull({
      "lint.config.js": `const fs = require("node:fs");\ntry {\n${code}\n} catch (error) {\n  console.error(error.code);\n}\n${REPORT}`,
      "src/a.ts": "export const a = 1;\n",
    }),
  };
}

export const leftovers: HostileClass = {
  name: "leftovers",
  payloads: () => [
    linted("one file", "leaves a file", 'fs.writeFileSync("left.txt", "x");'),
    linted(
      "no modes",
      "leaves a folder that nobody may enter",
      'fs.mkdirSync("shut/in", { recursive: true }); fs.writeFileSync("shut/in/x", "x"); fs.chmodSync("shut/in", 0); fs.chmodSync("shut", 0);',
    ),
    linted("nothing", "leaves nothing", ""),
  ],
};
