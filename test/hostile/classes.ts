import { leftovers } from "./leftovers/leftovers.ts";
import type { HostileClass } from "./program/payload.ts";

/** In the order in which they are told. */
export const CLASSES: readonly HostileClass[] = [leftovers];
