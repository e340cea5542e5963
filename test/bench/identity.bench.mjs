import { execFileSync } from "node:child_process"
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { edits } from "./identity/edits.mjs"
import { Sources } from "./identity/Sources.mjs"

/**
 * Claim: of what is still there after people edited the code, 98 % keep their observation; at most 0.5 % of those whose
 * cause is gone are taken for something else; nothing that is still there is closed.
 * `npm run bench -- identity [path] [--rounds=4] [--edits=40] [--seed=1] [--files=400] [--verbose]`; without a path, the fixtures of all tools
 * are edited.
 */
const option = (args, name, fallback) => args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? fallback

const dist = process.env.ASSAY_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url))
const engine = (path) => import(`${dist}/engine/${path}`)

const dice = (seed) => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n) => Math.floor(next() * n)
  return { next, below, pick: (list) => list[below(list.length)] }
}

const fixtures = () => {
  const root = fileURLToPath(new URL("../fixtures/audit/", import.meta.url))
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [`app/${path.slice(root.length)}`, readFileSync(path, "utf8")]
    })
  )
}

const repository = (root, limit, die) => {
  const names = execFileSync("git", ["-C", root, "ls-files", "-z"], { encoding: "utf8", maxBuffer: 1e9 }).split("\0")
  const texts = {}
  const chosen = names.filter((name) => /\.(?:[cm]?[jt]sx?|py|go|java|rb|php|cs|rs|ya?ml|json|html|sql|sh)$/.test(name))
  for (const name of chosen
    .map((name) => [die.next(), name])
    .sort(([a], [b]) => a - b)
    .map(([, name]) => name)) {
    const file = lstatSync(join(root, name), { throwIfNoEntry: false })
    if (Object.keys(texts).length >= limit) break
    if (file?.isFile() && file.size < 200_000) texts[`app/${name}`] = readFileSync(join(root, name), "utf8")
  }
  return texts
}

/**
 * No line says who is who: a copy, or the second test of a name, is as much the one as the other, and is reported where
 * it comes last or first; what a file lacks is reported at its most complex function, whichever that is after an edit.
 */
const ofSeveralPlaces = new Set(["code_duplication", "test_gaps", "test_quality.shadowed_test"])
const isOfOnePlace = ({ tool, rule_id }) => !ofSeveralPlaces.has(tool) && !ofSeveralPlaces.has(rule_id)

/** What a scan says, each finding with the lines it is about. */
const audit = async (sources, cache) => {
  const { scan } = await engine("core/scan/Engine.js")
  const result = await scan(sources.tree(), { suite: "full", suggestions: true, workers: 2, cache })
  const origins = new Map()
  const linesOf = ({ file_path, line_start }) => {
    if (!origins.has(file_path)) origins.set(file_path, sources.origins(file_path))
    return origins.get(file_path)[line_start - 1]
  }
  const findings = result.findings.filter(isOfOnePlace).map((finding) => ({
    rule_id: finding.rule_id,
    file_path: finding.locations[0].file_path,
    symbol: finding.locations[0].symbol,
    signatures: finding.signatures,
    anchor: finding.anchor,
    line: finding.locations[0].line_start,
    lines: new Set(finding.locations.map(linesOf))
  }))
  return {
    findings,
    present: new Set(result.also_present),
    texts: new Map(sources.paths().map((path) => [path, sources.text(path)]))
  }
}

const shares = (a, b) => [...a].some((id) => b.has(id))
const counterpartsOf = (row, findings) =>
  findings.flatMap((finding, index) =>
    finding.rule_id === row.rule_id && shares(row.lines, finding.lines) ? [index] : []
  )

class Ledger {
  rows = []
  texts = new Map()
  score = { still_there: 0, kept: 0, wrongly_closed: 0, gone: 0, wrongly_reopened: 0 }

  constructor(die, verbose) {
    this.die = die
    this.verbose = verbose
  }

  /** As an audit is recorded, with a look at who is really who. */
  record({ findings, present, texts }, renames, match, edit) {
    const matching = match(this.rows, findings, renames)
    const matched = new Map(matching.matches.map((one) => [one.id, one]))
    const taken = new Set(matching.matches.map(({ index }) => index))
    for (const row of this.rows) {
      // Observations in files without edits are easy to re-identify, and would only flatter the figures.
      const isTouched = texts.get(row.file_path) !== this.texts.get(row.file_path)
      if (isTouched || matched.get(row.id)?.by !== "exact")
        this.judge(row, matched.get(row.id), { findings, present, taken, ambiguous: matching.ambiguous }, edit)
    }
    this.texts = texts
    for (const { id, index } of matching.matches) {
      const row = this.rows.find((one) => one.id === id)
      const { rule_id, file_path, symbol, signatures, anchor, line } = findings[index]
      // A row that took another finding's place still is about its own lines.
      if (counterpartsOf(row, findings).includes(index)) row.lines = findings[index].lines
      Object.assign(row, { rule_id, file_path, symbol, signatures, anchor, line, closed: false })
    }
    for (const index of matching.fresh) {
      this.rows.push({
        ...findings[index],
        id: `OBS-${this.rows.length}`,
        dismissed: this.die.below(5) === 0,
        closed: false
      })
    }
  }

  judge(row, match, { findings, present, taken, ambiguous }, edit) {
    const own = counterpartsOf(row, findings)
    const { located, primary, moved, sites } = row.signatures
    const isPresent = [located, primary, moved, ...sites].some((signature) => present.has(signature))
    if (own.length === 0) {
      // Beyond the cap of its rule it may be there or not.
      if (isPresent) return
      this.score.gone++
      if (match !== undefined) this.count("wrongly_reopened", row, edit, findings[match.index], match.by)
      else if (!ambiguous.has(row.id)) row.closed = true
      return
    }
    if (match === undefined) {
      // A closed one may come back as a new one, and a dismissed one is re-identified only by the very same code.
      if (row.closed || row.dismissed) return
      // Two were made of one before; the other goes on.
      if (own.every((index) => taken.has(index))) {
        row.closed = !ambiguous.has(row.id)
        return
      }
    }
    this.score.still_there++
    if (match !== undefined && own.includes(match.index)) this.score.kept++
    else if (match === undefined && !isPresent && !ambiguous.has(row.id)) {
      row.closed = true
      this.count("wrongly_closed", row, edit, findings[own[0]])
    } else this.report("lost", row, edit, findings[own[0]], match?.by)
  }

  count(what, ...details) {
    this.score[what]++
    this.report(what, ...details)
  }

  report(what, row, edit, finding, by = "") {
    if (!this.verbose) return
    console.log(
      `${what} ${by} [${edit}] ${row.rule_id}\n  ${row.file_path}:${row.line} ${row.symbol} | ${row.anchor.slice(0, 160)}\n  ${finding.file_path}:${finding.line} ${finding.symbol} | ${finding.anchor.slice(0, 160)}`
    )
  }
}

const percent = (part, whole) => `${whole === 0 ? "-" : ((100 * part) / whole).toFixed(2)} %`

const report = (name, { still_there, kept, wrongly_closed, gone, wrongly_reopened }) =>
  console.log(
    `${name.padEnd(30)} ${String(still_there).padStart(7)} still there, kept ${percent(kept, still_there).padStart(8)}, ` +
      `wrongly closed ${wrongly_closed}; ${String(gone).padStart(5)} gone, wrongly reopened ${percent(wrongly_reopened, gone)}`
  )

export const run = async (args) => {
  const seed = Number(option(args, "seed", "1"))
  const rounds = Number(option(args, "rounds", "4"))
  const perRound = Number(option(args, "edits", "40"))
  const verbose = args.includes("--verbose")
  const only = option(args, "only", "")
  const { matchFingerprints } = await engine("core/identity/matchFingerprints.js")
  const total = { still_there: 0, kept: 0, wrongly_closed: 0, gone: 0, wrongly_reopened: 0 }
  const path = args.find((arg) => !arg.startsWith("--"))
  const cache = mkdtempSync(join(tmpdir(), "assay-bench-identity-"))
  const kinds = [...Object.entries(edits), ["all of these together", null]]
  try {
    for (const [name, one] of kinds.filter(([name]) => name.includes(only))) {
      const die = dice(seed)
      const texts =
        path === undefined ? fixtures() : repository(resolve(path), Number(option(args, "files", "400")), die)
      const sources = new Sources(texts)
      const ledger = new Ledger(die, verbose)
      let last = await audit(sources, cache)
      ledger.record(last, new Map(), matchFingerprints, name)
      for (let round = 0; round < rounds; round++) {
        sources.renames = new Map()
        for (let i = 0; i < perRound; i++) (one ?? die.pick(Object.values(edits)))(sources, die, last.findings)
        last = await audit(sources, cache)
        ledger.record(last, sources.renames, matchFingerprints, name)
      }
      report(name, ledger.score)
      for (const key of Object.keys(total)) total[key] += ledger.score[key]
    }
    report("all", total)
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}
