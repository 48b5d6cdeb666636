import { text } from "node:stream/consumers";
import type { ChildAnswer, ChildFile, ChildInput, ChildRequest, ChildTask } from "./protocol.ts";

/** Each task loads only what it needs, and all that it may need where it is given nothing to read: that is kept compiled then. */
const READERS: Readonly<Record<ChildTask, (request: ChildRequest) => Promise<(file: ChildFile) => unknown>>> = {
  syntax: async () => (await import("./find-syntax-fault.ts")).findSyntaxFault,
  secrets: async () => (await import("./find-secrets.ts")).findSecrets,
  disguises: async () => (await import("../disguises/find-disguises.ts")).findDisguises,
  patterns: async ({ known }) => (await import("./find-insecure-code.ts")).findInsecureCode(known),
  eslint: async ({ files }) => (await import("./eslint/read-rules.ts")).readRules(files),
  ruff: async () => (await import("./find-python-faults.ts")).findPythonFaults("ruff"),
  "ruff-security": async () => (await import("./find-python-faults.ts")).findPythonFaults("ruff-security"),
  complexity: async () => (await import("../risk/cognitive-complexity.ts")).measureComplexity,
  outline: async () => (await import("./outline-file.ts")).outlineFile,
  workflows: async () => (await import("./find-workflow-faults.ts")).findWorkflowFaults(),
  "workflow-dangers": async ({ beside }) => (await import("../workflows/find-dangers.ts")).findDangersIn(beside ?? []),
  report: async () => (await import("../reports/read-report.ts")).readReportFile,
  junit: async () => {
    const { readJunit } = await import("../tests/read-junit.ts");
    return ({ text }) => readJunit(text) ?? null;
  },
  coverage: async () => {
    const { readCoverage } = await import("../tests/read-coverage.ts");
    return ({ text, coverage }) => {
      if (coverage === undefined) return null;
      return readCoverage(coverage.format, text, { root: coverage.root, only: new Set(coverage.paths) }) ?? null;
    };
  },
  tests: async () => (await import("./outline-tests.ts")).outlineTests,
  locks: async () => (await import("./compare-lock-file.ts")).compareLockFile,
  calls: async ({ paths }) => (await import("./find-calls.ts")).findCalls(paths ?? []),
  settings: async () => (await import("../settings/find-settings.ts")).findSettings,
  mended: async () => (await import("../risk/fit-risk.ts")).learnFromFiles,
  imports: async (request) => (await import("./imports/resolve-files.ts")).resolveFiles(request),
  types: async ({ files }) => (await import("./types/find-type-faults.ts")).findTypeFaults(files),
};

// Parsers and patterns meet hostile text here: a native parser dies of deep nesting (10 ms of brackets end the process), a pattern may
// take for ever. What dies or hangs is this process and not the worker; the parent sees which file was last.
const { parts } = JSON.parse(await text(process.stdin)) as ChildInput;
for (const request of parts) {
  const read = await READERS[request.task](request);
  answer("ready");
  for (const file of request.files) answer({ id: file.id, result: await read(file) });
}

function answer(line: ChildAnswer<unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
