import { parentPort, workerData } from "node:worker_threads";
import { type Content, classifyFile } from "./classify-file.ts";
import type { FileForThread } from "./classify-files.ts";

/* The thread that classifies large files: their author chooses how long that takes. */

for (const { file, content, old, unread, program, lock } of workerData as readonly FileForThread[]) {
  parentPort?.postMessage(classifyFile(file, bufferOf(content), bufferOf(old), unread, program, lock));
}

function bufferOf(side: FileForThread["content"]): Content | undefined {
  return side instanceof Uint8Array ? Buffer.from(side.buffer, side.byteOffset, side.byteLength) : side;
}
