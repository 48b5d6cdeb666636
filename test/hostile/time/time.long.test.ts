import { describeHostile } from "../program/describe-hostile.ts";
import { time } from "./time.ts";

describeHostile(time);
