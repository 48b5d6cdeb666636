import { parentPort } from "node:worker_threads";
import { lookAtText, type TextToLookAt } from "./look-at-text.ts";
import { type Stages, unreadLines } from "./unread-lines.ts";

/* A thread that looks at long texts: their author chooses how long that takes. */

/** What a text looks like, or which lines of a text that was looked at and redacted count as not read. */
export type CleaningStep = TextToLookAt | Stages;

parentPort?.on("message", (step: CleaningStep) => {
  parentPort?.postMessage("shown" in step ? unreadLines(step) : lookAtText(step));
});
