import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { again, type Bench, complete, OPEN, startBench } from "./effect-bench.ts";
import { reported, reviewed } from "./samples.ts";
import { testOutcome } from "./work-samples.ts";

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.github.stop());

const many = (number: number) =>
  Array.from({ length: number }, (_, index) =>
    reported({ id: `F-${1000 + index}`, line: index + 1, endLine: index + 1 }, { placement: "none" }),
  );
const annotated = () =>
  bench.github.checkRuns[0]!.annotations.map(({ message }) => /^F-\w{4}/m.exec(String(message))?.[0]);

describe("GH-11: completing a check", () => {
  it("completes the opened check-run with title, summary and annotations in one request", async () => {
    await bench.apply(OPEN);
    const report = reviewed([reported({}, { placement: "none" }), reported({ id: "F-0002", severity: "warning" })]);
    const outcome = await bench.apply(complete({ openKey: OPEN.key, conclusion: "failure", report }));
    expect(outcome).toEqual({
      kind: "done",
      result: { checkRunId: bench.github.checkRuns[0]!.id, placed: [{ findingId: "F-9M4D", placement: "annotation" }] },
    });
    expect(bench.github.writes()).toEqual(["POST /check-runs", "PATCH /check-runs"]);
    expect(bench.github.checkRuns[0]).toMatchObject({
      status: "completed",
      conclusion: "failure",
      completed_at: "2026-11-20T10:00:00.000Z",
      output: {
        title: "1 blocking error: shell injection in src/run.ts",
        summary: expect.stringContaining("01JD2C3V4B5N6M7Q8W9E0R1T2Y"),
      },
      annotations: [{ path: "src/run.ts", start_line: 31, end_line: 31, annotation_level: "failure" }],
    });
  });

  it("makes a completed check-run where none was opened", async () => {
    expect(await bench.apply(complete({ conclusion: "skipped" }))).toMatchObject({ kind: "done" });
    expect(bench.github.checkRuns).toMatchObject([
      { status: "completed", conclusion: "skipped", head_sha: expect.any(String) },
    ]);
    await bench.apply(again(complete({ conclusion: "skipped" })));
    expect(bench.github.checkRuns).toHaveLength(1);
  });

  it("annotates what the review before it could not comment on, and every blocking finding", async () => {
    const report = reviewed([
      reported({ id: "F-0001" }, { placement: "none" }),
      reported({ id: "F-0002", severity: "warning" }, { placement: "none" }),
      reported({ id: "F-0003", severity: "warning" }, { placement: "none" }),
      reported({ id: "F-0004", severity: "warning" }),
    ]);
    bench.results.set("review", {
      placed: [
        { findingId: "F-0001", placement: "comment" },
        { findingId: "F-0002", placement: "file_comment" },
        { findingId: "F-0003", placement: "annotation" },
      ],
    });
    const outcome = await bench.apply(complete({ reviewKey: "review", conclusion: "failure", report }));
    expect(annotated()).toEqual(["F-0001", "F-0003"]);
    expect(outcome).toMatchObject({ result: { placed: [] } });
  });

  it("GH-10: leaves to the summary what no line of the head holds", async () => {
    const gone = reported({ secret: true, commit: "c".repeat(40) }, { placement: "none" });
    const outcome = await bench.apply(complete({ conclusion: "failure", report: reviewed([gone]) }));
    expect(annotated()).toEqual([]);
    expect(outcome).toMatchObject({ result: { placed: [{ findingId: "F-9M4D", placement: "summary" }] } });
    const { summary } = bench.github.checkRuns[0]!.output as { summary: string };
    expect(summary).toContain("| `F-9M4D` error | `src/run.ts`: ");
  });

  it("sends 120 annotations in batches of 50 and the conclusion last", async () => {
    await bench.apply(OPEN);
    const report = reviewed(many(120));
    await bench.apply(complete({ openKey: OPEN.key, conclusion: "failure", report }));
    const updates = bench.github.requests.filter(({ method }) => method === "PATCH");
    expect(
      updates.map(({ body }) => [body.status, (body.output as { annotations?: unknown[] }).annotations?.length]),
    ).toEqual([
      ["in_progress", 50],
      ["in_progress", 50],
      ["in_progress", 20],
      ["completed", undefined],
    ]);
    expect(new Set(annotated()).size).toBe(120);
  });

  it("goes on after the first batch, sending only the rest", async () => {
    const effect = complete({ conclusion: "failure", report: reviewed(many(120)) });
    let updates = 0;
    bench.github.fault = ({ method }) => {
      if (method !== "PATCH") return undefined;
      updates += 1;
      return updates === 1 ? { kind: "lost" } : undefined;
    };
    expect(await bench.apply(effect)).toMatchObject({ kind: "retry" });
    expect(bench.github.checkRuns[0]).toMatchObject({ status: "in_progress", output: { title: "Reviewing" } });
    expect(await bench.apply(again(effect))).toMatchObject({ kind: "done" });
    expect(bench.github.checkRuns).toHaveLength(1);
    expect(bench.github.checkRuns[0]).toMatchObject({ status: "completed", conclusion: "failure" });
    expect(annotated()).toHaveLength(120);
    expect(new Set(annotated()).size).toBe(120);
  });

  it.each([3, 120])("writes nothing again when only the last answer was lost (%i annotations)", async (number) => {
    await bench.apply(OPEN);
    const effect = complete({ openKey: OPEN.key, conclusion: "failure", report: reviewed(many(number)) });
    bench.github.fault = ({ body }) => (body.status === "completed" ? { kind: "lost" } : undefined);
    expect(await bench.apply(effect)).toMatchObject({ kind: "retry" });
    const before = bench.github.writes().length;
    const outcome = await bench.apply(again(effect));
    expect(outcome).toMatchObject({ kind: "done", result: { checkRunId: bench.github.checkRuns[0]!.id } });
    expect(bench.github.writes()).toHaveLength(before);
    expect(annotated()).toHaveLength(number);
  });

  it("GH-10: leaves what GitHub refuses as an annotation to the summary, and loses nothing else", async () => {
    await bench.apply(OPEN);
    const warnings = Array.from({ length: 20 }, (_, index) =>
      reported(
        { id: `F-${1000 + index}`, severity: "warning", file: index === 13 ? "bad" : "ok" },
        { placement: "none" },
      ),
    );
    bench.github.refuses = ({ path }) => path === "bad";
    const outcome = await bench.apply(
      complete({ openKey: OPEN.key, conclusion: "neutral", report: reviewed(warnings) }),
    );
    expect(outcome).toMatchObject({ kind: "done" });
    expect(new Set(annotated()).size).toBe(19);
    expect(annotated()).toHaveLength(19);
    const { placed } = outcome.kind === "done" ? outcome.result : {};
    expect(placed).toHaveLength(20);
    expect(placed).toContainEqual({
      findingId: "F-1013",
      placement: "summary",
      reason: expect.stringContaining("annotation"),
    });
    expect(bench.github.checkRuns[0]).toMatchObject({
      conclusion: "neutral",
      output: { summary: expect.stringContaining("`F-1013`") },
    });
  });

  it("does not blame annotations when GitHub refuses the check-run itself", async () => {
    await bench.apply(OPEN);
    bench.github.fault = ({ method }) => (method === "PATCH" ? { kind: "answer", status: 422 } : undefined);
    const effect = complete({ openKey: OPEN.key, conclusion: "failure", report: reviewed(many(40)) });
    expect(await bench.apply(effect)).toMatchObject({ kind: "failed", error: { code: "github_refused" } });
    expect(bench.github.writes().length).toBeLessThan(6);
  });
});

describe("GH-11: completing forge/tests", () => {
  const missed = [{ path: "src/a.ts", ranges: Array.from({ length: 40 }, (_, i): [number, number] => [i + 1, i + 1]) }];
  const failures = Array.from({ length: 20 }, (_, i) => ({
    name: `test ${i}`,
    file: `test/${i}.test.ts`,
    message: "expected 1",
    class: "bug" as const,
  }));
  const outcome = testOutcome({
    outcome: "failed",
    failed: 20,
    failures,
    coverage: { covered: 0, executable: 40, missed },
  });
  const tested = complete({
    check: "forge/tests",
    conclusion: "failure",
    report: { kind: "tested", outcome, costUsd: 0 },
  });

  it("shows failing tests and lines without a test, in as many requests as it takes", async () => {
    expect(await bench.apply(tested)).toEqual({ kind: "done", result: { checkRunId: bench.github.checkRuns[0]!.id } });
    expect(bench.github.checkRuns).toMatchObject([
      { name: "forge/tests", conclusion: "failure", output: { title: "20 of 54 tests failed" } },
    ]);
    expect(bench.github.checkRuns[0]!.annotations).toHaveLength(60);
    await bench.apply(again(tested));
    expect(bench.github.checkRuns).toHaveLength(1);
    expect(bench.github.checkRuns[0]!.annotations).toHaveLength(60);
  });

  it("does without an annotation that GitHub refuses", async () => {
    bench.github.refuses = ({ path }) => path === "test/3.test.ts";
    expect(await bench.apply(tested)).toMatchObject({ kind: "done" });
    expect(bench.github.checkRuns[0]).toMatchObject({ status: "completed", conclusion: "failure" });
    expect(bench.github.checkRuns[0]!.annotations).toHaveLength(59);
  });
});
