import type { Reporter, TestModule, Vitest } from "vitest/node";
import { type FileDuration, mergeDurations, readDurations, writeDurations } from "./durations-file.ts";

/** Each run leaves what its files and tests took in `test-durations.json`: the next run's order, and what `npm run test:slow` prints. */
export default class WriteDurations implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // Tests chosen by name (`-t`) tell nothing about the rest of their file.
    if (this.#vitest?.config.testNamePattern !== undefined) return;
    const measured = modules.map((module) => [module.relativeModuleId, durationOf(module)] as const);
    if (measured.length > 0) writeDurations(mergeDurations(readDurations(), Object.fromEntries(measured)));
  }
}

function durationOf(module: TestModule): FileDuration {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
  const tests = [...module.children.allTests()].map(
    (test) => [test.fullName, Math.round(test.diagnostic()?.duration ?? 0)] as const,
  );
  return {
    ms: Math.round(environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration),
    tests: Object.fromEntries(tests.filter(([, ms]) => ms > 0)),
  };
}
