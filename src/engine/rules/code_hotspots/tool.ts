import { auditTool, type FileFacts, type Json, type RuleLanguage, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { churnOf } from "../../structure/churn.ts"
import { complexFile, decodeComplex, encodeComplex } from "../../structure/complexFile.ts"
import { importedWords } from "../../structure/importGraph/importedWords.ts"
import { reportCoupling } from "./coupling.ts"
import type { KnownFile } from "./KnownFile.ts"
import { reportHotspots, reportOwners } from "./weight.ts"

const languages: ReadonlyArray<RuleLanguage> = ["csharp", "go", "java", "javascript", "php", "python", "ruby", "rust"]

/** With fewer commits it is chance which file was changed most. */
const MIN_COMMITS = 100

const knownFiles = (facts: ReadonlyArray<FileFacts>): ReadonlyArray<KnownFile> =>
  facts.map(({ path, facts: json }) => {
    const { c, w } = json as { readonly c: Json; readonly w: ReadonlyArray<string> }
    return { path, complexity: decodeComplex(c), words: new Set(w) }
  })

export default auditTool({
  id: "code_hotspots",
  suite: "full",
  kind: "advisory",
  domain: "code_quality",
  category: "architecture",
  priority: "P3",
  version: 1,
  rules: [
    {
      id: "hotspot",
      languages,
      title: "Hard code that is changed all the time",
      description:
        "Most of the work on a repository happens in a few of its files. Where such a file is also hard to follow, every " +
        "change there takes longer and breaks more than elsewhere, so this is where tidying up is repaid first. Split the " +
        "file along the reasons for which it was changed, beginning with its hardest function, and put tests around it before.",
      cwe: [1121],
      confidence: 0.85,
      effort: "large",
      risk: "medium"
    },
    {
      id: "change_coupling",
      languages: ["go", "java", "javascript", "python"],
      title: "Two files are always changed together without knowing of each other",
      description:
        "Nothing in the code says that these files belong together, yet whoever changes one has to change the other: " +
        "a format, a list or a rule is written down twice. The day someone does not know, they disagree. Give what they " +
        "share one place that both import, or at least a test that compares them.",
      cwe: [1048],
      confidence: 0.75,
      effort: "medium",
      risk: "low"
    },
    {
      id: "single_owner",
      languages,
      title: "Hard, busy code that one person alone works on",
      description:
        "Nobody else has changed this code lately although several people work here, so nobody else can judge or repair " +
        "it when its author is away. Let someone else take the next change in this file, and review it together.",
      cwe: [],
      confidence: 0.75,
      effort: "medium",
      risk: "low"
    }
  ],
  appliesTo: ({ language, role }) => role === "source" && languages.includes(ruleLanguageOf(language)),
  inspect: (file) => {
    const complexity = complexFile(file)
    return complexity === null ? undefined : { c: encodeComplex(complexity), w: importedWords(file) }
  },
  conclude: (facts, { history }, emit) => {
    if (history === null || history.commits.length < MIN_COMMITS) return
    const files = knownFiles(facts)
    const churn = churnOf(history)
    reportHotspots(files, churn, history, emit)
    reportOwners(files, churn, history, emit)
    reportCoupling(files, history, emit)
  }
})
