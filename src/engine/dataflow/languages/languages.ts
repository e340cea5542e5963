import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type RuleLanguage, ruleLanguageOf, type SourceKind } from "../../core/tool/AuditTool.ts"
import type { Model } from "../models/Model.ts"
import { models } from "../models/models.ts"
import { type ModelTables, tablesOf } from "../models/tables.ts"
import { modelOf } from "../models/userModels.ts"
import { withBrowser } from "../sinks/browser.ts"
import type { SinkRule, TaintGrammar, TaintLanguage } from "../TaintLanguage.ts"
import csharp from "./csharp.ts"
import go from "./go.ts"
import java from "./java.ts"
import javascript from "./javascript.ts"
import php from "./php.ts"
import python from "./python.ts"
import ruby from "./ruby.ts"

type Known = TaintLanguage & ModelTables

const known = (name: RuleLanguage, grammar: TaintGrammar, own: ReadonlyArray<Model> = []): Known => ({
  ...withBrowser(name, grammar),
  ...tablesOf([...own, ...(models[name] ?? [])])
})

const languages: Partial<Record<RuleLanguage, Known>> = {
  javascript: known("javascript", javascript),
  python: known("python", python),
  go: known("go", go),
  java: known("java", java),
  php: known("php", php),
  ruby: known("ruby", ruby),
  csharp: known("csharp", csharp)
}

const grammars: Partial<Record<RuleLanguage, TaintGrammar>> = { javascript, python, go, java, php, ruby, csharp }

const knownOf = (language: Language): Known | null => languages[ruleLanguageOf(language)] ?? null

const MAX_EXTENDED = 20
const extended = new Map<string, Known>()

/** The language of a file with the models of its repository. */
const knownIn = (file: SourceFile): Known | null => {
  const own = file.terms.configured?.models ?? []
  const name = ruleLanguageOf(file.language)
  const grammar = grammars[name]
  if (own.length === 0 || grammar === undefined) return knownOf(file.language)
  const key = JSON.stringify([name, own])
  const found = extended.get(key)
  if (found !== undefined) return found
  if (extended.size >= MAX_EXTENDED) extended.clear()
  const made = known(name, grammar, own.map(modelOf))
  extended.set(key, made)
  return made
}

export const taintLanguageOf = (language: Language): TaintLanguage | null => knownOf(language)

/** What the evaluator of a file has to know: the language, and where values do harm. */
export const analysisOf = (
  file: SourceFile
): { readonly language: TaintLanguage; readonly sinks: ReadonlyArray<SinkRule> } | null => {
  const own = knownIn(file)
  return own === null ? null : { language: own, sinks: own.sinks }
}

/** Who chooses what a source of this access path gives. */
export const sourceKindIn = (file: SourceFile, path: string): SourceKind | null =>
  knownIn(file)?.sourceKindOf(path) ?? null

/** The same for a file of which only the language is known: without the models of its repository. */
export const sourceKindOf = (language: Language, path: string): SourceKind | null =>
  knownOf(language)?.sourceKindOf(path) ?? null

const statementStart =
  /["'`]\s*(?:SELECT\s|INSERT\s+INTO\s|UPDATE\s|DELETE\s+FROM\s|select\s|insert\s+into\s|update\s|delete\s+from\s)/

/** A file without any of these texts has no sink that is known, nor a text that could reach one elsewhere. */
const sinkText: Partial<Record<Language, RegExp>> = {
  javascript:
    /child[_-]process|shelljs|execa\b|["'](?:async-execute|await-exec|exec-promise|exec-sh|execute-command|node-cmd|node-exec-promise|shell-exec|then-exec)["']|\$where|\$queryRawUnsafe|\$executeRawUnsafe|\.(?:where|orderBy|having)Raw\(|sequelize\.literal|from ["'](?:pg|mysql2?|sqlite3?|better-sqlite3|knex|sequelize|typeorm|mongodb|mongoose|mssql)\b|require\(["'](?:pg|mysql2?|sqlite3?|better-sqlite3|knex|sequelize|typeorm|mongodb|mongoose|mssql)\b/,
  python:
    /\bsubprocess\b|\bos\.(?:system|popen)\b|\.(?:execute|executemany|executescript|raw|extra)\(|create_subprocess_shell|\$where|read_sql/,
  go: /"os\/exec"|"database\/sql"|jmoiron\/sqlx|jackc\/pgx|gorm|xorm/,
  php: /\b(?:mysqli?_query|pg_query|sqlite_query|shell_exec|passthru|proc_open|popen|system|exec)\s*\(|->(?:query|exec|prepare|get_results|get_row|get_var|multi_query|\w+Raw)\(|DB::/,
  ruby: /\b(?:where|(?:re)?order|find_by_sql|execute|exec_query|select_all|select_value|Arel\.sql|find_by|having|exists\?|update_all|system|exec|spawn|popen|Open3|capture\w*|query)\b|`|%x/,
  csharp:
    /\b(?:Process\.Start|ProcessStartInfo|CommandText|\w*Command\(|FromSql\w*|ExecuteSql\w*|SqlQuery\w*|DataAdapter\()|\.(?:Query|Execute)\w*[<(]/,
  java: /ProcessBuilder|getRuntime\(\)|\bjava\.sql\b|JdbcTemplate|EntityManager|createNativeQuery|createSQLQuery|executeQuery/
}

/** Spellings of calls that may be sinks; with sources and statements they show which functions are worth a walk. */
const sinkCalls: Partial<Record<Language, RegExp>> = {
  javascript:
    /\.(?:query|execute|exec|run|prepare|raw|rawQuery|unsafe|simpleQuery|literal|oneOrNone|manyOrNone|find|findOne|where|\w+Raw|\$?\w+Unsafe|updateOne|updateMany|deleteOne|deleteMany|runQuery|command)\(|\b(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|execa\w*|execAsync|fork|shell|shellSync|commandSync)\(|\$where/g,
  python:
    /\.(?:execute\w*|raw|extra|read_sql\w*|fetch\w*|query|run_query|run_sql|exec_driver_sql|sql|system|popen|run|call|check_call|check_output|Popen|getoutput|getstatusoutput|scalars?|find|find_one|prepare)\(|\b(?:Popen|check_call|check_output|run|call|system|popen|RawSQL|create_subprocess_shell|exec_command)\(/g,
  go: /\b(?:Query\w*|Exec\w*|Prepare\w*|Raw|MustExec\w*|Named\w+|Get|Select|GetContext|SelectContext|SQL|Command|CommandContext|Where|Order|Having|Joins|Group)\(/g,
  php: /\b(?:mysqli?_\w*query|pg_query|sqlite_query|shell_exec|passthru|proc_open|popen|system|exec)\s*\(|->(?:query|exec|prepare|get_\w+|multi_query|real_query|\w+Raw|executeQuery)\(|DB::/g,
  ruby: /\b(?:where|rewhere|(?:re)?order|not|find_by\w*|count_by_sql|exists\?|having|\w+_all|execute\w*|exec\w*|select_\w+|sql|lit|query|prepare|fetch|system|spawn|popen\w*|capture\w*|open|joins|from|group|select|lock)[ (]|`|%x[[({|!]/g,
  csharp:
    /\b(?:Query\w*|Execute\w*|FromSql\w*|SqlQuery\w*|\w*Command|\w*DataAdapter|Start|ProcessStartInfo|GetData\w+|Fetch\w*|RunQuery|RunSql|CreateQuery)(?:<[^<>()]{0,80}>)?\(|\b(?:CommandText|Arguments|FileName)\s*=/g,
  java: /\b(?:execute\w*|addBatch|prepare\w+|query\w*|update|batchUpdate|create\w*Query|exec|ProcessBuilder|command|rawQuery|execSQL|nativeSQL)\(/g
}

const verbs =
  "(?:SELECT\\s|INSERT\\s+INTO\\s|UPDATE\\s|DELETE\\s+FROM\\s|select\\s|insert\\s+into\\s|update\\s|delete\\s+from\\s)"
const quoted = `(?:"\\s*${verbs}[^"\\\\\\n]*"|'\\s*${verbs}[^'\\\\\\n]*')`

/**
 * A call's opening bracket with a statement in quotes, and nothing added to it, for its first argument: it reaches the
 * database as it is written, whatever the other arguments hold. PHP is left out, since its quotes fill in variables.
 */
const plainStatement: Partial<Record<Language, RegExp>> = {
  javascript: new RegExp(`\\(\\s*(?:${quoted}|\`\\s*${verbs}[^\`\\\\$]*\`)\\s*[,)]`, "g"),
  python: new RegExp(`\\(\\s*${quoted}\\s*[,)]`, "g"),
  go: new RegExp(`\\(\\s*(?:ctx\\s*,\\s*)?(?:${quoted}|\`\\s*${verbs}[^\`]*\`)\\s*[,)]`, "g"),
  java: new RegExp(`\\(\\s*${quoted}\\s*[,)]`, "g"),
  csharp: new RegExp(`\\(\\s*${quoted}\\s*[,)]`, "g")
}

/** Ranges of calls' first arguments that are plain statements, by the offset of the bracket before them. */
const plainStatements = (family: Language, text: string): ReadonlyMap<number, number> => {
  const pattern = plainStatement[family]
  if (pattern === undefined) return new Map()
  return new Map([...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length] as const))
}

/** Calls of functions that `promisify` made, or that run programs under another name: they may be called anything. */
const renamed = (text: string): ReadonlyArray<RegExpExecArray> => {
  const names = [
    ...text.matchAll(
      /\b([\w$]+)\s*=\s*(?:(?:util\.)?promisify\(|\(0,\s*_\w+\.(?:default|promisify)\)\(_child_process|require\(["'][\w:./-]{1,40}["']\)\.(?:exec\w*|spawn\w*|shell\w*|command\w*)\b)/g
    )
  ].map((match) => match[1]!)
  return names
    .slice(0, 20)
    .flatMap((name) => [...text.matchAll(new RegExp(`\\b${name.replace(/\$/g, "\\$")}\\(`, "g"))])
}

/** Offsets at which a source, a sink or a statement may stand, in order. */
export const interestingOffsets = (file: SourceFile): ReadonlyArray<number> => {
  const { language, text } = file
  const own = knownIn(file)
  if (own === null) return []
  const family = ruleLanguageOf(language)
  const plain = plainStatements(family, text)
  const harmless: Array<readonly [number, number]> = []
  const offsets: Array<number> = []
  const calls = sinkCalls[family]
  for (const match of calls === undefined ? [] : text.matchAll(calls)) {
    const bracket = match.index + match[0].length - 1
    const end = plain.get(bracket)
    if (end === undefined) offsets.push(match.index)
    else harmless.push([bracket, end])
  }
  if (family === "javascript") for (const match of renamed(text)) offsets.push(match.index)
  for (const match of text.matchAll(new RegExp(own.mentions, "g"))) offsets.push(match.index)
  addStatements(text, harmless, offsets)
  return offsets.sort((a, b) => a - b)
}

/** Statements outside of ranges that are known to be harmless; the ranges are in order. */
const addStatements = (
  text: string,
  harmless: ReadonlyArray<readonly [number, number]>,
  offsets: Array<number>
): void => {
  let next = 0
  for (const match of text.matchAll(new RegExp(statementStart, "g"))) {
    while (next < harmless.length && harmless[next]![1] <= match.index) next++
    if (next >= harmless.length || match.index < harmless[next]![0]) offsets.push(match.index)
  }
}

const sinkTextOf = (language: Language): RegExp | undefined => sinkText[ruleLanguageOf(language)]

/** Is there anything to be found in this text at all? */
export const mayFlow = (file: SourceFile): boolean => {
  const { language, text } = file
  const own = knownIn(file)
  if (own === null) return false
  return sinkTextOf(language)?.test(text) === true || statementStart.test(text) || own.mentions.test(text)
}
