import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import { syntaxOf } from "./languages.ts"
import type { Syntax } from "./Syntax.ts"

interface Ground {
  readonly syntax: Syntax
  readonly tree: FlatTree
}

const groundOf = (file: SourceFile): Ground | null => {
  const syntax = syntaxOf(file.language)
  const tree = syntax === null ? null : file.tree
  return syntax === null || tree === null ? null : { syntax, tree }
}

/** Through parentheses and casts to what they hold. */
export const unwrap = (file: SourceFile, node: number): number => {
  const ground = groundOf(file)
  if (ground === null) return node
  let at = node
  while (at !== NONE && ground.tree.is(at, ...ground.syntax.wrapperKinds)) {
    const isCast = ground.tree.is(at, "cast_expression", "type_assertion")
    const inner = ground.tree.namedChildren(at)
    const next = isCast ? inner.at(-1) : inner[0]
    if (next === undefined) break
    at = next
  }
  return at
}

export const isString = (file: SourceFile, node: number): boolean => {
  const ground = groundOf(file)
  return ground?.tree.is(node, ...ground.syntax.stringKinds) ?? false
}

const interpolations = ({ syntax, tree }: Ground, node: number): ReadonlyArray<number> =>
  syntax.interpolationKinds.length === 0
    ? []
    : tree.children(node).flatMap((child): ReadonlyArray<number> => {
        if (tree.is(child, ...syntax.interpolationKinds)) return [child]
        return tree.is(child, ...syntax.stringKinds, "heredoc_body") ? interpolations({ syntax, tree }, child) : []
      })

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", 0: "\0", a: "\x07" }

const unescape = (text: string): string =>
  text.replace(/\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|\r?\n|([\s\S]))/g, (all, ...parts) => {
    const [brace, unicode, hex, plain] = parts as ReadonlyArray<string | undefined>
    const code = brace ?? unicode ?? hex
    if (code !== undefined) {
      const point = Number.parseInt(code, 16)
      return point <= 0x10ffff ? String.fromCodePoint(point) : all
    }
    return plain === undefined ? "" : (escapes[plain] ?? plain)
  })

/** Opening and closing marks off, escapes resolved as far as this kind of string has any. */
const contentOf = (text: string, language: Language): string => {
  const match = /^(?:([a-zA-Z]{0,3})(#*)|@\$?|\$@?)?("""|'''|["'`])([\s\S]*)\3#*$/.exec(text)
  if (match === null) return text
  const [, prefix = "", hashes = "", quote, content = ""] = match
  if (!content.includes("\\")) return content
  const isRaw = /r/i.test(prefix) || hashes !== "" || text.startsWith("@") || (quote === "`" && language === "go")
  if (isRaw) return content
  const isPlain = quote === "'" && (language === "php" || language === "ruby")
  return isPlain ? content.replace(/\\(['\\])/g, "$1") : unescape(content)
}

/** Value of a string literal without code inside; null for anything else. Adjacent literals are joined. */
export const literalValue = (file: SourceFile, node: number): string | null => {
  const ground = groundOf(file)
  if (ground === null || node === NONE) return null
  const at = unwrap(file, node)
  const { tree, syntax } = ground
  if (!tree.is(at, ...syntax.stringKinds) || interpolations(ground, at).length > 0) return null
  if (tree.is(at, "concatenated_string", "chained_string")) {
    const parts = tree.namedChildren(at)
    // `"%10" PRIu64 "\n"`: what the macro stands for is not known.
    if (parts.some((part) => tree.is(part, "identifier"))) return null
    return parts.map((part) => contentOf(tree.textOf(part), file.language)).join("")
  }
  return contentOf(tree.textOf(at), file.language)
}
