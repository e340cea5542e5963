import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import type { TryStatement } from "../../languages/code/tryStatements.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { isDeliberate } from "./comments.ts"
import type { RuleId } from "./rules.ts"

const functionKinds = [
  "function_declaration",
  "function_expression",
  "arrow_function",
  "method_definition",
  "function_definition",
  "lambda",
  "lambda_expression",
  "method_declaration",
  "method",
  "block",
  "do_block",
  "class_declaration",
  "class_body"
]
export const loopKinds = [
  "for_statement",
  "for_in_statement",
  "while_statement",
  "do_statement",
  "enhanced_for_statement",
  "switch_statement",
  "switch_expression",
  "match_statement"
]

/** Whether a jump leaves only a function, a loop or an attempt that is inside the block. */
const staysInside = (file: SourceFile, tree: FlatTree, node: number, block: number): boolean => {
  const isReturn = tree.is(node, "return_statement", "return")
  for (let up = tree.parent(node); up !== block && up !== NONE; up = tree.parent(up)) {
    const isFunction = tree.is(up, ...functionKinds) && !(tree.is(up, "block") && file.language !== "ruby")
    // An attempt inside the block may end it on purpose.
    const isAttempt = tree.is(up, "try_statement", "begin")
    if (isFunction || isAttempt || (!isReturn && tree.is(up, ...loopKinds))) return true
  }
  return false
}

export const inspectFinally = (file: SourceFile, attempt: TryStatement, emit: Emit<RuleId>): void => {
  if (attempt.final === null || file.language === "csharp") return
  const tree = file.tree!
  const isRuby = file.language === "ruby"
  const kinds = isRuby ? ["return"] : ["return_statement", "break_statement", "continue_statement"]
  // The keyword of a Ruby `return` bears its name, too.
  const jump = tree
    .within(attempt.finalNode, ...kinds)
    .find((node) => tree.isNamed(node) && !staysInside(file, tree, node, attempt.finalNode))
  if (jump === undefined || isDeliberate(file, attempt)) return
  emit({
    rule: "overriding_finally",
    start: tree.start(jump),
    end: tree.end(jump),
    message: `This \`${tree.kind(jump).replace("_statement", "")}\` in \`${isRuby ? "ensure" : "finally"}\` discards the pending exception or return value.`
  })
}
