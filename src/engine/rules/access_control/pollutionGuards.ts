import type { SourceFile } from "../../core/files/SourceFile.ts"
import { callsWithin } from "../../languages/code/callsWithin.ts"
import { assignments, functions } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { PropertyWrite } from "./propertyWrites.ts"

/** Checks of a key that are imported, by their names. */
const checkName =
  /proto(?!col|type(?:\.|$)|typeOf)|pollut|(?:un|in)?safe|danger|forbid|forbidden|disallow|blacklist|blocklist|denylist|banned|reserved|special|poison|isValidKey|validateKey|isPlainKey|validKey|assertKey/i

const own = /hasOwn/

/** Own properties only: a check of the object that is written, whatever it is called at that moment. */
const checksOwn = (text: string, object: string): boolean => {
  if (!own.test(text)) return false
  const name = object.replace(/[^\w]/g, "\\$&")
  return new RegExp(`hasOwn\\w*(?:\\.call)?\\(\\s*${name}\\s*,|(?<![\\w$])${name}\\.hasOwnProperty\\(`).test(text)
}

const MAX_DEFINITION = 3_000

const computeDefinitions = (file: SourceFile): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const tree = file.tree!
  const add = (name: string, node: number): void => {
    const text = tree.textOf(node).slice(0, MAX_DEFINITION)
    if (
      /__proto__|["'`]constructor["'`]|["'`]prototype["'`]|Object\.prototype\b(?!\.)/.test(text) ||
      checkName.test(text)
    )
      found.set(name, `${found.get(name) ?? ""} ${text}`)
  }
  for (const { name, node } of functions(file)) if (name !== null) add(name.split(".").at(-1)!, node)
  for (const { name, value } of assignments(file))
    if (value !== NONE && tree.is(value, "array", "regex", "new_expression", "string", "call_expression", "object"))
      add(name, value)
  return withThoseThatCall(file, found)
}

/** Functions that call a check, such as the one that splits a path and then asks whether its parts are valid. */
const withThoseThatCall = (file: SourceFile, checks: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const found = new Map(checks)
  if (checks.size === 0) return found
  for (const { name, node } of functions(file)) {
    const last = name?.split(".").at(-1)
    if (last === undefined || found.has(last)) continue
    const text = file.tree!.textOf(node).slice(0, MAX_DEFINITION)
    if ((text.match(/[\w$]+/g) ?? []).some((word) => checks.has(word))) found.set(last, text)
  }
  return found
}

const MAX_CALLERS = 3
/** Functions around the called one call it too, as it were: of so many, more than a few are callers. */
const MAX_NAMED_CALLERS = 20

interface Caller {
  readonly node: number
  readonly text: string
}

/** By a name, the functions of the file whose text calls it. */
const computeCallers = (file: SourceFile): ReadonlyMap<string, ReadonlyArray<Caller>> => {
  const found = new Map<string, Array<Caller>>()
  for (const { node } of functions(file)) {
    const text = file.tree!.textOf(node).slice(0, MAX_DEFINITION)
    for (const name of new Set(Array.from(text.matchAll(/(?<![\w$.])([\w$]+)\(/g), (call) => call[1]!))) {
      const callers = found.get(name)
      if (callers === undefined) found.set(name, [{ node, text }])
      else callers.push({ node, text })
    }
  }
  return found
}

/** Functions of the file that alone call this one: what they check of a path, it need not check again. */
const callersText = (file: SourceFile, { region }: PropertyWrite): ReadonlyArray<string> => {
  const name = region.info.name?.split(".").at(-1)
  if (name === undefined || region.info.exported) return []
  const named = file.memo(computeCallers, computeCallers).get(name) ?? []
  if (named.length > MAX_NAMED_CALLERS) return []
  const callers = named.filter(({ node, text }) => node !== region.info.node && !text.includes(region.text))
  return callers.length <= MAX_CALLERS ? callers.map(({ text }) => text) : []
}

/** The function's own text and that of what it uses of the same file, as far as it is about the keys in question. */
const guardText = (file: SourceFile, write: PropertyWrite, callers: ReadonlyArray<string>): string => {
  const { region } = write
  const definitions = file.memo(computeDefinitions, computeDefinitions)
  if (definitions.size === 0) return region.text
  const parts = [region.text, ...callers]
  const taken = new Set([region.info.name?.split(".").at(-1) ?? ""])
  // A check may be in a helper of a helper: the one that splits the path, for example.
  for (let round = 0; round < 3; round++) {
    const used = new Set(parts.join("\n").match(/[\w$]+/g) ?? [])
    for (const [name, text] of definitions) {
      if (taken.has(name) || !used.has(name)) continue
      taken.add(name)
      parts.push(text)
    }
  }
  return parts.join("\n")
}

const isCheckedElsewhere = (file: SourceFile, { region }: PropertyWrite): boolean =>
  callsWithin(file, region.info.node).some(
    ({ callee, args }) => args.length > 0 && checkName.test(callee) && !/hasOwnProperty|safeGet$/.test(callee)
  )

const hasNoPrototype = (text: string): boolean => /Object\.create\(\s*null\s*\)|__proto__\s*:\s*null/.test(text)

const isGuarded = (file: SourceFile, write: PropertyWrite, text: string): boolean =>
  hasNoPrototype(text) ||
  isCheckedElsewhere(file, write) ||
  checksOwn(text, file.tree!.textOf(write.object).slice(0, 80))

/** A merge is stopped by a check for `__proto__`, which is the key that a parsed document can hold. */
export const guardsKeys = (file: SourceFile, write: PropertyWrite): boolean => {
  // What a caller checks is the first level only, and a merge goes deeper.
  const text = guardText(file, write, [])
  return /__proto__/.test(text) || isGuarded(file, write, text)
}

/** A path also reaches the prototype through `constructor` and `prototype`. */
export const guardsPaths = (file: SourceFile, write: PropertyWrite): boolean => {
  const text = guardText(file, write, callersText(file, write))
  const rejectsBoth =
    /__proto__/.test(text) && /constructor|prototype/.test(text.replace(/hasOwnProperty|Object\.prototype\.\w+/g, ""))
  return rejectsBoth || /Object\.prototype\b(?!\.)|getPrototypeOf/.test(text) || isGuarded(file, write, text)
}
