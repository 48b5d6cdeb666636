import { all, answered, reviewed } from "../program/judge.ts";
import type { HostileClass, Payload } from "../program/payload.ts";
import { openPull, openPullAndSay } from "../program/strikes.ts";
import { EATERS, type Eater } from "./programs.ts";

const CLEAN = "export const a = 1;\n";
const LINT = 'tools:\n  analysers:\n    - name: lint\n      command: ["perl", "eat.pl"]\n      format: sarif\n';

function linted({ name, does, perl }: Eater): Payload {
  return {
    ...{ name: `lint: ${name}`, does, needsSandbox: true, base: { ".github/forge.yml": LINT } },
    strike: openPull({ "eat.pl": perl, "src/a.ts": CLEAN }),
    faults: reviewed,
  };
}

function tested({ name, does, perl }: Eater): Payload {
  const files = {
    "package.json": '{ "name": "shop", "scripts": { "test": "node --test" } }\n',
    "src/a.ts": CLEAN,
    "eat.pl": perl,
    "a.test.cjs":
      'require("node:child_process").spawnSync("perl", ["eat.pl"], { stdio: "ignore" });\nrequire("node:test").test("a", () => {});\n',
  };
  const strike = openPullAndSay(openPull(files), "/forge test");
  return { name: `test: ${name}`, does, needsSandbox: true, strike, faults: all(reviewed, answered) };
}

/** What the server itself would have to hold. */
const LARGE: readonly Payload[] = [
  {
    name: "large text",
    does: "adds a file of 150 MB",
    strike: openPull({ "data.txt": Buffer.alloc(150 * 2 ** 20, "a line of text\n"), "src/a.ts": CLEAN }),
    faults: reviewed,
  },
  {
    name: "compressed",
    does: "adds 200 MB of zeros, which git keeps in 200 KB",
    strike: openPull({ "zeros.bin": Buffer.alloc(200 * 2 ** 20), "src/a.ts": CLEAN }),
    faults: reviewed,
  },
];

/** Memory that is not mapped, that is nobody's, or that is the server's own. */
export const memory: HostileClass = {
  name: "memory",
  payloads: () => [...EATERS.map(linted), ...EATERS.filter((_, at) => at % 5 === 0).map(tested), ...LARGE],
};
