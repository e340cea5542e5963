import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { assert } from "@effect/vitest"

const folder = new URL("../snapshots/", import.meta.url)
const writing = process.env.ASSAY_SNAPSHOTS === "write"

/**
 * Compares with the committed file; `ASSAY_SNAPSHOTS=write` (`npm run snapshots`) rewrites it. `guard` sees the old and
 * the new text first and may object: then the file is not even rewritten, unless it is deleted by hand.
 */
export const matchesSnapshot = (
  name: string,
  text: string,
  guard: (before: string, after: string) => void = () => {}
) => {
  const file = new URL(name, folder)
  if (existsSync(file)) guard(readFileSync(file, "utf8"), text)
  if (writing) return writeFileSync(file, text)
  assert.isTrue(existsSync(file), `${name} is missing: npm run snapshots`)
  assert.strictEqual(text, readFileSync(file, "utf8"), `${name} has changed: npm run snapshots, and review the diff`)
}

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

const isObject = (u: Json | undefined): u is { readonly [key: string]: Json } =>
  typeof u === "object" && u !== null && !Array.isArray(u)

// Words for people may be put better; everything else is part of the contract.
const prose = new Set(["description", "summary", "title", "example", "instructions"])

// A property of such a name is a schema, and no prose.
const isProse = (key: string, value: Json): boolean =>
  key === "example" || (key === "examples" ? Array.isArray(value) : prose.has(key) && typeof value === "string")

/**
 * What a client of the old contract would miss in the new one: anything that is gone or means something else. Lists of
 * names (enums, alternatives) may grow; where `required` grows or limits narrow, calls that were valid would be rejected.
 */
export const removals = (before: Json, after: Json | undefined, path = "$"): ReadonlyArray<string> => {
  if (after === undefined) return [`${path} is gone`]
  if (isObject(before)) {
    if (!isObject(after)) return [`${path} has another type`]
    return Object.entries(before).flatMap(([key, value]) =>
      isProse(key, value) || (key === "enum" && allows(after, value))
        ? []
        : removals(value, after[key], `${path}.${key}`)
    )
  }
  if (Array.isArray(before)) {
    if (!Array.isArray(after)) return [`${path} has another type`]
    const kept = new Set(after.map(identity))
    const lost = before.filter((item) => !kept.has(identity(item))).map((item) => `${path} lost ${identity(item)}`)
    const nested = before.flatMap((item) => {
      const counterpart = after.find((other) => identity(other) === identity(item))
      return isObject(item) && counterpart !== undefined
        ? removals(item, counterpart, `${path}[${identity(item)}]`)
        : []
    })
    return [...lost, ...nested]
  }
  return before === after ? [] : [`${path} was ${JSON.stringify(before)}, is ${JSON.stringify(after)}`]
}

/** Whether a schema without a list of words has a pattern that each of these words matches. */
const allows = ({ enum: words, pattern }: { readonly [key: string]: Json }, known: Json): boolean =>
  words === undefined &&
  typeof pattern === "string" &&
  Array.isArray(known) &&
  known.every((word) => new RegExp(pattern).test(String(word)))

// Members of a list are known by name where they have one.
const identity = (item: Json): string =>
  isObject(item) && typeof item.name === "string" ? item.name : JSON.stringify(item)

/**
 * A document's operations with every reference followed, so that moving a part into a component changes nothing; of
 * errors only the codes count, and of the rest not the prose, which would make alternatives differ.
 */
export const contractOf = (document: Json): Json => {
  if (!isObject(document)) return document
  const follow = (value: Json | undefined, path: ReadonlyArray<string>, seen: ReadonlyArray<string>): Json => {
    if (Array.isArray(value)) return value.map((item) => follow(item, path, seen))
    if (!isObject(value)) return value ?? null
    if (typeof value.$ref === "string") {
      if (seen.includes(value.$ref)) return { again: value.$ref }
      return follow(at(document, value.$ref), path, [...seen, value.$ref])
    }
    if (path.at(-2) === "responses" && /^[45]/.test(path.at(-1) ?? "")) return { codes: codesIn(value) }
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, part]) => !isProse(key, part) && !(isResponse(path) && isClosing(key, part)))
        .map(([key, part]) => [key, follow(part, [...path, key], seen)])
    )
  }
  return follow(document.paths, [], [])
}

const isResponse = (path: ReadonlyArray<string>) => path.includes("responses")

// Clients tolerate unknown fields of every response: one that opens is no change to them.
const isClosing = (key: string, value: Json): boolean => key === "additionalProperties" && value === false

const at = (document: Json, pointer: string): Json | undefined =>
  pointer
    .split("/")
    .slice(1)
    .reduce<Json | undefined>((value, key) => (isObject(value) ? value[key] : undefined), document)

const codesIn = (value: Json): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(codesIn)
  if (!isObject(value)) return []
  const { code } = value
  const own = isObject(code) && Array.isArray(code.enum) ? code.enum.map(String) : []
  return [...own, ...Object.values(value).flatMap(codesIn)]
}

/** New names among the required ones of requests: calls of existing clients would be rejected. */
export const newDemands = (before: Json, after: Json | undefined, path = "$"): ReadonlyArray<string> => {
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.flatMap((item) =>
      newDemands(
        item,
        after.find((other) => identity(other) === identity(item)),
        `${path}[${identity(item)}]`
      )
    )
  }
  if (!isObject(before) || !isObject(after)) return []
  const known = Array.isArray(before.required) ? before.required : []
  const required = Array.isArray(after.required) && isObject(after.properties) ? after.required : []
  const added = isObject(before.properties) ? required.filter((name) => !known.includes(name)) : []
  return [
    ...added.map((name) => `${path} now requires ${name}`),
    ...Object.entries(before).flatMap(([key, value]) => newDemands(value, after[key], `${path}.${key}`))
  ]
}
