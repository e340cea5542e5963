import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { declaredType } from "../../languages/code/declaredTypes.ts"
import { calls } from "../../languages/syntax/vocabulary.ts"
import { excerpt, headSpan, span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { inspectLocks } from "./locks.ts"
import type { RuleId } from "./rules.ts"

const boxed = /^(?:Integer|Long|Short|Byte|Boolean|Character|Double|Float)$/

interface Field {
  readonly node: number
  readonly type: string
  readonly isVolatile: boolean
  readonly value: number
}

const computeFields = (file: SourceFile): ReadonlyMap<string, Field> => {
  const tree = file.tree!
  const found = new Map<string, Field>()
  for (const node of tree.of("field_declaration")) {
    const isVolatile = /\bvolatile\b/.test(tree.textOf(tree.childOfKind(node, "modifiers")))
    const type = tree.textOf(tree.child(node, "type"))
    for (const declarator of tree.childrenOfField(node, "declarator")) {
      const name = tree.textOf(tree.child(declarator, "name"))
      found.set(name, { node, type, isVolatile, value: tree.child(declarator, "value") })
    }
  }
  return found
}
const fieldsOf = (file: SourceFile) => file.memo(computeFields, computeFields)

const wrongLock = (file: SourceFile, tree: FlatTree, subject: number): string | null => {
  if (tree.is(subject, "string_literal")) return "a literal, which is shared by all code that locks the same text"
  if (tree.is(subject, "object_creation_expression")) return "an object created here, which no other code can lock"
  if (!tree.is(subject, "identifier", "field_access")) return null
  const name = tree.textOf(subject).replace(/^this\./, "")
  const field = fieldsOf(file).get(name)
  if (field === undefined || declaredType(file, name) !== field.type) return null
  if (boxed.test(field.type) && !tree.is(field.value, "object_creation_expression")) {
    return `a \`${field.type}\`, whose small values are shared, and which is another object after each assignment`
  }
  return field.type === "String" && tree.is(field.value, "string_literal")
    ? "a string literal, which is shared by all code that locks the same text"
    : null
}

const ownerOf = (tree: FlatTree, node: number): number =>
  tree.enclosing(node, "class_declaration", "enum_declaration", "record_declaration")

/** Fields assigned under a lock after two null checks, the first of them without the lock. */
const inspectSynchronized = (file: SourceFile, tree: FlatTree, node: number, emit: Emit<RuleId>): void => {
  const subject = tree.namedChildren(tree.childOfKind(node, "parenthesized_expression"))[0] ?? NONE
  const wrong = wrongLock(file, tree, subject)
  if (wrong !== null) {
    emit({ rule: "lock_guards_nothing", ...headSpan(tree, node), message: `${excerpt(tree, subject)} is ${wrong}.` })
  }
  const outer = tree.enclosing(node, "if_statement", "method_declaration", "lambda_expression")
  const name = nullTested(tree, outer)
  if (name === null) return
  const field = fieldsOf(file).get(name)
  if (field === undefined || field.isVolatile || field.type === "String") return
  if (tree.enclosing(node, "method_declaration") === NONE || declaredType(file, name) !== field.type) return
  const again = tree.within(tree.child(node, "body"), "if_statement").find((inner) => nullTested(tree, inner) === name)
  if (again === undefined || ownerOf(tree, field.node) !== ownerOf(tree, node)) return
  const isSet = tree
    .within(again, "assignment_expression")
    .some((set) => tree.textOf(tree.child(set, "left")).replace(/^this\.|^[A-Z]\w*\./, "") === name)
  if (!isSet) return
  emit({
    rule: "double_checked_locking",
    ...headSpan(tree, outer),
    message: `\`${name}\` is read here without the lock and is not \`volatile\`: another thread may see it before it is complete.`,
    identifiers: [name],
    steps: [{ ...headSpan(tree, field.node), note: "The field is declared without `volatile`." }]
  })
}

const nullTested = (tree: FlatTree, statement: number): string | null => {
  if (!tree.is(statement, "if_statement")) return null
  const condition = tree.textOf(tree.child(statement, "condition")).slice(0, 120)
  const match = /^\(\s*(?:(?:this|[A-Z]\w*)\.)?(\w+)\s*==\s*null\s*\)$|^\(\s*null\s*==\s*(?:this\.)?(\w+)\s*\)$/.exec(
    condition
  )
  return match === null ? null : (match[1] ?? match[2] ?? null)
}

/** Threads that wait for the end of the program: their work is done on the spot when that comes earlier. */
const shutdownHooks = (file: SourceFile, tree: FlatTree): ReadonlySet<string> =>
  new Set(
    calls(file).flatMap(({ method, args }) => (/ShutdownHook$/.test(method) ? args.map((arg) => tree.textOf(arg)) : []))
  )

const decisionAt = (tree: FlatTree, node: number): number => {
  const around = tree.enclosing(node, "if_statement", "method_declaration", "lambda_expression")
  return tree.is(around, "if_statement") ? around : NONE
}

/** Conditions by which threads are started, each with the thread's name. */
const startedBy = (file: SourceFile, tree: FlatTree): ReadonlySet<string> =>
  new Set(
    calls(file).flatMap(({ node, method, receiver }) =>
      method === "start" && receiver !== null ? [`${decisionAt(tree, node)} ${receiver}`] : []
    )
  )

const inspectThreads = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  const hooks = shutdownHooks(file, tree)
  const started = startedBy(file, tree)
  for (const { node, method, receiver, receiverNode, args } of calls(file)) {
    if (method !== "run" || receiver === null || args.length > 0) continue
    const inner = tree.is(receiverNode, "parenthesized_expression")
      ? tree.namedChildren(receiverNode)[0]!
      : receiverNode
    const isNew = tree.is(inner, "object_creation_expression") && tree.textOf(tree.child(inner, "type")) === "Thread"
    const isDeclared = tree.is(inner, "identifier") && declaredType(file, receiver) === "Thread"
    if ((!isNew && !isDeclared) || hooks.has(receiver)) continue
    const decision = decisionAt(tree, node)
    // `if (later) worker.start(); else worker.run();`: where it runs is decided on purpose.
    if (decision !== NONE && started.has(`${decision} ${receiver}`)) continue
    const message = `${excerpt(tree, node)} does the work in the calling thread; no other thread is started.`
    emit({ rule: "thread_run_directly", ...span(tree, node), message })
  }
}

export const inspectJava = (file: SourceFile, emit: Emit<RuleId>): void => {
  const hasSynchronized = file.text.includes("synchronized")
  const hasThreads = file.text.includes("Thread") && file.text.includes(".run()")
  const hasLocks = file.text.includes(".lock()")
  if (!hasSynchronized && !hasThreads && !hasLocks) return
  const tree = file.tree
  if (tree === null) return
  if (hasLocks) inspectLocks(file, emit)
  if (hasThreads) inspectThreads(file, tree, emit)
  if (hasSynchronized) for (const node of tree.of("synchronized_statement")) inspectSynchronized(file, tree, node, emit)
}
