import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, lowerBound, NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

/** `unwrap` after `lock`: only locks of the standard library can be poisoned. */
const guardMaker = /\.(?:lock|read|write)\(\)\s*\.(?:unwrap\(\)|expect\("[^"\n]{0,120}"\))$/

const functionLike = ["function_item", "closure_expression", "async_block"]

const isInAsync = (file: SourceFile, tree: FlatTree, node: number): boolean => {
  const around = tree.enclosing(node, ...functionLike)
  if (tree.is(around, "async_block")) return true
  return tree.is(around, "function_item") && enclosingFunction(file, node)?.isAsync === true
}

const inspectGuards = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("let_declaration")) {
    const value = tree.child(node, "value")
    const name = tree.textOf(tree.child(node, "pattern")).replace(/^mut\s+/, "")
    if (value === NONE || !/^[a-z_]\w*$/.test(name) || name === "_") continue
    if (!guardMaker.test(tree.text.slice(Math.max(tree.start(value), tree.end(value) - 200), tree.end(value)))) continue
    if (!isInAsync(file, tree, node)) continue
    const block = tree.parent(node)
    const around = tree.enclosing(node, ...functionLike)
    const awaits = tree.within(block, "await_expression")
    const after = awaits.subarray(lowerBound(awaits, tree.lastDescendant(node) + 1))
    const awaited = after.find((other) => tree.enclosing(other, ...functionLike) === around)
    if (awaited === undefined) continue
    const between = tree.text.slice(tree.end(node), tree.start(awaited))
    if (new RegExp(`\\bdrop\\s*\\(\\s*${name}\\s*\\)|\\blet\\s+${name}\\b`).test(between)) continue
    emit({
      rule: "guard_across_await",
      ...span(tree, node),
      message: `\`${name}\` holds the lock of ${excerpt(tree, value)} while ${excerpt(tree, awaited)} is awaited.`,
      identifiers: [name],
      steps: [{ ...span(tree, awaited), note: "This is awaited with the lock held." }]
    })
  }
}

const startsServing =
  /\b(?:HttpServer|Server)::(?:new|bind)\b|\baxum::serve\b|\.(?:serve|listen|run_until_ctrl_c|launch)\(/

/** Before a program begins to serve, no other task waits. */
const isBeforeServing = (tree: FlatTree, node: number): boolean => {
  const around = tree.enclosing(node, "function_item")
  if (around === NONE) return false
  const before = tree.text.slice(tree.start(around), tree.start(node))
  return !startsServing.test(before) && startsServing.test(tree.text.slice(tree.end(node), tree.end(around)))
}

const inspectSleeps = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const { node, callee } of calls(file)) {
    if (!/^(?:std::)?thread::sleep$/.test(callee) || !isInAsync(file, tree, node) || isBeforeServing(tree, node))
      continue
    const message = `\`${callee}\` blocks the thread of the runtime and every task on it; await the \`sleep\` of the runtime.`
    emit({ rule: "blocking_in_async", ...span(tree, node), message })
  }
}

export const inspectRust = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (!/\basync\b/.test(file.text)) return
  const hasGuards = /\.(?:lock|read|write)\(\)/.test(file.text)
  const hasSleeps = file.text.includes("thread::sleep")
  const tree = hasGuards || hasSleeps ? file.tree : null
  if (tree === null) return
  if (hasGuards) inspectGuards(file, tree, emit)
  if (hasSleeps) inspectSleeps(file, tree, emit)
}
