import { knocking } from "./door/door.ts";
import { pushing } from "./git/git.ts";
import { hiding } from "./hidden/hidden.ts";
import { leavingOut } from "./left-out/left-out.ts";
import { leftovers } from "./leftovers/leftovers.ts";
import { lookalike } from "./lookalike/lookalike.ts";
import { memory } from "./memory/memory.ts";
import { model } from "./model/model.ts";
import type { HostileClass } from "./program/payload.ts";
import { redaction } from "./redaction/redaction.ts";
import { releasing } from "./release/release.ts";
import { time } from "./time/time.ts";

/** In the order in which they are told. */
export const CLASSES: readonly HostileClass[] = [
  leftovers,
  time,
  hiding,
  leavingOut,
  redaction,
  lookalike,
  knocking,
  pushing,
  memory,
  model,
  releasing,
];
