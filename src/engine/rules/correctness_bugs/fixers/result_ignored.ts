import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { assignmentsTo } from "../../../languages/code/lastAssigned.ts"
import { insertAt, matchedNode } from "../../../languages/edits/atMatch.ts"
import { type Call, calls, enclosingFunction, type FunctionInfo } from "../../../languages/syntax/vocabulary.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** Functions that take the value to change as their only, first or last argument. */
const valueArgument = (file: SourceFile, { callee, args }: Call): number => {
  if (file.language === "php") {
    if (/sprintf$/.test(callee)) return NONE
    return args[/str_replace$/.test(callee) ? 2 : 0] ?? NONE
  }
  return file.language === "go" && callee.startsWith("strings.") ? (args[0] ?? NONE) : NONE
}

/** The variable whose value the call was meant to change; NONE where it is no plain variable. */
const subjectOf = (file: SourceFile, call: Call): number => {
  const tree = file.tree!
  const node = file.language === "php" || file.language === "go" ? valueArgument(file, call) : call.receiverNode
  return tree.is(node, "identifier", "variable_name") ? node : NONE
}

const constant: Partial<Record<SourceFile["language"], (name: string) => RegExp>> = {
  java: (name) => new RegExp(`\\bfinal\\s+[\\w.<>\\[\\], ]+\\s${name}\\b`),
  csharp: (name) =>
    new RegExp(`\\b(?:readonly|const|in)\\s+[\\w.<>?]+\\s+${name}\\b|\\bforeach\\s*\\([^)]*\\b${name}\\s+in\\b`),
  go: (name) => new RegExp(`\\bconst\\b[^)]*\\b${name}\\b`)
}

const isConstant = (file: SourceFile, name: string): boolean => {
  const pattern =
    constant[file.language] ?? ((word: string) => new RegExp(`\\b(?:const|import)\\b[^;=\\n]*\\b${word}\\b`))
  return pattern(name).test(file.text)
}

const isParameterOf = (info: FunctionInfo, name: string): boolean =>
  info.parameters.some((one) => one.name === name || `$${one.name}` === name)

/** In Python, an assignment makes a name local to the function. */
const isLocal = (file: SourceFile, node: number, name: string): boolean => {
  const tree = file.tree!
  const holder = enclosingFunction(file, node)
  if (holder === null || isParameterOf(holder, name)) return true
  return assignmentsTo(file, name).some((one) => one.node < node && tree.contains(holder.node, one.node))
}

/** A variable that a lambda uses cannot be assigned in Java. */
const isCaptured = (file: SourceFile, node: number, name: string): boolean => {
  const tree = file.tree!
  const holder = tree.enclosing(node, "method_declaration", "constructor_declaration", "lambda_expression")
  const word = new RegExp(`\\b${name}\\b`)
  return (
    tree.is(holder, "lambda_expression") ||
    [...tree.within(holder, "lambda_expression", "class_body")].some((inner) => word.test(tree.textOf(inner)))
  )
}

/** `text.trim()` as a statement becomes `text = text.trim()`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "result_ignored",
  languages: ["csharp", "go", "java", "javascript", "php", "python"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const node = matchedNode(
      tree,
      match,
      "call",
      "call_expression",
      "method_invocation",
      "invocation_expression",
      "function_call_expression"
    )
    const call = calls(file).find((one) => one.node === node)
    const subject = call === undefined ? NONE : subjectOf(file, call)
    if (subject === NONE) return declined("The variable that was meant to change is not certain.")
    const name = tree.textOf(subject)
    if (isConstant(file, name)) return declined(`\`${name}\` cannot be assigned.`)
    if (file.language === "python" && !isLocal(file, node, name)) {
      return declined(`\`${name}\` is not local to the function, so assigning it would make another variable.`)
    }
    if (file.language === "java" && isCaptured(file, node, name)) {
      return declined(`\`${name}\` is used by a lambda or an inner class, which needs it unchanged.`)
    }
    return { edits: [insertAt(match.start, `${name} = `)], summary: `Assign the result to ${name}` }
  }
})
