import { describeHostile } from "../program/describe-hostile.ts";
import { model } from "./model.ts";

describeHostile(model);
