// What takes time, memory and disk, and what is left of it.
import { leftovers } from "./leftovers/leftovers.ts";
import { memory } from "./memory/memory.ts";
import { describeHostile } from "./program/describe-hostile.ts";
import { time } from "./time/time.ts";

describeHostile(leftovers, time, memory);
