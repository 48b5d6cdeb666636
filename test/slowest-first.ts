import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, in this order: begun last, one of them would run on alone beside idle processors. Vitest knows that of itself
 * only where it has run before. What is not here is begun afterwards, the larger files first.
 */
const SLOWEST = [
  "test/cli/run.test.ts",
  "test/cli/review.test.ts",
  "test/workspace/install/install-packages.test.ts",
  "test/hostile/model/trials.test.ts",
  "test/hostile/time/reports.test.ts",
  "test/browser/pages.test.ts",
  "test/workspace/sandbox-memory.test.ts",
  "test/stored/stored.test.ts",
  "test/hostile/model/replies.test.ts",
  "test/hostile/time/findings.test.ts",
  "test/hostile/left-out/pull-request.test.ts",
  "test/hostile/time/patterns.test.ts",
  "test/workspace/working-tree/push.test.ts",
  "test/smoke.test.ts",
  // One of these payloads waits for minutes.
  "test/hostile/answered.long.test.ts",
  "test/hostile/written.long.test.ts",
  "test/hostile/used-up.long.test.ts",
  "test/hostile/commands/every-role.long.test.ts",
  "test/hostile/sent.long.test.ts",
  "test/e2e/packages.long.test.ts",
  "test/e2e/events.long.test.ts",
  "test/chaos/operations.long.test.ts",
  "test/e2e/commands.test.ts",
  "test/e2e/ai.test.ts",
  "test/analysis/project-types.test.ts",
  "test/e2e/gates.test.ts",
  "test/e2e/ask.test.ts",
  "test/e2e/comments.test.ts",
  "test/e2e/risk.test.ts",
  "test/e2e/convergence.long.test.ts",
  "test/pipeline/testing/run-testing-phase.test.ts",
  "test/e2e/threads.long.test.ts",
  "test/e2e/implement-issue.test.ts",
  "test/e2e/parked.test.ts",
  "test/analysis/ruff.test.ts",
  "test/analysis/dependencies/analyser.test.ts",
  "test/e2e/commands-with-ai.test.ts",
  "test/e2e/words.test.ts",
];
const RANK = new Map(SLOWEST.map((path, at) => [path, at]));

export class SlowestFirst extends BaseSequencer {
  /** Project by project, as Vitest has it: files that share a process are not parted. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = Map.groupBy(sorted, ({ project }) => project.name);
    const rank = ({ moduleId }: TestSpecification) =>
      RANK.get(relative(this.ctx.config.root, moduleId)) ?? SLOWEST.length;
    return [...projects.values()].flatMap((each) => each.sort((one, other) => rank(one) - rank(other)));
  }
}
