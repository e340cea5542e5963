import { rmSync } from "node:fs"
import { besideBusyProcesses } from "../../support/busyProcesses.mjs"
import { scan } from "./scan.mjs"

const BUSY_PROCESSES = 20

/** All of a result but what it cost and how much of it was known before. */
const bytesOf = ({ result: { cpu_seconds, wall_ms, peak_rss_bytes, reused_files, ...found } }) => JSON.stringify(found)

/** Claim: an audit's result is the same, byte for byte, with 1, 2 and 4 threads, cached and not, on a machine under load. */
export const sameResult = async (root) => {
  const cache = `${root}-same-cache`
  const alone = bytesOf(await scan(root, { suite: "full", workers: 2 }))
  const forms = []
  try {
    await besideBusyProcesses(BUSY_PROCESSES, async () => {
      for (const workers of [1, 2, 4]) {
        rmSync(cache, { recursive: true, force: true })
        for (const [name, request] of [
          ["without a cache", {}],
          ["leaving a cache", { cache }],
          ["with that cache", { cache }]
        ]) {
          const same = bytesOf(await scan(root, { suite: "full", workers, ...request })) === alone
          forms.push({ name: `${workers} threads ${name}`, same })
        }
      }
    })
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
  const others = forms.filter(({ same }) => !same).map(({ name }) => name)
  console.log(
    `Same result beside ${BUSY_PROCESSES} busy processes: ${forms.length - others.length} of ${forms.length} audits ` +
      `byte-equal to one on the idle machine (aim all: ${others.length === 0 ? "met" : `missed by ${others.join(", ")}`})`
  )
}
