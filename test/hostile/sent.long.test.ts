// What comes by HTTP and by git.
import { knocking } from "./door/door.ts";
import { pushing } from "./git/git.ts";
import { describeHostile } from "./program/describe-hostile.ts";

describeHostile(knocking, pushing);
