import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { byGroup, type Entry, entries } from "./handlers.ts"
import type { RuleId } from "./rules.ts"

/** A lookup of one object by a key that the caller chooses. */
const lookups: ReadonlyArray<readonly [languages: string, pattern: RegExp]> = [
  [
    "javascript",
    /\b(?:prisma|db|tx|this\.prisma)\.(\w+)\.(?:findUnique|findFirst|findUniqueOrThrow|findFirstOrThrow|update|delete)\(|\b([A-Z]\w+)\.(?:findById|findByPk|findOne|findByIdAndUpdate|findByIdAndDelete|findByIdAndRemove|findOneAndUpdate|findOneAndDelete|findOneAndRemove|deleteOne|updateOne|destroy|update)\(/g
  ],
  [
    "python",
    /\bget_object_or_404\(\s*(\w+)|\b([A-Z]\w+)\.objects\.(?:get|filter)\(|\b([A-Z]\w+)\.query\.(?:get|get_or_404|filter_by|filter)\(|\b(?:session|db)\.(?:get|query)\(\s*([A-Z]\w+)/g
  ],
  ["ruby", /\b(?:current_\w+|@\w+)\.(\w+)\.(?:find|find_by)\b!?|\b([A-Z]\w+)\.(?:find|find_by|where)\b!?/g],
  [
    "java",
    /\b(\w+)(?:Repository|Repo|Dao)\.(?:findById\w*|findOneBy\w+|getById\w*|getReferenceById|findBy\w+|deleteById\w*|getOne)\(/g
  ],
  [
    "csharp",
    /\.(\w+)\.(?:FindAsync|Find|FirstOrDefaultAsync|FirstOrDefault|SingleOrDefaultAsync|SingleOrDefault|FirstAsync|SingleAsync|Where)\(/g
  ]
]

const owner =
  /user_?id|user\.id|\buser\s*[=:]|\buser_|_user\b|owner|tenant|current_?user|account_?id|customer_?id|org(?:ani[sz]ation)?_?id|created_?by|author(?!i[sz])|workspace|team_?id|company_?id|member|\.sub\b|principal|\buid\b|request\.user|req\.user|User\./i
const fromPath = /req\.params|params\[:|\bparams\.|\b(?:pk|id|uuid|slug|\w+_id|\w+Id)\b/

/** Names of one table read alike: `orders`, `Order`, `order`. */
const modelName = (name: string): string => name.toLowerCase().replace(/ies$/, "y").replace(/s$/, "")

interface Lookup {
  readonly model: string
  readonly isScoped: boolean
  readonly at: number
  readonly written: string
}

const MAX_ARGUMENTS = 240

/** The call's own arguments: up to the bracket that closes it, or the end of a Ruby line. */
const argumentsAt = (body: string, from: number): string => {
  let depth = 1
  const stop = Math.min(body.length, from + MAX_ARGUMENTS)
  for (let at = from; at < stop; at++) {
    const c = body[at]
    if (c === "(" || c === "{" || c === "[") depth++
    else if (c === ")" || c === "}" || c === "]") depth--
    if (depth === 0) return body.slice(from, at)
  }
  return body.slice(from, stop)
}

const lookupsIn = (body: string, pattern: RegExp): ReadonlyArray<Lookup> =>
  [...body.matchAll(pattern)].slice(0, 20).flatMap((match): ReadonlyArray<Lookup> => {
    const model = match.slice(1).find((name) => name !== undefined)
    if (model === undefined) return []
    const given = argumentsAt(body, match.index + match[0].length)
    const written = `${match[0]}${given}`
    if (!fromPath.test(given)) return []
    return [{ model: modelName(model), isScoped: owner.test(written), at: match.index, written }]
  })

const MIN_SCOPED = 2

const inGroup = (group: ReadonlyArray<Entry>, pattern: RegExp, emit: Emit<RuleId>): void => {
  const handlers = group
    .filter(({ body }) => body !== "")
    .map((entry) => ({ entry, found: lookupsIn(entry.body, pattern) }))
    .filter(({ found }) => found.length > 0)
  const scoped = new Map<string, Set<Entry>>()
  const unscoped = new Map<string, Array<{ readonly entry: Entry; readonly lookup: Lookup }>>()
  for (const { entry, found } of handlers) {
    for (const lookup of found) {
      if (lookup.isScoped) scoped.set(lookup.model, (scoped.get(lookup.model) ?? new Set()).add(entry))
      else if (!owner.test(entry.body) && !entry.guards.some((name) => /admin|owner|staff|super/i.test(name)))
        unscoped.set(lookup.model, [...(unscoped.get(lookup.model) ?? []), { entry, lookup }])
    }
  }
  for (const [model, bare] of unscoped) {
    const siblings = scoped.get(model)?.size ?? 0
    if (siblings < MIN_SCOPED || bare.length > siblings) continue
    const told = new Set<Entry>()
    for (const { entry, lookup } of bare) {
      if (told.has(entry) || /admin|public|webhook|internal/i.test(entry.label)) continue
      told.add(entry)
      report(entry, lookup, siblings, emit)
    }
  }
}

const report = (entry: Entry, lookup: Lookup, siblings: number, emit: Emit<RuleId>): void => {
  const written = lookup.written.replace(/\s+/g, " ").slice(0, 70)
  emit({
    rule: "object_without_owner",
    start: entry.start,
    end: entry.end,
    message:
      `\`${entry.label}\` looks up \`${written}\` by a key of the caller's choice, for whoever it belongs to; ` +
      `${siblings} handlers beside it also ask for the owner.`
  })
}

export const objectsWithoutOwner = (file: SourceFile, emit: Emit<RuleId>): void => {
  const language = ruleLanguageOf(file.language)
  const pattern = lookups.find(([name]) => name === language)?.[1]
  if (pattern === undefined) return
  for (const group of byGroup(entries(file))) if (group.length > MIN_SCOPED) inGroup(group, pattern, emit)
}
