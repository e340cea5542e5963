import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { mountedAt } from "../../structure/routes/joinRoutes.ts"
import { asksWho, type Mount } from "../../structure/routes/Route.ts"
import { mentionsRoutes, routeTable } from "../../structure/routes/routeTable.ts"
import { type Candidate, candidatesOf, guardsEverything } from "./guards.ts"
import { massAssignment, mentionsBodies } from "./massAssignment.ts"
import { objectsWithoutOwner } from "./ownership.ts"
import { mentionsComputedKeys, prototypePollution } from "./prototypePollution.ts"
import { rules } from "./rules.ts"

const languages: ReadonlySet<Language> = new Set<Language>([
  "typescript",
  "tsx",
  "javascript",
  "python",
  "java",
  "ruby",
  "csharp"
])

interface Facts {
  readonly candidates: ReadonlyArray<Candidate>
  readonly mounts: ReadonlyArray<Mount>
  /** Language whose routes this file guards as a whole, or null. */
  readonly guards: string | null
}

const factsOf = (file: SourceFile): Facts | null => {
  const guards = guardsEverything(file) ? ruleLanguageOf(file.language) : null
  if (!mentionsRoutes.test(file.text) || file.tree === null)
    return guards === null ? null : { candidates: [], mounts: [], guards }
  const { mounts } = routeTable(file)
  const candidates = candidatesOf(file)
  return candidates.length + mounts.length === 0 && guards === null ? null : { candidates, mounts, guards }
}

export default auditTool({
  id: "access_control",
  suite: "full",
  kind: "advisory",
  domain: "security",
  category: "security",
  priority: "P1",
  version: 2,
  rules,
  appliesTo: ({ language, role }) => role === "source" && languages.has(language),
  inspect: (file, emit) => {
    if (mentionsBodies.test(file.text) && file.tree !== null) massAssignment(file, emit)
    if (ruleLanguageOf(file.language) === "javascript" && mentionsComputedKeys.test(file.text) && file.tree !== null)
      prototypePollution(file, emit)
    const facts = factsOf(file)
    if (mentionsRoutes.test(file.text) && file.tree !== null) objectsWithoutOwner(file, emit)
    return facts ?? undefined
  },
  finish: (all, project, emit) => {
    const files = all.map(({ path, facts }) => ({ path, ...facts }))
    const guarded = new Set(files.flatMap(({ guards }) => guards ?? []))
    const mounts = mountedAt(files)
    const languageOf = new Map(project.files.map(({ path, language }) => [path, ruleLanguageOf(language)]))
    for (const { path, candidates } of files) {
      if (candidates.length === 0 || guarded.has(languageOf.get(path) ?? "")) continue
      if (mounts.get(path)?.guards.some(asksWho) === true) continue
      for (const candidate of candidates) emit(path, candidate)
    }
  }
})
