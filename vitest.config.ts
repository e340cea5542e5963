import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Samples of code to audit, some of them named like tests.
    exclude: ["test/fixtures/**", "**/node_modules/**"],
    globalSetup: ["test/support/globalSetup.ts"],
    pool: "forks",
    maxWorkers: 2,
    minWorkers: 1,
    // Time-outs end hangs. They say nothing of speed, so they hold on a machine that is busy with other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ["default"]
  }
})
