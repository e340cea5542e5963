import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { asyncNames, isOwnMethod } from "../../languages/code/asyncFunctions.ts"
import { type Call, calls, enclosingFunction, type FunctionInfo, functions } from "../../languages/syntax/vocabulary.ts"
import { excerpt, headSpan, span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { inspectEffects } from "./effects.ts"
import { type ExpressFacts, expressFacts } from "./express.ts"
import type { RuleId } from "./rules.ts"

const isFunction = (tree: FlatTree, node: number | undefined): node is number =>
  node !== undefined && tree.is(node, "arrow_function", "function_expression")

const isAsync = (tree: FlatTree, node: number): boolean => tree.is(tree.firstChild(node), "async")

/** The only statement of a body is a `try` that catches: its failures are handled. */
export const isGuarded = (tree: FlatTree, body: number): boolean => {
  const statements = tree.namedChildren(body)
  return (
    tree.is(body, "statement_block") &&
    statements.length === 1 &&
    tree.is(statements[0]!, "try_statement") &&
    tree.childOfKind(statements[0]!, "catch_clause") !== NONE
  )
}

/** Inside of the block of a `try` that catches. */
const isCaught = (tree: FlatTree, node: number, top: number): boolean => {
  let inner = node
  for (let at = tree.parent(node); at !== top && at !== NONE; at = tree.parent(at)) {
    const catches = tree.is(at, "try_statement") && tree.childOfKind(at, "catch_clause") !== NONE
    if (catches && tree.child(at, "body") === inner) return true
    inner = at
  }
  return false
}

const inspectExecutor = (tree: FlatTree, { args }: Call, emit: Emit<RuleId>): void => {
  const executor = args[0]
  if (!isFunction(tree, executor) || !isAsync(tree, executor)) return
  const body = tree.child(executor, "body")
  const [thrown] = tree.within(executor, "await_expression").filter((node) => !isCaught(tree, node, executor))
  if (isGuarded(tree, body) || thrown === undefined) return
  emit({
    rule: "async_executor",
    ...headSpan(tree, tree.parent(tree.parent(executor))),
    message: `What ${excerpt(tree, thrown)} throws in this executor never settles the promise.`
  })
}

const predicates = /^(?:filter|some|every|find|findIndex|findLast)$/
const callbackMethod = /^(?:forEach|filter|some|every|find|findIndex|findLast)$/
const plainArray = /(?:^|\.)(?:\w*[a-z]s|list|\w+List|\w+Array|arr)$|\.(?:map|filter|slice|sort|keys|values|entries)\(/

const inspectCallback = (tree: FlatTree, call: Call, emit: Emit<RuleId>): void => {
  const { args, method, receiver, node } = call
  const callback = args[0]
  if (receiver === null || args.length > 2 || !isFunction(tree, callback) || !isAsync(tree, callback)) return
  // Libraries (`Effect.filter`, `Bluebird.filter`) and database cursors wait for the callback.
  if (/^[A-Z]\w*$/.test(receiver) || /\.(?:find|aggregate|cursor|stream)\(/.test(receiver)) return
  if (tree.within(callback, "await_expression").length === 0) return
  const parent = tree.parent(node)
  const isAwaited = tree.is(parent, "await_expression", "return_statement") || isChained(tree, parent)
  if (isAwaited && !(plainArray.test(receiver) && !isChained(tree, parent))) return
  const isPredicate = predicates.test(method)
  if (isPredicate && isAwaited) return
  const message = isPredicate
    ? `\`${method}\` uses the promise of its async callback as the result, which is always true.`
    : `\`${method}\` does not wait for its async callback: later code runs before ${excerpt(tree, tree.within(callback, "await_expression")[0]!)} is done.`
  const isIndependent = !isPredicate && (isGuarded(tree, tree.child(callback, "body")) || isLast(tree, node))
  emit({
    rule: isIndependent ? "async_callback_unawaited" : "async_callback_ignored",
    ...headSpan(tree, node),
    message
  })
}

/** No code of the function follows, so none runs too early. */
const isLast = (tree: FlatTree, node: number): boolean => {
  const holder = tree.enclosing(
    node,
    "function_declaration",
    "method_definition",
    "arrow_function",
    "function_expression"
  )
  return holder !== NONE && /^[\s;)}\]]*$/.test(tree.text.slice(tree.end(node), tree.end(holder)))
}

const isChained = (tree: FlatTree, parent: number): boolean =>
  tree.is(parent, "member_expression") && /^(?:then|catch|finally)$/.test(tree.textOf(tree.child(parent, "property")))

/** Whether the body of an async function can reject at all: an `await` that no `try` around it catches. */
const canReject = (tree: FlatTree, { body }: FunctionInfo): boolean =>
  body !== NONE && !isGuarded(tree, body) && tree.within(body, "await_expression").length > 0

const inspectFloating = (
  file: SourceFile,
  tree: FlatTree,
  call: Call,
  names: ReadonlySet<string>,
  emit: Emit<RuleId>
): void => {
  const { node, callee } = call
  if (!names.has(callee) || !tree.is(tree.parent(node), "expression_statement")) return
  const name = callee.replace(/^this\./, "")
  if (callee !== name && !isOwnMethod(file, node, name)) return
  const holder = enclosingFunction(file, node)
  // A function that is not async cannot await; it can only start the work.
  if (holder === null || !holder.isAsync || tree.is(holder.body, "call_expression")) return
  const isOneOfMany = tree.within(holder.body, "await_expression").length > 0
  const target = functions(file).find((info) => info.name === name && info.isAsync)
  if (!isOneOfMany || target === undefined || !canReject(tree, target)) return
  // Work that never ends, or that starts itself again, is not awaited.
  if (target.node === holder.node || /loop|poll|forever|watch|listen|schedul|background|start|tick/i.test(name)) return
  const message = `\`${callee}\` is async, and here its promise is neither awaited nor caught, although ${holder.name === null ? "this function" : `\`${holder.name}\``} awaits other work.`
  emit({ rule: "floating_promise", ...span(tree, node), message, identifiers: [name] })
}

export const inspectJavaScript = (file: SourceFile, emit: Emit<RuleId>): ExpressFacts | undefined => {
  if (!file.text.includes("async") && !file.text.includes("useEffect")) return undefined
  const tree = file.tree
  if (tree === null) return undefined
  const names = file.text.includes("async") ? asyncNames(file) : new Set<string>()
  for (const call of calls(file)) {
    if (call.isNew) {
      if (call.callee === "Promise") inspectExecutor(tree, call, emit)
    } else if (callbackMethod.test(call.method)) inspectCallback(tree, call, emit)
    if (names.size > 0 && names.has(call.callee)) inspectFloating(file, tree, call, names, emit)
  }
  inspectEffects(file, tree, emit)
  return expressFacts(file, tree)
}
