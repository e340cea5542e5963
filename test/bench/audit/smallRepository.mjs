import { spawnSync } from "node:child_process"
import { existsSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generateRepository } from "../generateRepository.mjs"
import { measured } from "./measured.mjs"
import { againstAim } from "./report.mjs"
import { dist, git } from "./scan.mjs"

const FILES = 20
const RUNS = 7
const AIM_SECONDS = 0.8

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1]

/** Claim: a repository of 20 files takes at most 0.8 s from the command to its table, with nothing known of it before. */
export const smallRepository = async () => {
  const root = join(tmpdir(), `assay-bench-small-${process.pid}`)
  const bundled = `${dist}/bundled/main.cjs`
  const command = existsSync(bundled) ? bundled : `${dist}/main.js`
  const home = `${root}-home`
  const env = { ...process.env, HOME: home, XDG_CACHE_HOME: home, ASSAY_DATA_DIR: home }
  try {
    generateRepository(root, 200 * FILES)
    const names = git(root, "ls-files", "-z").split("\0").filter(Boolean)
    if (names.length > FILES) git(root, "rm", "-q", ...names.slice(FILES))
    const print = async (label, ...options) => {
      const runs = []
      for (let i = 0; i < RUNS; i++)
        runs.push(await measured(process.execPath, [command, "audit", root, ...options], { env }))
      const [seconds, cpu] = ["seconds", "cpu"].map((key) => median(runs.map((run) => run[key])))
      const table = runs[0].output
        .trim()
        .split("\n")
        .find((line) => / files?, .* tools? in /.test(line))
      if (table === undefined) throw new Error("The audit of the small repository printed no table.")
      console.log(
        `${label}: ${againstAim(seconds, AIM_SECONDS, "s", 2)}, ${cpu.toFixed(2)} CPU s, median of ${RUNS}; ${table}`
      )
    }
    await print("From command to table, first audit", "--no-cache")
    spawnSync(process.execPath, [command, "audit", root], { env })
    await print("From command to table, nothing changed")
  } finally {
    for (const folder of [root, home]) rmSync(folder, { recursive: true, force: true })
  }
}
