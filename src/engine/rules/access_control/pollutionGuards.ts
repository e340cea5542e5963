import { escape as escapeRegExp } from "effect/RegExp"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { callsWithin } from "../../languages/code/callsWithin.ts"
import { assignments, functions } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { comparesLists } from "./listKeys.ts"
import { namesOfObject, type PropertyWrite } from "./propertyWrites.ts"

/** Checks of a key that are imported, by their names. */
const checkName =
  /proto(?!col|type(?:\.|$)|typeOf)|pollut|(?:un|in)?safe|danger|forbid|forbidden|disallow|blacklist|blocklist|denylist|banned|reserved|special|poison|isValidKey|validateKey|isPlainKey|validKey|assertKey/i

/** What a comment names is no check. */
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<![:"'`\\])\/\/[^\n]*/g, " ")

/** A function that only asks `hasOwnProperty` is no longer than this. */
const MAX_WRAPPER = 250

/** Names that a file gives to `hasOwnProperty`: `const has = Object.prototype.hasOwnProperty.call.bind(…)`. */
const computeOwnNames = (file: SourceFile): ReadonlyArray<string> => {
  const tree = file.tree!
  const bound = assignments(file).flatMap(({ name, value }) =>
    value !== NONE && /^[\w$.{}()]*hasOwn[\w$.()]*$/.test(tree.textOf(value).slice(0, 120)) ? [name] : []
  )
  const wrappers = functions(file).flatMap(({ name, node }) => {
    const text = tree.end(node) - tree.start(node) > MAX_WRAPPER ? "" : tree.textOf(node)
    return name !== null && /return\b[^;]*hasOwn|=>[^;]*hasOwn/.test(text) ? [name.split(".").at(-1)!] : []
  })
  return [...new Set([...bound, ...wrappers])]
    .filter((name) => /^[\w$]+$/.test(name))
    .map((name) => name.replace(/\$/g, "\\$"))
    .slice(0, 8)
}

/** `flag && !hasOwn(object, key)`: without the flag the key is followed unchecked. */
const conditional = /(?<![\w$.])([\w$.]+)\s*&&\s*!\s*[\w$.]*(?:\.call)?\(\s*([\w$.]+)/g

/** Own properties only: a check of the object that is written, whatever it is called at that moment, for a key that varies. */
const checksOwn = (file: SourceFile, given: string, object: string): boolean => {
  const text = given.replace(conditional, (whole, flag: string, target: string) => (flag === target ? whole : " "))
  const name = escapeRegExp(object)
  const names = ["hasOwn\\w*", ...file.memo(computeOwnNames, computeOwnNames)].join("|")
  return new RegExp(
    `(?<![\\w$])(?:${names})(?:\\.call)?\\(\\s*${name}\\s*,(?!\\s*["'\`])|` +
      `(?<![\\w$])${name}\\.hasOwnProperty\\((?!\\s*["'\`])|` +
      `Object\\.(?:getOwnPropertyNames|keys)\\(\\s*${name}\\s*\\)\\s*\\.(?:indexOf|includes)\\(`
  ).test(text)
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
    for (const name of new Set(Array.from(text.matchAll(/(?<![\w$]|(?<!\bthis)\.)([\w$]+)\(/g), (call) => call[1]!))) {
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

const protectedKeys = /__proto__|constructor|prototype/

const withoutOwn = (text: string): string => text.replace(/hasOwnProperty|Object\.prototype\.\w+/g, "")

/** A function of the file says itself whether it checks keys, whatever its name promises. */
const isCheck = (file: SourceFile, callee: string): boolean => {
  const name = callee.split(".").at(-1)!
  const isOfFile = file.memo(computeNames, computeNames).has(name)
  if (!isOfFile) return true
  const text = withoutComments(file.memo(computeDefinitions, computeDefinitions).get(name) ?? "")
  const calls = text.match(/[\w$]+(?=\()/g) ?? []
  return protectedKeys.test(withoutOwn(text)) || calls.some((called) => called !== name && checkName.test(called))
}

const computeNames = (file: SourceFile): ReadonlySet<string> =>
  new Set(functions(file).flatMap(({ name }) => name?.split(".").at(-1) ?? []))

const isCheckedElsewhere = (file: SourceFile, { region }: PropertyWrite): boolean =>
  callsWithin(file, region.info.node).some(
    ({ callee, args }) =>
      args.length > 0 && checkName.test(callee) && !/hasOwnProperty|safeGet$/.test(callee) && isCheck(file, callee)
  )

const hasNoPrototype = (text: string): boolean => /Object\.create\(\s*null\s*\)|__proto__\s*:\s*null/.test(text)

/** Names mean something only where they are: an own property of `object` in a helper is one of another object. */
const isGuarded = (
  file: SourceFile,
  write: PropertyWrite,
  text: string,
  callers: ReadonlyArray<string> = []
): boolean => {
  if (hasNoPrototype(text) || isCheckedElsewhere(file, write)) return true
  const own = withoutComments([write.region.text, ...callers].join("\n"))
  return namesOfObject(file, write).some((name) => checksOwn(file, own, name) || skipsInherited(own, name))
}

/** `const inherited = Object.getPrototypeOf(target)` and `key in inherited`: what the prototype has is left out. */
const skipsInherited = (text: string, object: string): boolean => {
  const name = escapeRegExp(object)
  const inherited = new RegExp(`([\\w$]+)\\s*=\\s*Object\\.getPrototypeOf\\(\\s*${name}\\s*\\)`).exec(text)?.[1]
  return inherited !== undefined && new RegExp(`\\bin\\s+${escapeRegExp(inherited)}\\b`).test(text)
}

/** A check of the key at one position of a path only. */
const firstOnly = /[\w$]+\[\d\]\s*[!=]==?\s*["'`](?:__proto__|constructor|prototype)["'`]/g

const functionsToo = /typeof\s+[\w$.]+\s*===?\s*["'`]function|\(\w+\)\s*===?\s*["'`]function["'`]/

/** Tests of well-known packages for objects to merge that functions pass as well. */
const countsFunctions = /require\(\s*["'`]is-extendable["'`]|from\s+["'`]is-extendable["'`]/

/** `constructor` is a function: a merge that goes into functions reaches the prototype through it. */
const entersFunctions = (file: SourceFile, { region }: PropertyWrite): boolean => {
  const names = new Set(region.text.match(/(?<![\w$.])is\w+(?=\()/gi) ?? [])
  if (names.size === 0) return false
  if (countsFunctions.test(file.text.slice(0, 20_000))) return true
  return functions(file).some(
    ({ name, node }) =>
      name !== null && names.has(name) && functionsToo.test(file.tree!.textOf(node).slice(0, MAX_DEFINITION))
  )
}

/** `key.slice(0, 2) === "__"`: keys that start like `__proto__`. */
const prefix = /\.(?:slice|substr|substring)\(\s*0\s*,\s*2\s*\)\s*[!=]==?\s*["'`]__["'`]|\.startsWith\(\s*["'`]__["'`]/g

const withPrefixes = (text: string): string => text.replace(prefix, '$& "__proto__"')

/** A merge is stopped by a check for `__proto__`, which is the key that a parsed document can hold. */
export const guardsKeys = (file: SourceFile, write: PropertyWrite): boolean => {
  // What a caller checks is the first level only, and a merge goes deeper.
  const text = withPrefixes(withoutComments(guardText(file, write, [])))
  if (/__proto__/.test(text)) return namesConstructor(text) || !entersFunctions(file, write)
  return isGuarded(file, write, text)
}

const namesConstructor = (text: string): boolean => /constructor|prototype/.test(withoutOwn(text))

const objectsOnly = (text: string): boolean =>
  /typeof\s+[\w$.[\]]+\s*[!=]==?\s*["'`]object["'`]|\[object Object\]|isPlainObj/.test(text) &&
  !/typeof\s+[\w$.[\]]+\s*[!=]==?\s*["'`]function["'`]/.test(text)

/** The steps go into objects only, and `constructor` is a function; the test may be a function of the file. */
const entersObjectsOnly = (file: SourceFile, { text }: PropertyWrite["region"]): boolean => {
  if (objectsOnly(text)) return true
  const names = new Set(text.match(/(?<![\w$.])isObj\w*(?=\()/gi) ?? [])
  return functions(file).some(
    ({ name, node }) =>
      name !== null && names.has(name) && objectsOnly(file.tree!.textOf(node).slice(0, MAX_DEFINITION))
  )
}

/** A path also reaches the prototype through `constructor` and `prototype`. */
export const guardsPaths = (file: SourceFile, write: PropertyWrite): boolean => {
  const callers = callersText(file, write)
  const text = withPrefixes(withoutComments(guardText(file, write, callers))).replace(firstOnly, " ")
  const rejects = /__proto__/.test(text) && (namesConstructor(text) || entersObjectsOnly(file, write.region))
  return rejects || /Object\.prototype\b(?!\.)|getPrototypeOf/.test(text) || isGuarded(file, write, text, callers)
}

/** Keys are rejected by comparisons alone, and a path may come as a list of lists. */
export const isPassedByLists = (file: SourceFile, write: PropertyWrite): boolean => {
  const text = withoutComments(guardText(file, write, callersText(file, write)))
  const isOtherwiseSafe = hasNoPrototype(text) || /Object\.prototype\b(?!\.)|getPrototypeOf|hasOwn/.test(text)
  return !isOtherwiseSafe && comparesLists(file, write, text)
}

/** The function, or what it uses of the file, knows the key `__proto__` or defines properties without it. */
export const namesProto = (file: SourceFile, write: PropertyWrite): boolean =>
  /__proto__|defineProperty\(/.test(withoutComments(guardText(file, write, callersText(file, write))))
