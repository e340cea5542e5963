import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { assignments, type Call, calls, importedNames } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { functionKinds } from "../../structure/components.ts"
import type { RuleId } from "./rules.ts"

const reading = /^(?:json|text|blob|arrayBuffer|formData)$/
const checksStatus =
  /\.(?:ok|status|statusText)\b|\b(?:ok|status)\s*[,}:]|check\w*\(|handle\w*\(|throw\w*\(|assert\w*\(|\bexpect|validate\w*\(|parse\w*Response/i
const MAX_TEXT = 4_000
const MAX_NEXT = 200

const isFetch = (call: Call): boolean => !call.isNew && /^(?:window\.|globalThis\.|self\.)?fetch$/.test(call.callee)

/** A function of that name in this file belongs to the program, and may well check the status. */
const isOwn = (file: SourceFile): boolean =>
  importedNames(file).has("fetch") ||
  assignments(file).some(({ target }) => target === "fetch" || target === "window.fetch") ||
  /function fetch\b|\bfetch\s*[,}]\s*[^=]{0,40}=|[({,]\s*fetch\s*[,})]/.test(file.text)

const endOfChain = (tree: FlatTree, call: number): number => {
  let at = call
  while (tree.is(tree.parent(at), "member_expression", "call_expression")) at = tree.parent(at)
  return tree.end(at)
}

/** `fetch(…).then((r) => r.json())`: the callback does nothing but read. */
const readsUnjudged = (tree: FlatTree, fetchCall: number): number => {
  const member = tree.parent(fetchCall)
  const call = tree.parent(member)
  if (!tree.is(member, "member_expression") || !tree.is(call, "call_expression")) return NONE
  if (tree.textOf(tree.child(member, "property")) !== "then") return NONE
  const callback = tree.namedChildren(tree.child(call, "arguments"))[0]
  if (callback === undefined || !tree.is(callback, "arrow_function")) return NONE
  const name =
    tree.textOf(tree.child(callback, "parameter")) || tree.textOf(tree.child(callback, "parameters")).slice(1, -1)
  const body = tree.textOf(tree.child(callback, "body")).slice(0, 80)
  // A server that says in the answer itself what went wrong is asked there.
  if (
    /["']errors?["'] in |\.errors?\b|\bError\(\s*\w+\.\w+|\b(?:if|&&|\|\|)\s*\(?!\w+\.\w+\)\s*(?:throw|return \w+\(new )/.test(
      tree.text.slice(tree.end(call), endOfChain(tree, call)).slice(0, MAX_NEXT)
    )
  )
    return NONE
  return /^\w+$/.test(name) && body.startsWith(`${name}.`) && reading.test(/^\w+\.(\w+)\(\)$/.exec(body)?.[1] ?? "")
    ? callback
    : NONE
}

/** The answer itself says whether the server did what it was asked for, and is asked. */
const asksAnswer =
  /(?:if\s*\(|&&|\|\||[!?]|return)\s*!?\s*\w+\??\.(?:success|succeeded|ok|errors?|code|error_code|errno)\b/

/** `const r = await fetch(…)` … `await r.json()`, and nothing in the function asks `r` whether it went well. */
const readsAwaited = (tree: FlatTree, fetchCall: number): number => {
  const waiting = tree.parent(fetchCall)
  const declarator = tree.parent(waiting)
  if (!tree.is(waiting, "await_expression") || !tree.is(declarator, "variable_declarator")) return NONE
  const target = tree.child(declarator, "name")
  const scope = tree.enclosing(fetchCall, ...functionKinds, "program")
  if (!tree.is(target, "identifier")) return NONE
  const name = tree.textOf(target)
  const from = tree.end(declarator)
  const rest = tree.text.slice(from, Math.min(tree.end(scope), from + MAX_TEXT))
  const read = rest.indexOf(`${name}.`)
  const method =
    read < 0 ? "" : (/^(\w+)\(/.exec(rest.slice(read + name.length + 1, read + name.length + 20))?.[1] ?? "")
  if (!reading.test(method) || checksStatus.test(rest.slice(0, read + 200))) return NONE
  if (method === "json" && asksAnswer.test(rest.slice(read, read + MAX_NEXT))) return NONE
  // Given away before or after it is read: its receiver may check.
  return new RegExp(`[(,]\\s*${name}\\s*[,)]`).test(rest) ? NONE : declarator
}

export const inspectRequests = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  if (!file.text.includes("fetch(") || isOwn(file)) return
  const tree = file.tree!
  for (const call of calls(file)) {
    if (!isFetch(call)) continue
    const chained = readsUnjudged(tree, call.node)
    const awaited = chained === NONE ? readsAwaited(tree, call.node) : NONE
    if (chained === NONE && awaited === NONE) continue
    emit({
      rule: "response_not_checked",
      start: tree.start(call.node),
      end: tree.end(call.node),
      message: "What comes back is read without a look at `ok`: an error page of the server is taken for the answer."
    })
  }
}
