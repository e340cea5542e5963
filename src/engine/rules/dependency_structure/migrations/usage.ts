import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { ruleLanguageOf } from "../../../core/tool/AuditTool.ts"
import { calls } from "../../../languages/syntax/vocabulary.ts"
import { type ImportFact, OPTIONAL } from "../../../structure/importGraph/ImportFacts.ts"
import { goMigrations } from "./go.ts"
import { javaMigrations } from "./java.ts"
import { javascriptMigrations } from "./javascript.ts"
import type { Migration, Usage } from "./Migration.ts"
import { pythonMigrations } from "./python.ts"

export const migrations: ReadonlyArray<Migration> = [
  ...javascriptMigrations,
  ...pythonMigrations,
  ...goMigrations,
  ...javaMigrations
]

const MAX_SITES = 20

const byLanguage = new Map(
  ["javascript", "python", "go", "java"].map((language) => [
    language,
    migrations.filter((migration) => migration.language === language)
  ])
)

/** What a file shows of migrations: of the old side where, of the new side what. Absent where there is nothing. */
export interface MigrationFacts {
  readonly from?: ReadonlyArray<readonly [id: string, start: number, end: number]>
  readonly to?: ReadonlyArray<readonly [id: string, name: string]>
}

interface Site {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The last names of callees are prefilters: most files mention none of them, and their calls are not looked at. */
const calleeNames = (language: string): RegExp => {
  const patterns = (byLanguage.get(language) ?? []).flatMap(({ from, to }) => [from.calls, to.calls])
  return new RegExp(patterns.flatMap((one) => (one === undefined ? [] : one.source.replace(/^\^|\$$/g, ""))).join("|"))
}

const mentionsCalls = new Map([...byLanguage.keys()].map((language) => [language, calleeNames(language)]))

/** An import that the file does without is there for old versions of the language. */
const importSites = (usage: Usage, imports: ReadonlyArray<ImportFact>, isOld: boolean): ReadonlyArray<Site> =>
  imports
    .filter(
      ({ specifier, flags, names }) =>
        usage.modules?.test(specifier) === true &&
        (usage.names === undefined || names.some((name) => usage.names!.test(name))) &&
        !(isOld && (flags & OPTIONAL) !== 0)
    )
    .map(({ specifier, start, end }) => ({ name: specifier, start, end }))

const callSites = (usage: Usage, file: SourceFile): ReadonlyArray<Site> => {
  const { tree } = file
  if (tree === null || usage.calls === undefined) return []
  return calls(file)
    .filter((call) => usage.calls!.test(call.callee) && (usage.when?.(tree, call) ?? true))
    .map(({ node, callee }) => ({ name: callee, start: tree.start(node), end: tree.end(node) }))
}

/** Both sides of every migration of the file's language. */
export const migrationFacts = (file: SourceFile, imports: ReadonlyArray<ImportFact>): MigrationFacts | undefined => {
  const language = ruleLanguageOf(file.language)
  const known = byLanguage.get(language) ?? []
  const hasCalls = mentionsCalls.get(language)?.test(file.text) === true
  const sitesOf = (usage: Usage, isOld: boolean): ReadonlyArray<Site> =>
    usage.mentions !== undefined && !usage.mentions.test(file.text)
      ? []
      : [...importSites(usage, imports, isOld).slice(0, 1), ...(hasCalls ? callSites(usage, file) : [])]
  const from = known.flatMap(({ id, from }) =>
    sitesOf(from, true)
      .slice(0, MAX_SITES)
      .map(({ start, end }) => [id, start, end] as const)
  )
  const to = known.flatMap(({ id, to }) =>
    sitesOf(to, false)
      .slice(0, 1)
      .map(({ name }) => [id, name] as const)
  )
  if (from.length + to.length === 0) return undefined
  return { ...(from.length === 0 ? {} : { from }), ...(to.length === 0 ? {} : { to }) }
}
