import type { Reporter, TestModule } from "vitest/node";

/** The last lines of a run: which tests were left out as the machine lacks something, and what that is. */
export default class SayUntested implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const byReason = new Map<string, Map<string, number>>();
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const reason = test.meta().missing;
        if (reason === undefined) continue;
        const files = byReason.get(reason) ?? new Map<string, number>();
        files.set(module.relativeModuleId, (files.get(module.relativeModuleId) ?? 0) + 1);
        byReason.set(reason, files);
      }
    }
    process.stdout.write(untestedText(byReason));
  }
}

function untestedText(byReason: ReadonlyMap<string, ReadonlyMap<string, number>>): string {
  return [...byReason]
    .map(([reason, files]) => {
      const total = [...files.values()].reduce((sum, count) => sum + count, 0);
      const lines = [...files].sort().map(([file, count]) => `  ${count} of ${file}\n`);
      return `NOT TESTED: ${total} ${total === 1 ? "test" : "tests"}, ${reason}\n${lines.join("")}`;
    })
    .join("");
}
