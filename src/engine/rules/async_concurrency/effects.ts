import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { callsWithin } from "../../languages/code/callsWithin.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { excerpt, headSpan } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

const functionKinds = ["arrow_function", "function_expression", "function_declaration"]
/** Words of effects that ignore responses which arrive too late. */
const watches =
  /abort|cancel|ignore|mounted|active|stale|signal|disposed|unmount|current|latest|isSubscribed|requestId|seq\b/i
const setter = /^set[A-Z]\w*$/
const requests =
  /^(?:fetch|axios(?:\.\w+)?|ky(?:\.\w+)?|\w*(?:[aA]pi|[cC]lient|[sS]ervice)\.\w+|(?:fetch|load|get|request|query)[A-Z]\w*)$/

/** A function that the effect returns runs before the next effect. */
const hasCleanup = (tree: FlatTree, effect: number): boolean => {
  for (const node of tree.within(effect, "return_statement")) {
    if (tree.enclosing(node, ...functionKinds) === effect && tree.namedChildren(node).length > 0) return true
  }
  return !tree.is(tree.child(effect, "body"), "statement_block")
}

const names = (tree: FlatTree, list: number): ReadonlyArray<string> =>
  tree
    .namedChildren(list)
    .flatMap((entry) => (tree.is(entry, "identifier", "member_expression") ? [tree.textOf(entry)] : []))

const mentionsAny = (text: string, words: ReadonlyArray<string>): string | null =>
  words.find((word) => {
    const at = text.indexOf(word)
    return at >= 0 && !/[\w$.]/.test(text[at - 1] ?? "") && !/[\w$]/.test(text[at + word.length] ?? "")
  }) ?? null

/** The whole of `request.then(…).then(…).catch(…)`, from its first member expression. */
const chainEnd = (tree: FlatTree, member: number): number => {
  let at = member
  while (tree.is(tree.parent(at), "call_expression", "member_expression")) at = tree.parent(at)
  return at
}

/** State is set in a callback of the request, or after it was awaited. */
const setterAfter = (tree: FlatTree, request: Call, all: ReadonlyArray<Call>, effect: number): Call | null => {
  const parent = tree.parent(request.node)
  const isAwaited = tree.is(parent, "await_expression")
  const isThen = tree.is(parent, "member_expression") && tree.textOf(tree.child(parent, "property")) === "then"
  if (!isAwaited && !isThen) return null
  const holder = tree.enclosing(request.node, ...functionKinds)
  if (isAwaited && holder === effect) return null
  const chain = isThen ? chainEnd(tree, parent) : holder
  const found = all.find((call) => {
    if (!setter.test(call.callee) || tree.start(call.node) < tree.end(request.node) || call.args.length === 0)
      return false
    if (/^(?:true|false|null|undefined|\[\]|"[^"]*"|'[^']*')$/.test(tree.textOf(call.args[0]!))) return false
    if (/^set(?:Is)?(?:Loading|Error|Busy|Pending|Timeout|Interval)/.test(call.callee)) return false
    return tree.contains(chain, call.node)
  })
  return found ?? null
}

const inspectEffect = (file: SourceFile, tree: FlatTree, effect: number, dependencies: number, emit: Emit<RuleId>) => {
  const watched = names(tree, dependencies)
  if (watched.length === 0 || hasCleanup(tree, effect) || watches.test(tree.textOf(effect))) return
  const inside = callsWithin(file, effect)
  for (const request of inside) {
    if (!requests.test(request.callee) || setter.test(request.callee) || request.args.length === 0) continue
    const word = mentionsAny(request.args.map((argument) => tree.textOf(argument)).join(" "), watched)
    const set = word === null ? null : setterAfter(tree, request, inside, effect)
    if (word === null || set === null) continue
    const message = `\`${set.callee}\` receives the response of ${excerpt(tree, request.node)} for every value of \`${word}\`: an older response may arrive last.`
    emit({ rule: "stale_effect_response", ...headSpan(tree, request.node), message, identifiers: [set.callee] })
    return
  }
}

export const inspectEffects = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  if (!file.text.includes("useEffect")) return
  for (const { callee, args } of calls(file)) {
    if (callee !== "useEffect" && callee !== "React.useEffect") continue
    const [effect, dependencies] = args
    if (effect === undefined || dependencies === undefined) continue
    if (!tree.is(effect, ...functionKinds) || !tree.is(dependencies, "array")) continue
    if (tree.child(effect, "body") !== NONE) inspectEffect(file, tree, effect, dependencies, emit)
  }
}
