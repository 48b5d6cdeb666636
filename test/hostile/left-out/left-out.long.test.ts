import { describeHostile } from "../program/describe-hostile.ts";
import { leavingOut } from "./left-out.ts";

describeHostile(leavingOut);
