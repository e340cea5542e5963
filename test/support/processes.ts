import { readdirSync, readFileSync } from "node:fs"

/** PIDs of the machine's processes whose command line holds the mark. */
export const processesWith = (mark: string): ReadonlyArray<number> =>
  readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(mark) ? [Number(name)] : []
    } catch {
      return []
    }
  })
