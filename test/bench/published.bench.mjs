import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { folderTree } from "./published/folderTree.mjs"
import { download, obtain } from "./published/packages.mjs"
import { verdictOf } from "./published/verdict.mjs"

/**
 * Claim: of the published vulnerabilities in published.json, at least 60 of 100 are reported in the version before the fix,
 * in a file of the vulnerability and with a weakness that fits, and no longer in the version after it.
 * `npm run bench -- published [--second|--unseen|--third] [--packages=<folder>] [--ecosystem=npm|debian]
 * [--only=<part of an entry>] [--all-rules] [--verbose]`; --second measures published-second.json, --unseen
 * published-unseen.json, --third published-third.json: rules were corrected for them after they had been measured once;
 * the folder keeps what was downloaded, and --all-rules switches on what is off by default. ASSAY_DIST names another
 * build to measure.
 */
const dist = process.env.ASSAY_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url))

const option = (args, name, fallback) => args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? fallback

const labelOf = ({ id, package: name, before, version, weakness }) =>
  `${id} ${name} ${before ?? version} CWE-${weakness}`

/** Where an entry's package is in the audited tree; no two entries share a folder. */
const folderOf = ({ id }) => `packages/${id.toLowerCase()}`

/** To start an audit costs more than to read a small package, so several are audited together, in folders of their own. */
const TOGETHER = 10

/** Findings in one version of some packages. */
const audit = async (scan, part, side, rulesOn) => {
  const folders = part.map(({ entry, versions }) => ({
    name: folderOf(entry),
    root: versions[side],
    // A source package of Debian may be large: of it the folders of the vulnerability are audited, and the manifests.
    within: entry.ecosystem === "debian" ? entry.files.map((file) => dirname(file)) : ["."]
  }))
  const focus = part.flatMap(({ entry }) => entry.files.map((file) => `${folderOf(entry)}/${file}`))
  const result = await scan(folderTree(folders), { suite: "full", suggestions: true, workers: 1, focus, rulesOn })
  return result.findings
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
  const { tools } = await import(`${dist}/engine/rules/index.js`)
  const rulesOn = args.includes("--all-rules") ? tools.map(({ id }) => id) : []
  const only = option(args, "only", "")
  const ecosystem = option(args, "ecosystem", "")
  const folder = option(args, "packages", join(tmpdir(), "assay-published"))
  const list = ["second", "unseen", "third"].find((name) => args.includes(`--${name}`))
  const file = list === undefined ? "./published.json" : `./published-${list}.json`
  const isVerbose = args.includes("--verbose")
  const all = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"))
  const obtained = []
  const chosen = all.filter((one) => labelOf(one).includes(only) && one.ecosystem.includes(ecosystem))
  await download(folder, chosen)
  for (const entry of chosen) {
    const versions = await obtain(folder, entry)
    if (versions.missing !== undefined) console.log(`absent   ${labelOf(entry)} ${versions.missing}`)
    else obtained.push({ entry, versions })
  }
  let reported = 0
  for (let from = 0; from < obtained.length; from += TOGETHER) {
    const part = obtained.slice(from, from + TOGETHER)
    const before = await audit(scan, part, "before", rulesOn)
    const after = await audit(scan, part, "after", rulesOn)
    for (const { entry } of part) {
      const verdict = verdictOf(entry, ofEntry(entry, before), ofEntry(entry, after))
      if (verdict.isReported) reported++
      console.log(`${verdict.isReported ? "reported" : "missed  "} ${labelOf(entry)} ${verdict.reason}`)
      if (isVerbose) for (const line of verdict.details) console.log(`    ${line}`)
    }
  }
  console.log(`${reported} of ${obtained.length} reported before and not after.`)
}
