import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, type Edit, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { callsWithin } from "../../../languages/code/callsWithin.ts"
import { indentationAt } from "../../../languages/edits/style.ts"
import type { Call } from "../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"
import { undoOf } from "../effects.ts"

const functionKinds = ["arrow_function", "function_expression", "function_declaration", "method_definition"]

/** What takes a call back, with the edits that give its parts the names it needs. */
interface Undo {
  readonly statement: string
  readonly edits: ReadonlyArray<Edit>
}

const capitalized = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}`

const isTaken = (file: SourceFile, name: string): boolean => new RegExp(`\\b${name}\\b`).test(file.text)

const undoInterval = (file: SourceFile, tree: FlatTree, call: Call): Undo | null => {
  const holder = tree.parent(call.node)
  if (tree.is(holder, "variable_declarator")) {
    return { statement: `clearInterval(${tree.textOf(tree.child(holder, "name"))})`, edits: [] }
  }
  const name = ["timer", "interval", "intervalId"].find((one) => !isTaken(file, one))
  if (!tree.is(holder, "expression_statement") || name === undefined) return null
  const start = tree.start(call.node)
  return { statement: `clearInterval(${name})`, edits: [{ start, end: start, text: `const ${name} = ` }] }
}

const undoListener = (file: SourceFile, tree: FlatTree, call: Call): Undo | null => {
  const [event, handler, options] = call.args
  if (event === undefined || handler === undefined || !tree.is(tree.parent(call.node), "expression_statement"))
    return null
  const rest = options === undefined ? "" : `, ${tree.textOf(options)}`
  const removal = (name: string) => `${call.receiver}.removeEventListener(${tree.textOf(event)}, ${name}${rest})`
  if (tree.is(handler, "identifier")) return { statement: removal(tree.textOf(handler)), edits: [] }
  const word = /^["'](\w+)["']$/.exec(tree.textOf(event))?.[1]
  const name = word === undefined ? "" : `handle${capitalized(word)}`
  if (!tree.is(handler, "arrow_function", "function_expression") || name === "" || isTaken(file, name)) return null
  // On its own, a parameter without a type has none.
  const isTyped = tree.textOf(handler).startsWith("() =>") || file.language === "javascript"
  if (!isTyped) return null
  const statement = tree.parent(call.node)
  const start = tree.start(statement)
  const end = tree.textOf(statement).endsWith(";") ? ";" : ""
  return {
    statement: removal(name),
    edits: [
      { start, end: start, text: `const ${name} = ${tree.textOf(handler)}${end}\n${indentationAt(file, start)}` },
      { start: tree.start(handler), end: tree.end(handler), text: name }
    ]
  }
}

const propose = ({ file, match }: FixSite): Proposal => {
  const tree = file.tree
  if (tree === null) return declined("The file could not be parsed.")
  const effect = tree.enclosing(tree.covering(match.start, match.start + 1), ...functionKinds)
  const hook = tree.parent(tree.parent(effect))
  if (
    !tree.is(effect, "arrow_function", "function_expression") ||
    !/Effect$/.test(tree.textOf(tree.child(hook, "function")))
  ) {
    return declined("The component is a class: what it removes on unmounting stands in a method of its own.")
  }
  const block = tree.child(effect, "body")
  const open = callsWithin(file, effect).filter(
    (call) => tree.enclosing(call.node, ...functionKinds) === effect && undoOf(call, tree.textOf(call.node)) !== null
  )
  const statements = open.map(({ node }) => tree.enclosing(node, "expression_statement", "lexical_declaration"))
  if (statements.some((statement) => tree.parent(statement) !== block) || tree.childOfKind(effect, "async") !== NONE) {
    return declined(
      "It is started under a condition, so whether there is something to remove is known at run time only."
    )
  }
  const first = statements[0] ?? NONE
  const leavesLater = [...tree.within(block, "return_statement")].some(
    (node) => node > first && tree.enclosing(node, ...functionKinds) === effect
  )
  const undos = open.map((call) =>
    call.method === "addEventListener" ? undoListener(file, tree, call) : undoInterval(file, tree, call)
  )
  if (leavesLater || undos.length === 0 || undos.some((undo) => undo === null)) {
    return declined("What is started here has no name by which it could be removed.")
  }
  const known = undos.filter((undo) => undo !== null)
  if (
    known.length > 1 &&
    known.some(({ edits }) => edits.some(({ text }) => /^const (?:timer|interval)\w* = $/.test(text)))
  ) {
    return declined("Several things are started here: give each a name first.")
  }
  return {
    edits: [
      ...known.flatMap(({ edits }) => edits),
      cleanup(
        file,
        tree,
        block,
        known.map(({ statement }) => statement)
      )
    ],
    summary: "Remove on unmounting what the effect has started"
  }
}

/** A cleanup function behind the last statement of the effect. */
const cleanup = (file: SourceFile, tree: FlatTree, block: number, undos: ReadonlyArray<string>): Edit => {
  const last = tree.namedChildren(block).at(-1)!
  const text = tree.textOf(last)
  const end = text.endsWith(";") ? ";" : ""
  const indent = indentationAt(file, tree.start(last))
  const outer = indentationAt(file, tree.start(block))
  const unit = indent.startsWith(outer) && indent !== outer ? indent.slice(outer.length) : "  "
  const body = undos.map((undo) => `${indent}${unit}${undo}${end}\n`).join("")
  const code = undos.length === 1 ? `return () => ${undos[0]}${end}` : `return () => {\n${body}${indent}}${end}`
  const at = tree.end(last)
  return { start: at, end: at, text: `\n${indent}${code}` }
}

export default fixer({
  tool: "resource_management",
  rule: "effect_never_cleaned",
  languages: ["javascript"],
  propose
})
