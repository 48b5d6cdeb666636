import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/**
 * Rooms whose tests leave nothing behind in their process (no environment, no folder of work, no listeners): their files share one, and
 * each is spared the second that loading Forge's packages takes.
 */
const SHARING = [
  "agents",
  "analysis",
  "domain",
  "e2e",
  "github",
  "llm",
  "memory",
  "pipeline",
  "queue",
  "safety",
  "simulator",
  "store",
];
const sharing = SHARING.map((room) => `test/${room}/**/*.test.ts`);

export default defineConfig({
  test: {
    // Real servers, git, sandboxes and databases: on a busy machine they are slow, which is no fault of the code.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Half of the time goes into waiting, for disks and for processes: two workers more than there are cores.
    maxWorkers: availableParallelism() + 2,
    // A machine that CI shares with others stalls now and then; a fault of the code fails twice.
    retry: process.env.CI ? 1 : 0,
    // What is missing on this machine is fetched once before, where it can be, and said at the end, where tests were left out for it.
    globalSetup: ["test/needs/bring-sandbox.ts"],
    reporters: ["default", "./test/needs/say-untested.ts"],
    projects: [
      { extends: true, test: { name: "sharing", include: sharing, isolate: false } },
      { extends: true, test: { name: "alone", include: ["test/**/*.test.ts"], exclude: sharing } },
    ],
  },
});
