import { describeHostile } from "../program/describe-hostile.ts";
import { redaction } from "./redaction.ts";

describeHostile(redaction);
