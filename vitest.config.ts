import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Real servers, git, sandboxes and databases: on a busy machine they are slow, which is no fault of the code.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A machine that CI shares with others stalls now and then; a fault of the code fails twice.
    retry: process.env.CI ? 1 : 0,
  },
});
