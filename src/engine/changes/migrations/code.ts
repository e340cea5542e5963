import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import type { FlatTree } from "../../languages/tree/FlatTree.ts"
import { lineAt, type Verdict, verdict } from "./Migration.ts"
import { stepOf } from "./steps.ts"

/** Tools whose migrations have one function for each direction. */
const twoSided = (form: string, file: SourceFile, up: string, down: string): Verdict => {
  const back = stepOf(file, down)
  const forth = stepOf(file, up)
  switch (back.state) {
    case "works":
      return verdict(form, true, `is taken back by its \`${down}\``, back.line)
    case "throws":
      return verdict(form, false, `has a \`${down}\` that fails on purpose`, back.line)
    case "empty":
      return forth.state === "empty" || forth.state === "absent"
        ? verdict(form, true, "changes nothing", back.line)
        : verdict(form, false, `has a \`${down}\` that does nothing`, back.line)
    case "absent":
      return forth.state === "absent"
        ? verdict(form, null, `has no \`${up}\` that can be found`)
        : verdict(form, false, `has no \`${down}\``, forth.line)
  }
}

/** Calls of a migration's `change` that Rails cannot turn round, with what they lack. */
const oneWayInRails: ReadonlyArray<readonly [RegExp, (text: string) => boolean, string]> = [
  [/^execute$/, () => true, "runs `execute` in `change`"],
  [/^change_column$/, () => true, "runs `change_column` in `change`"],
  [
    /^change_column_default$/,
    (text) => !/\bfrom:/.test(text),
    "runs `change_column_default` without `from:` in `change`"
  ],
  [
    /^remove_column$/,
    (text) => (text.match(/,/g) ?? []).length < 2,
    "runs `remove_column` without the type in `change`"
  ],
  [/^remove_columns$/, (text) => !/\btype:/.test(text), "runs `remove_columns` without `type:` in `change`"],
  [/^drop_table$/, (text) => !/\bdo\b|\{/.test(text), "runs `drop_table` without the columns in `change`"],
  [
    /^remove_index$/,
    (text) => !/\bcolumn:/.test(text) && !/,\s*(?::|\[)/.test(text),
    "runs `remove_index` without the columns in `change`"
  ],
  [/^remove_foreign_key$/, (text) => !/,/.test(text), "runs `remove_foreign_key` without the other table in `change`"],
  [/^raise$/, () => true, "fails on purpose"]
]

/** Data that a migration writes stay as they are when it is rolled back. */
const writesData = /^(?:update_all|delete_all|destroy_all|find_each|insert_all|upsert_all|create!?|save!?)$/

const rails = (file: SourceFile): Verdict => {
  const change = stepOf(file, "change")
  if (change.state === "absent") return twoSided("Rails", file, "up", "down")
  const { tree } = file
  const blocks = calls(file).filter(({ method }) => method === "reversible" || method === "up_only")
  const isTurned = (node: number): boolean =>
    tree !== null &&
    blocks.some((block) => tree.start(block.node) < tree.start(node) && tree.end(node) <= tree.end(block.node))
  for (const { node, method, receiver } of calls(file)) {
    if (tree === null || isTurned(node)) continue
    const line = file.line(tree.start(node))
    const oneWay = oneWayInRails.find(
      ([name, lacks]) => receiver === null && name.test(method) && lacks(tree.textOf(node))
    )
    if (oneWay !== undefined) return verdict("Rails", false, oneWay[2], line)
    if (receiver !== null && /^[A-Z]/.test(receiver) && writesData.test(method)) {
      return verdict(
        "Rails",
        null,
        `writes data by \`${receiver}.${method}\`, which stays when it is rolled back`,
        line
      )
    }
  }
  return verdict("Rails", true, "only has steps that Rails turns round", change.line)
}

const knownToDjango =
  /^(?:CreateModel|DeleteModel|RenameModel|AlterModel\w+|AlterUniqueTogether|AlterIndexTogether|AlterOrderWithRespectTo|AddField|RemoveField|AlterField|RenameField|AddIndex|RemoveIndex|RenameIndex|AddConstraint|RemoveConstraint|AlterConstraint|ValidateConstraint|SeparateDatabaseAndState|\w+Extension|AddIndexConcurrently|RemoveIndexConcurrently|AddConstraintNotValid|CreateCollation|RemoveCollation)$/

const djangoCall = (file: SourceFile, tree: FlatTree, { node, method, callee, args, named }: Call): Verdict | null => {
  const line = file.line(tree.start(node))
  if (method === "RunPython" || method === "RunSQL") {
    const keyword = method === "RunPython" ? "reverse_code" : "reverse_sql"
    const hasReverse = args.length > 1 || named.has(keyword)
    return hasReverse ? null : verdict("Django", false, `runs \`${method}\` without \`${keyword}\``, line)
  }
  const list = tree.parent(node)
  const isOperation = tree.is(list, "list") && /^operations\b/.test(tree.textOf(tree.parent(list)))
  return isOperation && !knownToDjango.test(method)
    ? verdict("Django", null, `has the operation \`${callee}\`, which is not known here`, line)
    : null
}

const django = (file: SourceFile): Verdict => {
  const { tree } = file
  const found = tree === null ? [] : calls(file).flatMap((call) => djangoCall(file, tree, call) ?? [])
  return (
    found.find(({ reversible }) => reversible === false) ??
    found[0] ??
    verdict("Django", true, "only has operations that Django turns round")
  )
}

const usesExecute = (file: SourceFile, form: string): Verdict | null => {
  const change = stepOf(file, "change")
  if (change.state === "absent") return null
  const found = /(?:->|\b)execute\s*\(/.exec(change.body)
  return found === null
    ? verdict(form, true, "only has steps that are turned round", change.line)
    : verdict(form, false, "runs `execute` in `change`", change.line + lineAt(change.body, found.index) - 1)
}

const isIn = (path: string, folder: RegExp): boolean => folder.test(path)

const python = (file: SourceFile): Verdict | null => {
  if (/\bmigrations\.Migration\b/.test(file.text)) return django(file)
  const isAlembic = /^\s*(?:from alembic\b|import alembic\b|down_revision\b)/m.test(file.text)
  if (isAlembic && /^(?:async )?def upgrade\b/m.test(file.text))
    return twoSided("Alembic", file, "upgrade", "downgrade")
  return isIn(file.path, /(?:^|\/)migrations\/\d[^/]*\.py$/)
    ? verdict(null, null, "is of no tool that is known here")
    : null
}

const script = (file: SourceFile): Verdict | null => {
  if (/\bMigrationInterface\b/.test(file.text)) return twoSided("TypeORM", file, "up", "down")
  if (!isIn(file.path, /(?:^|\/)(?:migrations?|migrate)\/[^/]+\.[cm]?[jt]s$/) || stepOf(file, "up").state === "absent")
    return null
  if (/\bexports\.down\s*=\s*false\b|\bexport\s+const\s+down\s*=\s*false\b/.test(file.text))
    return verdict("node-pg-migrate", false, "says that it cannot be taken back")
  if (/\bpgm\b/.test(file.text) && stepOf(file, "down").state === "absent") {
    return verdict("node-pg-migrate", null, "has no `down`, which node-pg-migrate makes from `up` where it can")
  }
  const form = /\bqueryInterface\b/.test(file.text) ? "Sequelize" : /\bknex\b/i.test(file.text) ? "Knex" : "its tool"
  return twoSided(form, file, "up", "down")
}

const php = (file: SourceFile): Verdict | null => {
  if (/\bextends\s+(?:\\?\w+\\)*AbstractMigration\b/.test(file.text)) {
    return /\bSchema\s+\$/.test(file.text)
      ? twoSided("Doctrine", file, "up", "down")
      : (usesExecute(file, "Phinx") ?? twoSided("Phinx", file, "up", "down"))
  }
  return /\bextends\s+(?:\\?\w+\\)*Migration\b/.test(file.text) ? twoSided("Laravel", file, "up", "down") : null
}

const csharp = (file: SourceFile): Verdict | null => {
  if (/\.Designer\.cs$|ModelSnapshot\.cs$/i.test(file.path)) return null
  if (/:\s*AutoReversingMigration\b/.test(file.text))
    return verdict("FluentMigrator", true, "only has steps that are turned round")
  if (/:\s*ForwardOnlyMigration\b/.test(file.text))
    return verdict("FluentMigrator", false, "says that it cannot be taken back")
  if (/\bMigrationBuilder\b/.test(file.text)) return twoSided("EF Core", file, "Up", "Down")
  return /:\s*Migration\b/.test(file.text) ? twoSided("FluentMigrator", file, "Up", "Down") : null
}

const go = (file: SourceFile): Verdict | null => {
  const added = /\bgoose\.AddMigration(?:NoTx)?(?:Context)?\(\s*[\w.]+\s*,\s*(nil\b)?/.exec(file.text)
  if (added === null) return null
  const line = lineAt(file.text, added.index)
  return added[1] === undefined
    ? verdict("goose", true, "names a function that takes it back", line)
    : verdict("goose", false, "names no function that takes it back", line)
}

const ruby = (file: SourceFile): Verdict | null =>
  /<\s*(?:::)?(?:ActiveRecord::Migration|Sequel::Migration)\b/.test(file.text)
    ? rails(file)
    : isIn(file.path, /(?:^|\/)db\/migrate\/[^/]+\.rb$/)
      ? verdict(null, null, "is of no tool that is known here")
      : null

const readers: Partial<Record<SourceFile["language"], (file: SourceFile) => Verdict | null>> = {
  ruby,
  python,
  javascript: script,
  typescript: script,
  php,
  csharp,
  go
}

/** A migration that is written as a program; null where the file is none. */
export const codeMigration = (file: SourceFile): Verdict | null => readers[file.language]?.(file) ?? null
