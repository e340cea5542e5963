import type { Language } from "../../core/files/Language.ts"
import { auditTool, type EmitAt, type FileSummary, type Project } from "../../core/tool/AuditTool.ts"
import { inspectCode } from "./code.ts"
import { inspectModels } from "./models.ts"
import { isMigration, type Risk, seriesOf } from "./Risk.ts"
import { type RuleId, rules } from "./rules.ts"
import { dialectOf, inspectSql } from "./sql.ts"

const languages: ReadonlySet<Language> = new Set<Language>([
  "sql",
  "ruby",
  "python",
  "typescript",
  "javascript",
  "php",
  "java",
  "prisma"
])

/** Older migrations have run everywhere: what they did cannot be changed any more. */
const RECENT = 10
/** A file with more is a dump. */
const MAX_RISKS = 20

const byNumber = new Intl.Collator("en", { numeric: true })

interface Facts {
  /** What puts it in order: its path, or the date its tool wrote into it. */
  readonly order: string
  readonly risks: ReadonlyArray<Risk>
}

/** Alembic names its files by random numbers. */
const orderOf = (path: string, text: string): string =>
  /^Create Date:\s*(\d{4}-\d\d-\d\d \S+)/m.exec(text.slice(0, 600))?.[1] ?? path

const recentOf = (facts: ReadonlyArray<FileSummary<Facts>>): ReadonlySet<string> => {
  const series = new Map<string, Array<{ readonly path: string; readonly order: string }>>()
  for (const {
    path,
    facts: { order }
  } of facts) {
    const key = `${seriesOf(path)} ${path.slice(path.lastIndexOf("."))}`
    const listed = series.get(key)
    if (listed === undefined) series.set(key, [{ path, order }])
    else listed.push({ path, order })
  }
  const latest = [...series.values()].flatMap((files) =>
    files.sort((a, b) => byNumber.compare(a.order, b.order)).slice(-RECENT)
  )
  return new Set(latest.map(({ path }) => path))
}

const postgresDriver = /\bgem\s+["']pg["']|psycopg|asyncpg|pg8000|"pg"\s*:/

const usesPostgres = (project: Project): boolean =>
  ["Gemfile", "requirements.txt", "pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "package.json"].some((name) =>
    postgresDriver.test(project.manifest(name) ?? "")
  )

/** `upgrade/2.4.0.sql`: who installs that release runs it by hand, mostly with the service stopped. */
const releaseScript = /(?:^|\/)v?\d+\.\d+(?:\.\d+)*\.sql$/i

const finish = (facts: ReadonlyArray<FileSummary<Facts>>, project: Project, emit: EmitAt<RuleId>): void => {
  if (facts.length === 0) return
  const recent = recentOf(facts)
  const isPostgres = usesPostgres(project)
  for (const {
    path,
    facts: { risks }
  } of facts) {
    if (!recent.has(path)) continue
    for (const { rule, start, end, message, onlyPostgres } of risks) {
      if (onlyPostgres && !isPostgres) continue
      const isOffline = rule === "index_locks_table" && releaseScript.test(path)
      emit(path, { rule, start, end, message, ...(isOffline ? { confidence: 0.6 } : {}) })
    }
  }
}

export default auditTool({
  id: "database_schema",
  suite: "standard",
  kind: "finding",
  domain: "data_apis",
  category: "operations",
  priority: "P1",
  version: 2,
  rules,
  appliesTo: ({ language, role }) => role === "source" && languages.has(language),
  inspect: (file, emit) => {
    const risks: Array<Risk> = []
    const report = (risk: Risk): void => {
      // What a column is made of does not get better with age.
      if (risk.rule === "float_for_money")
        emit({ rule: risk.rule, start: risk.start, end: risk.end, message: risk.message })
      else if (risks.length < MAX_RISKS) risks.push(risk)
    }
    if (file.language === "sql") inspectSql(file.text, dialectOf(file.path, file.text), report)
    else inspectModels(file, emit)
    if (!isMigration(file.path)) return undefined
    if (file.language !== "sql") inspectCode(file, report)
    return { order: orderOf(file.path, file.text), risks }
  },
  finish
})
