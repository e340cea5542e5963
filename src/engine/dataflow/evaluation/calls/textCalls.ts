import type { Call } from "../../../languages/syntax/Syntax.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { elementsOf } from "../../values/elements.ts"
import { formatBraces, formatPercent } from "../../values/formats.ts"
import type { Scope } from "../../values/Scope.ts"
import {
  blend,
  collection,
  concat,
  deepTaintsOf,
  GAP,
  isLiteral,
  isTainted,
  join,
  literal,
  mapTaints,
  PATH,
  unknown,
  type Value,
  withType
} from "../../values/Value.ts"
import { addField, isPath, write } from "../binding.ts"
import type { EvaluatedCall } from "../EvaluatedCall.ts"
import { type Run, roleOf } from "../Run.ts"

export const formatted = (run: Run, { call, receiver, path, args, named }: EvaluatedCall): Value => {
  if (
    receiver !== null &&
    /^(?:format|formatted|format_map)$/.test(call.method) &&
    !/^(?:String|java\.lang\.String|pg-format|util)/.test(path)
  ) {
    if (run.file.language === "java") return formatPercent(receiver, args)
    const map = call.method === "format_map" ? args[0]?.fields : null
    return formatBraces(receiver, args, map ?? named)
  }
  const [template, ...values] = args
  if (template === undefined) return unknown()
  if (run.file.language === "csharp") return formatBraces(template, values, named)
  return formatPercent(template, values, /^(?:pg-format|format$)/.test(path) ? /[LI]$/ : null)
}

export const build = (run: Run, scope: Scope, call: Call, receiver: Value, args: ReadonlyArray<Value>): Value => {
  const isEmpty = receiver.fields === null && !isTainted(receiver) && receiver.text === "\u0001"
  const start = isEmpty ? literal("") : receiver
  const value = args.length === 1 ? args[0]! : blend(args)
  const result = withType(concat(start, call.method === "insert" ? (args[1] ?? value) : value), receiver.type)
  let target = call.receiverNode
  // `sb.append(a).append(b)` writes to sb.
  while (roleOf(run, target) === "call") target = run.syntax.callAt(run.tree, target)?.receiverNode ?? NONE
  if (target !== NONE && isPath(run.tree.textOf(target))) write(run, scope, target, result)
  return result
}

export const add = (receiver: Value, args: ReadonlyArray<Value>): Value => {
  const value = args.at(-1)
  if (value !== undefined) for (const arg of args.length > 2 ? args : [value]) addField(receiver, "*", arg)
  return receiver
}

export const joined = ({ receiver, args }: EvaluatedCall): Value => {
  // `", ".join(items)` and `items.join(", ")`, `strings.Join(items, ", ")`, `String.join(", ", items)`.
  const values = [...(receiver === null ? [] : [receiver]), ...args]
  const lists = values.filter((value) => value.fields !== null)
  if (lists.length === 0) return blend(values)
  const elements = lists.flatMap((list) => [...list.fields!.values()])
  if (elements.length === 0) return unknown()
  const loose = values.filter((value) => value.fields === null && isTainted(value))
  const first = elements.reduce(join)
  return loose.length === 0 ? { ...first, type: null, callable: null, fields: null } : blend([first, ...loose])
}

/** Of lists or of texts. */
export const concatenated = (receiver: Value, args: ReadonlyArray<Value>): Value => {
  if (receiver.fields === null) return args.reduce(concat, receiver)
  const all = collection()
  for (const value of [receiver, ...args]) {
    for (const item of value.fields === null ? [value] : value.fields.values()) addField(all, "*", item)
  }
  return all
}

/** `map.get("a")`, `list.pop()`: whatever was put there. */
export const readBack = (receiver: Value, call: Call, args: ReadonlyArray<Value>): Value => {
  const key = args[0]
  const fields = receiver.fields!
  const known = key === undefined || !/^\w+$/.test(key.text) ? undefined : fields.get(key.text)
  if (known !== undefined) return join(known, fields.get("*") ?? known)
  if (deepTaintsOf(receiver).length === 0 || call.method === "toString") return unknown()
  return /^(?:get|pop|shift|at|first|last|values|items|keys|entries|iterator|next|copy|slice|concat|toArray|reverse|setdefault|getOrDefault|toList|stream|poll|peek|remove|collect|toSet|sorted|distinct|limit|skip|boxed|findFirst|findAny|orElse\w*|reduce|ToList|ToArray|ToHashSet|Take|Skip|Distinct|Aggregate|Concat|AsEnumerable|GetValueOrDefault|First|Last|Single\w*|ElementAt\w*|Dequeue|Pop|Peek)$/.test(
    call.method
  )
    ? blend([elementsOf(receiver)])
    : unknown()
}

const MAX_FILLED = 20

/** `page.replace("{{name}}", value)`: a template that is filled with what a stranger sends. Null for others. */
export const filled = ({ call, receiver, args }: EvaluatedCall): Value | null => {
  const [pattern, by] = args
  if (receiver === null || pattern === undefined || by === undefined || !filling.test(call.method)) return null
  const isSent = deepTaintsOf(by).some(({ origin }) => origin.kind === "source")
  if (!isSent || isTainted(receiver) || isTainted(pattern) || by.callable !== null) return null
  const parts = isLiteral(receiver) && isLiteral(pattern) ? receiver.text.split(pattern.text, MAX_FILLED) : []
  if (parts.length < 2) return concat(concat(unknown(), by), unknown())
  return parts.slice(1).reduce((text, part) => concat(concat(text, by), literal(part)), literal(parts[0]!))
}

const filling = /^(?:[rR]eplace|replaceAll|g?sub)$/

const decodes = /^(?:decodeURIComponent|decodeURI|unescape|querystring\.unescape)$/

/** Encoded slashes and dots become real ones, whatever looked at the path before. */
const decoded = (value: Value): Value => mapTaints(value, (taint) => ({ ...taint, safe: taint.safe & ~PATH }))

const together = (path: string, values: ReadonlyArray<Value>): Value => {
  const only = values.filter((value) => value.text !== GAP || value.fields !== null)
  if (only.length === 1 && only[0]!.callable === null) return only[0]!
  return blend(values, path === "promisify" ? (values[0]?.type ?? null) : null)
}

/** What a function makes of its arguments whose result carries what is in them. */
export const carried = (path: string, values: ReadonlyArray<Value>): Value =>
  decodes.test(path) ? decoded(together(path, values)) : together(path, values)
