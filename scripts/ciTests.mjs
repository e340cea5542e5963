import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { root } from "./buildState.mjs"

/**
 * Runs the tests as CI does: `node scripts/ciTests.mjs [option of vitest…]`. Where few files fail, those run once more by
 * themselves. A defect fails again and ends the run with 1; what fails only beside other tests is listed, so that it can be
 * corrected, and does not decide about a change that it has nothing to do with.
 */
const MAX_FILES_AGAIN = 4

const vitest = join(root, "node_modules/vitest/vitest.mjs")

/** The paths of the files that failed; null where the run ended without saying which. */
const failedFiles = (report) => {
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8"))
    return testResults.filter(({ status }) => status === "failed").map(({ name }) => relative(root, name))
  } catch {
    return null
  }
}

const run = (options) => {
  const { status } = spawnSync(process.execPath, [vitest, "run", ...options], { cwd: root, stdio: "inherit" })
  return status ?? 1
}

const folder = mkdtempSync(join(tmpdir(), "assay-tests-"))
const report = join(folder, "report.json")
const options = process.argv.slice(2)
let status = run([...options, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`])
if (status !== 0) {
  const failed = failedFiles(report)
  if (failed !== null && failed.length > 0 && failed.length <= MAX_FILES_AGAIN) {
    console.log(
      `\nFailed beside the other tests; once more by themselves:\n${failed.map((file) => `  ${file}`).join("\n")}\n`
    )
    status = run([...options, "--no-file-parallelism", ...failed])
  }
}
rmSync(folder, { recursive: true, force: true })
process.exit(status)
