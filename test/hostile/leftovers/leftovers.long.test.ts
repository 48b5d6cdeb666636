import { describeHostile } from "../program/describe-hostile.ts";
import { leftovers } from "./leftovers.ts";

describeHostile(leftovers);
