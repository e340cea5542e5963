import { defineConfig, type ViteUserConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files that run for ten seconds or more: whole programs, browsers, servers of PostgreSQL, and thousands of calls. */
const longFiles =
  /\/test\/(?:(?:e2e|web|services\/workflows|layers\/(?:backup|github))\/|.*\/(?:hostile|generated|parity|matrix|largest|EmbeddedPostgres|auditLogCatalogue)\.test\.ts$)/
const isLong = ({ moduleId }: TestSpecification) => longFiles.test(moduleId)

/** A long file that starts last leaves a worker without work. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const folders = ["test/support/temporaryFolders.ts"]

export const shared = {
  // Samples of code to audit, some of them named like tests; and packages of their own.
  exclude: ["test/fixtures/**", "**/node_modules/**"],
  pool: "forks",
  // One more than the cores of a small machine: while files wait for a database, a program or a clock, another one works.
  // As many at least: the pool ends the whole run when it removes two idle workers before the last file is done.
  maxWorkers: 3,
  minWorkers: 3,
  // Loading Effect and the sources takes longer than most files' tests: a worker loads them once, so that no file may leave
  // anything behind in a module or in the process.
  isolate: false,
  setupFiles: ["test/support/plainTesters.ts"],
  sequence: { sequencer: LongFilesFirst },
  // Time-outs end hangs. They say nothing of speed, so they hold on a machine that is busy with other work.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  globalSetup: folders,
  reporters: ["default"]
} satisfies ViteUserConfig["test"]

export const withDatabase = { ...shared, globalSetup: [...folders, "test/support/globalSetup.ts"] }

/** `npm test`: all but the files that `npm run soak -- tests` runs alone. */
export default defineConfig({
  test: { ...withDatabase, include: ["test/**/*.test.ts"], exclude: [...shared.exclude, "test/**/*.long.test.ts"] }
})
