import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { folderTree } from "./published/folderTree.mjs"
import { obtain } from "./published/packages.mjs"
import { verdictOf } from "./published/verdict.mjs"

/**
 * Claim: of the published vulnerabilities in published.json, at least 60 of 100 are reported in the version before the fix,
 * in a file of the vulnerability and with a weakness that fits, and no longer in the version after it.
 * `npm run bench -- published [--packages=<folder>] [--only=<part of an entry>] [--verbose]`; the folder keeps what was
 * downloaded. ASSAY_DIST names another build to measure.
 */
const dist = process.env.ASSAY_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url))

const option = (args, name, fallback) => args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? fallback

const labelOf = ({ id, package: name, before, weakness }) => `${id} ${name} ${before} CWE-${weakness}`

/** Where an entry's package is in the audited tree; no two entries share a folder. */
const folderOf = ({ id }) => `packages/${id.toLowerCase()}`

/** To start an audit costs more than to read a small package, so several are audited together, in folders of their own. */
const TOGETHER = 10

/** Findings in one version of every package. */
const audit = async (scan, obtained, side) => {
  const findings = []
  for (let from = 0; from < obtained.length; from += TOGETHER) {
    const part = obtained.slice(from, from + TOGETHER)
    const folders = Object.fromEntries(part.map(({ entry, versions }) => [folderOf(entry), versions[side]]))
    const focus = part.flatMap(({ entry }) => entry.files.map((file) => `${folderOf(entry)}/${file}`))
    const result = await scan(folderTree(folders), { suite: "full", suggestions: true, workers: 1, focus })
    findings.push(...result.findings)
  }
  return findings
}

const ofEntry = (entry, findings) => {
  const prefix = `${folderOf(entry)}/`
  return findings.flatMap((finding) => {
    const [location] = finding.locations
    if (location === undefined || !location.file_path.startsWith(prefix)) return []
    return [{ ...finding, path: location.file_path.slice(prefix.length), line: location.line_start }]
  })
}

export const run = async (args) => {
  const { scan } = await import(`${dist}/engine/core/scan/Engine.js`)
  const only = option(args, "only", "")
  const folder = option(args, "packages", join(tmpdir(), "assay-published"))
  const isVerbose = args.includes("--verbose")
  const all = JSON.parse(readFileSync(new URL("./published.json", import.meta.url), "utf8"))
  const obtained = []
  for (const entry of all.filter((one) => labelOf(one).includes(only))) {
    const versions = await obtain(folder, entry)
    if (versions === null) console.log(`${labelOf(entry)}: a version is no longer in the registry`)
    else obtained.push({ entry, versions })
  }
  const before = await audit(scan, obtained, "before")
  const after = await audit(scan, obtained, "after")
  let reported = 0
  for (const { entry } of obtained) {
    const verdict = verdictOf(entry, ofEntry(entry, before), ofEntry(entry, after))
    if (verdict.isReported) reported++
    console.log(`${verdict.isReported ? "reported" : "missed  "} ${labelOf(entry)} ${verdict.reason}`)
    if (isVerbose) for (const line of verdict.details) console.log(`    ${line}`)
  }
  console.log(`${reported} of ${obtained.length} reported before and not after.`)
}
