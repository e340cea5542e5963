import { defineConfig, type ViteUserConfig } from "vitest/config"

export const shared: NonNullable<ViteUserConfig["test"]> = {
  // Samples of code to audit, some of them named like tests; and packages of their own.
  exclude: ["test/fixtures/**", "**/node_modules/**"],
  pool: "forks",
  maxWorkers: 2,
  minWorkers: 1,
  // Time-outs end hangs. They say nothing of speed, so they hold on a machine that is busy with other work.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  reporters: ["default"]
}

export default defineConfig({
  test: { ...shared, include: ["test/**/*.test.ts"], globalSetup: ["test/support/globalSetup.ts"] }
})
