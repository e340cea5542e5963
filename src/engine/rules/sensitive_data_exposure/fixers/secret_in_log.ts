import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, type Edit, fixer } from "../../../core/fix/Fixer.ts"
import { lastAssigned } from "../../../languages/code/lastAssigned.ts"
import { localUses } from "../../../languages/code/localUses.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { quoteOf } from "../../../languages/edits/style.ts"
import { enclosingFunction } from "../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"

const REDACTED = "[redacted]"
const fillings = ["template_substitution", "interpolation"]
const texts = ["string", "interpolated_string_expression", "encapsed_string", "heredoc_body", "template_string"]

/** The largest node that covers a range exactly; NONE where none does. */
const nodeAt = (tree: FlatTree, start: number, end: number): number => {
  let node = tree.covering(start, end)
  for (let up = tree.parent(node); tree.start(up) === start && tree.end(up) === end; up = tree.parent(up)) node = up
  return tree.start(node) === start && tree.end(node) === end ? node : NONE
}

/** A text whose only filling goes needs no mark of a text with fillings any more. */
const inText = (file: SourceFile, filling: number): Edit => {
  const tree = file.tree!
  const text = tree.parent(filling)
  const only = { start: tree.start(filling), end: tree.end(filling), text: REDACTED }
  const written = tree.textOf(text)
  const mark = /^[fF$](?=["'])/.exec(written)
  const isOnly = tree.children(text).filter((node) => tree.is(node, "interpolation")).length === 1
  const rest = written.slice(0, only.start - tree.start(text)) + written.slice(only.end - tree.start(text))
  if (mark === null || !isOnly || /[{}]/.test(rest)) return only
  const before = file.text.slice(tree.start(text) + 1, only.start)
  return { start: tree.start(text), end: only.end, text: `${before}${REDACTED}` }
}

/** Go rejects a variable that nothing reads. */
const isLastUse = (file: SourceFile, node: number): boolean => {
  const holder = file.language === "go" ? enclosingFunction(file, node) : null
  const name = file.tree!.textOf(node)
  if (holder === null || holder.parameters.some((one) => one.name === name)) return false
  return localUses(file, holder, name).length <= 2
}

/** A secret that is created here: the log may be the only place that shows it to anyone who runs the program. */
const isCreated = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  const value = lastAssigned(file, tree.textOf(node), node)
  return /rand|generate|create|token_|uuid|secrets\.|new\w*Password/i.test(tree.textOf(value).slice(0, 200))
}

/** The secret's value is replaced by a text that shows that there was one. */
export default fixer({
  tool: "sensitive_data_exposure",
  rule: "secret_in_log",
  languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const node = nodeAt(tree, match.start, match.end)
    const holder = tree.parent(node)
    const summary = "Keep the secret out of the log"
    if (node === NONE) return declined("The logged value is not found.")
    if (isLastUse(file, node)) return declined("Nothing else uses the variable, which the compiler then rejects.")
    if (isCreated(file, node))
      return declined("The secret is created here, and the log may be the only place that shows it.")
    if (tree.is(holder, ...fillings)) return { edits: [inText(file, holder)], summary }
    if (tree.is(node, ...fillings)) return { edits: [inText(file, node)], summary }
    if (tree.is(holder, "object", "dictionary") || tree.is(node, "shorthand_property_identifier")) {
      return declined("The value is an entry without a name of its own.")
    }
    if (tree.is(holder, ...texts)) return { edits: [replacement(tree, node, REDACTED)], summary }
    const quote = /^(?:java|csharp|go)$/.test(file.language) ? '"' : quoteOf(file)
    return { edits: [replacement(tree, node, `${quote}${REDACTED}${quote}`)], summary }
  }
})
