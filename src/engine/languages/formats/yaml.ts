import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseAllDocuments
} from "yaml"
import type { SourceFile } from "../../core/files/SourceFile.ts"

/** Beyond these a file is not configuration written by hand. */
const MAX_NODES = 200_000
const MAX_DEPTH = 100
const MAX_DOCUMENTS = 1_000
const MAX_MERGES = 8

export interface YamlEntry {
  readonly key: string
  readonly keyNode: Node
  /** Null for a key without a value. */
  readonly value: Node | null
}

/** A document with its aliases resolved once: asking an alias itself walks the whole document every time. */
export interface YamlDocument {
  readonly root: Node | null
  readonly targets: ReadonlyMap<Alias, Node>
  /** Entries of mappings that were asked for. */
  readonly known: Map<Node, ReadonlyArray<YamlEntry>>
}

export interface YamlFile {
  readonly documents: ReadonlyArray<YamlDocument>
  /** False when the text is not YAML throughout: a template, or half-written. */
  readonly isValid: boolean
}

const invalid: YamlFile = { documents: [], isValid: false }

const options = { uniqueKeys: false, strict: false, logLevel: "silent", prettyErrors: false, merge: true } as const

/** Flow collections nest by recursion in the parser; a run of opening brackets is an attack, not a document. */
const nestsTooDeep = (text: string): boolean => {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 0x5b || c === 0x7b) {
      if (++depth > 1_000) return true
    } else if ((c === 0x5d || c === 0x7d) && depth > 0) depth--
  }
  return false
}

const hasTooManyDocuments = (text: string): boolean => {
  let count = 0
  for (let at = text.indexOf("\n---"); at >= 0 && count <= MAX_DOCUMENTS; at = text.indexOf("\n---", at + 4)) count++
  return count > MAX_DOCUMENTS
}

/** Documents of a text that is no file of its own, such as what a template says by itself. */
export const parseYaml = (text: string): YamlFile => {
  if (nestsTooDeep(text) || hasTooManyDocuments(text)) return invalid
  try {
    const parsed = parseAllDocuments(text, options)
    if (!Array.isArray(parsed) || parsed.length > MAX_DOCUMENTS) return invalid
    const documents: Array<YamlDocument> = []
    const budget = { nodes: MAX_NODES }
    for (const document of parsed) {
      const targets = resolveAliases(document, budget)
      if (targets === null) return invalid
      documents.push({ root: document.contents, targets, known: new Map() })
    }
    return { documents, isValid: parsed.every((document) => document.errors.length === 0) }
  } catch {
    // Deep block nesting overflows the parser's stack: whatever it was, it is not configuration.
    return invalid
  }
}

/** An alias means the last node before it that bears its name. Null when the document exceeds the limits. */
const resolveAliases = (document: Document.Parsed, budget: { nodes: number }): Map<Alias, Node> | null => {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  const isExceeded = (depth: number): boolean => --budget.nodes < 0 || depth > MAX_DEPTH
  const visit = (node: unknown, depth: number): boolean => {
    if (isExceeded(depth)) return false
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      if (target !== undefined) targets.set(node, target)
      return true
    }
    if (!isScalar(node) && !isCollection(node)) return true
    if (node.anchor !== undefined) anchors.set(node.anchor, node)
    if (isMap(node)) return node.items.every((pair) => visit(pair.key, depth + 1) && visit(pair.value, depth + 1))
    return isScalar(node) || node.items.every((item) => visit(item, depth + 1))
  }
  return visit(document.contents, 0) ? targets : null
}

const read = (file: SourceFile): YamlFile => parseYaml(file.text)

/** Documents of a YAML file, parsed when first asked for. */
export const yamlOf = (file: SourceFile): YamlFile => file.memo(read, read)

/** Through an alias to what it stands for. Bounded: an alias never stands for another alias. */
const resolved = (document: YamlDocument, node: unknown): Node | null => {
  const at = isAlias(node) ? document.targets.get(node) : node
  return isScalar(at) || isMap(at) || isSeq(at) ? at : null
}

/** Own entries of a mapping in order, then those it merges in with `<<` and does not override. */
export const entriesOf = (document: YamlDocument, node: unknown): ReadonlyArray<YamlEntry> => {
  const map = resolved(document, node)
  if (!isMap(map)) return []
  const known = document.known.get(map)
  if (known !== undefined) return known
  const entries = collected(document, map)
  document.known.set(map, entries)
  return entries
}

const collected = (document: YamlDocument, node: Node): ReadonlyArray<YamlEntry> => {
  const found: Array<YamlEntry> = []
  const seen = new Set<string>()
  const budget = { merges: MAX_MERGES }
  const collect = (at: unknown): void => {
    const map = resolved(document, at)
    if (!isMap(map)) return
    for (const part of ownEntries(document, map.items, seen, found)) {
      const source = resolved(document, part)
      for (const one of isSeq(source) ? source.items : [source]) if (--budget.merges >= 0) collect(one)
    }
  }
  collect(node)
  return found
}

/** Adds the entries of a mapping whose keys are new, and returns the values of its `<<`. */
const ownEntries = (
  document: YamlDocument,
  items: ReadonlyArray<{ readonly key: unknown; readonly value: unknown }>,
  seen: Set<string>,
  found: Array<YamlEntry>
): ReadonlyArray<unknown> => {
  const merged: Array<unknown> = []
  for (const { key, value } of items) {
    const keyNode = resolved(document, key)
    const name = scalarOf(document, keyNode)
    if (keyNode === null || name === null) continue
    if (name === "<<") merged.push(value)
    else if (!seen.has(name)) {
      seen.add(name)
      found.push({ key: name, keyNode, value: resolved(document, value) })
    }
  }
  return merged
}

export const entryOf = (document: YamlDocument, node: unknown, key: string): YamlEntry | null =>
  entriesOf(document, node).find((entry) => entry.key === key) ?? null

/** Value below a path of keys, or null. */
export const valueAt = (document: YamlDocument, node: unknown, ...path: ReadonlyArray<string>): Node | null => {
  let at = resolved(document, node)
  for (const key of path) {
    if (at === null) return null
    at = entryOf(document, at, key)?.value ?? null
  }
  return at
}

/** Items of a sequence; a single value counts as a sequence of one where `loose` says that the format allows it. */
export const itemsOf = (document: YamlDocument, node: unknown, loose = false): ReadonlyArray<Node> => {
  const at = resolved(document, node)
  if (isSeq(at)) {
    return at.items.map((item) => resolved(document, item)).filter((item): item is Node => item !== null)
  }
  return loose && isScalar(at) && at.value !== null ? [at] : []
}

/** A scalar as text: what was written for numbers and booleans; null for anything else and for null. */
export const scalarOf = (document: YamlDocument, node: unknown): string | null => {
  const at = resolved(document, node)
  if (!isScalar(at) || at.value === null || at.value === undefined) return null
  return typeof at.value === "string" ? at.value : (at.source ?? String(at.value))
}

export const textAt = (document: YamlDocument, node: unknown, ...path: ReadonlyArray<string>): string | null =>
  scalarOf(document, valueAt(document, node, ...path))

export const isTrue = (document: YamlDocument, node: unknown): boolean => {
  const at = resolved(document, node)
  return isScalar(at) && (at.value === true || /^(?:true|yes|on)$/i.test(String(at.value)))
}

/** Range of a node's own text; of a key, without its value. */
export const rangeOf = (node: Node): { readonly start: number; readonly end: number } => {
  const [start, end] = node.range ?? [0, 0]
  return { start, end: Math.max(start, end) }
}
