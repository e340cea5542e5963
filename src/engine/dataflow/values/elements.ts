import type { Scope } from "./Scope.ts"
import { type Constant, Contents, type Elements, join, SPREAD, unknown, type Value } from "./Value.ts"

/**
 * Elements of lists and maps that one path of control knows exactly. A collection gains elements for good
 * (`Value.fields`), since several names and paths may hold it; what a path knows beyond that (order, removals, keys
 * written again) is kept beside its variables, and forgotten as soon as anything else writes to the collection.
 */
export const elementName = (key: Constant | undefined): string | null =>
  typeof key === "string" && /^[\w$.:/ -]{1,80}$/.test(key)
    ? key
    : typeof key === "number" && Number.isInteger(key)
      ? String(key)
      : null

const known = (scope: Scope, value: Value): Elements | undefined =>
  value.fields instanceof Contents ? scope.elementsOf(value.fields) : undefined

/** Begin to follow a collection that was just made, when all it holds has a name or a position. */
export const followElements = (scope: Scope, made: Value, isList: boolean): Value => {
  const { fields } = made
  if (fields instanceof Contents && !fields.has("*") && !fields.has(SPREAD))
    scope.holdElements(fields, isList, new Map(fields))
  return made
}

/** An element by key or position: undefined when this path does not know all elements. */
export const elementAt = (scope: Scope, holder: Value, key: Constant | undefined): Value | undefined => {
  const elements = known(scope, holder)
  if (elements === undefined) return undefined
  const name = elementName(key)
  if (name === null) return elements.items.size === 0 ? unknown() : [...elements.items.values()].reduce(join)
  if (!elements.isList) return elements.items.get(name) ?? unknown()
  const position = Number(name)
  return elements.items.get(position < 0 ? String(elements.items.size + position) : name) ?? unknown()
}

/** All elements of a collection joined, as far as this path knows; undefined when it does not. */
export const anyElement = (scope: Scope, holder: Value): Value | undefined =>
  known(scope, holder) === undefined ? undefined : elementAt(scope, holder, undefined)

/** The collection with the elements that this path knows, for those who only read it. */
export const exactView = (scope: Scope, value: Value): Value => {
  const elements = known(scope, value)
  return elements === undefined ? value : { ...value, fields: new Map(elements.items) }
}

/** Note what a collection holds after a write that `change` makes; the write itself is already counted. */
const noteAfter = (
  scope: Scope,
  holder: Value,
  before: Elements | undefined,
  items: ReadonlyMap<string, Value> | null
) => {
  if (before !== undefined && items !== null && holder.fields instanceof Contents) {
    scope.holdElements(holder.fields, before.isList, items)
  }
}

const gain = (holder: Value, name: string, value: Value): void => {
  holder.fields ??= new Contents()
  if (holder.fields instanceof Contents) holder.fields.version++
  const there = holder.fields.get(name)
  holder.fields.set(name, there === undefined || there === value ? value : join(there, value))
}

const listOf = (items: ReadonlyArray<Value>): ReadonlyMap<string, Value> =>
  new Map(items.map((item, i) => [String(i), item] as const))

/** `m[key] = value`, `map.put(key, value)`, `list.set(i, value)`. */
export const writeElement = (scope: Scope, holder: Value, key: Constant | undefined, value: Value): void => {
  const before = known(scope, holder)
  const name = elementName(key)
  gain(holder, name ?? "*", value)
  if (name === null || before === undefined) return
  const isOutside = before.isList && !before.items.has(name)
  noteAfter(scope, holder, before, isOutside ? null : new Map(before.items).set(name, value))
}

/** Positions no longer say which element stands there: each may be any. */
const shift = (holder: Value): void => {
  const all = [...(holder.fields?.values() ?? [])]
  for (const value of all) gain(holder, "*", value)
}

export const insertElement = (scope: Scope, holder: Value, at: Constant | undefined, value: Value): void => {
  const before = known(scope, holder)
  shift(holder)
  gain(holder, "*", value)
  if (before?.isList !== true || typeof at !== "number") return
  const items = [...before.items.values()]
  items.splice(at, 0, value)
  noteAfter(scope, holder, before, listOf(items))
}

export const appendElements = (scope: Scope, holder: Value, values: ReadonlyArray<Value>): void => {
  const before = known(scope, holder)
  for (const value of values) gain(holder, "*", value)
  if (before?.isList !== true) return
  noteAfter(scope, holder, before, listOf([...before.items.values(), ...values]))
}

/** Take one element out, by position (negative ones count from the end) or by key; answers what it was. */
export const removeElement = (scope: Scope, holder: Value, key: Constant | undefined): Value | undefined => {
  const before = known(scope, holder)
  const taken = elementAt(scope, holder, key)
  if (before?.isList !== false) shift(holder)
  else if (holder.fields instanceof Contents) holder.fields.version++
  const name = elementName(key)
  if (before === undefined || name === null) return taken
  if (!before.isList) {
    const left = new Map(before.items)
    left.delete(name)
    noteAfter(scope, holder, before, left)
    return taken
  }
  const items = [...before.items.values()]
  items.splice(Number(name), 1)
  noteAfter(scope, holder, before, listOf(items))
  return taken
}

/** Take out the first element that equals a constant. */
export const removeEqual = (scope: Scope, holder: Value, constant: Constant): void => {
  const items = [...(known(scope, holder)?.items.values() ?? [])]
  const at = items.findIndex((item) => item.constant === undefined || item.constant === constant)
  const found = items[at]
  removeElement(scope, holder, found?.constant === undefined ? undefined : at)
}

export const clearElements = (scope: Scope, holder: Value): void => {
  const before = known(scope, holder)
  if (holder.fields instanceof Contents) holder.fields.version++
  noteAfter(scope, holder, before, new Map())
}

/** A method that moves elements in ways that are not followed: sorted, reversed, filled. */
export const disorder = (holder: Value): void => shift(holder)

/** Whatever a collection may hold, joined; a value that is no collection stands for its elements. */
export const elementsOf = (value: Value): Value =>
  value.fields === null || value.fields.size === 0 ? value : [...value.fields.values()].reduce(join)
