import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { type Call, imports } from "../../../languages/syntax/vocabulary.ts"

/** How a driver writes placeholders, and how a call passes what they stand for. */
export interface Driver {
  readonly placeholder: "dollar" | "question" | "percent" | "colon"
  /** "list": an array or tuple after the text; "rest": further arguments; "chained": arguments of the call on the result. */
  readonly values: "list" | "rest" | "chained" | "named"
}

interface Known {
  readonly module: RegExp
  readonly methods: RegExp
  readonly driver: Driver
}

const known: Readonly<Record<"javascript" | "python", ReadonlyArray<Known>>> = {
  javascript: [
    {
      module: /^(?:pg|@neondatabase\/serverless|@vercel\/postgres)$/,
      methods: /^query$/,
      driver: { placeholder: "dollar", values: "list" }
    },
    {
      module: /^(?:mysql2?(?:\/promise)?|mariadb|promise-mysql)$/,
      methods: /^(?:query|execute)$/,
      driver: { placeholder: "question", values: "list" }
    },
    { module: /^sqlite3$/, methods: /^(?:get|all|run|each)$/, driver: { placeholder: "question", values: "list" } },
    {
      module: /^(?:better-sqlite3|node:sqlite)$/,
      methods: /^prepare$/,
      driver: { placeholder: "question", values: "chained" }
    }
  ],
  python: [
    {
      module: /^(?:sqlalchemy|flask_sqlalchemy|sqlmodel)(?:\.|$)/,
      methods: /^(?:execute|scalar|scalars)$/,
      driver: { placeholder: "colon", values: "named" }
    },
    {
      module: /^(?:psycopg2?|pymysql|MySQLdb|mysql\.connector|django\.db)(?:\.|$)/,
      methods: /^execute$/,
      driver: { placeholder: "percent", values: "list" }
    },
    {
      module: /^(?:sqlite3|aiosqlite|pyodbc|duckdb)$/,
      methods: /^execute$/,
      driver: { placeholder: "question", values: "list" }
    },
    {
      module: /^asyncpg$/,
      methods: /^(?:execute|fetch|fetchrow|fetchval)$/,
      driver: { placeholder: "dollar", values: "rest" }
    }
  ]
}

/** What other statements of the file show. */
const shownPlaceholder = ({ text }: SourceFile): Driver["placeholder"] | null => {
  if (/["'`][^"'`\n]*(?:=|\(|,)\s*\$1\b/.test(text)) return "dollar"
  return /["'`][^"'`\n]*(?:=\s*\?|\(\?[,)])/.test(text) ? "question" : null
}

const goPlaceholder = (file: SourceFile): Driver["placeholder"] | null => {
  const modules = imports(file).map(({ module }) => module)
  if (modules.some((module) => /^github\.com\/(?:lib\/pq|jackc\/pgx)/.test(module))) return "dollar"
  if (
    modules.some((module) =>
      /^(?:github\.com\/(?:go-sql-driver\/mysql|mattn\/go-sqlite3)|modernc\.org\/sqlite)/.test(module)
    )
  )
    return "question"
  return shownPlaceholder(file)
}

const goMethods = /^(?:Query|QueryRow|Exec)(?:Context)?$/
const springMethods = /^(?:queryForList|queryForMap|queryForObject|queryForRowSet|query|update)$/

/** The driver that runs a statement, as far as its file shows; null where that is not clear. */
export const driverOf = (file: SourceFile, { method }: Call): Driver | null => {
  switch (file.language) {
    case "go": {
      const placeholder = goMethods.test(method) ? goPlaceholder(file) : null
      return placeholder === null ? null : { placeholder, values: "rest" }
    }
    case "java":
      return springMethods.test(method) && /\bJdbcTemplate\b/.test(file.text)
        ? { placeholder: "question", values: "rest" }
        : null
    case "python":
      return ofImports(file, method, known.python)
    default:
      return ofImports(file, method, known.javascript)
  }
}

/** A file that imports two kinds of drivers does not show which one runs the statement. */
const ofImports = (file: SourceFile, method: string, drivers: ReadonlyArray<Known>): Driver | null => {
  const modules = imports(file).map(({ module }) => module)
  const imported = drivers.filter(({ module }) => modules.some((one) => module.test(one)))
  const [only] = imported
  return imported.length === 1 && only!.methods.test(method) ? only!.driver : null
}
