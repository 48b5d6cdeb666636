import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Classes that are tests, each with its files: commands of people on one program after the other, and checkouts without a server. */
export const TESTED: Readonly<Record<string, readonly string[]>> = {
  commands: ["test/hostile/commands/every-role.long.test.ts"],
  checkout: ["test/hostile/checkout/starting.long.test.ts", "test/hostile/checkout/leading-elsewhere.full.test.ts"],
};

interface TestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** What became of the tests in these files. */
export async function runTests(files: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "forge-hostile-tests-"));
  try {
    const told = join(folder, "report.json");
    const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=json", `--outputFile=${told}`, ...files];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    await new Promise((resolve) => child.once("exit", resolve));
    const { testResults } = JSON.parse(readFileSync(told, "utf8")) as TestReport;
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const failed = tests.filter(({ status }) => status === "failed");
    return {
      held: tests.filter(({ status }) => status === "passed").length,
      notRun: tests.length - failed.length - tests.filter(({ status }) => status === "passed").length,
      broken: [
        ...failed.map((test) => ({ title: test.fullName, fault: test.failureMessages.join("\n").slice(0, 2_000) })),
        // A file that could not even be read has no tests.
        ...testResults
          .filter(({ assertionResults }) => assertionResults.length === 0)
          .map(({ name, message }) => ({ title: name, fault: message.slice(0, 2_000) })),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
