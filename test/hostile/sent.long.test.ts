// What comes by HTTP and by git, what is released, and what models say and do.
import { knocking } from "./door/door.ts";
import { pushing } from "./git/git.ts";
import { model } from "./model/model.ts";
import { describeHostile } from "./program/describe-hostile.ts";
import { releasing } from "./release/release.ts";

describeHostile(knocking, pushing, releasing, model);
