import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { binaryAt } from "../../languages/code/binaries.ts"
import { type IfChain, ifChains } from "../../languages/code/ifChains.ts"
import { isNative } from "../../languages/native/functions.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare, isRepeatable, sameCode } from "../../structure/sameCode.ts"
import { type Check, languages, namesIn, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const statementsIn = (tree: FlatTree, body: number): ReadonlyArray<number> => {
  const children = tree.namedChildren(body)
  const only = children[0]
  return children.length === 1 && tree.is(only!, "statement_list", "block_body", "body_statement")
    ? tree.namedChildren(only!)
    : children
}

const isEmpty = (tree: FlatTree, body: number): boolean =>
  statementsIn(tree, body).every((n) => tree.is(n, "pass_statement", "empty_statement"))

/** Conditions that all must hold for this one to hold. */
const conjuncts = (tree: FlatTree, condition: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  let at = bare(tree, condition)
  for (let depth = 0; depth < 50; depth++) {
    const binary = binaryAt(tree, at)
    if (binary === null || !/^(?:&&|and)$/.test(binary.operator)) break
    found.push(bare(tree, binary.right))
    at = bare(tree, binary.left)
  }
  found.push(at)
  return found
}

const repeatedCondition = (
  tree: FlatTree,
  { branches }: IfChain
): { later: number; earlier: number; isPart: boolean } | null => {
  if (branches.some(({ hasInitializer, condition }) => hasInitializer || condition === NONE)) return null
  for (let i = 1; i < branches.length && i < 60; i++) {
    const later = bare(tree, branches[i]!.condition)
    for (let j = 0; j < i; j++) {
      const earlier = bare(tree, branches[j]!.condition)
      const isWhole = sameCode(tree, earlier, later)
      const isPart = !isWhole && conjuncts(tree, later).some((part) => sameCode(tree, part, earlier))
      if (!isWhole && !isPart) continue
      const between = branches.slice(j, i + 1)
      if (between.every(({ condition }) => isRepeatable(tree, condition, true))) return { later, earlier, isPart }
    }
  }
  return null
}

const ternaries = ["ternary_expression", "conditional_expression", "conditional"]

const isInType = (tree: FlatTree, node: number): boolean => tree.enclosing(node, "type_alias_declaration") !== NONE

const ternaryArms = (tree: FlatTree, node: number): readonly [number, number] => {
  const yes = tree.child(node, "consequence")
  const no = tree.child(node, "alternative")
  if (no !== NONE) return [yes === NONE ? tree.child(node, "body") : yes, no]
  // Python's grammar has no fields here: value, condition, other value.
  const parts = tree.namedChildren(node)
  return parts.length === 3 ? [parts[0]!, parts[2]!] : [NONE, NONE]
}

const inspectConditions = (file: SourceFile, tree: FlatTree, chain: IfChain, emit: Emit<RuleId>): void => {
  const repeated = chain.branches.length > 1 ? repeatedCondition(tree, chain) : null
  if (repeated === null) return
  const { later, earlier, isPart } = repeated
  const why = isPart ? `requires ${quoted(tree, earlier)}` : "is the same condition"
  emit({
    rule: "repeated_condition",
    ...spanOf(tree, later),
    message: `${quoted(tree, later)} ${why}, which the branch on line ${file.line(tree.start(earlier))} already handles, so this branch never runs.`,
    steps: [{ ...spanOf(tree, earlier), note: "The condition is first tested here." }],
    identifiers: namesIn(tree, later)
  })
}

const inspectBodies = (
  tree: FlatTree,
  { branches: [first, ...later], otherwise, node }: IfChain,
  emit: Emit<RuleId>
) => {
  if (first === undefined || otherwise === NONE || first.body === NONE || isEmpty(tree, first.body)) return
  const others = [...later.map(({ body }) => body), otherwise]
  if (!others.every((other) => sameBody(tree, first.body, other))) return
  const count = others.length === 1 ? "Both branches" : `All ${others.length + 1} branches`
  emit({
    rule: "identical_branches",
    start: tree.start(node),
    end: tree.start(first.body),
    message: `${count} of this condition run the same code, so ${quoted(tree, first.condition)} decides nothing.`,
    identifiers: namesIn(tree, first.condition)
  })
}

const inspectTernaries = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of(...ternaries)) {
    const [yes, no] = ternaryArms(tree, node)
    if (!tree.isNamed(node) || !sameCode(tree, bare(tree, yes), bare(tree, no)) || isInType(tree, node)) continue
    const message = `Both operands of ${quoted(tree, node)} are ${quoted(tree, yes)}, so the condition decides nothing.`
    emit({ rule: "identical_branches", ...spanOf(tree, node), message, identifiers: namesIn(tree, node) })
  }
}

/** The preprocessor chooses parts of it: what is equal here differs in other builds. */
const isAssembled = (file: SourceFile, tree: FlatTree, node: number): boolean =>
  isNative(file.language) && /\n[ \t]*#/.test(tree.textOf(node).slice(0, MAX_SEARCHED))
const MAX_SEARCHED = 20_000

export const branches: Check = {
  languages: languages(
    "typescript",
    "tsx",
    "javascript",
    "python",
    "go",
    "java",
    "php",
    "csharp",
    "rust",
    "ruby",
    "c",
    "cpp"
  ),
  inspect: (file, tree, emit) => {
    for (const chain of ifChains(file)) {
      const report: typeof emit = (match) => {
        if (!isAssembled(file, tree, chain.node)) emit(match)
      }
      inspectConditions(file, tree, chain, report)
      inspectBodies(tree, chain, report)
    }
    inspectTernaries(tree, emit)
  }
}

const sameBody = (tree: FlatTree, a: number, b: number): boolean => {
  const [first, second] = [statementsIn(tree, a), statementsIn(tree, b)]
  if (first.length === 0) return sameCode(tree, a, b)
  // `return x` and `echo x`, without braces.
  if (tree.kind(a) !== tree.kind(b) && [a, b].every((body) => tree.kind(body).endsWith("_statement"))) return false
  // Comments inside a body are part of it: what is explained separately is separate on purpose.
  const comments = (n: number): number => tree.children(n).filter((c) => tree.isComment(c)).length
  return (
    first.length === second.length &&
    comments(a) === 0 &&
    comments(b) === 0 &&
    first.every((statement, i) => sameCode(tree, statement, second[i]!))
  )
}
