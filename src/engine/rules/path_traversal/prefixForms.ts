import type { SourceFile } from "../../core/files/SourceFile.ts"
import { binaryAt } from "../../languages/code/binaries.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { textAt } from "./pathValues.ts"

/** A test whether a text begins with another one. */
export interface PrefixTest {
  /** The call, or the comparison of its result. */
  readonly node: number
  readonly value: number
  readonly prefix: number
  readonly isNegated: boolean
}

const anyMethod =
  /startsWith|startswith|StartsWith|start_with|HasPrefix|starts_with|strpos|indexOf|strncmp|commonprefix|substr|slice|Substring/
const methods =
  /^(?:startsWith|startswith|StartsWith|start_with\?|HasPrefix|str_starts_with|strpos|indexOf|strncmp|commonprefix|substr|substring|slice|Substring)$/

/** The comparison with 0 around a call that gives a place, and whether it is for inequality. */
const comparedWith = (file: SourceFile, call: number, other: (text: string, node: number) => boolean) => {
  const tree = file.tree!
  let at = tree.parent(call)
  while (tree.is(at, "parenthesized_expression")) at = tree.parent(at)
  const binary = binaryAt(tree, at)
  if (binary === null || !/^[!=]==?$/.test(binary.operator)) return null
  const beside = tree.contains(binary.left, call) ? binary.right : binary.left
  return other(textAt(file, beside), beside) ? { node: at, isNegated: binary.operator.startsWith("!") } : null
}

const isZero = (text: string): boolean => text === "0"

const commonPrefix = (file: SourceFile, call: Call): PrefixTest | null => {
  const list = call.args[0]
  if (list === undefined || call.args.length !== 1) return null
  const parts = file.tree!.namedChildren(list)
  if (parts.length !== 2) return null
  let prefix: number = NONE
  const compared = comparedWith(file, call.node, (text) => {
    prefix = parts.find((part) => textAt(file, part) === text) ?? NONE
    return prefix !== NONE
  })
  return compared === null ? null : { ...compared, value: parts.find((part) => part !== prefix)!, prefix }
}

/** `path.slice(0, root.length) === root`, also with PHP's function. */
const cutText = (file: SourceFile, call: Call): PrefixTest | null => {
  const isFunction = call.receiverNode === NONE
  const args = isFunction ? call.args.slice(1) : call.args
  if (args.length !== 2 || textAt(file, args[0]!) !== "0") return null
  const length = textAt(file, args[1]!)
  const name = /^(?:strlen\()?([\w$.>-]+?)(?:\.(?:length|Length)|\))$/.exec(length)?.[1]
  let prefix: number = NONE
  const compared = comparedWith(file, call.node, (text, node) => {
    prefix = node
    return text === name
  })
  return compared === null ? null : { ...compared, value: isFunction ? call.args[0]! : call.receiverNode, prefix }
}

const methodOfText = (call: Call): PrefixTest | null =>
  call.receiverNode === NONE || call.args.length === 0 || call.args.length > 2
    ? null
    : { node: call.node, value: call.receiverNode, prefix: call.args[0]!, isNegated: false }

const functionOfTexts = (call: Call): PrefixTest | null =>
  call.args.length < 2 ? null : { node: call.node, value: call.args[0]!, prefix: call.args[1]!, isNegated: false }

const placed = (file: SourceFile, test: PrefixTest | null): PrefixTest | null => {
  const compared = test === null ? null : comparedWith(file, test.node, isZero)
  return compared === null ? null : { ...test!, ...compared }
}

const testAt = (file: SourceFile, call: Call): PrefixTest | null => {
  switch (call.method) {
    case "HasPrefix":
      return call.receiver === "strings" ? functionOfTexts(call) : null
    case "str_starts_with":
      return functionOfTexts(call)
    case "strpos":
    case "strncmp":
      return file.language === "php" ? placed(file, functionOfTexts(call)) : null
    case "indexOf":
      return placed(file, methodOfText(call))
    case "commonprefix":
      return file.language === "python" ? commonPrefix(file, call) : null
    case "substr":
    case "substring":
    case "slice":
    case "Substring":
      return cutText(file, call)
    default:
      return methodOfText(call)
  }
}

export const prefixTests = (file: SourceFile): ReadonlyArray<PrefixTest> => {
  if (file.tree === null || !anyMethod.test(file.text)) return []
  return calls(file).flatMap((call) => (methods.test(call.method) ? (testAt(file, call) ?? []) : []))
}
