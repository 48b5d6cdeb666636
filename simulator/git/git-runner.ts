// Runs git for the simulator, in a process of its own: to start a program the kernel copies what a process holds, and whoever runs the
// simulator holds hundreds of megabytes.
import { spawn } from "node:child_process";
import type { GitAnswer, GitQuestion } from "./run-git.ts";

process.on("message", (question: GitQuestion) => runGit(question, (answer) => process.send?.(answer)));
process.on("disconnect", () => process.exit());

function runGit({ id, args, environment, input }: GitQuestion, answer: (answer: GitAnswer) => void): void {
  const child = spawn("git", args, { env: environment });
  const chunks: Buffer[] = [];
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.on("error", ({ message }) => answer({ id, failure: message }));
  child.on("close", (code) => answer({ id, output: Buffer.concat(chunks), errors, code: code ?? 1 }));
  // git may answer and leave before it has read everything: its exit code says so, a broken pipe need not
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
}
