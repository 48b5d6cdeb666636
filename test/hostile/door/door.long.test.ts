import { describeHostile } from "../program/describe-hostile.ts";
import { knocking } from "./door.ts";

describeHostile(knocking);
