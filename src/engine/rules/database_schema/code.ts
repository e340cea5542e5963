import type { SourceFile } from "../../core/files/SourceFile.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { type Call, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { Report } from "./Risk.ts"
import type { RuleId } from "./rules.ts"
import { type Dialect, firstCopy, inspectSql } from "./sql.ts"

/** How migrations written in code say what SQL says; arguments by position are names, as strings or symbols. */
interface Verb {
  readonly callee: RegExp
  readonly rule: RuleId
  /** Table and column, as the call names them. */
  readonly message: (table: string, column: string) => string
  /** Text of the call that must, or must not, be there. */
  readonly when?: RegExp
  readonly unless?: RegExp
  readonly onlyPostgres?: boolean
  /** The call stands in a callback of the table's own call: `table.dropColumn("x")`. */
  readonly inTable?: boolean
}

const dropsColumn = (table: string, column: string): string =>
  `\`${table}${column === "" ? "" : `.${column}`}\` is dropped with what is in it, while code that uses it may still run.`
const renames = (table: string, column: string): string =>
  `\`${table}${column === "" ? "" : `.${column}`}\` gets another name under the code that is running.`
const changes = (table: string, column: string): string =>
  `The type of \`${table}.${column}\` changes in place, for all rows at once.`
const addsNotNull = (table: string, column: string): string =>
  `\`${column}\` may not be null and has no default, so adding it fails as soon as \`${table}\` has rows.`
const buildsIndex = (table: string): string =>
  `Writing to \`${table}\` is blocked until this index is built; it is not built concurrently.`

const ruby: ReadonlyArray<Verb> = [
  {
    callee: /^add_column$/,
    rule: "not_null_without_default",
    message: addsNotNull,
    when: /null(?::|\s*=>)\s*false/,
    unless: /default(?::|\s*=>)/
  },
  {
    callee: /^add_index$/,
    rule: "index_locks_table",
    message: buildsIndex,
    unless: /concurrently/,
    onlyPostgres: true
  },
  {
    callee: /^add_foreign_key$/,
    rule: "constraint_scans_table",
    message: (table) => `The foreign key is tested against every row of \`${table}\` while writing to it is blocked.`,
    unless: /validate(?::|\s*=>)\s*false/,
    onlyPostgres: true
  },
  { callee: /^(?:remove_column|remove_columns|drop_table)$/, rule: "drops_data", message: dropsColumn },
  { callee: /^(?:rename_column|rename_table)$/, rule: "renames_in_place", message: renames },
  { callee: /^change_column$/, rule: "changes_type", message: changes, unless: /,\s*:(?:text|bigint)\b/ }
]

const python: ReadonlyArray<Verb> = [
  {
    callee: /^op\.add_column$/,
    rule: "not_null_without_default",
    message: addsNotNull,
    when: /nullable\s*=\s*False/,
    unless: /server_default|Identity\(/
  },
  {
    callee: /^op\.create_index$/,
    rule: "index_locks_table",
    message: (_name, table) => buildsIndex(table),
    unless: /postgresql_concurrently\s*=\s*True/,
    onlyPostgres: true
  },
  { callee: /^op\.(?:drop_column|drop_table)$/, rule: "drops_data", message: dropsColumn },
  { callee: /^op\.rename_table$/, rule: "renames_in_place", message: renames },
  { callee: /^op\.alter_column$/, rule: "renames_in_place", message: renames, when: /new_column_name\s*=/ },
  {
    callee: /^op\.alter_column$/,
    rule: "changes_type",
    message: changes,
    when: /\btype_\s*=/,
    unless: /type_\s*=\s*sa\.Text/
  },
  { callee: /^migrations\.(?:RemoveField|DeleteModel)$/, rule: "drops_data", message: dropsColumn },
  { callee: /^migrations\.(?:RenameField|RenameModel)$/, rule: "renames_in_place", message: renames }
]

const javascript: ReadonlyArray<Verb> = [
  {
    callee: /^(?:queryInterface|q|qi)\.addColumn$/,
    rule: "not_null_without_default",
    message: addsNotNull,
    when: /allowNull\s*:\s*false/,
    unless: /defaultValue/
  },
  { callee: /^(?:queryInterface|q|qi)\.(?:removeColumn|dropTable)$/, rule: "drops_data", message: dropsColumn },
  { callee: /^(?:queryInterface|q|qi)\.(?:renameColumn|renameTable)$/, rule: "renames_in_place", message: renames },
  {
    callee: /^(?:queryInterface|q|qi)\.changeColumn$/,
    rule: "changes_type",
    message: changes,
    when: /type\s*:/,
    unless: /type\s*:\s*\w+\.TEXT/
  },
  { callee: /^\w+\.(?:dropColumn|dropColumns)$/, rule: "drops_data", message: dropsColumn, inTable: true },
  { callee: /^\w+\.renameColumn$/, rule: "renames_in_place", message: renames, inTable: true },
  { callee: /^(?:\w+\.)*schema\.(?:dropTable|dropTableIfExists)$/, rule: "drops_data", message: dropsColumn },
  { callee: /^(?:\w+\.)*schema\.renameTable$/, rule: "renames_in_place", message: renames },
  {
    callee: /\.notNullable$/,
    rule: "not_null_without_default",
    message: addsNotNull,
    unless: /defaultTo|\.alter\(|increments/,
    inTable: true
  }
]

const php: ReadonlyArray<Verb> = [
  { callee: /^\$table->(?:dropColumn|dropColumns)$/, rule: "drops_data", message: dropsColumn, inTable: true },
  { callee: /^\$table->renameColumn$/, rule: "renames_in_place", message: renames, inTable: true },
  { callee: /^\\?Schema::(?:drop|dropIfExists)$/, rule: "drops_data", message: dropsColumn },
  { callee: /^\\?Schema::rename$/, rule: "renames_in_place", message: renames }
]

const verbs: Partial<Record<SourceFile["language"], ReadonlyArray<Verb>>> = {
  ruby,
  python,
  typescript: javascript,
  javascript,
  php
}

const creates =
  /^(?:create_table|create_join_table|op\.create_table|migrations\.CreateModel|(?:\w+\.)*createTable(?:IfNotExists)?|\\?Schema::create|(?:\w+\.)*schema\.createTable(?:IfNotExists)?)$/
const alters = /(?:^|\.|::)(?:alterTable|table|change_table)$/
/** Directions that take a migration back. */
const back = /^(?:down|downgrade|reverse|backwards?|self\.down|revert|rollback)$/

const nameOf = (file: SourceFile, tree: FlatTree, node: number | undefined): string => {
  if (node === undefined) return ""
  const literal = literalValue(file, node)
  if (literal !== null) return literal.slice(0, 60)
  const text = tree.textOf(node).slice(0, 200)
  // A name that is only known at run time cannot be resolved.
  return /^:(\w+)$/.exec(text)?.[1] ?? /Column\(\s*["'](\w+)["']/.exec(text)?.[1] ?? ""
}

const namesOf = (file: SourceFile, tree: FlatTree, { args, named }: Call): readonly [string, string] => {
  const model = named.get("model_name") ?? named.get("table_name")
  const column = named.get("name") ?? named.get("column_name") ?? named.get("old_name")
  if (model !== undefined || (args.length === 0 && column !== undefined)) {
    return model === undefined
      ? [nameOf(file, tree, column), ""]
      : [nameOf(file, tree, model), nameOf(file, tree, column)]
  }
  return [nameOf(file, tree, args[0]), nameOf(file, tree, args[1])]
}

const isBackwards = (file: SourceFile, tree: FlatTree, node: number): boolean => {
  for (let info = enclosingFunction(file, node); info !== null; info = enclosingFunction(file, info.node)) {
    if (back.test((info.name ?? "").replace(/^exports\./, ""))) return true
  }
  if (file.language !== "ruby") return false
  const call = tree.enclosing(node, "call")
  return call !== NONE && /^(?:dir\.down|down)\b/.test(tree.textOf(call).slice(0, 20))
}

/** The call whose callback this stands in: `schema.alterTable("orders", (table) => …)`. */
const tableCall = (file: SourceFile, tree: FlatTree, node: number): Call | null => {
  const info = enclosingFunction(file, node)
  if (info === null) return null
  const list = tree.is(tree.parent(info.node), "argument")
    ? tree.parent(tree.parent(info.node))
    : tree.parent(info.node)
  return tree.is(list, "arguments") ? (syntaxOf(file.language)?.callAt(tree, tree.parent(list)) ?? null) : null
}

const inspectVerb = (
  file: SourceFile,
  tree: FlatTree,
  call: Call,
  verb: Verb,
  made: ReadonlySet<string>,
  report: Report
): void => {
  let top = call.node
  while (verb.inTable === true && tree.is(tree.parent(top), "member_expression", "call_expression"))
    top = tree.parent(top)
  const text = tree.textOf(top).slice(0, 600)
  if (verb.when?.test(text) === false || verb.unless?.test(text) === true || isBackwards(file, tree, call.node)) return
  let [table, column] = namesOf(file, tree, call)
  if (verb.inTable === true) {
    const holder = tableCall(file, tree, call.node)
    if (holder === null || creates.test(holder.callee) || !alters.test(holder.callee)) return
    column = table === "" ? (/\(\s*\[?\s*["'`](\w+)/.exec(text)?.[1] ?? "") : table
    table = column === "" ? "" : nameOf(file, tree, holder.args[0])
  }
  if (table === "" || made.has(table.toLowerCase())) return
  if (verb.rule === "drops_data" && tree.start(call.node) > file.memo(computeCopied, computeCopied)) return
  const { rule, message, onlyPostgres = false } = verb
  report({ rule, ...span(tree, call.node), message: message(table, column), onlyPostgres })
}

const copiesInCode =
  /\bRunPython\b|\.update_all\(|\bfind_each\b|\bfind_in_batches\b|\bop\.bulk_insert\(|\.bulk_(?:create|update)\(|\bbulkInsert\(|\bbulkUpdate\(|->(?:insert|update|chunk|each)\(|\.insert\(|\.batchInsert\(|\.update\(/

/** Where a migration first moves data to another form: what it drops after that is not lost. */
const computeCopied = ({ text }: SourceFile): number =>
  Math.min(copiesInCode.exec(text)?.index ?? text.length, firstCopy(text))

const runsSql = /(?:^|\.|->|::)(?:execute|query|raw|RunSQL|statement|unprepared|addSql|run|sql)$/
const changesSchema = /^\s*(?:ALTER\s+TABLE|CREATE\s+(?:UNIQUE\s+)?INDEX|DROP\s+TABLE|TRUNCATE|DELETE\s+FROM)\b/i

const inspectText = (
  file: SourceFile,
  tree: FlatTree,
  { args, node }: Call,
  dialect: Dialect,
  made: ReadonlySet<string>,
  report: Report
): void => {
  const text = literalValue(file, args[0] ?? NONE)
  if (text === null || !changesSchema.test(text) || isBackwards(file, tree, node)) return
  inspectSql(text, dialect, (risk) => {
    const table = /`(\w+)/.exec(risk.message)?.[1] ?? ""
    if (reportedInCode.has(risk.rule) && !made.has(table)) report({ ...risk, ...span(tree, node) })
  })
}

/** Rules that SQL inside of code is checked for, in all languages of migrations. */
const reportedInCode = new Set(["drops_data", "renames_in_place"])

const MAX_CALLS = 2_000

export const inspectCode = (file: SourceFile, report: Report): void => {
  const known = verbs[file.language]
  const tree = known === undefined ? null : file.tree
  if (known === undefined || tree === null) return
  const all = calls(file).slice(0, MAX_CALLS)
  const made = new Set(
    all.filter(({ callee }) => creates.test(callee)).map((call) => namesOf(file, tree, call)[0].toLowerCase())
  )
  for (const call of all) {
    for (const verb of known) if (verb.callee.test(call.callee)) inspectVerb(file, tree, call, verb, made, report)
    if (runsSql.test(call.callee)) inspectText(file, tree, call, "unknown", made, report)
  }
}
