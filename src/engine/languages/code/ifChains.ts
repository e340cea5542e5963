import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"

export interface Branch {
  readonly node: number
  readonly condition: number
  readonly body: number
  /** `if x := f(); x > 0` of Go: the condition reads what this sets. */
  readonly hasInitializer: boolean
}

/** `if … else if … else …` as one thing. */
export interface IfChain {
  readonly node: number
  readonly branches: ReadonlyArray<Branch>
  /** Body of the final else, or NONE. */
  readonly otherwise: number
}

const heads = ["if_statement", "if_expression", "if"]
const elseClauses = ["else_clause", "else"]
const elifs = ["elif_clause", "else_if_clause", "elsif"]

const isContinuation = (tree: FlatTree, node: number): boolean => {
  const parent = tree.parent(node)
  if (tree.is(parent, "else_clause")) return !tree.is(node, "if") || tree.firstChild(parent) !== NONE
  return tree.fieldOf(node) === "alternative" && tree.is(parent, ...heads)
}

const branchAt = (tree: FlatTree, node: number): Branch => {
  const consequence = tree.child(node, "consequence")
  return {
    node,
    condition: tree.child(node, "condition"),
    body: consequence === NONE ? tree.child(node, "body") : consequence,
    hasInitializer: tree.child(node, "initializer") !== NONE
  }
}

const elseBody = (tree: FlatTree, clause: number): number => {
  const body = tree.child(clause, "body")
  return body !== NONE ? body : (tree.namedChildren(clause)[0] ?? NONE)
}

/** The `if` that an alternative goes on with, or NONE. */
const continuationOf = (tree: FlatTree, alternative: number): number => {
  if (tree.is(alternative, ...heads, ...elifs)) return alternative
  if (!tree.is(alternative, "else_clause")) return NONE
  const body = elseBody(tree, alternative)
  return tree.is(body, ...heads) ? body : NONE
}

/** Body of an alternative that is a final else; what is known already for anything else. */
const otherwiseOf = (tree: FlatTree, alternative: number, known: number): number => {
  if (tree.is(alternative, "else")) return alternative
  if (tree.is(alternative, ...elseClauses)) return elseBody(tree, alternative)
  return !tree.isComment(alternative) && tree.isNamed(alternative) ? alternative : known
}

const chainAt = (tree: FlatTree, node: number): IfChain => {
  const branches: Array<Branch> = []
  let at = node
  let otherwise = NONE
  while (at !== NONE) {
    branches.push(branchAt(tree, at))
    let next = NONE
    for (const alternative of tree.childrenOfField(at, "alternative")) {
      if (tree.is(alternative, "elif_clause", "else_if_clause")) {
        branches.push(branchAt(tree, alternative))
        continue
      }
      const continuation = continuationOf(tree, alternative)
      if (continuation !== NONE) next = continuation
      else otherwise = otherwiseOf(tree, alternative, otherwise)
    }
    at = next
  }
  return { node, branches, otherwise }
}

const compute = (file: SourceFile): ReadonlyArray<IfChain> => {
  const tree = file.tree
  if (tree === null) return []
  const chains: Array<IfChain> = []
  for (const node of tree.of(...heads)) {
    if (tree.isNamed(node) && !isContinuation(tree, node)) chains.push(chainAt(tree, node))
  }
  return chains
}

export const ifChains = (file: SourceFile): ReadonlyArray<IfChain> => file.memo(compute, compute)
