// What is written in a change, what comes by HTTP and git, what models say, and what takes time, memory and disk.
import { knocking } from "./door/door.ts";
import { pushing } from "./git/git.ts";
import { hiding } from "./hidden/hidden.ts";
import { leavingOut } from "./left-out/left-out.ts";
import { leftovers } from "./leftovers/leftovers.ts";
import { lookalike } from "./lookalike/lookalike.ts";
import { memory } from "./memory/memory.ts";
import { model } from "./model/model.ts";
import { describeHostile } from "./program/describe-hostile.ts";
import { redaction } from "./redaction/redaction.ts";
import { releasing } from "./release/release.ts";
import { time } from "./time/time.ts";

describeHostile(hiding, leavingOut, redaction, lookalike, knocking, pushing, releasing, model, leftovers, time, memory);
