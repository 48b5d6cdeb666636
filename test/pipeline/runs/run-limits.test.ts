import { expect, it } from "vitest";
import type { Subject } from "../../../src/domain/subjects.ts";
import type { RecentRun } from "../../../src/pipeline/runs/decision.ts";
import { PIPELINES } from "../../../src/pipeline/runs/definition.ts";
import { brokenRunLimit } from "../../../src/pipeline/runs/run-limits.ts";

const repository = { id: 5, owner: "acme", name: "shop", installationId: 9 };
const at = "2026-11-20T10:00:00.000Z";

function broken(kind: "issue" | "pull_request", count: number, startedAt: string) {
  const subject: Subject = { kind, repository, number: 7 };
  const recent = Array.from({ length: count }, (_, index): RecentRun => {
    return { runId: `run-${index}`, headSha: "", requestId: `${index}`, startedAt, status: "failed" };
  });
  return brokenRunLimit(recent, { subject, at }, PIPELINES[kind === "issue" ? "implement" : "review"].limits);
}

it("SAFE-1: says which limit another run would break, of the runs of an issue and of the reviews of a pull request", () => {
  expect(broken("pull_request", 5, at)).toBeUndefined();
  expect(broken("pull_request", 6, at)).toBe("6 reviews in an hour on this pull request");
  expect(broken("pull_request", 20, "2026-11-20T02:00:00.000Z")).toBe("20 reviews in a day on this pull request");
  expect(broken("issue", 6, at)).toBe("6 runs in an hour on this issue");
  expect(broken("issue", 20, "2026-11-20T02:00:00.000Z")).toBe("20 runs in a day on this issue");
});
