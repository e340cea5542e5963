import type { SourceFile } from "../../core/files/SourceFile.ts"
import { calls } from "../../languages/syntax/vocabulary.ts"
import { languageName } from "./languageName.ts"

const programs = /^(?:typescript|tsx|javascript|python|go|java|ruby|php|csharp|rust|kotlin|scala|swift|c|cpp)$/
/** Known by the names of their files. */
const byName = /^(?:Perl|Lua|Erlang|Elixir|Haskell|Objective-C|OCaml|Clojure|Tcl)$/
const MAX_TABLES = 60

const name = String.raw`["'\`\[]?(?:[a-zA-Z_]\w{0,60}["'\`\]]?\.["'\`\[]?)?([a-zA-Z_]\w{1,60})["'\`\]]?`
/** A word of SQL alone is English; with what has to follow it is a statement. */
const statement = new RegExp(
  String.raw`\b(?:INSERT\s+(?:IGNORE\s+|OR\s+\w+\s+)?INTO\s+${name}(?=\s*(?:\(|VALUES\b|SELECT\b|AS\b|\$\{))|REPLACE\s+INTO\s+${name}(?=\s*\()|MERGE\s+INTO\s+${name}\s|UPDATE\s+(?:ONLY\s+)?${name}(?:\s+(?:AS\s+)?\w{1,20})?\s+SET\s|DELETE\s+FROM\s+(?:ONLY\s+)?${name}(?=\s|["'\`;]|$))`,
  "gim"
)

/** `db.collection("users").updateOne(…)`. */
const document =
  /\.collection\(["'`]([a-zA-Z_][\w.-]{1,60})["'`]\)\.(?:insert|update|delete|replace|remove|bulkWrite|findOneAnd|findAndModify)\w*$/

/** An example in a text writes nothing. */
const documentsIn = (file: SourceFile): ReadonlyArray<readonly [name: string, offset: number]> => {
  const { tree } = file
  if (tree === null || !/\.collection\(/.test(file.text)) return []
  return calls(file).flatMap(({ callee, node }) => {
    const found = document.exec(callee)?.[1]
    return found === undefined ? [] : [[found, tree.start(node)] as const]
  })
}

/** Tables that statements in a file write, whatever its language, and collections of documents. */
export const writesOf = (file: SourceFile): ReadonlyArray<readonly [table: string, line: number]> => {
  const isProgram = programs.test(file.language) || byName.test(languageName(file) ?? "")
  if (file.role !== "source" || !isProgram) return []
  const found = new Map<string, number>()
  const isOfTables = /\b(?:insert|update|delete|replace|merge)\s+(?:\w+\s+){0,2}/i.test(file.text)
  const statements = [...(isOfTables ? file.text.matchAll(statement) : [])].map(
    (match) => [match.slice(1).find((one) => one !== undefined), match.index] as const
  )
  for (const [table, offset] of [...statements, ...documentsIn(file)]) {
    if (table === undefined || found.has(table) || found.size >= MAX_TABLES) continue
    const line = file.line(offset)
    if (!/^\s*(?:\*|\/\/|\/\*|#(?!define)|--|%)/.test(file.lineText(line))) found.set(table, line)
  }
  return [...found]
}
