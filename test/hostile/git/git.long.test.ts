import { describeHostile } from "../program/describe-hostile.ts";
import { pushing } from "./git.ts";

describeHostile(pushing);
