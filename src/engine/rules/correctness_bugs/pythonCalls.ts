import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { binaries } from "../../languages/code/binaries.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { assignments, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare } from "../../structure/sameCode.ts"
import { type Check, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

/** A text that is a word, a suffix or the beginning of an address: as a set of characters it makes no sense. */
const looksLikeText = (text: string, method: string): boolean => {
  if (text.length < 3 || text.length > 40 || !/[A-Za-z]{2}/.test(text) || /\s/.test(text)) return false
  if (/^[a-z]+:\/\/|^www\./.test(text)) return true
  if (method === "rstrip" && /^[._-][A-Za-z]\w+$/.test(text)) return true
  return method === "lstrip" && /^[A-Za-z]{2,}[._:/-]$/.test(text)
}

const inspectStrips = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const { node, method, args, receiver } of calls(file)) {
    if (receiver === null || args.length !== 1 || !/^[lr]?strip$/.test(method)) continue
    const text = literalValue(file, args[0]!)
    if (text === null || !looksLikeText(text, method)) continue
    const instead = method === "rstrip" ? "removesuffix" : "removeprefix"
    const message = `\`${method}\` removes any of the characters in ${quoted(tree, args[0]!)}, in any order, not the text itself: use \`${instead}\`.`
    emit({ rule: "strip_of_text", ...spanOf(tree, node), message, noun: quoted(tree, args[0]!) })
  }
}

const changesInPlace = /^(?:append|extend|insert|sort|reverse|clear)$/

/** `x = x.append(y)`: the method changes the list and returns None. */
const inspectLostLists = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  const lists = new Set<string>()
  for (const { target, value, node } of assignments(file)) {
    if (!tree.is(node, "assignment") || value === NONE || !/^\w+$/.test(target)) continue
    const holder = enclosingFunction(file, node)?.node ?? 0
    if (tree.is(value, "list", "list_comprehension")) lists.add(`${holder} ${target}`)
    if (!tree.is(value, "call") || !lists.has(`${holder} ${target}`)) continue
    const callee = tree.child(value, "function")
    const method = tree.textOf(tree.child(callee, "attribute"))
    if (tree.textOf(tree.child(callee, "object")) !== target || !changesInPlace.test(method)) continue
    const message = `\`${method}\` changes \`${target}\` in place and returns None, which replaces the list here.`
    emit({ rule: "list_replaced_by_none", ...spanOf(tree, node), message, identifiers: [target, method] })
  }
}

/** `[[]] * n`: the same inner list n times, of which one is changed later. */
const inspectSharedRows = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const { node, left, operator, right } of binaries(file)
    .filter(({ left }) => tree.is(left, "list"))
    .slice(0, 100)) {
    if (operator !== "*" || !tree.is(left, "list")) continue
    const entries = tree.namedChildren(left)
    if (entries.length !== 1 || !isMutableRow(tree, entries[0]!) || /^[01]$/.test(tree.textOf(bare(tree, right))))
      continue
    const holder = tree.parent(node)
    const name = tree.is(holder, "assignment") ? tree.textOf(tree.child(holder, "left")) : ""
    if (!/^[\w.]+$/.test(name) || !isRowChanged(file.text, name)) continue
    const message = `${quoted(tree, node)} holds one and the same ${rowKind(tree, entries[0]!)} several times, so a change of one row changes all. Use a list comprehension.`
    emit({ rule: "shared_inner_list", ...spanOf(tree, node), message, identifiers: [name.split(".").at(-1)!] })
  }
}

const rowKind = (tree: FlatTree, entry: number): string =>
  tree.is(entry, "dictionary", "set") ? tree.kind(entry) : "list"

const isMutableRow = (tree: FlatTree, entry: number): boolean => {
  if (tree.is(entry, "list", "dictionary", "set")) return true
  const operator = tree.is(entry, "binary_operator") ? tree.textOf(tree.child(entry, "operator")) : ""
  return operator === "*" && tree.is(tree.child(entry, "left"), "list")
}

/** `rows[i][j] = x` or `rows[i].append(x)`; a row that is replaced as a whole is not shared. */
const isRowChanged = (text: string, name: string): boolean => {
  const row = `(?<![\\w.])${name.replace(/\./g, "\\.")}\\[[^\\]\\n]{1,60}\\]`
  return (
    new RegExp(
      `${row}(?:\\[[^\\]\\n]{1,60}\\]\\s*[-+*/|&]?=(?!=)|\\.(?:append|extend|insert|add|update|pop|remove)\\()`
    ).test(text) && !new RegExp(`${row}\\s*=(?!=)`).test(text)
  )
}

const inspectTupleConditions = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("if_statement", "elif_clause", "while_statement")) {
    const condition = tree.child(node, "condition")
    if (!tree.is(condition, "tuple") || tree.namedChildren(condition).length === 0) continue
    const message = `${quoted(tree, condition)} is a tuple with elements, which is always true.`
    emit({ rule: "condition_on_tuple", ...spanOf(tree, condition), message })
  }
}

const inspectConstructors = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("function_definition").subarray(0, 500)) {
    const name = tree.textOf(tree.child(node, "name"))
    const block = tree.parent(node)
    if (!tree.is(tree.parent(block), "class_definition")) continue
    if (name === "__init__") inspectReturns(tree, node, emit)
    const parameters = tree.child(node, "parameters")
    if (tree.namedChildren(parameters).length === 0 && name !== "" && !takesNoSelf(tree, node, name)) {
      const message = `\`${name}\` takes no \`self\`, so calling it on an object raises a TypeError.`
      emit({
        rule: "method_without_self",
        ...spanOf(tree, tree.child(node, "name")),
        message,
        identifiers: [name],
        noun: `\`${name}\``
      })
    }
  }
}

/** Interfaces declare methods as callers see them, and a class body may use a function while it is built. */
const takesNoSelf = (tree: FlatTree, node: number, name: string): boolean => {
  const owner = tree.enclosing(node, "class_definition")
  const header = tree.text.slice(tree.start(owner), tree.start(tree.child(owner, "body")))
  if (/Interface|\bI[A-Z]\w+|Protocol|Enum|Meta|type\)/.test(header) || /^class\s+(?:I[A-Z]|Meta\b)/.test(header))
    return true
  if (
    tree.enclosing(owner, "function_definition") !== NONE &&
    /\bstaticmethod\b/.test(tree.textOf(owner).slice(0, 20_000))
  )
    return true
  const uses = tree.within(tree.child(owner, "body"), "identifier")
  return (
    uses.some((n) => n !== tree.child(node, "name") && tree.textOf(n) === name && tree.fieldOf(n) !== "attribute") ||
    isCalledOnClass(tree, owner, name)
  )
}

/** `Shapes.make()`: the function is kept in the class as in a module. */
const isCalledOnClass = (tree: FlatTree, owner: number, name: string): boolean => {
  const className = tree.textOf(tree.child(owner, "name"))
  return new RegExp(`\\b(?:${className}|cls|__class__)\\.${name}\\b`).test(tree.text)
}

const inspectReturns = (tree: FlatTree, init: number, emit: Emit<RuleId>): void => {
  for (const node of tree.within(tree.child(init, "body"), "return_statement")) {
    const value = tree.namedChildren(node)[0]
    if (
      value === undefined ||
      tree.is(value, "none", "call", "await") ||
      tree.enclosing(node, "function_definition", "lambda") !== init
    )
      continue
    const message = `\`__init__\` returns ${quoted(tree, value)}, so creating an object raises a TypeError.`
    emit({ rule: "constructor_returns_value", ...spanOf(tree, node), message })
  }
}

export const pythonCalls: Check = {
  languages: languages("python"),
  inspect: (file, tree, emit) => {
    if (file.text.includes("strip(")) inspectStrips(file, tree, emit)
    inspectLostLists(file, tree, emit)
    inspectSharedRows(file, tree, emit)
    inspectTupleConditions(tree, emit)
    inspectConstructors(tree, emit)
  }
}
