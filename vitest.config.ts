import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Real servers, git and databases: slower than the default allows on a busy machine, never a reason to wait.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
