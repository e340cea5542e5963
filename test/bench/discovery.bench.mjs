import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { againstAim, number } from "./audit/report.mjs"
import { discover, git } from "./audit/scan.mjs"
import { editFiles } from "./editFiles.mjs"
import { generateFiles } from "./generateRepository.mjs"

/**
 * Claim: on two idle cores a discovery of 200,000 files takes at most 120 s and 1,000 MB, and its time is linear in files;
 * after one file in a hundred has changed it takes at most a quarter of the processor time, and its text is the same, byte for
 * byte, with and without what the discovery before has left.
 * `npm run bench -- discovery [--files=20000,200000] [--workers=2]`.
 */
const LARGE = 200_000
const AIMS = { seconds: 120, memory: 1_000, againCpu: 25, growth: 1.5 }

const option = (args, name, fallback) => args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? fallback

const row = (name, files, { seconds, cpu, memory }, note = "") =>
  console.log(
    `${name.padEnd(26)} ${number(files).padStart(8)} files ${seconds.toFixed(1).padStart(7)} s ${cpu.toFixed(1).padStart(7)} CPU s ` +
      `${((cpu / files) * 1e6).toFixed(0).padStart(6)} CPU us/file ${number(memory).padStart(5)} MB  ${note}`
  )

const measure = async (files, workers) => {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-discovery-"))
  const [root, cache] = [join(folder, "repository"), join(folder, "cache")]
  try {
    generateFiles(root, files)
    git(root, "gc", "-q")
    const first = await discover(root, { workers, cache })
    const aims =
      files >= LARGE
        ? `${againstAim(first.seconds, AIMS.seconds, "s")}, ${againstAim(first.memory, AIMS.memory, "MB", 0)}`
        : ""
    row("discovery, cache written", files, first, aims)
    const changed = editFiles(root, 100)
    const again = await discover(root, { workers, cache })
    const share = againstAim((100 * again.cpu) / first.cpu, AIMS.againCpu, "%")
    row(
      "discovery again",
      files,
      again,
      `${changed} files changed, ${again.result.reused_files} reused; ${share} of the CPU time`
    )
    const fresh = await discover(root, { workers })
    row("discovery without cache", files, fresh)
    const isSame = JSON.stringify(fresh.result.output) === JSON.stringify(again.result.output)
    console.log(`  the same text with and without the cache: ${isSame ? "yes" : "NO"}`)
    if (!isSame) process.exitCode = 1
    return first.cpu / files
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const run = async (args) => {
  const workers = Number(option(args, "workers", "2"))
  const sizes = option(args, "files", `20000,${LARGE}`).split(",").map(Number)
  const perFile = []
  for (const files of sizes) perFile.push(await measure(files, workers))
  if (sizes.length < 2) return
  const growth = againstAim(perFile.at(-1) / perFile[0], AIMS.growth, "times")
  console.log(`CPU time of a file, ${number(sizes.at(-1))} files against ${number(sizes[0])}: ${growth}`)
}
