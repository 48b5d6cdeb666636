// What stands in a change, for people, analysers and models to read.
import { hiding } from "./hidden/hidden.ts";
import { leavingOut } from "./left-out/left-out.ts";
import { lookalike } from "./lookalike/lookalike.ts";
import { describeHostile } from "./program/describe-hostile.ts";
import { redaction } from "./redaction/redaction.ts";

describeHostile(hiding, leavingOut, redaction, lookalike);
