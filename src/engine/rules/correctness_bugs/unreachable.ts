import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { type IfChain, ifChains } from "../../languages/code/ifChains.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { hasBelow } from "../../structure/sameCode.ts"
import { type Check, isScript, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const jumps = [
  "return_statement",
  "throw_statement",
  "raise_statement",
  "break_statement",
  "continue_statement",
  "return",
  "break",
  "next"
]
const blocks = [
  "statement_block",
  "program",
  "switch_case",
  "switch_default",
  "block",
  "module",
  "statement_list",
  "compound_statement",
  "case_statement",
  "default_statement",
  "body_statement",
  "then",
  "else"
]
/** Declarations take effect anywhere in their block. */
const hoisted =
  /^(?:function_declaration|generator_function_declaration|function_definition|class_declaration|abstract_class_declaration|interface_declaration|type_alias_declaration|enum_declaration|trait_declaration|import_statement|export_statement|ambient_declaration|empty_statement|pass_statement|heredoc_body|text|text_interpolation|php_end_tag|statement_identifier|method|class|module|else|elsif|rescue|ensure)$/

/** Statements put after a jump as a precaution, for the compiler or the reader. */
const isPrecaution = (tree: FlatTree, node: number): boolean => {
  if (tree.is(node, "break_statement", "continue_statement", "throw_statement", "raise_statement")) return true
  if (tree.is(node, "return_statement")) return true
  return /^(?:panic\(|process\.exit|sys\.exit|exit|die|assert\b|unreachable)/.test(tree.textOf(node).slice(0, 20))
}

const isBareVar = (tree: FlatTree, node: number): boolean =>
  tree.is(node, "variable_declaration") && tree.namedChildren(node).every((d) => tree.child(d, "value") === NONE)

const isLabel = (tree: FlatTree, node: number): boolean => tree.is(node, "labeled_statement", "named_label_statement")

const doesSomething = (tree: FlatTree, node: number): boolean =>
  tree.isNamed(node) &&
  !hoisted.test(tree.kind(node)) &&
  !isBareVar(tree, node) &&
  !tree.is(node, "decorated_definition") &&
  // A string on its own is how Python comments out many lines.
  !tree.is(tree.firstChild(node), "string")

/** First statement after this one in its block that could have done something; NONE where it is intended. */
const statementAfter = (tree: FlatTree, node: number): number => {
  for (let next = tree.nextSibling(node); next !== NONE; next = tree.nextSibling(next)) {
    // A comment at the jump or before the dead code marks it as intended.
    if (isLabel(tree, next) || tree.isComment(next)) return NONE
    if (doesSomething(tree, next)) return next
  }
  return NONE
}

const purposes = new WeakMap<FlatTree, Map<number, number>>()

/** Last part of a block that is a label to jump to or holds a `yield`; NONE without one. */
const lastPurpose = (tree: FlatTree, block: number): number => {
  const known = purposes.get(tree) ?? new Map<number, number>()
  purposes.set(tree, known)
  const before = known.get(block)
  if (before !== undefined) return before
  let found = NONE
  for (let part = tree.firstChild(block); part !== NONE; part = tree.nextSibling(part)) {
    if (isLabel(tree, part) || tree.within(part, "yield", "yield_expression").length > 0) found = part
  }
  known.set(block, found)
  return found
}

/** From here to the end of the block, a label to jump to, or a `yield`: after `return` it makes an empty generator. */
const hasPurposeBelow = (tree: FlatTree, node: number): boolean => lastPurpose(tree, tree.parent(node)) >= node

/** The statement after this one that could have done something and is never reached; NONE when there is none. */
const deadAfter = (file: SourceFile, tree: FlatTree, node: number): number => {
  const found = statementAfter(tree, node)
  if (found === NONE || isPrecaution(tree, found)) return NONE
  if (tree.is(found, "expression_statement") && isPrecaution(tree, tree.firstChild(found))) return NONE
  if (hasPurposeBelow(tree, found)) return NONE
  return file.language === "go" && hasBelow(tree, tree.parent(node), "labeled_statement") ? NONE : found
}

/** Every line down to the dead one is indented like the jump; where tabs and blanks mix, the tree shows other blocks. */
const isInSameBlock = (file: SourceFile, tree: FlatTree, node: number, dead: number): boolean => {
  if (file.language !== "python") return true
  const from = file.line(tree.start(node))
  const indent = /^\s*/.exec(file.lineText(from))![0]
  for (let line = from + 1; line <= file.line(tree.start(dead)); line++) {
    const text = file.lineText(line)
    if (text.trim() !== "" && !text.startsWith(indent)) return false
  }
  return true
}

const wordOf = (tree: FlatTree, node: number): string => /^\w+/.exec(tree.textOf(node).slice(0, 20))?.[0] ?? "jump"

/** `return` alone at the end of a line, with its value on the next: the value is never returned. */
const isSplitReturn = (file: SourceFile, tree: FlatTree, node: number, next: number): boolean =>
  isScript(file) &&
  tree.is(node, "return_statement") &&
  tree.namedChildren(node).length === 0 &&
  tree.textOf(node) === "return" &&
  tree.is(next, "expression_statement") &&
  file.line(tree.start(next)) === file.line(tree.end(node)) + 1

const last = (tree: FlatTree, block: number): number => {
  let found = NONE
  for (let c = tree.firstChild(block); c !== NONE; c = tree.nextSibling(c)) {
    if (tree.isNamed(c) && !tree.isComment(c) && !tree.is(c, "empty_statement")) found = c
  }
  return tree.is(found, "statement_list") ? last(tree, found) : found
}

const leaves = ["return_statement", "throw_statement", "raise_statement"]

const alwaysLeaves = (tree: FlatTree, body: number): boolean =>
  tree.is(body, ...leaves) ||
  (tree.is(body, "statement_block", "block", "compound_statement", "statement_list") &&
    tree.is(last(tree, body), ...leaves))

/** A bare `return` in the middle of a block is how code is disabled for a while. */
const disablesCode = (file: SourceFile, tree: FlatTree, node: number): boolean =>
  tree.is(node, "return_statement", "return") &&
  tree.namedChildren(node).length === 0 &&
  !tree.is(tree.parent(node), "switch_case", "statement_list") &&
  file.language !== "ruby"

const inspectJump = (file: SourceFile, tree: FlatTree, node: number, emit: Emit<RuleId>): void => {
  if (!tree.isNamed(node) || !tree.is(tree.parent(node), ...blocks) || tree.nextSibling(node) === NONE) return
  const dead = deadAfter(file, tree, node)
  if (dead === NONE || !isInSameBlock(file, tree, node, dead)) return
  if (isSplitReturn(file, tree, node, dead)) {
    const message = `This \`return\` ends here and returns undefined; ${quoted(tree, dead)} on the next line is never reached.`
    emit({ rule: "return_value_on_next_line", start: tree.start(node), end: tree.end(dead), message })
  } else if (!disablesCode(file, tree, node)) {
    const message = `${quoted(tree, dead)} can never run: the \`${wordOf(tree, node)}\` on line ${file.line(tree.start(node))} always leaves before it.`
    const steps = [{ ...spanOf(tree, node), note: "Control leaves here." }]
    emit({ rule: "unreachable_code", ...spanOf(tree, dead), message, steps })
  }
}

const inspectChain = (file: SourceFile, tree: FlatTree, chain: IfChain, emit: Emit<RuleId>): void => {
  if (chain.otherwise === NONE || !tree.is(tree.parent(chain.node), ...blocks)) return
  const bodies = [...chain.branches.map(({ body }) => body), chain.otherwise]
  if (!bodies.every((body) => alwaysLeaves(tree, body))) return
  const dead = deadAfter(file, tree, chain.node)
  if (dead === NONE) return
  const message = `${quoted(tree, dead)} can never run: every branch of the condition on line ${file.line(tree.start(chain.node))} leaves before it.`
  const steps = [{ ...spanOf(tree, chain.node), note: "Control always leaves here." }]
  emit({ rule: "unreachable_code", ...spanOf(tree, dead), message, steps })
}

export const unreachable: Check = {
  languages: languages("typescript", "tsx", "javascript", "python", "go", "php", "ruby"),
  inspect: (file, tree, emit) => {
    for (const node of tree.of(...jumps)) inspectJump(file, tree, node, emit)
    for (const chain of ifChains(file)) inspectChain(file, tree, chain, emit)
  }
}
