import type { SourceFile } from "../../core/files/SourceFile.ts"
import { isString, literalValue, unwrap } from "../syntax/strings.ts"
import { calls } from "../syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"

/** A part of a text that code puts together: literal text, or the node of an expression. */
export type TextPart = { readonly text: string } | { readonly node: number }

/**
 * The parts of an expression that puts a text together: a template, a concatenation, a format. Null where the parts
 * cannot be separated safely, as in a format with a width.
 */
export const textParts = (file: SourceFile, given: number): ReadonlyArray<TextPart> | null => {
  const tree = file.tree!
  const node = unwrap(file, given)
  if (tree.is(node, "concatenated_string")) return joined(tree.namedChildren(node).map((part) => textParts(file, part)))
  if (isString(file, node)) return ofString(file, tree, node)
  if (tree.is(node, "binary_expression", "binary_operator")) return ofOperator(file, tree, node)
  return ofFormatCall(file, node)
}

const joined = (lists: ReadonlyArray<ReadonlyArray<TextPart> | null>): ReadonlyArray<TextPart> | null =>
  lists.some((list) => list === null) ? null : lists.flatMap((list) => list ?? [])

const fragments = ["string_fragment", "string_content"]

const ofString = (file: SourceFile, tree: FlatTree, node: number): ReadonlyArray<TextPart> | null => {
  const value = literalValue(file, node)
  if (value !== null) return [{ text: value }]
  const parts: Array<TextPart> = []
  for (const child of tree.namedChildren(node)) {
    if (tree.is(child, ...fragments)) parts.push({ text: fragmentText(file, tree.textOf(child)) })
    else if (tree.is(child, "template_substitution", "interpolation")) {
      const inner = tree.namedChildren(child)
      if (inner.length !== 1) return null
      parts.push({ node: inner[0]! })
    } else if (!tree.is(child, "string_start", "string_end")) return null
  }
  return parts.some((part) => "text" in part && part.text.includes("\\")) ? null : parts
}

const fragmentText = ({ language }: SourceFile, text: string): string =>
  language === "python" ? text.replace(/\{\{/g, "{").replace(/\}\}/g, "}") : text

const ofOperator = (file: SourceFile, tree: FlatTree, node: number): ReadonlyArray<TextPart> | null => {
  const [left, right] = [tree.child(node, "left"), tree.child(node, "right")]
  const operator = tree.textOf(tree.child(node, "operator"))
  if (operator === "%" && file.language === "python") {
    const values = tree.is(right, "tuple") ? tree.namedChildren(right) : [right]
    return formatted(literalValue(file, left), values)
  }
  if (operator !== "+") return null
  const side = (one: number): ReadonlyArray<TextPart> | null => textParts(file, one) ?? operand(file, tree, one)
  return joined([side(left), side(right)])
}

/** Something that is added to a text as a whole; a sum of numbers is not recognised as one. */
const operand = (file: SourceFile, tree: FlatTree, node: number): ReadonlyArray<TextPart> | null =>
  tree.is(unwrap(file, node), "binary_expression", "binary_operator") ? null : [{ node }]

const ofFormatCall = (file: SourceFile, node: number): ReadonlyArray<TextPart> | null => {
  const call = calls(file).find((one) => one.node === node)
  if (call === undefined || call.named.size > 0) return null
  const [first, ...rest] = call.args
  if (/^(?:fmt\.Sprintf|String\.format)$/.test(call.callee)) return formatted(literalValue(file, first ?? NONE), rest)
  const isPythonFormat = file.language === "python" && call.method === "format" && isString(file, call.receiverNode)
  return isPythonFormat ? formatted(literalValue(file, call.receiverNode), call.args, /\{(\{|\})?\}?/g) : null
}

const percent = /%(.)?/g

/** Literal text between plain verbs, with the values they stand for. */
const formatted = (
  format: string | null,
  values: ReadonlyArray<number>,
  verbs: RegExp = percent
): ReadonlyArray<TextPart> | null => {
  if (format === null) return null
  const parts: Array<TextPart> = []
  let at = 0
  let used = 0
  for (const verb of format.matchAll(verbs)) {
    parts.push({ text: format.slice(at, verb.index) })
    at = verb.index + verb[0].length
    if (verb[0] === "%%") parts.push({ text: "%" })
    else if (/^(?:%[sdv]|\{\})$/.test(verb[0]) && used < values.length) parts.push({ node: values[used++]! })
    else return null
  }
  parts.push({ text: format.slice(at) })
  return used === values.length ? parts.filter((part) => !("text" in part) || part.text !== "") : null
}

/** How a language writes a text that its usual quotes do not fit around. */
const longLiteral = ({ language }: SourceFile, text: string): string | null => {
  switch (language) {
    case "python":
      return text.includes('"""') || text.endsWith('"') ? null : `"""${text}"""`
    case "javascript":
    case "typescript":
    case "tsx":
      return /`|\$\{/.test(text) ? null : `\`${text}\``
    case "go":
      return text.includes("`") ? null : `\`${text}\``
    default:
      return /[\r\n]/.test(text) ? null : `"${text.replaceAll('"', '\\"')}"`
  }
}

/** A literal of this text in the language of the file; null where it would need other escapes. */
export const literalOf = (file: SourceFile, text: string, quote: string): string | null => {
  if (text.includes("\\")) return null
  const quotes = file.language === "go" || file.language === "java" ? ['"'] : [quote, quote === '"' ? "'" : '"']
  const fitting = /[\r\n]/.test(text) ? undefined : quotes.find((one) => !text.includes(one))
  return fitting === undefined ? longLiteral(file, text) : `${fitting}${text}${fitting}`
}
