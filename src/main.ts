import { run } from "./cli/run.ts"

run()
