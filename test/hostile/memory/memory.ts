import { reviewed } from "../program/judge.ts";
import type { HostileClass, Payload } from "../program/payload.ts";
import { openPull } from "../program/strikes.ts";
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

/** Memory that is not mapped, that is nobody's. */
export const memory: HostileClass = {
  name: "memory",
  payloads: () => EATERS.map(linted),
};
