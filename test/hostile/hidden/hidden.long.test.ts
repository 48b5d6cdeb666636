import { describeHostile } from "../program/describe-hostile.ts";
import { hiding } from "./hidden.ts";

describeHostile(hiding);
