import type { createLowlight } from "lowlight"

type Root = ReturnType<ReturnType<typeof createLowlight>["highlight"]>
type Node = Root["children"][number]

/** What a piece of code is, as the theme colours it. */
export type TokenKind = "keyword" | "string" | "name" | "number" | "comment"

export interface Token {
  readonly text: string
  readonly kind: TokenKind | null
}

export type TokenLine = ReadonlyArray<Token>

/** The library's classes, by what the theme has a colour for; what is missing has the colour of text. */
const kinds: Readonly<Record<string, TokenKind>> = {
  keyword: "keyword",
  name: "keyword",
  "selector-tag": "keyword",
  operator: "keyword",
  string: "string",
  regexp: "string",
  char: "string",
  code: "string",
  link: "string",
  addition: "string",
  title: "name",
  section: "name",
  attr: "name",
  attribute: "name",
  property: "name",
  built_in: "name",
  "selector-class": "name",
  "selector-id": "name",
  "selector-attr": "name",
  "selector-pseudo": "name",
  "template-variable": "name",
  meta: "name",
  type: "name",
  number: "number",
  literal: "number",
  symbol: "number",
  bullet: "number",
  comment: "comment",
  quote: "comment",
  doctag: "comment"
}

const kindOf = (classes: unknown, outer: TokenKind | null): TokenKind | null => {
  if (!Array.isArray(classes)) return outer
  const name = String(classes[0] ?? "").replace(/^hljs-/, "")
  // Code within a string has the colours of code.
  if (name === "subst") return null
  return Object.hasOwn(kinds, name) ? kinds[name]! : outer
}

/** The lines of a highlighted text, each as its pieces. */
export const linesOf = (root: Root): ReadonlyArray<TokenLine> => {
  const lines: Array<Array<Token>> = [[]]
  const add = (nodes: ReadonlyArray<Node>, kind: TokenKind | null) => {
    for (const node of nodes) {
      if (node.type === "element") add(node.children, kindOf(node.properties.className, kind))
      if (node.type !== "text") continue
      for (const [index, text] of node.value.split("\n").entries()) {
        if (index > 0) lines.push([])
        if (text !== "") lines.at(-1)!.push({ text, kind })
      }
    }
  }
  add(root.children, null)
  return lines
}

export const plainLine = (text: string): TokenLine => (text === "" ? [] : [{ text, kind: null }])

/** A part of a line, counted in characters; the end is not included. */
export interface Range {
  readonly from: number
  readonly to: number
}

export interface Piece extends Token {
  readonly from: number
  readonly marked: boolean
}

/** The pieces of a line, cut at the ends of the marked ranges. */
export const marked = (tokens: TokenLine, ranges: ReadonlyArray<Range>): ReadonlyArray<Piece> => {
  const cuts = [...new Set(ranges.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  const pieces: Array<Piece> = []
  let at = 0
  for (const { text, kind } of tokens) {
    const end = at + text.length
    const bounds = [at, ...cuts.filter((cut) => cut > at && cut < end), end]
    for (let index = 0; index + 1 < bounds.length; index++) {
      const from = bounds[index]!
      const to = bounds[index + 1]!
      pieces.push({
        text: text.slice(from - at, to - at),
        kind,
        from,
        marked: ranges.some((range) => range.from <= from && to <= range.to)
      })
    }
    at = end
  }
  return pieces
}
