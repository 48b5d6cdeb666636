import type { HostileClass } from "../program/payload.ts";
import { historyPayloads } from "./history.ts";
import { storedPayloads } from "./stored.ts";
import { treePayloads } from "./trees.ts";

/** Everything that can be pushed. */
export const pushing: HostileClass = {
  name: "git",
  payloads: (seed) => [...treePayloads(seed), ...historyPayloads(seed), ...storedPayloads(seed)],
};
