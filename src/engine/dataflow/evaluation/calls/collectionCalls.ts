import {
  appendElements,
  clearElements,
  disorder,
  elementAt,
  elementsOf,
  followElements,
  insertElement,
  removeElement,
  removeEqual,
  writeElement
} from "../../values/elements.ts"
import type { Scope } from "../../values/Scope.ts"
import { blend, type Constant, Contents, collection, unknown, type Value, withoutConstant } from "../../values/Value.ts"
import type { EvaluatedCall } from "../EvaluatedCall.ts"
import type { Run } from "../Run.ts"

const appending = /^(?:append|add|push|Add|addLast|AddLast|offer|offerLast|Enqueue|Push|Append)$/
const prepending = /^(?:unshift|appendleft|addFirst|offerFirst|AddFirst|prepend)$/
const putting = /^(?:put|set|Set|store|setdefault|putIfAbsent|TryAdd)$/
const takingLast = /^(?:pop|removeLast|pollLast|Pop|RemoveLast)$/
const takingFirst = /^(?:shift|popleft|removeFirst|pollFirst|poll|Dequeue|RemoveFirst)$/
const removing = /^(?:remove|delete|Remove|RemoveAt|discard|delete_at|removeAt)$/
const moving =
  /^(?:sort|reverse|Sort|Reverse|rotate|splice|fill|copyWithin|shuffle|removeIf|retainAll|removeAll|RemoveAll|replaceAll|popitem)$/
const reading =
  /^(?:get|at|getOrDefault|ElementAt|elementAt|GetValueOrDefault|getFirst|getLast|peek|First|Last|first|last)$/

interface Change {
  readonly run: Run
  readonly scope: Scope
  readonly receiver: Value
  readonly at: EvaluatedCall
}

const isNumber = ({ at: { args } }: Change): boolean => typeof args[0]?.constant === "number"

/** `list.add(1, x)`, `list.insert(0, x)`; `map.put("a", x)`, `list.set(1, x)`, `dictionary.Add("a", x)`. */
const twoArguments = (change: Change, method: string): boolean => {
  const { scope, receiver, at } = change
  const [key, value] = at.args
  if (key === undefined || value === undefined) return false
  if (/^(?:insert|Insert)$/.test(method) || (method === "add" && (isNumber(change) || key.type === "number"))) {
    insertElement(scope, receiver, key.constant, value)
    return true
  }
  if (!putting.test(method) && method !== "Add") return false
  const isDefault = /^(?:setdefault|putIfAbsent|TryAdd)$/.test(method)
  writeElement(scope, receiver, isDefault ? undefined : key.constant, value)
  return true
}

const oneArgument = ({ scope, receiver, at, run }: Change, method: string): boolean => {
  const { args } = at
  if (appending.test(method))
    appendElements(scope, receiver, run.file.language === "javascript" ? args : args.slice(-1))
  else if (prepending.test(method)) for (const arg of args) insertElement(scope, receiver, 0, arg)
  else return false
  return true
}

/** What a removal answers: undefined when that is not known, null when the method removes nothing. */
const removal = ({ scope, receiver, at, run }: Change, method: string): Value | undefined | null => {
  const { args } = at
  const key = args[0]?.constant
  if (takingFirst.test(method) && args.length === 0) return removeElement(scope, receiver, 0)
  if (takingLast.test(method) && args.length === 0) return removeElement(scope, receiver, -1)
  if (args.length === 0 || (method !== "pop" && !removing.test(method))) return null
  const isByValue = method === "discard" || (/^(?:remove|Remove)$/.test(method) && !isPosition(run, method, key))
  return isByValue && isListed(scope, receiver)
    ? removedByValue(scope, receiver, key)
    : removeElement(scope, receiver, key)
}

/** Java's lists take a position where they are given a number. */
const isPosition = (run: Run, method: string, key: Constant | undefined): boolean =>
  run.file.language === "java" && method === "remove" && typeof key === "number"

const removedByValue = (scope: Scope, receiver: Value, key: Constant | undefined): Value => {
  if (key === undefined) removeElement(scope, receiver, undefined)
  else removeEqual(scope, receiver, key)
  return unknown()
}

const isListed = (scope: Scope, { fields }: Value): boolean =>
  fields instanceof Contents && scope.elementsOf(fields)?.isList !== false

/** A method that writes to a collection whose elements are followed, or reads one of them; null for all others. */
export const collectionCall = (run: Run, scope: Scope, at: EvaluatedCall): Value | null => {
  const { receiver, call, args } = at
  if (!(receiver?.fields instanceof Contents)) return null
  const { method } = call
  const change: Change = { run, scope, receiver, at }
  if (args.length === 2 && twoArguments(change, method)) return receiver
  if (args.length >= 1 && oneArgument(change, method)) return receiver
  if (/^(?:clear|Clear)$/.test(method) && args.length === 0) {
    clearElements(scope, receiver)
    return unknown()
  }
  const before = elementAt(scope, receiver, undefined)
  const taken = removal(change, method)
  if (taken !== null) return withoutConstant(taken ?? before ?? elementsOf(receiver))
  if (moving.test(method)) disorder(receiver)
  return reading.test(method) ? read(scope, receiver, method, args) : null
}

const read = (scope: Scope, receiver: Value, method: string, args: ReadonlyArray<Value>): Value | null => {
  const key = /^(?:getLast|Last|last)$/.test(method) ? -1 : args.length === 0 ? 0 : args[0]!.constant
  const found = elementAt(scope, receiver, key)
  return found === undefined ? null : withoutConstant(found)
}

const listClass =
  /^(?:ArrayList|LinkedList|Vector|ArrayDeque|Stack|CopyOnWriteArrayList|List|Queue|list|collections\.deque)$/
const mapClass =
  /^(?:HashMap|LinkedHashMap|TreeMap|ConcurrentHashMap|Hashtable|Properties|Dictionary|SortedDictionary|ConcurrentDictionary|dict|Map|collections\.OrderedDict)$/
const listFactory =
  /^(?:java\.util\.)?(?:List\.of|Arrays\.asList)$|^(?:com\.google\.common\.collect\.)?(?:ImmutableList\.of|Lists\.newArrayList)$/
const mapFactory = /^(?:java\.util\.)?Map\.of$|^(?:com\.google\.common\.collect\.)?ImmutableMap\.of$/

/** Go's append answers a list of its own; what it is given may be one with it. */
const appended = (scope: Scope, [list, ...items]: ReadonlyArray<Value>): Value => {
  if (list?.fields === null || list === undefined) return blend([...(list === undefined ? [] : [list]), ...items])
  appendElements(scope, list, items)
  return list
}

const isMade = (run: Run, { call, args, named }: EvaluatedCall): boolean =>
  run.file.language === "python"
    ? !call.isNew && args.length === 0 && named.size === 0
    : call.isNew && args.every(isSize)

/** An empty list or map, or one of the elements given: followed from here on. Null for calls that make none. */
export const newCollection = (run: Run, scope: Scope, at: EvaluatedCall): Value | null => {
  const { path, args } = at
  const { language } = run.file
  if (language === "go" && path === "append") return appended(scope, args)
  if (isMade(run, at)) {
    const name = path.replace(/^java\.util\.(?:concurrent\.)?|^System\.Collections\.Generic\./, "").replace(/<.*$/, "")
    if (listClass.test(name)) return followElements(scope, collection(), true)
    if (mapClass.test(name)) return followElements(scope, collection(), false)
  }
  if (language !== "java") return null
  if (listFactory.test(path)) {
    return followElements(scope, filled(args.map((arg, i) => [String(i), arg] as const)), true)
  }
  return mapFactory.test(path) ? followElements(scope, filled(pairsOf(args)), false) : null
}

/** Keys and values that follow each other. */
const pairsOf = (args: ReadonlyArray<Value>): ReadonlyArray<readonly [string, Value]> =>
  args.flatMap((key, i): ReadonlyArray<readonly [string, Value]> => {
    const value = args[i + 1]
    return i % 2 === 1 || value === undefined ? [] : [[typeof key.constant === "string" ? key.constant : "*", value]]
  })

const isSize = ({ type, constant }: Value): boolean => type === "number" || typeof constant === "number"

const filled = (items: ReadonlyArray<readonly [string, Value]>): Value => {
  const value = collection()
  for (const [name, item] of items) value.fields!.set(name, item)
  return value
}
