import { z } from "zod";
import { type FailedTest, FILE_ITSELF, failedTest, MOST_FAILURES, type TestReport } from "./test-results.ts";

const Line = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  ImportPath: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
});

const OUTPUT_CHARACTERS = 8_000;

/**
 * Reads `go test -json`: one object a line. Undefined where no package came to an end.
 * @param module the module path of `go.mod`, in front of every package of the repository
 */
export function readGoTests(stdout: string, module: string): TestReport | undefined {
  const said = new Map<string, string>();
  const failures: FailedTest[] = [];
  const counts = { pass: 0, fail: 0, skip: 0 };
  /** Packages in which a test failed: their own failure says nothing more. */
  const explained = new Set<string>();
  /** Tests with a subtest that failed, each with its package. */
  const parents = new Set<string>();
  let ended = false;
  for (const text of stdout.split("\n")) {
    const line = Line.safeParse(parseJson(text)).data;
    if (line === undefined) continue;
    const { Action, Package = "", ImportPath, Test, Output } = line;
    const folder = folderOf(Package, module);
    const key = `${(ImportPath ?? Package).split(" ")[0]}\0${Test ?? ""}`;
    if (Output !== undefined) said.set(key, ((said.get(key) ?? "") + Output).slice(-OUTPUT_CHARACTERS));
    if (Action !== "pass" && Action !== "fail" && Action !== "skip") continue;
    if (Test === undefined) {
      ended = true;
      if (Action === "fail" && !explained.has(Package)) {
        counts.fail += 1;
        if (failures.length < MOST_FAILURES)
          failures.push(failedTest(FILE_ITSELF, folder === "" ? undefined : folder, said.get(key) ?? ""));
      }
      continue;
    }
    const whole = said.get(key) ?? "";
    // A test with subtests that failed fails for them.
    const passesOn = Action === "fail" && parents.has(key);
    if (!passesOn) counts[Action] += 1;
    if (Action !== "fail") continue;
    explained.add(Package);
    const slash = key.lastIndexOf("/");
    if (slash > key.indexOf("\0")) parents.add(key.slice(0, slash));
    const file = /^[ \t]*([\w.-]+_test\.go):\d+:/m.exec(whole)?.[1];
    const path = file === undefined ? undefined : folder === "" ? file : `${folder}/${file}`;
    if (!passesOn && failures.length < MOST_FAILURES) failures.push(failedTest(Test, path, withoutFrames(whole)));
  }
  if (!ended) return undefined;
  return {
    passed: counts.pass,
    failed: counts.fail,
    skipped: counts.skip,
    failures,
  };
}

function folderOf(name: string, module: string): string {
  if (name === module) return "";
  return name.startsWith(`${module}/`) ? name.slice(module.length + 1) : name;
}

function withoutFrames(output: string): string {
  return output
    .split("\n")
    .filter((line) => !/^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:FAIL|PASS))/.test(line))
    .map((line) => line.trim())
    .join("\n")
    .trim();
}

function parseJson(text: string): unknown {
  try {
    return text.startsWith("{") ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
