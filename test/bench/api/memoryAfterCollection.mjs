import { writeFileSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

// Loaded into the server by `--import`: at a SIGUSR2 it collects what nothing needs any more and writes what is left, in bytes.
setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc")

process.on("SIGUSR2", () => {
  // Twice: the first lets finalizers run, which let go of more.
  collect()
  setTimeout(() => {
    collect()
    writeFileSync(process.env.BENCH_MEMORY, JSON.stringify(process.memoryUsage()))
  }, 100)
})
