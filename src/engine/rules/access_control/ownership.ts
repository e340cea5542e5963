import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
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
  readonly code: string
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
    const args = argumentsAt(body, match.index + match[0].length)
    const code = `${match[0]}${args}`
    if (!fromPath.test(args)) return []
    return [{ model: modelName(model), isScoped: owner.test(code), at: match.index, code }]
  })

const MIN_SCOPED = 2

const inGroup = (group: ReadonlyArray<Entry>, pattern: RegExp, emit: Emit<RuleId>): void => {
  const all = group.flatMap((entry) => lookupsIn(entry.body, pattern).map((lookup) => ({ entry, lookup })))
  const scoped = byModel(all.filter(({ lookup }) => lookup.isScoped))
  const unscoped = byModel(all.filter(({ entry, lookup }) => !lookup.isScoped && !isForOwners(entry)))
  for (const [model, lookups] of unscoped) {
    const siblings = new Set(scoped.get(model)?.map(({ entry }) => entry)).size
    if (siblings < MIN_SCOPED || lookups.length > siblings) continue
    const reported = new Set<Entry>()
    for (const { entry, lookup } of lookups) {
      if (reported.has(entry) || /admin|public|webhook|internal/i.test(entry.label)) continue
      reported.add(entry)
      report(entry, lookup, siblings, emit)
    }
  }
}

interface HandlerLookup {
  readonly entry: Entry
  readonly lookup: Lookup
}

/** The handler checks the owner in another way, or its guard admits administrators or owners only. */
const isForOwners = (entry: Entry): boolean =>
  owner.test(entry.body) || entry.guards.some((name) => /admin|owner|staff|super/i.test(name))

const byModel = (all: ReadonlyArray<HandlerLookup>): ReadonlyMap<string, ReadonlyArray<HandlerLookup>> => {
  const groups = new Map<string, Array<HandlerLookup>>()
  for (const one of all) {
    const known = groups.get(one.lookup.model)
    if (known === undefined) groups.set(one.lookup.model, [one])
    else known.push(one)
  }
  return groups
}

const report = (entry: Entry, lookup: Lookup, siblings: number, emit: Emit<RuleId>): void => {
  const code = lookup.code.replace(/\s+/g, " ").slice(0, 70)
  emit({
    rule: "object_without_owner",
    start: entry.start,
    end: entry.end,
    message:
      `\`${entry.label}\` looks up \`${code}\` by a key that the caller chooses, without its owner; ` +
      `${siblings} other handlers of this group include the owner.`
  })
}

export const objectsWithoutOwner = (file: SourceFile, emit: Emit<RuleId>): void => {
  const language = ruleLanguageOf(file.language)
  const pattern = lookups.find(([name]) => name === language)?.[1]
  if (pattern === undefined) return
  for (const group of byGroup(entries(file))) if (group.length > MIN_SCOPED) inGroup(group, pattern, emit)
}
