import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { callsWithin } from "../../../languages/code/callsWithin.ts"
import { argumentList, itemAddition } from "../../../languages/edits/arguments.ts"
import { insertAt, startsLine } from "../../../languages/edits/atMatch.ts"
import { indentationAt, indentUnit } from "../../../languages/edits/style.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"

const summary = "Build the index without blocking writes"

const onlyIndexes = /^(?:add_index|remove_index|disable_ddl_transaction!|index_exists\?)$/

/** Rails: outside of a transaction, and so only in a migration that does nothing else. */
const proposeRuby = (file: SourceFile, tree: FlatTree, call: number): Proposal => {
  const owner = tree.enclosing(call, "class")
  const body = tree.child(owner, "body")
  const first = tree.namedChildren(body)[0] ?? NONE
  if (owner === NONE || first === NONE || !startsLine(file, tree.start(first))) {
    return declined("The class of the migration was not found.")
  }
  if (callsWithin(file, body).some(({ receiver, method }) => receiver !== null || !onlyIndexes.test(method))) {
    return declined("The migration does more than build indexes, and outside of a transaction it could stop half-way.")
  }
  const list = argumentList(tree, call)
  const last = tree.namedChildren(tree.child(call, "arguments")).at(-1) ?? NONE
  if (last === NONE) return declined("The index has no columns.")
  const addition =
    list === NONE
      ? insertAt(tree.end(last), ", algorithm: :concurrently")
      : itemAddition(file, list, "algorithm: :concurrently")
  const indent = indentationAt(file, tree.start(first))
  const isOutside = tree.textOf(body).includes("disable_ddl_transaction!")
  const outside = insertAt(tree.start(first), `disable_ddl_transaction!\n\n${indent}`)
  return { edits: isOutside ? [addition] : [outside, addition], summary }
}

/** Alembic: in a block that commits by itself. */
const proposePython = (file: SourceFile, tree: FlatTree, call: number): Proposal => {
  const statement = tree.parent(call)
  if (!tree.is(statement, "expression_statement") || !startsLine(file, tree.start(statement))) {
    return declined("The index is not built by a statement of its own.")
  }
  const unit = indentUnit(file, "    ")
  const indent = indentationAt(file, tree.start(statement))
  const [start, end] = [tree.start(statement), tree.end(statement)]
  const isInBlock = /autocommit_block\(\)\s*:\s*$/.test(file.text.slice(0, start).trimEnd())
  const addition = itemAddition(file, argumentList(tree, call), "postgresql_concurrently=True")
  if (isInBlock) return { edits: [addition], summary }
  const lines = [...file.text.slice(start, end).matchAll(/\n(?=[ \t]*\S)/g)].map(({ index }) =>
    insertAt(start + index + 1, unit)
  )
  // An argument on a line of its own moves with the others.
  const moved = { ...addition, text: addition.text.replace(/\n/g, `\n${unit}`) }
  return {
    edits: [insertAt(start, `with op.get_context().autocommit_block():\n${indent}${unit}`), ...lines, moved],
    summary
  }
}

const propose = ({ file, match }: FixSite): Proposal => {
  const tree = file.tree
  const call = tree === null ? NONE : tree.covering(match.start, match.end)
  if (tree !== null && file.language === "ruby" && tree.is(call, "call")) return proposeRuby(file, tree, call)
  if (tree !== null && file.language === "python" && tree.is(call, "call")) return proposePython(file, tree, call)
  return declined(
    "Whether the migration runs in a transaction, where CONCURRENTLY fails, is up to the tool that runs it."
  )
}

export default fixer({ tool: "database_schema", rule: "index_locks_table", languages: ["ruby", "python"], propose })
