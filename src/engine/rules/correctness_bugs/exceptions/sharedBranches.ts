import { escape as escapeRegExp } from "effect/RegExp"
import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { type IfChain, ifChains } from "../../../languages/code/ifChains.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"

/** Why to throw an exception where it is created would reject what is valid, or change little. */
export type SharedBranch = "earlier" | "search" | "continues" | "computed" | "marked" | "answered" | "opened"

const elementLoops = ["for_statement", "for_in_statement", "enhanced_for_statement"]
const loops = [...elementLoops, "while_statement", "do_statement"]
const leaving = ["return_statement", "raise_statement", "throw_statement", "continue_statement", "break_statement"]
const MAX_SIBLINGS = 12

/** `kind == 1`, `kind in (1, 2)`, `isinstance(kind, int)`: one thing that is compared with another one. */
const comparison =
  /^\(?\s*(?:isinstance\(\s*([\w.]+)\s*,\s*([^()\n]+)\)|([\w.]+(?:\[\w+\])?)\s*(?:===?|\bis\b|\bin\b)\s*([^\n]+?))\s*\)?$/
const combined = /\band\b|\bor\b|&&|\|\|/

interface Compared {
  readonly subject: string
  readonly value: string
}

const comparedIn = (text: string): Compared | null => {
  const [, object, type, subject, value] = comparison.exec(text) ?? []
  if (combined.test(text)) return null
  const [left, right] = [object ?? subject, type ?? value]
  return left === undefined || right === undefined ? null : { subject: left, value: right.trim() }
}

/** What all conditions of a chain compare, each with its value; null where they compare several things. */
const comparedBy = (tree: FlatTree, { branches }: IfChain): ReadonlyArray<Compared> | null => {
  const all = branches.map(({ condition }) => comparedIn(tree.textOf(condition)))
  const compared = all.flatMap((one) => one ?? [])
  return compared.length === all.length && compared.every(({ subject }) => subject === compared[0]!.subject)
    ? compared
    : null
}

const lastIn = (tree: FlatTree, body: number): number => tree.namedChildren(body).at(-1) ?? body

const assigns = (text: string, name: string): boolean =>
  new RegExp(`(?:^|[;{\\n])[ \\t]*(?:self\\.|this\\.)?${escapeRegExp(name)}[ \\t]*=(?!=)`).test(text)

const statementOf = (tree: FlatTree, creation: number): number =>
  tree.is(tree.parent(creation), "expression_statement") ? tree.parent(creation) : creation

interface Chains {
  readonly byNode: ReadonlyMap<number, IfChain>
  readonly byOtherwise: ReadonlyMap<number, IfChain>
}

const chainsIn = (file: SourceFile): Chains => ({
  byNode: new Map(ifChains(file).map((one) => [one.node, one])),
  byOtherwise: new Map(ifChains(file).flatMap((one) => (one.otherwise === NONE ? [] : [[one.otherwise, one]])))
})

/** The chain of conditions in whose last branch a statement stands directly. */
const chainAround = (file: SourceFile, tree: FlatTree, statement: number): IfChain | undefined => {
  const { byOtherwise } = file.memo(chainsIn, chainsIn)
  return byOtherwise.get(statement) ?? byOtherwise.get(tree.parent(statement))
}

interface Statements {
  readonly all: ReadonlyArray<number>
  readonly places: ReadonlyMap<number, number>
}

const statementsIn = ({ tree }: SourceFile, block: number): Statements => {
  const all = tree!.namedChildren(block)
  return { all, places: new Map(all.map((node, i) => [node, i])) }
}

/** The statements before one in its block, the nearest first. */
const before = (file: SourceFile, tree: FlatTree, statement: number): ReadonlyArray<number> => {
  const { all, places } = file.memoAt(tree.parent(statement), statementsIn)
  const at = places.get(statement) ?? 0
  return all.slice(Math.max(0, at - MAX_SIBLINGS), at).reverse()
}

/** Whether a chain without a last branch accepts values of a subject that another one does not know, and goes on. */
const acceptsOthers = (tree: FlatTree, chain: IfChain, known: ReadonlyArray<Compared>): boolean => {
  const compared = chain.otherwise === NONE ? comparedBy(tree, chain) : null
  const { subject } = known[0]!
  if (compared === null || compared[0]!.subject !== subject) return false
  const bodies = chain.branches.map(({ body }) => body)
  if (bodies.some((body) => tree.is(lastIn(tree, body), ...leaving) || assigns(tree.textOf(body), subject)))
    return false
  return compared.some(({ value }) => !known.some((one) => one.value === value))
}

/** `if kind == 1: …` and then `if kind == 2: … else`: the first kind comes to the last branch of the second condition. */
const isReachedByEarlier = (file: SourceFile, tree: FlatTree, chain: IfChain): boolean => {
  const known = comparedBy(tree, chain)
  if (known === null) return false
  const { byNode } = file.memo(chainsIn, chainsIn)
  for (const at of before(file, tree, chain.node)) {
    const earlier = byNode.get(at)
    if (earlier !== undefined && acceptsOthers(tree, earlier, known)) return true
    if (assigns(tree.textOf(at), known[0]!.subject)) return false
  }
  return false
}

const ofLiteral = /(?:[=!]=|[<>]=?)\s*(?:["'`]|-?\d)/
const plainAssignment = /^[A-Za-z_]\w*(?:,\s*[A-Za-z_]\w*)*\s*=(?!=)/

/** Takes what it finds out of the loop: assigns it to names, or leaves with it. */
const isSearched = (tree: FlatTree, body: number): boolean => {
  const statements = tree.namedChildren(body)
  return (
    tree.is(statements.at(-1) ?? NONE, "return_statement", "break_statement") ||
    (statements.length > 0 && statements.every((one) => plainAssignment.test(tree.textOf(one))))
  )
}

/** `for one in all: if one == sought: found = one else`: every other element comes to the last branch. */
const isOfSearch = (file: SourceFile, tree: FlatTree, { node, branches }: IfChain): boolean => {
  const [branch] = branches
  const block = tree.parent(node)
  const loop = tree.is(block, ...elementLoops) ? block : tree.parent(block)
  if (branches.length !== 1 || !tree.is(loop, ...elementLoops)) return false
  if (block !== loop && file.memoAt(block, statementsIn).all.at(-1) !== node) return false
  const named = tree.child(loop, "left") !== NONE ? tree.child(loop, "left") : tree.child(loop, "name")
  const condition = tree.textOf(branch!.condition)
  const names = named === NONE ? [] : (tree.textOf(named).match(/[A-Za-z_]\w*/g) ?? [])
  return (
    names.some((name) => new RegExp(`\\b${name}\\b`).test(condition)) &&
    /[=<>]|\bis\b/.test(condition) &&
    !ofLiteral.test(condition) &&
    isSearched(tree, branch!.body)
  )
}

const absent = /(?:^|[(\s])(?:([\w.]+)\s*(?:is|===?)\s*(?:None|null|undefined)\b|(?:not\s+|!)([\w.]+)(?![\w.]*\())/

/** `if known is None and ready: known = …`: what was computed before comes to the last branch. */
const isOfComputed = (tree: FlatTree, { branches }: IfChain): boolean => {
  const condition = tree.textOf(branches[0]!.condition)
  if (branches.length !== 1 || !/\band\b|&&/.test(condition) || /\bor\b|\|\|/.test(condition)) return false
  const [, compared, negated] = absent.exec(condition) ?? []
  const name = (compared ?? negated)?.replace(/^(?:self|this)\./, "")
  return name !== undefined && assigns(`\n${tree.textOf(branches[0]!.body)}`, name)
}

const nextStatement = (tree: FlatTree, statement: number): number => {
  let next = tree.nextSibling(statement)
  while (next !== NONE && (!tree.isNamed(next) || tree.isComment(next))) next = tree.nextSibling(next)
  return next
}

/** `continue` behind it: to go on with the next element is what was meant. */
const isContinued = (tree: FlatTree, statement: number): boolean =>
  tree.is(nextStatement(tree, statement), "continue_statement") && tree.enclosing(statement, ...loops) !== NONE

const MAX_STATEMENT = 200
/** `failed = True`, `self.error = message`: who called learns of it in another way. */
const marks =
  /^(?:self\.|this\.)?(?:\w*(?:error|failed|failure|invalid)\w*[ \t]*=(?!=|[ \t]*(?:None|null|false|0)\b)|\w*(?:valid|success|ok)[ \t]*=(?!=)[ \t]*(?:false|0)\b)/i

/** `res.status(500).send(…)`, `next(error)`, `return false`: who asked learns of it. */
const answers =
  /^(?:(?:return\s+)?(?:(?:res|response|reply|ctx)\.\w[\w.]*\(|(?:next|reject|callback|cb|done)\()|return\s+(?:False|false)\b)/

const nextText = (tree: FlatTree, statement: number): string => {
  const next = nextStatement(tree, statement)
  return next === NONE ? "" : tree.textOf(next).slice(0, MAX_STATEMENT)
}

const ofFiles = /^(?:FileNotFound|NotADirectory|IsADirectory|IO|OS)Error$/
const opens = /\b(?:open|listdir|scandir|read_text|read_bytes|read_csv)\(/

/** `if not exists(path): FileNotFoundError(path)` and then `open(path)`, which fails by itself. */
const isOpened = (file: SourceFile, tree: FlatTree, statement: number, name: string): boolean => {
  if (!ofFiles.test(name)) return false
  const branch = tree.enclosing(statement, "if_statement")
  if (branch === NONE) return false
  const { all, places } = file.memoAt(tree.parent(branch), statementsIn)
  const at = places.get(branch) ?? all.length
  return all.slice(at + 1, at + 1 + MAX_SIBLINGS).some((one) => opens.test(tree.textOf(one).slice(0, MAX_STATEMENT)))
}

/** In the last branch of a `try` whose body always leaves, which nothing comes to. */
export const neverRuns = (tree: FlatTree, creation: number): boolean => {
  const branch = tree.enclosing(creation, "else_clause", "function_definition", "lambda")
  const attempt = tree.parent(branch)
  if (!tree.is(branch, "else_clause") || !tree.is(attempt, "try_statement")) return false
  return tree.is(lastIn(tree, tree.child(attempt, "body")), "return_statement", "raise_statement")
}

/** What speaks against throwing an exception where it is created; null where nothing does. */
export const sharedBranchAt = (
  file: SourceFile,
  tree: FlatTree,
  creation: number,
  name: string
): SharedBranch | null => {
  const statement = statementOf(tree, creation)
  if (isContinued(tree, statement)) return "continues"
  const next = nextText(tree, statement)
  if (marks.test(next)) return "marked"
  if (answers.test(next)) return "answered"
  if (isOpened(file, tree, statement, name)) return "opened"
  const chain = chainAround(file, tree, statement)
  if (chain === undefined) return null
  if (isReachedByEarlier(file, tree, chain)) return "earlier"
  if (isOfSearch(file, tree, chain)) return "search"
  return isOfComputed(tree, chain) ? "computed" : null
}
