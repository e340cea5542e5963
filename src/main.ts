import { startProcessFor } from "./cli/ahead.ts"
import { writeVersion } from "./cli/version.ts"

// The version needs none of the command's libraries.
if (process.argv.length === 3 && process.argv[2] === "--version") writeVersion()
else {
  startProcessFor(process.argv.slice(2))
  void import("./cli/run.ts").then(({ run }) => run())
}
