import { baseName, folderOf } from "../../core/text/paths.ts"
import { auditTool, type FileSummary, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { encodeWords, wordsOfAll } from "../../languages/code/words.ts"
import { churnOf } from "../../structure/churn.ts"
import {
  type ComplexFile,
  complexFile,
  decodeComplex,
  type EncodedComplexity,
  encodeComplex
} from "../../structure/complexFile.ts"
import { importedWords, stemOf } from "../../structure/importGraph/importedWords.ts"
import { languages, rules } from "./rules.ts"

/** With fewer tests it is no habit yet, and a list of what is untested is a list of everything. */
const MIN_TEST_FILES = 5
/** Most files have to be tested for one that is not to be a gap. */
const MIN_SHARE_TESTED = 0.4
const MIN_COMPLEXITY = 60
const MIN_SENSITIVE_COMPLEXITY = 8
const MIN_CHANGES = 10
const MAX_REPORTED = 10

/** Code whose mistakes cost money or let strangers in. */
const sensitive =
  /(?:^|[/_.-])(?:auth|authn|authz|authentication|authorization|login|passwords?|permissions?|sessions?|tokens?|jwt|oauth|payments?|billing|checkout|invoic(?:e|es|ing)|refunds?|crypto|encrypt(?:ion)?|decrypt|signatures?|webhooks?)(?=[/_.-]|$)/i
/** Started or found by place: what they do is tested through something else. */
const glue =
  /(?:^|\/)(?:migrations?|scripts?|tools?|bin|cmd|build|config|settings|types?|generated|vendor|stories|locales?)\//i

/** Languages whose tests lie beside each other; what has no test of its own kind is tested elsewhere, or not at all. */
const familyOf = (path: string): string => {
  const extension = path.slice(path.lastIndexOf(".") + 1)
  return /^(?:[cm]?[jt]sx?|vue|svelte)$/.test(extension)
    ? "script"
    : /^(?:java|kt|scala|groovy)$/.test(extension)
      ? "jvm"
      : extension
}

/** Of a test its words; of a source what it imports and, unless it is simple, how complex it is. */
interface Facts {
  readonly words?: string
  readonly complexity?: EncodedComplexity
  readonly imported?: ReadonlyArray<string>
}

interface SourceFacts {
  readonly path: string
  readonly complexity: ComplexFile
  readonly imported: ReadonlySet<string>
}

/** Names a test would call a file by: its own, and that of its most complex function. */
const namesOf = ({ path, complexity }: SourceFacts): ReadonlyArray<string> => {
  const stem = baseName(path).replace(/\.\w+$/, "")
  return [stem, ...stem.split(/[.-]/), stemOf(path), complexity.name.split(".").at(-1)!].filter(
    (name) => name.length >= 3
  )
}

/** Tests of Go and Java are in the package that they test, and reach all of it. */
const packageOf = (path: string): string | null =>
  /\.(?:go|java)$/.test(path) ? folderOf(path).replace("src/test/", "src/main/") : null

const isNamed = (file: SourceFacts, words: ReturnType<typeof wordsOfAll>, packages: ReadonlySet<string>): boolean => {
  const home = packageOf(file.path)
  return (home !== null && packages.has(home)) || namesOf(file).some((name) => words.has(name))
}

/** What a tested file imports is run by its tests, and so on. */
const untestedOf = (sources: ReadonlyArray<SourceFacts>, isTested: (file: SourceFacts) => boolean) => {
  let untested = sources.filter((file) => !isTested(file))
  const reached = new Set<string>()
  const first = new Set(untested)
  let fresh = sources.filter((file) => !first.has(file))
  while (fresh.length > 0) {
    for (const { imported } of fresh) for (const name of imported) reached.add(name)
    fresh = untested.filter(({ path }) => reached.has(stemOf(path)))
    untested = untested.filter(({ path }) => !reached.has(stemOf(path)))
  }
  return untested
}

const simple: ComplexFile = { total: 0, hardest: 0, name: "", start: 0, end: 0 }

const splitFacts = (facts: ReadonlyArray<FileSummary<Facts>>) => {
  const sources: Array<SourceFacts> = []
  const tests: Array<string> = []
  const packages = new Set<string>()
  const testsByFamily = new Map<string, number>()
  for (const { path, facts: known } of facts) {
    const { words, complexity, imported } = known
    // Simple files only lead to others.
    if (words === undefined) {
      const decoded = complexity === undefined ? simple : decodeComplex(complexity)
      sources.push({ path, complexity: decoded, imported: new Set(imported) })
    } else {
      tests.push(words)
      testsByFamily.set(familyOf(path), (testsByFamily.get(familyOf(path)) ?? 0) + 1)
      packages.add(packageOf(path) ?? "")
    }
  }
  return { sources, tests, packages, testsByFamily }
}

export default auditTool({
  id: "test_gaps",
  suite: "full",
  kind: "advisory",
  domain: "testing",
  category: "maintainability",
  priority: "P3",
  version: 1,
  rules,
  appliesTo: ({ language, role }) =>
    languages.includes(ruleLanguageOf(language)) && (role === "test" || role === "source"),
  inspect: (file): Facts => {
    if (file.role === "test") return { words: encodeWords(file) }
    const complexity = complexFile(file)
    const imported = importedWords(file)
    const isSimple = complexity === null || complexity.total < MIN_SENSITIVE_COMPLEXITY
    return isSimple ? { imported } : { complexity: encodeComplex(complexity), imported }
  },
  finish: (facts, { history }, emit) => {
    const { sources, tests, packages, testsByFamily } = splitFacts(facts)
    if (tests.length < MIN_TEST_FILES) return
    const words = wordsOfAll(tests)
    const untested = untestedOf(sources, (file) => isNamed(file, words, packages))
    if (sources.length - untested.length < MIN_SHARE_TESTED * sources.length) return
    const churn = history === null ? null : churnOf(history)
    const reported = untested
      .filter(({ path }) => (testsByFamily.get(familyOf(path)) ?? 0) >= MIN_TEST_FILES)
      .filter(({ path }) => !glue.test(path))
      .filter(
        ({ path, complexity }) => complexity.total >= MIN_COMPLEXITY || (complexity.total > 0 && sensitive.test(path))
      )
      .sort((a, b) => b.complexity.total - a.complexity.total || (a.path < b.path ? -1 : 1))
    const count = { untested_complex_file: 0, untested_sensitive_module: 0 }
    for (const { path, complexity } of reported) {
      const rule = sensitive.test(path) ? "untested_sensitive_module" : "untested_complex_file"
      if (++count[rule] > MAX_REPORTED) continue
      const commits = churn?.get(path)?.commits ?? 0
      const changes = commits >= MIN_CHANGES ? `, and it was changed in ${commits} commits of the last year` : ""
      emit(path, {
        rule,
        start: complexity.start,
        end: complexity.end,
        message:
          `None of the ${testsByFamily.get(familyOf(path))} test files in its language names \`${baseName(path)}\` or \`${complexity.name}\`, its hardest function. ` +
          `The file has a cognitive complexity of ${complexity.total}${changes}.`
      })
    }
  }
})
