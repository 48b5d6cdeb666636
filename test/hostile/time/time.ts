import type { HostileClass } from "../program/payload.ts";
import { AMOUNTS } from "./amounts.ts";
import { globPayloads } from "./globs.ts";
import { STOPPING } from "./stopping.ts";
import { TEXTS } from "./texts.ts";

/** Everything whose time a person or a repository chooses. */
export const time: HostileClass = {
  name: "time",
  payloads: (seed) => [...globPayloads(seed), ...TEXTS, ...STOPPING, ...AMOUNTS],
};
