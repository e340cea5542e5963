import type { SourceFile } from "../../core/files/SourceFile.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { unwrap } from "../../languages/syntax/strings.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { assignmentsIn, type PropertyWrite } from "./propertyWrites.ts"
import { namesOf, returnsTo } from "./recursion.ts"

/** Functions that make objects of data from outside, by their names. */
const decoder =
  /^(?:parse|decode|deseriali[sz]e|hydrate|revive|unflatten|unpack|unmarshal)|[a-z_](?:Parse|_parse|Decode|_decode|Deseriali[sz]e|Unpack|Unflatten)/

const plainObject = /^\{\s*\}$|\?[^?]*:\s*\{\s*\}$/

/** `const result = {}`, or `plain ? Object.create(null) : {}`, and nothing else but new lists. */
const isNewPlainObject = (file: SourceFile, { object, region }: PropertyWrite): boolean => {
  const name = file.tree!.textOf(object)
  if (!/^[\w$]+$/.test(name)) return false
  const isParameter = [region.info, ...region.callbacks].some(({ parameters }) =>
    parameters.some((parameter) => parameter.name === name)
  )
  const values = assignmentsIn(file, region)
    .filter(({ target, value }) => target === name && value !== NONE)
    .map(({ value }) => file.tree!.textOf(unwrap(file, value)).slice(0, 120))
  return (
    !isParameter &&
    values.some((value) => plainObject.test(value)) &&
    values.every((value) => /^[[{]|\{\s*\}$/.test(value))
  )
}

/** `result[key] = decode(…)`, `const value = decode(…)`, `value = result`: what is stored may be an object of the data. */
const holdsDecoded = (file: SourceFile, write: PropertyWrite, names: ReadonlySet<string>): boolean => {
  const tree = file.tree!
  const syntax = syntaxOf(file.language)!
  const isRecursive = (given: number): boolean => {
    const node = unwrap(file, given)
    const call = tree.is(node, ...syntax.callKinds) ? syntax.callAt(tree, node) : null
    return call !== null && returnsTo(file, call, names)
  }
  if (isRecursive(write.value)) return true
  const name = tree.textOf(unwrap(file, write.value))
  if (!/^[\w$]+$/.test(name)) return false
  const own = tree.textOf(write.object)
  return assignmentsIn(file, write.region).some(
    ({ target, value }) =>
      target === name && value !== NONE && (isRecursive(value) || tree.textOf(unwrap(file, value)) === own)
  )
}

const element = /^([\w$]+)\[[^\]]+\]$/

/** What a text is taken apart into holds texts, which are no objects. */
const isOfTexts = (file: SourceFile, region: PropertyWrite["region"], list: string): boolean =>
  assignmentsIn(file, region).some(
    ({ target, value }) =>
      target === list && value !== NONE && /\.(?:match|exec|split)\(/.test(file.tree!.textOf(value).slice(0, 200))
  )

/** `const key = pairs[i]`, `const value = pairs[i + 1]`: keys and values take turns in a list. */
const isPair = (file: SourceFile, { key, value, region }: PropertyWrite): boolean => {
  const tree = file.tree!
  const listOf = (node: number): string | undefined => {
    const name = tree.textOf(unwrap(file, node))
    const given = assignmentsIn(file, region).find((one) => one.target === name && one.value !== NONE)
    return element.exec(given === undefined ? name : tree.textOf(unwrap(file, given.value)).slice(0, 80))?.[1]
  }
  const list = listOf(key)
  return list !== undefined && listOf(value) === list && !isOfTexts(file, region, list)
}

/** A decoder sets keys of its data on an ordinary object, with values that may be objects. */
export const isDecodedInto = (file: SourceFile, write: PropertyWrite): boolean => {
  const names = namesOf(file, write)
  if (![...names].some((name) => decoder.test(name)) || !isNewPlainObject(file, write)) return false
  return holdsDecoded(file, write, names) || isPair(file, write)
}
