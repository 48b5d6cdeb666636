import { describeHostile } from "../program/describe-hostile.ts";
import { lookalike } from "./lookalike.ts";

describeHostile(lookalike);
