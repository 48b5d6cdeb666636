import { expect, it } from "vitest";
import { FILE_ITSELF, failedTest, RUN_ITSELF } from "../../../src/analysis/tests/test-results.ts";
import { flakyOf } from "../../../src/pipeline/testing/flaky-tests.ts";

const of = (name: string, file?: string) => failedTest(name, file, "");
const [X, Y] = [of("x", "a.test.ts"), of("y", "b.test.ts")];
const again = (failures: readonly ReturnType<typeof of>[], passed = 1) => ({ passed, failures });

it("TEST-1: what failed once and passed when repeated is flaky, and what failed again is not", () => {
  expect(flakyOf([X, Y], again([X]))).toEqual([Y]);
});

it.each([
  ["nothing passed", again([], 0)],
  ["the run failed as a whole", again([of(RUN_ITSELF)])],
  ["something failed that has no file", again([of("z")])],
])("TEST-1: nothing is flaky where in the repetition %s", (_, ran) => {
  expect(flakyOf([X, Y], ran)).toEqual([]);
});

it("TEST-1: no test is flaky whose file failed in another way, or was not reached again", () => {
  expect(flakyOf([X, Y], again([of(FILE_ITSELF, "a.test.ts")]))).toEqual([Y]);
  expect(flakyOf([X, Y], { ...again([]), reached: new Set(["a.test.ts"]) })).toEqual([X]);
});
