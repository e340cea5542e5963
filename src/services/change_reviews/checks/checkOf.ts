import type { ChangeCheck } from "../../../schema/ChangeReview.ts"
import { Priority } from "../../../schema/Observation.ts"
import { type Captured, Phrase } from "./Phrase.ts"
import { patternProblem } from "./patternProblem.ts"
import { type Word, wordsOf } from "./words.ts"

type Reading = (captured: Captured) => ChangeCheck | null

/** What people keep documentation in. */
const DOCUMENTATION = "{{docs,doc,documentation}/**,*.{md,mdx,markdown,rst,adoc}}"
const README = "{README,Readme,readme}*"
const CHANGELOG = "{CHANGELOG,Changelog,changelog,CHANGES,HISTORY,NEWS}*"

const code = "code|source|sources|implementation|changes"
const changed = "changed|updated|added|adapted|written|change"
const tests = "tests|test"
const findings = "finding|findings|observation|observations|issue|issues"
const secrets = "secret|secrets|credential|credentials"
const packages = "dependency|dependencies|package|packages"
const found = "found|present|reported|detected|exists|exist"
const migrations = "migration|migrations"
const subject = "size? of? change|diff|pr|size? size? stays|touches|changes|adds?"
const reports = "mentions|mention|describes|describe|documents|document|names|name|covers|cover|contains|contain"

const testsChanged: Reading = () => ({ kind: "tests_changed" })
const noSecret: Reading = () => ({ kind: "no_secret" })
const noVulnerability: Reading = () => ({ kind: "no_vulnerable_dependency_added" })
const reversible: Reading = () => ({ kind: "migration_reversible" })

const publicApi: Reading = ({ path }) =>
  path === undefined
    ? { kind: "no_public_api_removed" }
    : isPath(path)
      ? { kind: "no_public_api_removed", paths: [globOf(path)] }
      : null

const noNewFindings: Reading = ({ priority }) => {
  if (priority === undefined) return { kind: "no_new_findings", max_priority: "P3" }
  const max_priority = Priority.literals.find((one) => one === priority.written)
  return max_priority === undefined ? null : { kind: "no_new_findings", max_priority }
}

const gone: Reading = ({ ref }) => {
  const written = ref?.written.toUpperCase() ?? ""
  return /^OBS-[1-9]\d{0,9}$/.test(written) ? { kind: "observation_gone", ref: written } : null
}

const file =
  (kind: "file_present" | "file_absent"): Reading =>
  ({ path }) =>
    path === undefined ? null : { kind, glob: globOf(path) }

/** Without the word "file", only what looks like a path is one. */
const pathOnly =
  (kind: "file_present" | "file_absent"): Reading =>
  (captured) =>
    captured.path !== undefined && isPath(captured.path) ? file(kind)(captured) : null

const textIn =
  (kind: "text_present" | "text_absent", glob: string): Reading =>
  ({ term }) =>
    term === undefined ? null : { kind, glob, pattern: patternOf(term) }

/** A plain word may be what the text is about; a name in quotes, or one that only code has, is the text itself. */
const textAt =
  (kind: "text_present" | "text_absent"): Reading =>
  ({ term, path }) =>
    term === undefined || path === undefined || !isPath(path) || !isName(term)
      ? null
      : { kind, glob: globOf(path), pattern: patternOf(term) }

const documented: Reading = (captured) =>
  captured.term !== undefined && isName(captured.term) ? textIn("text_present", DOCUMENTATION)(captured) : null

const below: Reading = (captured) => size(captured, 1)
const atMost: Reading = (captured) => size(captured, 0)

const readings: ReadonlyArray<readonly [string, Reading]> = [
  [
    `unit|automated|new? ${tests} ${changed} together? along? with|for|alongside|when changed|product? ${code} changes|change|changed?`,
    testsChanged
  ],
  [
    `${code} changes|change? come|comes|ship|ships? covered|accompanied? with|by new|changed|updated? ${tests} changes?`,
    testsChanged
  ],
  [`${tests} changed`, testsChanged],
  [`no new <priority>? ${findings}`, noNewFindings],
  [`no new ${findings} of|with|at priority? <priority>`, noNewFindings],
  [`change|it? not introduce|introduces|add|adds new? <priority>? ${findings}`, noNewFindings],
  [`introduces|adds no new? <priority>? ${findings}`, noNewFindings],
  [`observation|finding? <ref> no longer ${found}? anymore?`, gone],
  [`observation|finding? <ref> not ${found} anymore?`, gone],
  [`observation|finding? <ref> gone|fixed|resolved|closed`, gone],
  [`fixes|fix|resolves|resolve|closes|close observation|finding? <ref>`, gone],
  [
    "no public|exported api|apis|interface|function|functions|name|names removed|deleted|broken|lost in|below|under? <path>?",
    publicApi
  ],
  ["no export|exports removed|deleted|broken|lost in|below|under? <path>?", publicApi],
  ["change|it? not remove|removes|break|breaks public|exported api|apis|interface|exports|names", publicApi],
  ["public api|interface stays|remains? intact|unbroken|backward-compatible|backwards-compatible", publicApi],
  [`database|db|schema? ${migrations} reversible`, reversible],
  [`database|db|schema? ${migrations} can reversed|reverted|undone`, reversible],
  [`database|db|schema? ${migrations} can rolled back`, reversible],
  [`docs|documentation|doc ${reports} <term>`, textIn("text_present", DOCUMENTATION)],
  [`<term> mentioned|described|documented|covered in docs|documentation`, textIn("text_present", DOCUMENTATION)],
  [`<term> documented`, documented],
  [`readme|readme.md ${reports} <term>`, textIn("text_present", README)],
  [`changelog|changelog.md ${reports}|lists|list <term>`, textIn("text_present", CHANGELOG)],
  ["new? file <path> exists|exist|present|added", file("file_present")],
  ["<path> exists|exist|present", pathOnly("file_present")],
  ["file <path> absent|gone|removed|deleted", file("file_absent")],
  ["file <path> not|no longer? exist|exists|present", file("file_absent")],
  ["<path> absent", pathOnly("file_absent")],
  ["<path> not|no longer? exist|exists|present", pathOnly("file_absent")],
  ["no file <path>", file("file_absent")],
  ["no file matches|named|called|like <path> exists?", file("file_absent")],
  ["pattern|text|word|string? <term> present|found|appears|occurs? in <path>", textAt("text_present")],
  ["pattern|text|word|string? <term> absent in|from <path>", textAt("text_absent")],
  [
    "pattern|text|word|string? <term> not|no longer? present|found|appear|appears|occur|occurs? in <path>",
    textAt("text_absent")
  ],
  ["no <term> left|remains|remaining? in <path>", textAt("text_absent")],
  [`<path> ${reports} text|word|string|pattern? <term>`, textAt("text_present")],
  [`<path> not ${reports} text|word|string|pattern? <term>`, textAt("text_absent")],
  [`no new? hard-coded|hardcoded? ${secrets} added|committed|introduced|leaked? in? code|change|diff?`, noSecret],
  [
    `change|diff|code|it? not add|adds|introduce|introduces|commit|contain|contains|leak new|hard-coded|hardcoded? ${secrets}`,
    noSecret
  ],
  [`no new? vulnerable ${packages} added|introduced?`, noVulnerability],
  [`no new? ${packages} with known vulnerability|vulnerabilities added|introduced?`, noVulnerability],
  [`${subject} below|under|< <number> changed? <unit>? changed|touched?`, below],
  [`${subject} less|fewer|smaller than <number> changed? <unit>? changed|touched?`, below],
  [`${subject} at most <number> changed? <unit>? changed|touched?`, atMost],
  [`${subject} up to <number> changed? <unit>? changed|touched?`, atMost],
  [`${subject} no|not more|larger|bigger than <number> changed? <unit>? changed|touched?`, atMost],
  [`${subject} at most <number> <unit> and <number2> <unit2> changed|touched?`, bothSizes]
]

const phrases = readings.map(([template, reading]) => [new Phrase(template), reading] as const)

/** Longer texts ask for more than a phrase does. */
const MAX_CHARS = 300

/** The check that the words of a criterion name; null where they name none, for nothing here is guessed. */
export const checkOf = (text: string): ChangeCheck | null => {
  if (text.length > MAX_CHARS) return null
  const words = wordsOf(text)
  for (const [phrase, reading] of phrases) {
    const captured = phrase.read(words)
    const check = captured === null ? null : reading(captured)
    if (check !== null) return patternProblem(check) === null ? check : null
  }
  return null
}

const isPath = ({ written, isQuoted }: Word): boolean => isQuoted || /[./*]/.test(written)

/** `TODO`, `console.log`, `retry_count`: no word of a sentence. */
const isName = ({ written, isQuoted }: Word): boolean =>
  isQuoted || /^[A-Z][A-Z0-9_-]+$/.test(written) || /[._/(:@$]|[a-z][A-Z]/.test(written)

const globOf = ({ written }: Word): string => written.replace(/^\.?\//, "")

/** The term as a word of its own, in any case and with any white space. */
const patternOf = ({ written }: Word): string => {
  const body = written
    .split(/\s+/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .join("\\s+")
  return `(?i)${/^\w/.test(written) ? "\\b" : ""}${body}${/\w$/.test(written) ? "\\b" : ""}`
}

const digits = /^\d{1,3}(?:[,_']?\d{3})*$|^\d{1,8}$/
const units: ReadonlyMap<string, "files" | "lines"> = new Map([
  ["file", "files"],
  ["files", "files"],
  ["line", "lines"],
  ["lines", "lines"],
  ["loc", "lines"]
])

const numberOf = (word: Word | undefined): number | null =>
  word !== undefined && digits.test(word.word) ? Number(word.word.replace(/[,_']/g, "")) : null

/** `less` is what the limit itself is too much by: below 10 is at most 9. */
function size({ number, unit }: Captured, less: 0 | 1): ChangeCheck | null {
  const amount = numberOf(number)
  const measured = unit === undefined ? "lines" : units.get(unit.word)
  if (amount === null || amount < less || measured === undefined) return null
  return measured === "files" ? { kind: "max_size", files: amount - less } : { kind: "max_size", lines: amount - less }
}

function bothSizes({ number2, unit2, ...first }: Captured): ChangeCheck | null {
  const one = size(first, 0)
  const other = number2 === undefined || unit2 === undefined ? null : size({ number: number2, unit: unit2 }, 0)
  if (one?.kind !== "max_size" || other?.kind !== "max_size") return null
  const both = { ...one, ...other }
  return both.files === undefined || both.lines === undefined ? null : both
}
