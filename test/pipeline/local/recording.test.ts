import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openRecording } from "../../../src/pipeline/local/recording.ts";
import { createRedactor } from "../../../src/safety/redact.ts";

it("SEC-6: no secret gets into a recording, said by a model or a person, or given as the task", async () => {
  const secret = ["ghp", "_x7Qk2mB9zT4wR1vL8nY5cD3fG6hJ0pS4aKq"].join("");
  const known = "a-key-of-this-machine-91f3";
  const path = join(mkdtempSync(join(tmpdir(), "forge-recording-")), "run.jsonl");
  const run = {
    ...({ is: "run", version: 1, runId: "r", number: 1, repositoryId: 1, fingerprintKey: "ab12" } as const),
    task: { title: `Use ${secret}`, body: known, planOnly: false },
    base: { ref: "main", sha: "a".repeat(40), tree: "b".repeat(40) },
  };
  const file = await openRecording(path, run, createRedactor([known]));
  await file.write({ is: "word", gate: "question", word: { is: "answer", text: `it is ${secret}, or ${known}` } });
  const text = readFileSync(path, "utf8");
  expect(text).toContain("[redacted]");
  expect(text).toContain(run.base.sha);
  for (const hidden of [secret, known]) expect(text).not.toContain(hidden);
});
