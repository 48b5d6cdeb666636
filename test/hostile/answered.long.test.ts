// What models say and do.
import { model } from "./model/model.ts";
import { describeHostile } from "./program/describe-hostile.ts";

describeHostile(model);
