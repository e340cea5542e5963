import type { Language } from "../../Language.ts"
import { commandSinks } from "./commandSinks.ts"
import go from "./languages/go.ts"
import java from "./languages/java.ts"
import javascript from "./languages/javascript.ts"
import python from "./languages/python.ts"
import { sqlSinks } from "./sqlSinks.ts"
import type { SinkRule, TaintLanguage } from "./TaintLanguage.ts"

const languages: Partial<Record<Language, TaintLanguage>> = {
  typescript: javascript,
  tsx: javascript,
  javascript,
  python,
  go,
  java
}

export const taintLanguageOf = (language: Language): TaintLanguage | null => languages[language] ?? null

export const sinksOf = (language: Language): ReadonlyArray<SinkRule> => [
  ...(sqlSinks[language] ?? []),
  ...(commandSinks[language] ?? [])
]

const statementStart =
  /["'`]\s*(?:SELECT\s|INSERT\s+INTO\s|UPDATE\s|DELETE\s+FROM\s|select\s|insert\s+into\s|update\s|delete\s+from\s)/

/** A file without any of these texts has no sink that is known, nor a text that could reach one elsewhere. */
const sinkText: Partial<Record<Language, RegExp>> = {
  javascript:
    /child_process|shelljs|execa\b|\$where|\$queryRawUnsafe|\$executeRawUnsafe|\.(?:where|orderBy|having)Raw\(|sequelize\.literal|from ["'](?:pg|mysql2?|sqlite3?|better-sqlite3|knex|sequelize|typeorm|mongodb|mongoose|mssql)\b|require\(["'](?:pg|mysql2?|sqlite3?|better-sqlite3|knex|sequelize|typeorm|mongodb|mongoose|mssql)\b/,
  python:
    /\bsubprocess\b|\bos\.(?:system|popen)\b|\.(?:execute|executemany|executescript|raw|extra)\(|create_subprocess_shell|\$where|read_sql/,
  go: /"os\/exec"|"database\/sql"|jmoiron\/sqlx|jackc\/pgx|gorm|xorm/,
  java: /ProcessBuilder|getRuntime\(\)|\bjava\.sql\b|JdbcTemplate|EntityManager|createNativeQuery|createSQLQuery|executeQuery/
}

const sinkTextOf = (language: Language): RegExp | undefined =>
  sinkText[language === "typescript" || language === "tsx" ? "javascript" : language]

/** Is there anything to be found in this text at all? */
export const mayFlow = (language: Language, text: string): boolean => {
  const known = languages[language]
  if (known === undefined) return false
  return sinkTextOf(language)?.test(text) === true || known.sourceText.test(text) || statementStart.test(text)
}
