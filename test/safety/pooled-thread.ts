import { parentPort, threadId } from "node:worker_threads";

/* A thread of the pool's test: it says which one it is, fails, or works until the test sets the flag. */

export type Asked = { readonly is: "name" | "fail" } | { readonly is: "wait"; readonly flag: Int32Array };

parentPort?.on("message", (asked: Asked) => {
  if (asked.is === "fail") throw new Error("it failed");
  if (asked.is === "wait") Atomics.wait(asked.flag, 0, 0);
  parentPort?.postMessage(threadId);
});
