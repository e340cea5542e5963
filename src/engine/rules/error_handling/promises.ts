import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { functions } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { functionKinds } from "../../structure/components.ts"
import { hasReason, isCommented } from "./comments.ts"
import type { RuleId } from "./rules.ts"

const emptyFunction =
  /\.catch\(\s*(?:async\s+)?(?:(?:\(\s*[\w$]{0,40}(?:\s*:\s*\w{1,40})?\s*\)|[\w$]{1,40})\s*=>|function\s*[\w$]{0,40}\(\s*[\w$]{0,40}\s*\))\s*\{\s*\}\s*\)/y

/** Work whose failure needs no action: ending, warming up, playing, counting. */
const unimportant =
  /^(?:play|pause|load|cancel\w*|abort|close\w*|destroy\w*|dispose\w*|disconnect\w*|unlink\w*|rm|rmdir|remove\w*|kill\w*|stop\w*|release\w*|prefetch\w*|preload\w*|track\w*|push|replace|navigate\w*|warm\w*|unsubscribe|end\w*|terminate|clean\w*|ping|quit|exit\w*|request(?:Fullscreen|PictureInPicture)|exitFullscreen|unregister|clear\w*|lock|unlock|wait\w*|share|vibrate|report\w*|log\w*|notify\w*|debug|register|reset\w*|shutdown\w*|leave\w*|revoke\w*|import|mkdir|access|stat|goto|return|shutdown)$/

const lastMethod = (tree: FlatTree, call: number): string => {
  const callee = tree.child(call, "function")
  return tree.is(callee, "member_expression") ? tree.textOf(tree.child(callee, "property")) : tree.textOf(callee)
}

/** The call at the beginning of a chain of `then` and `finally`. */
const startOfChain = (tree: FlatTree, call: number): number => {
  let at = call
  while (tree.is(at, "call_expression") && /^(?:then|finally|catch)$/.test(lastMethod(tree, at))) {
    at = tree.child(tree.child(at, "function"), "object")
  }
  return at
}

/** The call whose arguments hold the first function after an offset, if it ends where the match does. */
const callOf = (tree: FlatTree, at: number, end: number): number => {
  const functions = tree.of("arrow_function", "function_expression")
  let low = 0
  let high = functions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (tree.start(functions[middle]!) < at) low = middle + 1
    else high = middle
  }
  const call = low < functions.length ? tree.parent(tree.parent(functions[low]!)) : NONE
  return tree.is(call, "call_expression") && tree.end(call) === end ? call : NONE
}

const isStatement = (tree: FlatTree, node: number): boolean => {
  let parent = tree.parent(node)
  while (tree.is(parent, "await_expression", "unary_expression", "parenthesized_expression"))
    parent = tree.parent(parent)
  return tree.is(parent, "expression_statement")
}

/** End of an empty `.catch(…)` that begins at an offset; -1 where its function does something. */
const emptyCatchEnd = (text: string, at: number): number => {
  emptyFunction.lastIndex = at
  const found = emptyFunction.exec(text)
  return found === null ? -1 : at + found[0].length
}

/** `Promise.resolve(value).catch(() => {})` starts nothing: it marks a promise that is of no use here. */
const isSilencedValue = (file: SourceFile, call: number): boolean =>
  /^Promise\.resolve\(\s*[\w$.]+\s*\)$/.test(file.tree!.textOf(call).slice(0, 200))

/** Names of the functions of a file whose body is one `try` that handles what fails. */
const computeHandling = (file: SourceFile): ReadonlySet<string | null> =>
  new Set(functions(file).flatMap(({ name, body }) => (isOneTry(file.tree!, body) ? [name] : [])))

/** A function of the same file handles what fails in it. */
const handlesItsOwn = (file: SourceFile, name: string): boolean => file.memo(computeHandling, computeHandling).has(name)

const isOneTry = (tree: FlatTree, body: number): boolean => {
  const statements = tree.namedChildren(body).filter((node) => !tree.is(node, "comment"))
  const last = statements.at(-1) ?? NONE
  return (
    tree.is(last, "try_statement") &&
    tree.child(last, "handler") !== NONE &&
    statements.slice(0, -1).every((node) => tree.is(node, "lexical_declaration", "variable_declaration"))
  )
}

const inspectRejection = (file: SourceFile, tree: FlatTree, at: number, end: number, emit: Emit<RuleId>): void => {
  const call = callOf(tree, at, end)
  if (call === NONE || !isStatement(tree, call)) return
  // `pending.catch(() => {})` marks a promise that is awaited elsewhere.
  const start = startOfChain(tree, call)
  if (!tree.is(start, "call_expression") || unimportant.test(lastMethod(tree, start))) return
  if (isSilencedValue(file, start) || handlesItsOwn(file, lastMethod(tree, start))) return
  if (isCommented(file, at, end) || hasReason(file, tree.start(call), tree.start(call), end)) return
  const name = lastMethod(tree, start).slice(0, 60)
  emit({
    rule: "swallowed_rejection",
    start: at + 1,
    end,
    message: `Every failure of \`${name}\` is caught and discarded.`,
    identifiers: [name]
  })
}

const inspectRejections = (file: SourceFile, emit: Emit<RuleId>): void => {
  const { text } = file
  for (let at = text.indexOf(".catch("); at >= 0; at = text.indexOf(".catch(", at + 7)) {
    const end = emptyCatchEnd(text, at)
    const tree = end < 0 ? null : file.tree
    if (tree !== null) inspectRejection(file, tree, at, end, emit)
  }
}

/** Caught by the same function, where nothing reads what was thrown: it is a jump to the handler. */
const isJump = (tree: FlatTree, node: number): boolean => {
  const attempt = tree.enclosing(node, "try_statement", ...functionKinds)
  const handler = tree.is(attempt, "try_statement") ? tree.child(attempt, "handler") : NONE
  if (handler === NONE || !tree.contains(tree.child(attempt, "body"), node)) return false
  const name = tree.textOf(tree.child(handler, "parameter"))
  const body = tree.textOf(tree.child(handler, "body"))
  return (
    name === "" ||
    (/^[\w$]+$/.test(name) && !new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(body))
  )
}

const inspectThrows = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree
  if (tree === null) return
  for (const node of tree.of("throw_statement")) {
    let value = tree.namedChildren(node)[0] ?? NONE
    while (tree.is(value, "binary_expression", "parenthesized_expression")) {
      const isSum = tree.is(value, "parenthesized_expression") || tree.textOf(tree.child(value, "operator")) === "+"
      value = isSum ? (tree.namedChildren(value)[0] ?? NONE) : NONE
    }
    if (!tree.is(value, "string", "template_string") || isJump(tree, node)) continue
    emit({
      rule: "thrown_text",
      start: tree.start(node),
      end: tree.end(node),
      message: `${tree.textOf(value).slice(0, 80)} is thrown as a plain string, without a stack.`
    })
  }
}

export const inspectPromises = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (file.text.includes(".catch(")) inspectRejections(file, emit)
  if (/\bthrow\s+[("'`]/.test(file.text)) inspectThrows(file, emit)
}
