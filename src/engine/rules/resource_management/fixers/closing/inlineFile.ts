import type { SourceFile } from "../../../../core/files/SourceFile.ts"
import { editedText } from "../../../../core/fix/applyEdits.ts"
import { declined, type FixSite, type Proposal } from "../../../../core/fix/Fixer.ts"
import { calls } from "../../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../../languages/tree/FlatTree.ts"
import { canBeIndented, indentedLines, realigned } from "./region.ts"
import { levelOf } from "./withBlock.ts"

const names = ["file", "handle", "stream", "opened"]
const statementKinds = ["expression_statement", "return_statement"]
/** What may run the call never, later or several times. */
const conditional = [
  "lambda",
  "conditional_expression",
  "boolean_operator",
  "list_comprehension",
  "set_comprehension",
  "dictionary_comprehension",
  "generator_expression",
  "await",
  "yield",
  "named_expression"
]

/** A name that the function, or the module outside of one, does not use. */
const freeName = (tree: FlatTree, call: number): string | undefined => {
  const scope = Math.max(tree.enclosing(call, "function_definition"), 0)
  const taken = new Set([...tree.within(scope, "identifier")].map((node) => tree.textOf(node)))
  return names.find((name) => !taken.has(name))
}

/** Whether the file is the first thing that the statement asks for. */
const isFirst = (file: SourceFile, tree: FlatTree, statement: number, call: number): boolean =>
  calls(file).every(
    ({ node }) => !tree.contains(statement, node) || tree.contains(node, call) || tree.start(node) > tree.start(call)
  )

/** The call as it stands at another column. */
const opening = (file: SourceFile, tree: FlatTree, call: number, column: number): string => {
  const from = tree.start(call)
  const edits = realigned(file, tree, call, column)
  return editedText(
    tree.textOf(call),
    edits.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from }))
  )
}

/** `with open(…) as file:` around the one statement that opens a file and uses it. */
export const inlineFile = ({ file, match }: FixSite): Proposal => {
  const tree = file.tree
  if (tree === null) return declined("The file could not be parsed.")
  const call = tree.covering(match.start, match.end)
  const statement = tree.enclosing(call, ...statementKinds)
  const owner = tree.enclosing(
    call,
    "function_definition",
    "class_definition",
    "if_statement",
    "for_statement",
    "while_statement",
    "with_statement"
  )
  if (statement === NONE || statement < owner) return declined("The file is opened in the head of another statement.")
  if (tree.enclosing(call, ...conditional) > statement || !isFirst(file, tree, statement, call)) {
    return declined("The file is opened in the middle of an expression, whose order would change.")
  }
  if (/\bcsv\.\w+$/.test(tree.textOf(tree.child(tree.parent(tree.parent(call)), "function")))) {
    return declined("What reads the file may still do so when a `with` block around it has ended.")
  }
  const name = freeName(tree, call)
  if (name === undefined || !canBeIndented(file, tree, [statement])) {
    return declined("The lines cannot be moved to the right without changing a text in them.")
  }
  const { indent, unit } = levelOf(file, tree, statement)
  const start = tree.start(statement)
  return {
    edits: [
      {
        start,
        end: start,
        text: `with ${opening(file, tree, call, indent.length + "with ".length)} as ${name}:\n${indent}${unit}`
      },
      { start: tree.start(call), end: tree.end(call), text: name },
      ...indentedLines(file.text, start, tree.end(statement), unit).filter(
        (edit) => edit.start < tree.start(call) || edit.start > tree.end(call)
      )
    ],
    summary: "Close the file in every case"
  }
}
