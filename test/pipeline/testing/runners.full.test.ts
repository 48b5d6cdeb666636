import { expect, it } from "vitest";
import { nodeData, nodeProgram } from "../../../scripts/selection/projects/node-data.ts";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { type Files, testChange } from "./test-context.ts";

/** Stands for an installed Vitest: writes its JSON and the coverage where it is told to. */
const VITEST = `#!/usr/bin/env node
const fs = require("node:fs");
const folder = process.argv.find((each) => each.startsWith("--coverage.reportsDirectory="))?.split("=")[1];
if (folder) {
  fs.mkdirSync(folder);
  fs.writeFileSync(folder + "/lcov.info", "SF:/box/src/a.ts\\nDA:1,1\\nDA:2,0\\nend_of_record\\n");
}
const files = process.argv.filter((each) => each.endsWith(".test.ts"));
const assertionResults = [{ fullName: "a", status: "passed" }];
const testResults = files.map((name) => ({ name, status: "passed", assertionResults }));
const report = process.argv.find((each) => each.startsWith("--outputFile="))?.split("=")[1];
fs.writeFileSync(report, JSON.stringify({ numTotalTests: 1, numPassedTests: 1, numFailedTests: 0, testResults }));
`;
/** Stands for Gradle: writes the report of one class that fails while the code says so. */
const GRADLEW = `#!/bin/sh
mkdir -p build/test-results/test
for class in CartTest MailTest; do
  body=""
  if grep -q broken src/main/java/Cart.java && [ $class = CartTest ]; then body='<failure message="expected 1">at CartTest</failure>'; fi
  echo "<?xml version=\\"1.0\\"?><testsuite name=\\"$class\\"><testcase name=\\"adds\\" classname=\\"$class\\">$body</testcase></testsuite>" > build/test-results/test/TEST-$class.xml
done
echo "asked for $*"
`;

describeInSandbox("other runners in the testing phase", (sandbox) => {
  it("TEST-2: reads the coverage that Vitest writes", async () => {
    const base: Files = {
      "package.json": '{"devDependencies":{"vitest":"5","@vitest/coverage-v8":"5"}}',
      "node_modules/.bin/vitest": VITEST,
      "src/a.ts": "export const a = 1;\n",
      "src/a.test.ts": "import './a.ts';\n",
      "src/b.test.ts": "",
    };
    const head = { ...base, "src/a.ts": "export const a = 2;\nexport const b = () => 3;\n" };
    expect(await testChange(sandbox, base, head)).toMatchObject({
      ...{ outcome: "passed", runner: "vitest", selection: "affected", files: 1, passed: 1 },
      coverage: { covered: 1, executable: 2, missed: [{ path: "src/a.ts", ranges: [[2, 2]] }] },
    });
    expect(await testChange(sandbox, base, head, { packagesMissing: "no lock file." })).toMatchObject({
      ...{ outcome: "not_run", reason: "The packages of the repository are missing: no lock file." },
    });
  });

  it.each([
    [nodeData, "data", "price"],
    [nodeProgram, "program", "run"],
  ])("TEST-3: R12: the tests fail that a file breaks by being read or started", async (project, what, name) => {
    const { to = {} } = project.mutations.find((each) => each.what === what) ?? {};
    const head = { ...project.files, ...(to as Files) };
    expect(await testChange(sandbox, project.files, head)).toMatchObject({
      ...{ outcome: "failed", selection: "affected" },
      failures: [{ name, class: "bug" }],
    });
  });

  it("TEST-2: reads the reports in JUnit's XML that Gradle writes, and none that lay there before", async () => {
    const base: Files = {
      "build.gradle": "",
      gradlew: GRADLEW,
      "build/test-results/test/TEST-OldTest.xml":
        '<?xml version="1.0"?><testsuite><testcase name="old"><failure/></testcase></testsuite>',
      "src/main/java/Cart.java": "class Cart {}\n",
      "src/test/java/CartTest.java": "class CartTest {}\n",
    };
    expect(
      await testChange(sandbox, base, { ...base, "src/main/java/Cart.java": "class Cart { int a; }\n" }),
    ).toMatchObject({
      // No imports of Java are read, so that nothing says which classes a change reaches.
      ...{ outcome: "passed", runner: "gradle", selection: "full", files: 1, passed: 2, failed: 0 },
      reason: "All tests were run, because nothing says which tests reach src/main/java/Cart.java.",
      coverageMissing: "The change has no code whose coverage this runner measures.",
    });
    expect(
      await testChange(sandbox, base, { ...base, "src/main/java/Cart.java": "class Cart { broken }\n" }),
    ).toMatchObject({
      ...{ outcome: "failed", passed: 1, failed: 1 },
      failures: [{ name: "CartTest > adds", class: "bug", message: expect.stringContaining("expected 1") }],
    });
  });
});
