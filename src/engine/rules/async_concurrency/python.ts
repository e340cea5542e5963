import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { asyncNames, isOwnMethod } from "../../languages/code/asyncFunctions.ts"
import { qualifiedName } from "../../languages/code/qualifiedName.ts"
import { type Call, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { excerpt, headSpan, span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { inspectLocks } from "./locks.ts"
import type { RuleId } from "./rules.ts"

const blocking = new Map<RegExp, string>([
  [/^time\.sleep$/, "use `await asyncio.sleep(…)`"],
  [
    /^requests\.(?:get|post|put|patch|delete|head|options|request)$/,
    "use an asynchronous client, or `asyncio.to_thread`"
  ],
  [/^urllib\.request(?:\.request)?\.(?:urlopen|urlretrieve)$/, "use an asynchronous client, or `asyncio.to_thread`"],
  [/^subprocess\.(?:run|call|check_call|check_output)$/, "use `asyncio.create_subprocess_exec`"],
  [/^os\.system$/, "use `asyncio.create_subprocess_exec`"]
])
const roots = /\btime\b|\brequests\b|\burllib\b|\bsubprocess\b|\bos\.system/
const awaitables = /^asyncio\.(?:sleep|wait_for|gather|wait|open_connection|start_server)$/

/** `await asyncio.to_thread(time.sleep, 1)` names it without calling it; a nested plain function is called elsewhere. */
const inspectBlocking = (file: SourceFile, tree: FlatTree, call: Call, name: string, emit: Emit<RuleId>): void => {
  for (const [pattern, advice] of blocking) {
    if (!pattern.test(name) || enclosingFunction(file, call.node)?.isAsync !== true) continue
    const message = `\`${call.callee}\` blocks the event loop until it returns; ${advice}.`
    emit({ rule: "blocking_in_async", ...span(tree, call.node), message })
  }
}

/** Libraries that run on threads or loops of their own, where the usual names mean something else. */
const otherLoops = /^\s*(?:from|import)\s+(?:curio|trio|gevent|eventlet)\b/m

const inspectCoroutine = (
  file: SourceFile,
  tree: FlatTree,
  call: Call,
  names: ReadonlySet<string>,
  name: string,
  emit: Emit<RuleId>
): void => {
  if (!tree.is(tree.parent(call.node), "expression_statement")) return
  const isOwn =
    names.has(call.callee) && (!call.callee.startsWith("self.") || isOwnMethod(file, call.node, call.callee.slice(5)))
  const isKnown = awaitables.test(name) && enclosingFunction(file, call.node)?.isAsync === true
  // `gather` and `wait` of tasks start only work that already runs.
  if (!isOwn && !(isKnown && /sleep|wait_for/.test(name))) return
  const message = `${excerpt(tree, call.node)} only creates a coroutine; without \`await\` it never runs.`
  emit({ rule: "coroutine_never_awaited", ...span(tree, call.node), message, identifiers: [call.method] })
}

const inspectOwnLocks = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  if (!/with\s+(?:threading\.|multiprocessing\.|asyncio\.)?R?Lock\(\)/.test(file.text)) return
  for (const node of tree.of("with_item")) {
    const value = tree.child(node, "value")
    if (!/^(?:(?:threading|multiprocessing|asyncio)\.)?R?Lock\(\)$/.test(tree.textOf(value))) continue
    if (!tree.is(value, "call") || value === NONE) continue
    const message = `${excerpt(tree, value)} creates another lock each time, which no other code can hold.`
    emit({ rule: "lock_guards_nothing", ...headSpan(tree, value), message })
  }
}

export const inspectPython = (file: SourceFile, emit: Emit<RuleId>): void => {
  const hasAsync = /\basync def\b/.test(file.text)
  const hasLocks = file.text.includes(".acquire(")
  if (!hasAsync && !hasLocks && !file.text.includes("Lock()")) return
  const tree = file.tree
  if (tree === null) return
  if (hasLocks) inspectLocks(file, emit)
  inspectOwnLocks(file, tree, emit)
  if (!hasAsync) return
  const names = asyncNames(file)
  const mayBlock = roots.test(file.text) && !otherLoops.test(file.text)
  if (!mayBlock && names.size === 0 && !file.text.includes("asyncio")) return
  for (const call of calls(file)) {
    const name = qualifiedName(file, call)
    if (mayBlock) inspectBlocking(file, tree, call, name, emit)
    inspectCoroutine(file, tree, call, names, name, emit)
  }
}
