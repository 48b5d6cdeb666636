import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./test/slowest-first.ts";

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
  "learning",
  "llm",
  "memory",
  "pipeline",
  "queue",
  "safety",
  "setup",
  "simulator",
  "store",
  "tools",
  "workspace",
];
const sharing = SHARING.map((room) => `test/${room}/**/*.test.ts`);

/** Whole stories of crashes and attacks, and what tries each case of something that another test tries once: `npm run test:long`. */
const LONG = ["test/**/*.long.test.ts"];

export default defineConfig({
  test: {
    // Real servers, git, sandboxes and databases: on a busy machine they are slow, which is no fault of the code. What hangs ends all the same.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Half of the time goes into waiting, for processes and for what they answer: more workers than there are cores.
    maxWorkers: availableParallelism() + 3,
    // A process is copied to start another, and these start thousands: with less room for what is new and soon gone it is half as large.
    execArgv: ["--max-semi-space-size=8"],
    // What is missing on this machine is fetched once before, where it can be, and said at the end, where tests were left out for it.
    globalSetup: ["test/needs/in-memory.ts", "test/needs/bring-sandbox.ts"],
    sequence: { sequencer: SlowestFirst },
    reporters: ["default", "./test/needs/say-untested.ts"],
    projects: [
      { extends: true, test: { name: "sharing", include: sharing, exclude: LONG, isolate: false } },
      { extends: true, test: { name: "alone", include: ["test/**/*.test.ts"], exclude: [...sharing, ...LONG] } },
      { extends: true, test: { name: "long", include: LONG, exclude: ["test/hostile/**"] } },
      { extends: true, test: { name: "hostile", include: ["test/hostile/**/*.long.test.ts"] } },
    ],
  },
});
