import { knocking } from "./door/door.ts";
import { hiding } from "./hidden/hidden.ts";
import { leavingOut } from "./left-out/left-out.ts";
import { leftovers } from "./leftovers/leftovers.ts";
import type { HostileClass } from "./program/payload.ts";

/** In the order in which they are told. */
export const CLASSES: readonly HostileClass[] = [leftovers, hiding, leavingOut, knocking];
