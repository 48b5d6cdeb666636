// What comes by HTTP and by git, and what is released.
import { knocking } from "./door/door.ts";
import { pushing } from "./git/git.ts";
import { describeHostile } from "./program/describe-hostile.ts";
import { releasing } from "./release/release.ts";

describeHostile(knocking, pushing, releasing);
