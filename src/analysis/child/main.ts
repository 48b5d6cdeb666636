import { text } from "node:stream/consumers";
import { findSecrets } from "./find-secrets.ts";
import { findSyntaxFault } from "./find-syntax-fault.ts";
import type { ChildAnswer, ChildRequest } from "./protocol.ts";

// Parsers and patterns meet hostile text here: a native parser dies of deep nesting (10 ms of brackets end the process), a pattern may
// take for ever. What dies or hangs is this process and not the worker; the parent sees which file was last.
const request = JSON.parse(await text(process.stdin)) as ChildRequest;
answer("ready");
for (const file of request.files) {
  const result = request.task === "syntax" ? findSyntaxFault(file) : await findSecrets(file);
  answer({ id: file.id, result });
}

function answer(line: ChildAnswer<unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
