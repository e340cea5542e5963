import type { SourceFile } from "../core/files/SourceFile.ts"
import { syntaxOf } from "../languages/syntax/languages.ts"
import type { FunctionInfo } from "../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../languages/tree/FlatTree.ts"

export interface Complexity {
  readonly info: FunctionInfo
  readonly cognitive: number
  /** Branches, loops, handlers and boolean sequences. */
  readonly decisions: number
  readonly nesting: number
  /** Lines of code, without blank lines, comment lines, markup and named inner functions. */
  readonly lines: number
}

/** Kinds that cost 1 plus the depth they are at, and deepen what is inside. */
const structures = [
  "if_statement",
  "if_expression",
  "if",
  "unless",
  "if_modifier",
  "unless_modifier",
  "ternary_expression",
  "conditional_expression",
  "conditional",
  "for_statement",
  "for_in_statement",
  "for_range_loop",
  "for_expression",
  "for",
  "foreach_statement",
  "enhanced_for_statement",
  "while_statement",
  "while_expression",
  "while",
  "until",
  "while_modifier",
  "until_modifier",
  "do_statement",
  "loop_expression",
  "switch_statement",
  "switch_expression",
  "expression_switch_statement",
  "type_switch_statement",
  "select_statement",
  "match_statement",
  "match_expression",
  "case",
  "case_match",
  "catch_clause",
  "except_clause",
  "rescue"
]
const choices = new Set([
  "switch_statement",
  "switch_expression",
  "expression_switch_statement",
  "type_switch_statement",
  "match_statement",
  "match_expression",
  "case",
  "case_match"
])
const armsOfChoices = [
  "switch_case",
  "case_statement",
  "expression_case",
  "type_case",
  "switch_block_statement_group",
  "switch_rule",
  "switch_section",
  "switch_expression_arm",
  "match_arm",
  "case_clause",
  "match_conditional_expression",
  "when",
  "in_clause"
]
/** A choice of as many is a table: each of its arms is read by itself, as if it stood alone. */
const MIN_ARMS_OF_TABLE = 8
const conditionals = new Set(["if_statement", "if_expression", "if", "unless"])
/** Kinds that cost 1 and do not deepen further than the condition they continue. */
const continuations = ["else_clause", "elif_clause", "else_if_clause", "elsif", "else"]
const booleanKinds = ["binary_expression", "boolean_operator", "binary"]
const jumps = ["break_statement", "continue_statement", "goto_statement", "break_expression", "continue_expression"]
const markup = ["jsx_element", "jsx_self_closing_element", "jsx_fragment"]

interface Frame {
  readonly last: number
  readonly depth: number
}

interface Tally {
  readonly info: FunctionInfo
  readonly last: number
  cognitive: number
  decisions: number
  nesting: number
  readonly frames: Array<Frame>
  readonly holes: Array<readonly [start: number, end: number]>
}

const operatorOf = (tree: FlatTree, node: number): string | null => {
  const operator = tree.child(node, "operator")
  const text = operator === NONE ? "" : tree.textOf(operator)
  return /^(?:&&|\|\||\?\?|and|or)$/.test(text) ? text : null
}

/** `a && b && c` is one thought; a change of operator is another. Only the outermost of a run counts. */
const startsSequence = (tree: FlatTree, node: number): boolean => {
  const operator = operatorOf(tree, node)
  if (operator === null || operator === "??") return false
  const parent = tree.parent(node)
  return !(tree.is(parent, ...booleanKinds) && operatorOf(tree, parent) === operator)
}

const isElseIf = (tree: FlatTree, node: number): boolean => {
  if (!conditionals.has(tree.kind(node))) return false
  const parent = tree.parent(node)
  return tree.is(parent, "else_clause") || (tree.fieldOf(node) === "alternative" && conditionals.has(tree.kind(parent)))
}

/** Languages without a node for `else` have the block itself under "alternative". */
const hasBareElse = (tree: FlatTree, node: number): boolean => {
  const alternative = tree.child(node, "alternative")
  return alternative !== NONE && !tree.is(alternative, ...continuations, ...conditionals)
}

const depthAt = (tally: Tally, node: number): number => {
  while (tally.frames.length > 0 && tally.frames.at(-1)!.last < node) tally.frames.pop()
  return tally.frames.at(-1)?.depth ?? 0
}

const isTable = (tree: FlatTree, node: number): boolean =>
  choices.has(tree.kind(node)) && tree.within(node, ...armsOfChoices).length >= MIN_ARMS_OF_TABLE

const structure = (tree: FlatTree, tally: Tally, node: number): void => {
  tally.decisions++
  if (isElseIf(tree, node)) {
    // `else if` in a language with an else node: that node has been counted already.
    if (!tree.is(tree.parent(node), "else_clause")) tally.cognitive++
  } else {
    const depth = depthAt(tally, node)
    tally.cognitive += 1 + depth
    if (isTable(tree, node)) return
    tally.frames.push({ last: tree.lastDescendant(node), depth: depth + 1 })
    tally.nesting = Math.max(tally.nesting, depth + 1)
  }
  if (conditionals.has(tree.kind(node)) && hasBareElse(tree, node)) tally.cognitive++
}

const count = (tree: FlatTree, tally: Tally, node: number): void => {
  const kind = tree.kind(node)
  if (!tree.isNamed(node)) return
  if (structureSet.has(kind)) structure(tree, tally, node)
  else if (continuationSet.has(kind)) {
    tally.cognitive++
    if (kind !== "else_clause" && kind !== "else") tally.decisions++
  } else if (booleanSet.has(kind)) {
    if (startsSequence(tree, node)) {
      tally.cognitive++
      tally.decisions++
    }
  } else if (jumpSet.has(kind)) {
    if (tree.child(node, "label") !== NONE || tree.childOfKind(node, "label_name", "label") !== NONE) tally.cognitive++
  } else if (markupSet.has(kind)) {
    const outer = tally.holes.at(-1)
    if (outer === undefined || tree.start(node) >= outer[1]) tally.holes.push([tree.start(node), tree.end(node)])
  }
}

const structureSet = new Set(structures)
const continuationSet = new Set(continuations)
const booleanSet = new Set(booleanKinds)
const jumpSet = new Set(jumps)
const markupSet = new Set(markup)

/** One pass over the nodes that count. A function without a name is a part of the named one around it. */
export const cognitiveComplexity = (file: SourceFile): ReadonlyArray<Complexity> => file.memo(compute, compute)

const compute = (file: SourceFile): ReadonlyArray<Complexity> => {
  const syntax = syntaxOf(file.language)
  const tree = syntax === null ? null : file.tree
  if (syntax === null || tree === null) return []
  const functionKinds = new Set(syntax.functionKinds)
  const nodes = tree.of(...syntax.functionKinds, ...structures, ...continuations, ...booleanKinds, ...jumps, ...markup)
  const open: Array<Tally> = []
  const done: Array<Tally> = []
  for (const node of nodes) {
    while (open.length > 0 && open.at(-1)!.last < node) open.pop()
    const current = open.at(-1)
    if (!functionKinds.has(tree.kind(node))) {
      if (current !== undefined) count(tree, current, node)
      continue
    }
    const info = syntax.functionAt(tree, node)
    if (info === null) continue
    const last = tree.lastDescendant(node)
    if (info.name === null && current !== undefined) continue
    current?.holes.push([tree.start(node), tree.end(node)])
    const tally: Tally = { info, last, cognitive: 0, decisions: 0, nesting: 0, frames: [], holes: [] }
    open.push(tally)
    done.push(tally)
  }
  return done.map((tally) => ({
    info: tally.info,
    cognitive: tally.cognitive,
    decisions: tally.decisions,
    nesting: tally.nesting,
    lines: codeLines(file, tree, tally)
  }))
}

const codeLines = (file: SourceFile, tree: FlatTree, { info, holes }: Tally): number => {
  const first = file.line(tree.start(info.node))
  const last = file.line(tree.end(info.node))
  // Counting needs the text of each line: only worth it where the answer can matter.
  if (last - first < 40) return last - first + 1
  let lines = 0
  let hole = 0
  for (let line = first; line <= last; line++) {
    const start = file.lineStarts[line - 1]!
    while (hole < holes.length && holes[hole]![1] <= start) hole++
    const inHole = hole < holes.length && holes[hole]![0] < start && holes[hole]![1] > start
    if (!inHole && !/^\s*(?:$|\/\/|\/?\*|#)/.test(file.lineText(line))) lines++
  }
  return lines
}
