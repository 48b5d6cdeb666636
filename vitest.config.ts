import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./test/suite/slowest-first.ts";

/**
 * Rooms whose tests leave nothing in their process (no environment, no working folder, no listeners): their files share one process, which
 * saves each file the second that it takes to load Forge's packages.
 */
const SHARING = [
  "agents",
  "analysis",
  "app",
  "cli",
  "dashboard",
  "deploy",
  "domain",
  "e2e",
  "github",
  "learning",
  "llm",
  "memory",
  "monitoring",
  "pipeline",
  "queue",
  "safety",
  "scripts",
  "setup",
  "simulator",
  "store",
  "stored",
  "suite",
  "tools",
  "workspace",
];

/** What `npm test` leaves to `npm run test:all`: stories and cases whose promise a quick test also holds in short. */
const FULL = "full.test.ts";
/** Whole stories of crashes and attacks, and each case of something that another test tries once: `npm run test:long`. */
const LONG = "long.test.ts";

/** A project for the files of a tier that share a process, and one for those that do not. */
function projectsOf(tier: string, ending: string, exclude: string[]) {
  const sharing = SHARING.map((room) => `test/${room}/**/*.${ending}`);
  return [
    { extends: true as const, test: { name: `sharing${tier}`, include: sharing, exclude, isolate: false } },
    {
      extends: true as const,
      test: { name: `alone${tier}`, include: [`test/**/*.${ending}`], exclude: [...sharing, ...exclude] },
    },
  ];
}

export default defineConfig({
  test: {
    // Real servers, git, sandboxes and databases are slow on a busy machine. A test waits for an event and gives up only here.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 300_000 } },
    // Half of the time is spent waiting for processes and their answers: more workers than cores.
    maxWorkers: availableParallelism() + 5,
    // The process is copied to start another one, thousands of times: with less room for short-lived objects it is half as large.
    execArgv: ["--max-semi-space-size=8", "--import", resolve(import.meta.dirname, "src/store/resolve-drizzle.ts")],
    // Fetches what is missing on this machine where that is possible; the last lines of a run name what was not tested without it.
    globalSetup: ["test/needs/in-memory.ts", "test/needs/bring-sandbox.ts"],
    // Node loads the tests by itself, as it loads Forge: no module is mocked here, so that there is nothing to transform.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: SlowestFirst },
    reporters: ["default", "./test/needs/say-untested.ts", "./test/suite/write-durations.ts"],
    projects: [
      ...projectsOf("", "test.ts", [`test/**/*.${FULL}`, `test/**/*.${LONG}`]),
      ...projectsOf("-full", FULL, []),
      { extends: true, test: { name: "long", include: [`test/**/*.${LONG}`], exclude: ["test/hostile/**"] } },
      { extends: true, test: { name: "hostile", include: [`test/hostile/**/*.${LONG}`] } },
    ],
  },
});
