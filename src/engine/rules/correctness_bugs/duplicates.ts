import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit, Match } from "../../core/tool/AuditTool.ts"
import { calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { isRepeatable, sameCode } from "../../structure/sameCode.ts"
import { type Check, isScript, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const compactText = (tree: FlatTree, node: number): string => tree.textOf(node).replace(/\s+/g, " ")

const literalKey = (text: string): string => text.replace(/^(["'])([A-Za-z_$][\w$ .:/-]*)\1$/, "$2")

interface Key {
  readonly key: string
  readonly node: number
}

const keyOfPair = (tree: FlatTree, entry: number): Key | null => {
  const node = tree.child(entry, "key")
  switch (tree.kind(node)) {
    case "property_identifier":
    case "number":
      return { key: tree.textOf(node), node }
    case "string":
      return tree.childOfKind(node, "interpolation") === NONE ? { key: stringKey(tree, node), node } : null
    case "simple_symbol":
    case "hash_key_symbol":
      return { key: `:${tree.textOf(node).replace(/^:/, "")}`, node }
    case "identifier":
      return tree.grammar.name === "ruby" ? null : { key: tree.textOf(node), node }
    case "integer":
    case "attribute":
    case "constant":
      return { key: tree.textOf(node), node }
    default:
      return null
  }
}

const keyOfMethod = (tree: FlatTree, entry: number): Key | null => {
  const node = tree.child(entry, "name")
  const isAccessor = tree.childOfKind(entry, "get", "set") !== NONE
  if (isAccessor || tree.is(node, "computed_property_name")) return null
  return { key: literalKey(tree.textOf(node)), node }
}

const keyOfElement = (tree: FlatTree, entry: number): Key | null => {
  const [node, value] = tree.namedChildren(entry)
  if (node === undefined || value === undefined || tree.childOfKind(entry, "=>") === NONE) return null
  if (!tree.is(node, "string", "encapsed_string", "integer")) return null
  if (tree.childOfKind(node, "variable_name") !== NONE) return null
  return { key: literalKey(tree.textOf(node)), node }
}

/** The key of a member of a literal; null where that is not known. */
const keyOf = (tree: FlatTree, entry: number): Key | null => {
  switch (tree.kind(entry)) {
    case "pair":
      return keyOfPair(tree, entry)
    case "method_definition":
      return keyOfMethod(tree, entry)
    case "shorthand_property_identifier":
      return { key: tree.textOf(entry), node: entry }
    case "array_element_initializer":
      return keyOfElement(tree, entry)
    default:
      return null
  }
}

/** In JavaScript `a` and "a" are one key; in Python and Ruby a name, a symbol and a string are three. */
const stringKey = (tree: FlatTree, key: number): string => {
  const text = tree.textOf(key)
  if (tree.grammar.name === "python") return `"${text.replace(/^[uU]?("""|'''|"|')([\s\S]*)\1$/, "$2")}"`
  return tree.grammar.name === "ruby" ? `"${text.slice(1, -1)}"` : literalKey(text)
}

const inspectEntries = (file: SourceFile, tree: FlatTree, entries: ReadonlyArray<number>, emit: Emit<RuleId>): void => {
  let seen = new Map<string, number>()
  for (const entry of entries) {
    // What is spread may be overridden on purpose.
    if (/spread|splat/.test(tree.kind(entry))) seen = new Map()
    const found = keyOf(tree, entry)
    // Bytes that are no UTF-8 are read as one character, whichever letters they are.
    if (found === null || found.key === "__proto__" || found.key.includes("\uFFFD")) continue
    const earlier = seen.get(found.key)
    const match = earlier === undefined ? null : repeatedKey(file, tree, earlier, found.node)
    if (match !== null) emit(match)
    seen.set(found.key, found.node)
  }
}

const inspectLiterals: Check["inspect"] = (file, tree, emit) => {
  for (const node of tree.of("object", "dictionary", "hash", "array_creation_expression")) {
    const entries = tree.namedChildren(node)
    if (entries.length > 1) inspectEntries(file, tree, entries, emit)
  }
}

/** Equal entries with a comment in between: a table in parts, each of them complete. */
const isUnderAnotherHeading = (tree: FlatTree, earlier: number, later: number): boolean => {
  const second = tree.parent(later)
  for (
    let next = tree.nextSibling(tree.parent(earlier));
    next !== NONE && next < second;
    next = tree.nextSibling(next)
  ) {
    if (tree.isComment(next) && startsLine(tree, next)) return true
  }
  return false
}

const startsLine = (tree: FlatTree, node: number): boolean => {
  const start = tree.start(node)
  return tree.text.slice(tree.text.lastIndexOf("\n", start - 1) + 1, start).trim() === ""
}

const repeatedKey = (file: SourceFile, tree: FlatTree, earlier: number, later: number): Match<RuleId> | null => {
  const isSame = sameCode(tree, tree.parent(earlier), tree.parent(later))
  if (isSame && isUnderAnotherHeading(tree, earlier, later)) return null
  return {
    rule: isSame ? "duplicate_key_same_value" : "duplicate_key",
    ...spanOf(tree, later),
    message: `The key ${quoted(tree, later)} is already in this literal on line ${file.line(tree.start(earlier))}; only this last value is kept.`,
    steps: [{ ...spanOf(tree, earlier), note: isSame ? "This entry has the same value." : "This value is lost." }],
    identifiers: [literalKey(tree.textOf(later))]
  }
}

const isConstantKey = /^(?:"[^"]*"|-?\d+|[A-Z]\w*(?:\.[A-Z]\w*)*)$/

const inspectMapOf: Check["inspect"] = (file, tree, emit) => {
  if (file.language !== "java" || !file.text.includes("Map.of(")) return
  for (const { callee, args } of calls(file)) {
    if (!/(?:^|\.)(?:Immutable(?:Sorted)?)?Map\.of$/.test(callee)) continue
    const seen = new Set<string>()
    for (let i = 0; i + 1 < args.length; i += 2) {
      const key = tree.textOf(args[i]!)
      if (!isConstantKey.test(key)) continue
      if (seen.has(key)) {
        const message = `\`${callee}\` receives the key ${quoted(tree, args[i]!)} twice and throws IllegalArgumentException when it runs.`
        emit({ rule: "duplicate_key", ...spanOf(tree, args[i]!), message })
      }
      seen.add(key)
    }
  }
}

/** The name of a method of a class; null for accessors and computed names. */
const keyOfMember = (tree: FlatTree, member: number): Key | null => {
  const name = tree.child(member, "name")
  if (!tree.is(member, "method_definition") || tree.is(name, "computed_property_name")) return null
  if (tree.childOfKind(member, "get", "set") !== NONE) return null
  const prefix = tree.text.slice(tree.start(member), tree.start(name))
  return { key: `${/\bstatic\b/.test(prefix) ? "static " : ""}${literalKey(tree.textOf(name))}`, node: name }
}

const inspectMembers: Check["inspect"] = (file, tree, emit) => {
  if (!isScript(file)) return
  for (const body of tree.of("class_body")) {
    const seen = new Map<string, number>()
    for (const member of tree.namedChildren(body)) {
      const found = keyOfMember(tree, member)
      if (found === null) continue
      const { key, node: name } = found
      const earlier = seen.get(key)
      if (earlier !== undefined) {
        const message = `The class already has a method ${quoted(tree, name)} on line ${file.line(tree.start(earlier))}, which this one replaces.`
        emit({ rule: "duplicate_member", ...spanOf(tree, name), message, identifiers: [tree.textOf(name)] })
      }
      seen.set(key, name)
    }
  }
}

const inspectPythonMembers: Check["inspect"] = (file, tree, emit) => {
  if (file.language !== "python") return
  for (const owner of tree.of("class_definition")) {
    const body = tree.child(owner, "body")
    const seen = new Map<string, number>()
    for (const member of tree.namedChildren(body)) {
      if (!tree.is(member, "function_definition")) {
        // Any other use of the name in the class body is a use of the first definition.
        for (const [name] of tree.textOf(member).matchAll(/\w+/g)) seen.delete(name)
        continue
      }
      const name = tree.child(member, "name")
      const key = tree.textOf(name)
      const earlier = seen.get(key)
      if (earlier !== undefined && key !== "_") {
        const message = `The class already defines ${quoted(tree, name)} on line ${file.line(tree.start(earlier))}; this definition replaces it and the first is never called.`
        emit({ rule: "duplicate_member", ...spanOf(tree, name), message, identifiers: [key] })
      }
      seen.set(key, name)
    }
  }
}

const caseValues = (tree: FlatTree, entry: number): ReadonlyArray<number> => {
  if (tree.is(entry, "when")) return tree.childrenOfField(entry, "pattern")
  const value = tree.child(entry, "value")
  return value === NONE ? [] : [value]
}

const inspectSwitch = (file: SourceFile, tree: FlatTree, body: number, emit: Emit<RuleId>): void => {
  const seen = new Map<string, number>()
  const entries = tree.children(body).filter((entry) => tree.is(entry, "switch_case", "case_statement", "when"))
  for (const value of entries.flatMap((entry) => caseValues(tree, entry))) {
    if (!isRepeatable(tree, value, true)) continue
    const key = compactText(tree, value)
    const earlier = seen.get(key)
    if (earlier === undefined) {
      seen.set(key, value)
      continue
    }
    const message = `The case ${quoted(tree, value)} is already handled on line ${file.line(tree.start(earlier))}, so this one never runs.`
    const steps = [{ ...spanOf(tree, earlier), note: "The value is handled here." }]
    emit({ rule: "duplicate_case", ...spanOf(tree, value), message, steps })
  }
}

const inspectCases: Check["inspect"] = (file, tree, emit) => {
  for (const body of tree.of("switch_body", "switch_block", "case")) {
    if (tree.isNamed(body)) inspectSwitch(file, tree, body, emit)
  }
}

const inspectAttributes: Check["inspect"] = (file, tree, emit) => {
  if (!isScript(file)) return
  for (const element of tree.of("jsx_opening_element", "jsx_self_closing_element")) {
    let seen = new Set<string>()
    for (const attribute of tree.namedChildren(element)) {
      if (tree.is(attribute, "jsx_expression")) seen = new Set()
      if (!tree.is(attribute, "jsx_attribute")) continue
      const name = tree.firstChild(attribute)
      const key = tree.textOf(name)
      if (seen.has(key)) {
        const message = `The attribute \`${key}\` occurs twice on this element; only the last one is used.`
        emit({ rule: "duplicate_key", ...spanOf(tree, name), message, identifiers: [key] })
      }
      seen.add(key)
    }
  }
}

export const duplicates: Check = {
  languages: languages("typescript", "tsx", "javascript", "python", "java", "php", "ruby"),
  inspect: (file, tree, emit) => {
    inspectLiterals(file, tree, emit)
    inspectMapOf(file, tree, emit)
    inspectMembers(file, tree, emit)
    inspectPythonMembers(file, tree, emit)
    inspectCases(file, tree, emit)
    inspectAttributes(file, tree, emit)
  }
}
