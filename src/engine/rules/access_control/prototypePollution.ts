import { escape as escapeRegExp } from "effect/RegExp"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { isEntryPoint } from "../../dataflow/entryPoints.ts"
import { callsWithin } from "../../languages/code/callsWithin.ts"
import { unwrap } from "../../languages/syntax/strings.ts"
import type { FunctionInfo } from "../../languages/syntax/vocabulary.ts"
import { span } from "../../languages/tree/excerpt.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { isDecodedInto } from "./decodedKeys.ts"
import { isParsedInto } from "./parsedKeys.ts"
import { isNextOfPath, isReachedByCall } from "./pathRecursion.ts"
import { guardsKeys, guardsPaths, isPassedByLists, namesProto } from "./pollutionGuards.ts"
import {
  accessText,
  assignmentsIn,
  isCounter,
  isOpenKey,
  namesOfObject,
  type PropertyWrite,
  propertyWrites
} from "./propertyWrites.ts"
import { namesOf, returnsTo } from "./recursion.ts"
import type { RuleId } from "./rules.ts"

/** An assignment to a computed property. */
export const mentionsComputedKeys = /\w[\])]?\s*\]\s*(?:\|\||\?\?)?=(?!=)/

const compactText = (text: string): string => text.replace(/\s+|\?\.(?=\[)/g, "")

/** Names that hold `object[key]`, read in the region, directly or through one other name. */
const holdersOf = (file: SourceFile, write: PropertyWrite): ReadonlySet<string> => {
  const access = accessText(file, file.tree!.textOf(write.object), write.key)
  const names = new Set<string>()
  const all = assignmentsIn(file, write.region)
  for (let round = 0; round < 2; round++) {
    for (const { target, value } of all) {
      if (value === NONE || !/^[\w$]+$/.test(target)) continue
      const text = file.tree!.textOf(value).slice(0, 300)
      const words = text.match(/[\w$]+/g) ?? []
      if (compactText(text).includes(access) || (round > 0 && words.some((word) => names.has(word)))) names.add(target)
    }
  }
  return names
}

/** What an expression may be: `a || {}` is `a`, and `isObject(a) ? a : {}` either of two. */
const alternatives = (file: SourceFile, given: number): ReadonlyArray<number> => {
  const tree = file.tree!
  const node = unwrap(file, given)
  if (tree.is(node, "ternary_expression"))
    return [tree.child(node, "consequence"), tree.child(node, "alternative")].map((one) => unwrap(file, one))
  const isDefault =
    tree.is(node, "binary_expression") && /^(?:\|\||\?\?)$/.test(tree.textOf(tree.child(node, "operator")))
  return [isDefault ? unwrap(file, tree.child(node, "left")) : node]
}

/** `merge(target[key], source[key])`: the function follows a key of another object into the one it changes. */
const recursesInto = (file: SourceFile, write: PropertyWrite): boolean => {
  const tree = file.tree!
  const names = namesOf(file, write)
  if (names.size === 0) return false
  const accesses = namesOfObject(file, write).map((name) => accessText(file, name, write.key))
  const holders = holdersOf(file, write)
  return callsWithin(file, write.region.info.node).some((call) => {
    if (!returnsTo(file, call, names) || call.args.length === 0) return false
    return call.args
      .flatMap((node) => alternatives(file, node))
      .some((node) => {
        const text = tree.textOf(node).slice(0, 200)
        return accesses.includes(compactText(text)) || holders.has(text)
      })
  })
}

/** `for (key in object) object[key] = …`: an object's own keys lead nowhere else. */
const isOwnLoop = (file: SourceFile, { object, region }: PropertyWrite): boolean => {
  const own = escapeRegExp(file.tree!.textOf(object).slice(0, 80))
  return new RegExp(
    `\\bfor\\s*\\([^()]{1,80}\\s(?:in|of)\\s+${own}\\s*\\)|(?:[kK]eys|entries|getOwnPropertyNames|(?:for(?:Own|In|Each)|each))\\(\\s*${own}\\s*[,)]`
  ).test(region.text)
}

/** `keys.reduce((out, key) => { out[key] = …; return out }, {})`: collected into a new object. */
const isFreshAccumulator = (file: SourceFile, { node, parameters, body }: FunctionInfo, name: string): boolean => {
  const tree = file.tree!
  if (parameters[0]?.name !== name) return false
  const [first, initial] = tree.namedChildren(tree.parent(node)).filter((child) => !tree.is(child, "comment"))
  const isNew = first === node && initial !== undefined && tree.is(initial, "object")
  // What walks on hands on the next object instead.
  return (
    isNew &&
    new RegExp(`(?:\\breturn\\s+|,\\s*)${escapeRegExp(name)}\\s*[;)}\\n]`).test(tree.textOf(body).slice(-2_000))
  )
}

const isCollected = (file: SourceFile, { object, region }: PropertyWrite): boolean =>
  region.callbacks.some((callback) => isFreshAccumulator(file, callback, file.tree!.textOf(object)))

/** `const out = {}`, `const out = { ...target }`: what is written is new, and shared with nothing. */
const isFresh = (file: SourceFile, { object, region }: PropertyWrite): boolean => {
  const name = file.tree!.textOf(object)
  const isParameter = [region.info, ...region.callbacks].some(({ parameters }) =>
    parameters.some((parameter) => parameter.name === name)
  )
  if (isParameter) return false
  const values = assignmentsIn(file, region)
    .filter(({ target, value }) => target === name && value !== NONE)
    .map(({ value }) => file.tree!.textOf(value).slice(0, 120))
  return (
    values.length > 0 &&
    values.every((value) =>
      /^(?:\{|\[|new |Object\.assign\(\s*\{|Object\.create|\w*[cC]lone\w*\(|_\.\w*clone)/.test(value)
    )
  )
}

/** `object = object[key] = {}`: the step is a new object, whatever the key. */
const isNewObject = (file: SourceFile, value: number): boolean => {
  const tree = file.tree!
  let at = unwrap(file, value)
  while (tree.is(at, "assignment_expression")) at = unwrap(file, tree.child(at, "right"))
  return at !== unwrap(file, value) && /^(?:\{\s*\}|\[\s*\]|Object\.create\()/.test(tree.textOf(at).slice(0, 40))
}

/** `object = object[key]` in the region: the written object was reached by keys. */
const isWalked = (file: SourceFile, write: PropertyWrite): boolean => {
  const tree = file.tree!
  const name = tree.textOf(write.object).slice(0, 80)
  if (!/^[\w$]+$/.test(name)) return false
  const all = assignmentsIn(file, write.region)
  const follows = (value: number, owner = name): boolean =>
    value !== NONE &&
    !isNewObject(file, value) &&
    tree.within(value, "subscript_expression").some((node) => {
      const key = tree.child(node, "index")
      return (
        tree.textOf(tree.child(node, "object")) === owner &&
        isOpenKey(file, key) &&
        !isCounter(write.region, tree.textOf(key))
      )
    })
  return all.some(({ target, node, value }) => {
    if (target !== name || value === NONE || tree.is(node, "augmented_assignment_expression")) return false
    if (follows(value)) return true
    const source = unwrap(file, value)
    if (!tree.is(source, "identifier")) return false
    const next = tree.textOf(source)
    // `parent = object; object = object[key]` keeps the step before the last.
    return all.some((other) => other.target === next && (follows(other.value) || follows(other.value, next)))
  })
}

/** `path.reduce((object, key) => object[key] ||= {}, root)[last] = value`, or the same inside of the callback. */
const isReduced = (file: SourceFile, { object, key, value, region }: PropertyWrite): boolean => {
  const tree = file.tree!
  if (tree.is(object, "call_expression")) {
    const text = tree.textOf(object).slice(0, 600)
    return /\.reduce\(/.test(text) && /\(\s*(\w+),\s*(\w+)[^)]*\)\s*(?:=>|\{)[\s\S]*?\b\1\[\2\]/.test(text)
  }
  const callback = region.callbacks[0]
  if (callback?.parameters[0]?.name !== tree.textOf(object) || callback.parameters[1]?.name !== tree.textOf(key))
    return false
  const around = tree.textOf(tree.parent(tree.parent(callback.node))).slice(0, 60_000)
  const isReduction = /\.reduce(?:Right)?\(/.test(around.slice(0, Math.max(0, around.indexOf("=>") + 2 || 200)))
  const access = compactText(accessText(file, tree.textOf(object), key))
  const body = compactText(tree.textOf(callback.body).slice(0, 2_000))
  const returnsNext =
    body.includes(`return${access}`) || (!body.startsWith("{") && body.replace(/^\(/, "").startsWith(access))
  return isReduction && returnsNext && !/^(?:\{\}|\w+\[\w+\]\|\|\{\})$/.test(compactText(tree.textOf(value)))
}

/** `at = root`, later `at = root[section]`, then `at[key] = value`: two keys, as files of settings have them. */
const isSwitched = (file: SourceFile, { object, region }: PropertyWrite): boolean => {
  const tree = file.tree!
  const name = tree.textOf(object)
  if (!tree.is(object, "identifier")) return false
  const values = assignmentsIn(file, region).filter(({ target, value }) => target === name && value !== NONE)
  const roots = new Set(values.map(({ value }) => tree.textOf(unwrap(file, value)).slice(0, 80)))
  return values.some(({ value }) =>
    tree.within(value, "subscript_expression").some((node) => {
      const root = tree.child(node, "object")
      const key = tree.child(node, "index")
      return (
        roots.has(tree.textOf(root)) &&
        tree.is(key, "identifier") &&
        isOpenKey(file, key) &&
        !isCounter(region, tree.textOf(key))
      )
    })
  )
}

const isTextType = (type: string | null): boolean =>
  type === null || /^(?:string|any|unknown|PropertyKey|string \| (?:symbol|number|undefined))$/.test(type)

/** Names that number or identify things of the program itself. */
const internal =
  /(?:^|_|[a-z])(?:id|ids|Id|ID|index|type|kind|level|event|evt|code|state|status|phase|date|day|year|month)$/i

/** A parameter of an exported function, which its callers choose. */
const isChosenByCaller = (file: SourceFile, { region }: PropertyWrite, key: number): boolean => {
  const name = file.tree!.textOf(key)
  const parameter = region.info.parameters.find((candidate) => candidate.name === name)
  return parameter !== undefined && isTextType(parameter.type) && !internal.test(name) && !isCounter(region, name)
}

/** `object[section][key] = value` with both keys from the caller of an exported function. */
const isNested = (file: SourceFile, write: PropertyWrite): boolean => {
  const tree = file.tree!
  const { info } = write.region
  if (!tree.is(write.object, "subscript_expression") || !isEntryPoint(file, info, info.name)) return false
  const outer = tree.child(write.object, "index")
  return isChosenByCaller(file, write, outer) && isChosenByCaller(file, write, write.key)
}

interface Pollution {
  readonly rule:
    | "prototype_pollution_merge"
    | "prototype_pollution_path"
    | "prototype_pollution_list_key"
    | "prototype_pollution_decoded"
  readonly how: string
}

/** The object is reached by several keys, of which each may be one that leads to the prototype. */
const isReachedByPath = (file: SourceFile, write: PropertyWrite): boolean =>
  isWalked(file, write) || isReduced(file, write) || (isReachedByCall(file, write) && !isOwnLoop(file, write))

/** A path whose keys are checked, unless they come as lists, or whose keys are not checked. */
const alongPath = (file: SourceFile, write: PropertyWrite): Pollution | null => {
  if (!guardsPaths(file, write)) return path
  return isPassedByLists(file, write)
    ? { rule: "prototype_pollution_list_key", how: "compares keys as they are, lists included," }
    : null
}

const path: Pollution = { rule: "prototype_pollution_path", how: "follows a path of keys" }

const pollutionBy = (file: SourceFile, write: PropertyWrite): Pollution | null => {
  if (isCollected(file, write)) return null
  if (isReachedByPath(file, write)) return alongPath(file, write)
  if (isDecodedInto(file, write))
    return namesProto(file, write) ? null : { rule: "prototype_pollution_decoded", how: "sets keys of decoded data" }
  if (isNested(file, write) || isParsedInto(file, write) || isSwitched(file, write))
    return guardsKeys(file, write) ? null : path
  if (!recursesInto(file, write) || isOwnLoop(file, write) || isFresh(file, write)) return null
  if (isNextOfPath(file, write)) return alongPath(file, write)
  return guardsKeys(file, write) ? null : { rule: "prototype_pollution_merge", how: "copies keys recursively" }
}

const checkFor = (rule: Pollution["rule"]): string =>
  rule === "prototype_pollution_list_key"
    ? "a check that every key is a text"
    : "a check of the keys for `__proto__`, `constructor` and `prototype`"

const consequenceOf = (rule: Pollution["rule"], object: string): string => {
  switch (rule) {
    case "prototype_pollution_list_key":
      return (
        `before it follows them into \`${object}\`: \`["__proto__"]\` equals none of the names that it rejects, and ` +
        "becomes `__proto__` as a key."
      )
    case "prototype_pollution_decoded":
      return (
        `on the new object \`${object}\`: the key \`__proto__\` replaces its prototype, so that the data decides what ` +
        "it inherits."
      )
    default:
      return (
        `into \`${object}\` and does not reject \`__proto__\`, \`constructor\` and \`prototype\`, so a key from ` +
        "outside can change every object of the program."
      )
  }
}

/** An empty object on the way; the value that is stored at the end of the path says more. */
const isStep = (file: SourceFile, { value }: PropertyWrite): boolean =>
  /^(?:\{\}|\[\]|\S+\?\{\}:\[\]|[^;]{0,80}(?:\|\||\?\?)\{\})$/.test(compactText(file.tree!.textOf(value).slice(0, 200)))

export const prototypePollution = (file: SourceFile, emit: Emit<RuleId>): void => {
  const byRegion = new Map<number, Array<PropertyWrite>>()
  for (const write of propertyWrites(file)) {
    const known = byRegion.get(write.region.info.node)
    if (known === undefined) byRegion.set(write.region.info.node, [write])
    else known.push(write)
  }
  for (const writes of byRegion.values()) report(file, writes.slice(0, 40), emit)
}

/** What replaces functions by functions merges code of the program, and no data. */
const mergesCode = (file: SourceFile, writes: ReadonlyArray<PropertyWrite>): boolean =>
  writes.some(({ value }) => file.tree!.is(value, "function_expression", "arrow_function"))

/** One for each function: the write that stores the value, if one does. */
const report = (file: SourceFile, writes: ReadonlyArray<PropertyWrite>, emit: Emit<RuleId>): void => {
  const found = writes.flatMap((write) => {
    const pollution = pollutionBy(file, write)
    return pollution === null ? [] : [{ write, ...pollution }]
  })
  // What changes every object of the program counts before what changes the new one only.
  const shared = found.filter(({ rule }) => rule !== "prototype_pollution_decoded")
  const worst = shared.length > 0 ? shared : found
  const chosen = worst.findLast(({ write }) => !isStep(file, write)) ?? worst.at(-1)
  if (chosen === undefined) return
  const { write, rule, how } = chosen
  if (rule === "prototype_pollution_merge" && mergesCode(file, writes)) return
  const name = write.region.info.name ?? "This function"
  const object = file.tree!.textOf(write.object).replace(/\s+/g, " ").slice(0, 40)
  emit({
    rule,
    ...span(file.tree!, write.node),
    noun: name.slice(0, 60),
    source: "parameter",
    checks: [{ looked_for: checkFor(rule), found: false }],
    message: `\`${name.slice(0, 60)}\` ${how} ${consequenceOf(rule, object.replace(/`/g, "'"))}`
  })
}
