import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { calls, enclosingFunction, type FunctionInfo, functions } from "../../languages/syntax/vocabulary.ts"
import { excerpt, headSpan, span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { inspectLocks } from "./locks.ts"
import type { RuleId } from "./rules.ts"

const isEventHandler = (tree: FlatTree, { name, parameters, node }: FunctionInfo): boolean => {
  const [first, second] = parameters
  if (parameters.length === 2 && (/Args\b/.test(second?.type ?? "") || /^(?:object|sender)/i.test(first?.type ?? "")))
    return true
  if (parameters.length === 1 && /(?:Args|Event|Message)\b/.test(first?.type ?? "")) return true
  const modifiers = tree.text.slice(tree.start(node), tree.start(node) + 160)
  return (
    /\boverride\b|\[(?:RelayCommand|Fact|Test)/.test(modifiers) ||
    /^On[A-Z]|_\w+$|Handler$|Command\w*$|Execute/.test(name ?? "")
  )
}

const inspectVoids = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const info of functions(file)) {
    if (!info.isAsync || info.name === null || !tree.is(info.node, "method_declaration", "local_function_statement"))
      continue
    const type = tree.child(info.node, tree.child(info.node, "returns") === NONE ? "type" : "returns")
    if (tree.textOf(type) !== "void" || isEventHandler(tree, info)) continue
    const body = tree.namedChildren(info.body)
    if (body.length === 1 && tree.is(body[0]!, "try_statement")) continue
    const message = `\`${info.name}\` cannot be awaited, and an exception in it ends the process.`
    emit({ rule: "async_void", ...headSpan(tree, info.node), message, identifiers: [info.name] })
  }
}

const asyncCall = /(?:^|\.)(?:\w+Async|Task\.Run)(?:<[^<>]{0,80}>)?$/
const settled = /\bawait\s+(?:Task\.)?WhenAll\b|\bIsCompleted/

const blockingAt = (tree: FlatTree, node: number): number => {
  const name = tree.textOf(tree.child(node, "name"))
  if (!/^(?:Result|Wait|GetAwaiter)$/.test(name)) return NONE
  const value = tree.child(node, "expression")
  if (!tree.is(value, "invocation_expression")) return NONE
  if (name === "GetAwaiter" && !tree.text.startsWith("().GetResult()", tree.end(node))) return NONE
  if (name === "Wait" && !tree.is(tree.parent(node), "invocation_expression")) return NONE
  return asyncCall.test(tree.textOf(tree.child(value, "function")).replace(/\s+/g, "")) ? value : NONE
}

const inspectBlocking = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("member_access_expression")) {
    const value = blockingAt(tree, node)
    if (value === NONE) continue
    const holder = enclosingFunction(file, node)
    if (holder === null || !holder.isAsync || settled.test(tree.textOf(holder.node))) continue
    const message = `${excerpt(tree, value)} blocks the thread inside an async method; use \`await\`.`
    emit({ rule: "blocking_in_async", ...span(tree, node), message })
  }
  for (const { node, callee } of calls(file)) {
    if (!/^(?:System\.Threading\.)?Thread\.Sleep$/.test(callee)) continue
    if (enclosingFunction(file, node)?.isAsync !== true) continue
    const message = "`Thread.Sleep` blocks the thread inside an async method; use `await Task.Delay`."
    emit({ rule: "blocking_in_async", ...span(tree, node), message })
  }
}

const inspectLockSubjects = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("lock_statement")) {
    const subject = tree.namedChildren(node)[0] ?? NONE
    const what = tree.is(subject, "string_literal", "verbatim_string_literal")
      ? "a literal, which is shared by all code that locks the same text"
      : tree.is(subject, "object_creation_expression", "implicit_object_creation_expression")
        ? "an object created here, which no other code can lock"
        : null
    if (what === null) continue
    emit({ rule: "lock_guards_nothing", ...headSpan(tree, node), message: `${excerpt(tree, subject)} is ${what}.` })
  }
}

export const inspectCsharp = (file: SourceFile, emit: Emit<RuleId>): void => {
  const hasAsync = /\basync\b/.test(file.text)
  const hasLocks = file.text.includes("Monitor.Enter") || file.text.includes("lock")
  if (!hasAsync && !hasLocks) return
  const tree = file.tree
  if (tree === null) return
  if (hasAsync) {
    inspectVoids(file, tree, emit)
    inspectBlocking(file, tree, emit)
  }
  if (hasLocks) {
    inspectLocks(file, emit)
    inspectLockSubjects(tree, emit)
  }
}
