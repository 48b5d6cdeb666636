import { stringify } from "yaml";
import { answered, reviewed } from "../program/judge.ts";
import type { Payload } from "../program/payload.ts";
import { openPull, openPullAndSay } from "../program/strikes.ts";
import { chanceGlobs, SLOW_GLOBS, type SlowGlob } from "./patterns.ts";

/** Every place of the configuration that takes globs. */
const PLACES: Readonly<Record<string, (glob: string) => object>> = {
  exclude: (glob) => ({ review: { paths: { exclude: [glob] } } }),
  include: (glob) => ({ review: { paths: { include: [glob, "src/**"] } } }),
  protected: (glob) => ({ review: { protected_paths: [glob] } }),
  weights: (glob) => ({ review: { path_weights: { [glob]: 5 } } }),
  instructions: (glob) => ({ review: { ai: "always", path_instructions: [{ path: glob, instructions: "Look." }] } }),
  analysers: (glob) => ({
    tools: { analysers: [{ name: "lint", command: ["true"], format: "sarif", paths: [glob] }] },
  }),
};

function configured({ name, glob, path }: SlowGlob, place: string): Payload {
  return {
    name: `glob: ${name} in ${place}`,
    does: `has the configuration of the default branch match ${glob.slice(0, 40)} against a name of ${path.length}`,
    base: { ".github/forge.yml": stringify(PLACES[place]!(glob)) },
    strike: openPull({ [`src/${path}.ts`]: "export const a = 1;\n", [path]: "text\n" }),
    faults: reviewed,
  };
}

function commanded({ name, glob, path }: SlowGlob): Payload {
  return {
    name: `glob: ${name} in a dismissal`,
    does: `dismisses by ${glob.slice(0, 40)}, against a name of ${path.length}`,
    strike: openPullAndSay(
      openPull({ [`${path}.ts`]: "export function f() {\n  const a = 1;\n  a = 2;\n  return a;\n}\n" }),
      `/forge dismiss noConstAssign --path ${glob}`,
      "/forge review",
    ),
    faults: answered,
  };
}

export function globPayloads(seed: number): Payload[] {
  const places = Object.keys(PLACES);
  const all = [...SLOW_GLOBS, ...chanceGlobs(seed, 4)];
  return [
    ...all.map((glob, at) => configured(glob, places[at % places.length]!)),
    ...SLOW_GLOBS.slice(0, 2).map(commanded),
  ];
}
