import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { callsWithin } from "../../languages/code/callsWithin.ts"
import { type Call, calls, functions } from "../../languages/syntax/vocabulary.ts"
import { excerpt, headSpan } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

const functionKinds = ["arrow_function", "function_expression", "function_declaration", "method_definition"]

/** The call that removes it again; null when nothing is left behind. */
export const undoOf = ({ callee, method, receiver, args }: Call, text: string): string | null => {
  if (/^(?:window\.|globalThis\.)?setInterval$/.test(callee)) return "clearInterval"
  const isGlobal = receiver !== null && /^(?:window|document|globalThis|document\.body)$/.test(receiver)
  if (!isGlobal || method !== "addEventListener" || args.length < 2) return null
  return /\bonce\s*:\s*true|\bsignal\b/.test(text) ? null : "removeEventListener"
}

const returnsCleanup = (tree: FlatTree, effect: number): boolean => {
  for (const node of tree.within(effect, "return_statement")) {
    if (tree.enclosing(node, ...functionKinds) === effect && tree.namedChildren(node).length > 0) return true
  }
  return false
}

const report = (tree: FlatTree, call: Call, undo: string, emit: Emit<RuleId>): void => {
  const subject = undo === "clearInterval" ? "interval" : "listener"
  const message = `The ${subject} of ${excerpt(tree, call.node)} is not removed when the component unmounts; \`${undo}\` is missing.`
  emit({ rule: "effect_never_cleaned", ...headSpan(tree, call.node), message })
}

const inspectEffect = (file: SourceFile, tree: FlatTree, effect: number, emit: Emit<RuleId>): void => {
  if (!tree.is(tree.child(effect, "body"), "statement_block") || returnsCleanup(tree, effect)) return
  for (const call of callsWithin(file, effect)) {
    // In a handler inside the effect it runs when the handler is called, not on mounting.
    if (tree.enclosing(call.node, ...functionKinds) !== effect) continue
    const undo = undoOf(call, tree.textOf(call.node))
    if (undo !== null && !tree.textOf(effect).includes(undo)) report(tree, call, undo, emit)
  }
}

const inspectMounts = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const { name, node } of functions(file)) {
    if (name !== "componentDidMount") continue
    const owner = tree.enclosing(node, "class_declaration", "class")
    if (owner === NONE || !/\bextends\s+(?:React\.)?(?:Pure)?Component\b/.test(tree.textOf(owner).slice(0, 300)))
      continue
    const text = tree.textOf(owner)
    for (const call of callsWithin(file, node)) {
      const undo = tree.enclosing(call.node, ...functionKinds) === node ? undoOf(call, tree.textOf(call.node)) : null
      if (undo !== null && !text.includes(undo)) report(tree, call, undo, emit)
    }
  }
}

export const inspectEffects = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (!/\bsetInterval\b|\baddEventListener\b/.test(file.text)) return
  const hasEffects = file.text.includes("useEffect") || file.text.includes("useLayoutEffect")
  const hasMounts = file.text.includes("componentDidMount")
  const tree = hasEffects || hasMounts ? file.tree : null
  if (tree === null) return
  if (hasMounts) inspectMounts(file, tree, emit)
  for (const { callee, args } of calls(file)) {
    if (!/^(?:React\.)?use(?:Layout)?Effect$/.test(callee) || args[0] === undefined) continue
    if (tree.is(args[0], "arrow_function", "function_expression")) inspectEffect(file, tree, args[0], emit)
  }
}
