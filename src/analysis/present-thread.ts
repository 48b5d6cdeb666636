import { parentPort, workerData } from "node:worker_threads";
import { presentFile, type TextChange } from "./present-change.ts";

/* The thread in which large files are compared: their author chooses how long that takes. */

const { change, context } = workerData as { readonly change: TextChange; readonly context: number };
parentPort?.postMessage(presentFile(change, context));
