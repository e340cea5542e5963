import { writeVersion } from "./cli/version.ts"

// The version needs none of the command's libraries.
if (process.argv.length === 3 && process.argv[2] === "--version") writeVersion()
else (await import("./cli/run.ts")).run()
