import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, type Edit, fixer } from "../../../core/fix/Fixer.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { insertAt, matchedNode, startsLine } from "../../../languages/edits/atMatch.ts"
import { indentationAt } from "../../../languages/edits/style.ts"
import { importedNames } from "../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"

/** A name in the value may mean something else when the function runs. */
const isSelfContained = (tree: FlatTree, value: number): boolean => {
  const callee = tree.is(value, "call") ? tree.child(value, "function") : NONE
  return tree
    .within(value, "identifier")
    .every((node) => tree.contains(callee, node) || /^(?:list|dict|set|int|str|float|bool)$/.test(tree.textOf(node)))
}

/** The annotation with None allowed; null where the file shows no way to write that. */
const optionalType = (file: SourceFile, annotation: string): string | null => {
  if (/\bOptional\b|\bNone\b|^(?:typing\.)?Any$|^object$/.test(annotation)) return annotation
  if (importedNames(file).get("Optional")?.module === "typing") return `Optional[${annotation}]`
  const isModern = /^from __future__ import .*\bannotations\b/m.test(file.text) || /[\w\])] ?\| ?None\b/.test(file.text)
  return isModern ? `${annotation} | None` : null
}

/** Sets the default at the beginning of the body, after what documents the function. */
const initialization = (file: SourceFile, body: number, indent: string, name: string, value: string): Edit => {
  const tree = file.tree!
  const first = tree.namedChildren(body)[0]!
  const bodyIndent = indentationAt(file, tree.start(first))
  const unit = bodyIndent.slice(indent.length) || "    "
  const lines = `if ${name} is None:\n${bodyIndent}${unit}${name} = ${value}`
  const isDocumentation = tree.is(first, "expression_statement") && tree.is(tree.firstChild(first), "string")
  return isDocumentation
    ? insertAt(tree.end(first), `\n${bodyIndent}${lines}`)
    : insertAt(tree.start(first), `${lines}\n${bodyIndent}`)
}

/** `def add(item, items=[])` becomes `def add(item, items=None)` with a new list in the body. */
export default fixer({
  tool: "correctness_bugs",
  rule: "mutable_default",
  languages: ["python"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const parameter = matchedNode(tree, match, "default_parameter", "typed_default_parameter")
    const owner = tree.enclosing(parameter, "function_definition")
    const body = tree.child(owner, "body")
    const first = tree.namedChildren(body)[0]
    if (parameter === NONE || first === undefined || !startsLine(file, tree.start(first))) {
      return declined("The body of the function is on the line of its header.")
    }
    const name = tree.textOf(tree.child(parameter, "name"))
    const value = tree.child(parameter, "value")
    const text = tree.textOf(value)
    if (text.includes("\n") || !isSelfContained(tree, value)) {
      return declined("The default uses other names or several lines, so evaluating it later may give another value.")
    }
    if (new RegExp(`\\b${name} is (?:not )?None\\b`).test(tree.textOf(body))) {
      return declined("None already has a meaning for this parameter.")
    }
    const annotation = tree.child(parameter, "type")
    const type = annotation === NONE ? "" : optionalType(file, tree.textOf(annotation))
    if (type === null) return declined("The annotation does not allow None, and the file shows no way to write that.")
    const retyped = annotation === NONE || type === tree.textOf(annotation) ? [] : [replacement(tree, annotation, type)]
    return {
      edits: [
        ...retyped,
        replacement(tree, value, "None"),
        initialization(file, body, indentationAt(file, tree.start(owner)), name, text)
      ],
      summary: `Create the default of ${name} in each call`
    }
  }
})
