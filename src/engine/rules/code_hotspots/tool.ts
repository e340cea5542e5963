import { auditTool, type FileSummary, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { churnOf } from "../../structure/churn.ts"
import { complexFile, decodeComplex, type EncodedComplexity, encodeComplex } from "../../structure/complexFile.ts"
import { importedWords } from "../../structure/importGraph/importedWords.ts"
import { reportHotspots, reportOwners } from "./busyFiles.ts"
import { reportCoupling } from "./coupling.ts"
import type { KnownFile } from "./KnownFile.ts"
import { languages, rules } from "./rules.ts"

/** With fewer commits it is chance which file was changed most. */
const MIN_COMMITS = 100

interface Facts {
  readonly complexity: EncodedComplexity
  readonly words: ReadonlyArray<string>
}

const knownFiles = (summaries: ReadonlyArray<FileSummary<Facts>>): ReadonlyArray<KnownFile> =>
  summaries.map(({ path, facts: { complexity, words } }) => ({
    path,
    complexity: decodeComplex(complexity),
    words: new Set(words)
  }))

export default auditTool({
  id: "code_hotspots",
  suite: "full",
  kind: "advisory",
  domain: "code_quality",
  category: "architecture",
  priority: "P3",
  version: 1,
  rules,
  appliesTo: ({ language, role }) => role === "source" && languages.includes(ruleLanguageOf(language)),
  inspect: (file) => {
    const complexity = complexFile(file)
    return complexity === null ? undefined : { complexity: encodeComplex(complexity), words: importedWords(file) }
  },
  finish: (summaries, { history }, emit) => {
    if (history === null || history.commits.length < MIN_COMMITS) return
    const files = knownFiles(summaries)
    const churn = churnOf(history)
    reportHotspots(files, churn, history, emit)
    reportOwners(files, churn, history, emit)
    reportCoupling(files, history, emit)
  }
})
