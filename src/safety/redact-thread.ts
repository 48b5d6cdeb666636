import { parentPort } from "node:worker_threads";
import { createRedactor, type Redact } from "./redact.ts";
import type { TextToRedact } from "./redacting-thread.ts";

/* A thread that redacts long texts: their author chooses how long that takes. */

/** Those that were asked for last, by number: each takes some megabytes, and a new token makes a new one. */
const redactors = new Map<number, Redact>();
const MOST_REDACTORS = 4;

parentPort?.on("message", ({ redactor, known, text }: TextToRedact) => {
  const redact = redactors.get(redactor) ?? createRedactor(known);
  redactors.delete(redactor);
  redactors.set(redactor, redact);
  for (const [oldest] of redactors) if (redactors.size > MOST_REDACTORS) redactors.delete(oldest);
  parentPort?.postMessage(redact(text));
});
