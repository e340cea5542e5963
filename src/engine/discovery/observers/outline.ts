import type { SourceFile } from "../../core/files/SourceFile.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { calls, functions, imports } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { clip, type Definition, type Imported } from "../Observed.ts"
import { plainDoc } from "./docText.ts"

const MAX_DEFINITIONS = 400
const MAX_CALLEES = 250
const MAX_IMPORTS = 200
const MAX_DOC_LINES = 12

/** Up to the first full stop, without the marks of comments and tags. */
export const firstSentence = (lines: ReadonlyArray<string>): string | null => {
  const words: Array<string> = []
  for (const line of lines) {
    const plain = line
      .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/[/!]?|#+|"""|'''|\(\*\*?|-{2,3}\s*\|?|%+|;+)/, "")
      .replace(/(?:\*\/|\*\)|"""|''')\s*$/, "")
      .trim()
    const isBlank = plain.replace(/<\/?[a-zA-Z][^<>]{0,80}>/g, "").trim() === ""
    if (isBlank && words.length > 0) break
    if (/^[@\\]\w|^-{3,}|^={3,}|^(?:eslint|biome|prettier|noqa|pylint|rubocop|noinspection|TODO|FIXME)\b/.test(plain))
      break
    if (!isBlank) words.push(plain)
  }
  const text = clip(plainDoc(words.join(" ")), 400)
  const sentence = /^.{8,}?[.!?](?=\s|$)/.exec(text)?.[0] ?? text
  const isProse = /^[A-Z`"[][^{};=]*$/.test(sentence) && sentence.split(" ").length >= 4
  return isProse && !/copyright|licen[sc]e/i.test(sentence) ? clip(sentence, 200) : null
}

/** The string right below the head of a Python function or class. */
const docBelow = (file: SourceFile, line: number): string | null => {
  for (let at = line; at < Math.min(line + 8, file.lineCount); at++) {
    if (!/:\s*(?:#.*)?$/.test(file.lineText(at))) continue
    const next = file.lineText(at + 1).trim()
    return /^[rbu]?(?:"""|''')/i.test(next) ? firstSentence(docFrom(file, at + 1)) : null
  }
  return null
}

const docFrom = (file: SourceFile, first: number): ReadonlyArray<string> => {
  const doc: Array<string> = []
  for (let line = first; line < Math.min(first + MAX_DOC_LINES, file.lineCount + 1); line++) {
    const text = file.lineText(line).replace(/^\s*[rbuRBU]?(?="""|''')/, "")
    doc.push(text)
    if (/(?:"""|''')\s*$/.test(text) && (line > first || text.trim().length > 5)) break
  }
  return doc
}

const commentMark = /^\s*(?:--|%|\(\*|;|#|\/\/|\/\*|\*)/

/** The lines of the comment right above a line, as languages write them whose syntax is not read. */
export const commentAbove = (file: SourceFile, line: number): ReadonlyArray<string> => {
  const above: Array<string> = []
  for (let at = line - 1; at > 0 && above.length < MAX_DOC_LINES; at--) {
    if (!commentMark.test(file.lineText(at))) break
    above.unshift(file.lineText(at))
  }
  return above
}

/** Comment right above a line, decorators and annotations in between left out; in Python the string right below. */
const docOf = (file: SourceFile, line: number): string | null => {
  if (file.language === "python") return docBelow(file, line)
  let at = line - 1
  while (at > 0 && /^\s*(?:@\w|\[\w|#\[)/.test(file.lineText(at))) at--
  const above: Array<string> = []
  while (
    at > 0 &&
    above.length < MAX_DOC_LINES * 3 &&
    /^\s*(?:\/\/|\/\*|\*|#(?!\[|!|include|define|if|end))/.test(file.lineText(at))
  ) {
    above.unshift(file.lineText(at--))
  }
  return above.length === 0 ? null : firstSentence(above.slice(0, MAX_DOC_LINES))
}

const kindsOfTypes = ["type_alias_declaration", "enum_declaration", "interface_declaration", "class_declaration"]

const basesIn = (header: string): ReadonlyArray<string> => {
  const listed =
    /\b(?:extends|implements)\s+([^{]{1,200})/.exec(header)?.[1] ??
    /^\s*class\s+[\w.:]+\s*<\s*([\w.:]+)/.exec(header)?.[1] ??
    /^\s*class\s+\w+\s*\(([^)]{1,200})\)/.exec(header)?.[1] ??
    /\b(?:class|struct|record|interface)\s+\w+(?:<[^<>{}]*>)?\s*:\s*([^{]{1,200})/.exec(header)?.[1] ??
    ""
  return (
    listed
      .split(/,|\bimplements\b|\bwhere\b|\bwith\b/)
      // `metaclass=Meta` of Python names no base.
      .filter((one) => !/^\s*\w+\s*=/.test(one))
      .map((one) => /^[\w.:\\]+/.exec(one.trim())?.[0] ?? "")
      .filter((one) => one !== "" && one !== "object")
      .slice(0, 6)
  )
}

const MAX_ANNOTATIONS = 40

/** Annotations and attributes are part of what they stand above; a reader looks for the line with the name. */
const headLine = (file: SourceFile, name: string, first: number, last: number): number => {
  if (!/^\s*(?:@|\[|#\[)/.test(file.lineText(first))) return first
  const word = new RegExp(`\\b${(name.split(/[^\w$]+/).at(-1) ?? "").replaceAll("$", "\\$")}\\b`)
  for (let line = first; line <= Math.min(last, first + MAX_ANNOTATIONS); line++) {
    const text = file.lineText(line)
    if (!/^\s*(?:@|\[|#\[)[^(]*$|^\s*(?:@[\w.]+|\[|#\[).*[)\]]\s*$/.test(text) && word.test(text)) return line
  }
  return first
}

const isExported = (file: SourceFile, name: string, at: number): boolean => {
  const line = file.lineText(at)
  switch (file.language) {
    case "typescript":
    case "tsx":
    case "javascript":
      return /^\s*export\b|^\s*(?:module\.)?exports\b/.test(line)
    case "go":
      return /^[A-Z]/.test(name)
    case "rust":
      return /\bpub\b/.test(line)
    case "java":
    case "csharp":
      return /\bpublic\b/.test(line)
    default:
      return !name.startsWith("_")
  }
}

const typeKinds = (tree: FlatTree, scopeKinds: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set([...scopeKinds, ...kindsOfTypes.filter((kind) => tree.grammar.idsOf.has(kind))])

const headerOf = (tree: FlatTree, node: number): string => {
  const start = tree.start(node)
  const body = tree.child(node, "body")
  return tree.text.slice(start, body === NONE ? start + 200 : tree.start(body)).slice(0, 400)
}

/** Functions and types that a file declares, outermost ones first in the file's order. */
export const definitionsOf = (file: SourceFile): ReadonlyArray<Definition> => {
  const syntax = syntaxOf(file.language)
  const tree = syntax === null ? null : file.tree
  if (syntax === null || tree === null) return []
  const found: Array<Definition> = []
  const add = (name: string, kind: Definition["kind"], node: number, bases: ReadonlyArray<string>): void => {
    if (found.length >= MAX_DEFINITIONS || !/^[\w$.#?!:-]{2,80}$/.test(name)) return
    const start = tree.start(node)
    const end = file.line(Math.max(start, tree.end(node) - 1))
    const line = headLine(file, name, file.line(start), end)
    const exported = isExported(file, name, line)
    const doc = exported && file.role === "source" ? docOf(file, line) : null
    found.push({ name, kind, line, end, exported, bases, doc })
  }
  for (const { node, name, body } of functions(file))
    if (name !== null && body !== NONE) add(name, "function", node, [])
  for (const node of tree.of(...typeKinds(tree, syntax.scopeKinds))) {
    const name = syntax.scopeName(tree, node) ?? tree.textOf(tree.child(node, "name")).slice(0, 80)
    if (name !== "" && /^(?:[A-Z\w])/.test(name)) add(name, "type", node, basesIn(headerOf(tree, node)))
  }
  return found.sort((a, b) => a.line - b.line || (a.name < b.name ? -1 : 1))
}

export const importsOf = (file: SourceFile): ReadonlyArray<Imported> =>
  imports(file)
    .slice(0, MAX_IMPORTS)
    .map(({ module, names, node }) => ({
      module: module.slice(0, 160),
      names: names.slice(0, 30).map(({ local }) => local.slice(0, 60)),
      line: file.line(file.tree!.start(node))
    }))

export const calleesOf = (file: SourceFile): ReadonlyArray<readonly [string, number, number]> => {
  const known = new Map<string, [number, number]>()
  for (const { callee, node } of calls(file)) {
    if (!/^[\w$.:\\>@?!-]{2,80}$/.test(callee)) continue
    const seen = known.get(callee)
    if (seen !== undefined) seen[0]++
    else if (known.size < MAX_CALLEES) known.set(callee, [1, file.line(file.tree!.start(node))])
  }
  return [...known].map(([callee, [count, line]]) => [callee, count, line] as const)
}
