import { describeHostile } from "../program/describe-hostile.ts";
import { memory } from "./memory.ts";

describeHostile(memory);
