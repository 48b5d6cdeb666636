import { parentPort } from "node:worker_threads";
import { createRedactor, type Redact } from "./redact.ts";
import type { TextToRedact } from "./redacting-thread.ts";

/* The thread that redacts long texts: their author chooses how long that takes. */

let redactor: { readonly values: string; readonly redact: Redact } | undefined;

parentPort?.on("message", ({ known, text }: TextToRedact) => {
  const values = JSON.stringify(known);
  if (redactor?.values !== values) redactor = { values, redact: createRedactor(known) };
  parentPort?.postMessage(redactor.redact(text));
});
