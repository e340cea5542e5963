import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { hasBelow } from "../../structure/sameCode.ts"
import { type Check, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const functionKinds = ["function_declaration", "method_declaration", "func_literal"]

/** The loop that a statement belongs to, unless a function literal lies between. */
const loopAround = (tree: FlatTree, node: number): number => {
  const found = tree.enclosing(node, "for_statement", ...functionKinds)
  return tree.is(found, "for_statement") ? found : NONE
}

/** Whether the statement's block ends by leaving the loop: then it runs once. */
const leavesAfter = (tree: FlatTree, node: number): boolean => {
  for (let next = tree.nextSibling(node); next !== NONE; next = tree.nextSibling(next)) {
    if (tree.is(next, "return_statement", "break_statement", "goto_statement")) return true
    if (/^(?:panic|os\.Exit|log\.Fatal\w*)\(/.test(tree.textOf(next).slice(0, 20))) return true
  }
  const holder = tree.enclosing(node, "block", "expression_case", "communication_case", "default_case", "type_case")
  const outer = tree.parent(holder)
  return tree.is(outer, "for_statement", ...functionKinds) || outer === NONE ? false : leavesAfter(tree, outer)
}

const opened =
  /^(?:os\.(?:Open|Create|OpenFile)|net\.(?:Dial|DialTimeout|Listen)|http\.(?:Get|Post)|sql\.Open|\w+\.(?:Query|QueryContext))$/

const inspectDefers = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("defer_statement")) {
    const loop = loopAround(tree, node)
    if (loop === NONE || leavesAfter(tree, node)) continue
    const call = tree.namedChildren(node)[0] ?? NONE
    const callee = tree.child(call, "function")
    const receiver = tree.textOf(tree.child(callee, "operand"))
    const method = tree.textOf(tree.child(callee, "field"))
    const body = tree.textOf(tree.child(loop, "body"))
    if (
      /^R?Unlock$/.test(method) &&
      body.includes(`${receiver}.${method.replace("Unlock", "Lock")}()`) &&
      !variesWith(tree, loop, receiver)
    ) {
      const message = `\`${receiver}.${method}()\` is deferred to the end of the function, so the second iteration of the loop waits for a lock that the first still holds.`
      emit({ rule: "deferred_unlock_in_loop", ...spanOf(tree, node), message, identifiers: [receiver] })
    } else if (
      method === "Close" &&
      !isClosedLater(tree, node, receiver) &&
      !isKeptBeyond(tree, node, loop, receiver) &&
      isOpenedIn(file, tree, loop, receiver.replace(/\.Body$/, ""))
    ) {
      const message = `${quoted(tree, node)} runs when the function returns, not at the end of the iteration, so everything that the loop opens stays open.`
      emit({ rule: "defer_in_loop", ...spanOf(tree, node), message, identifiers: [receiver] })
    }
  }
}

/** Closed by hand at the end of the iteration: what is deferred is for the ways out before that. */
const isClosedLater = (tree: FlatTree, deferred: number, receiver: string): boolean => {
  for (let next = tree.nextSibling(deferred); next !== NONE; next = tree.nextSibling(next)) {
    if (tree.is(next, ...functionKinds)) continue
    if (tree.textOf(next).slice(0, MAX_STATEMENT).includes(`${receiver}.Close()`)) return true
  }
  return false
}
const MAX_STATEMENT = 400

/** `targets = append(targets, target{Out: file})`, `files[name] = file`, `defer profile.WriteTo(file)`: used after the loop. */
const isKeptBeyond = (tree: FlatTree, deferred: number, loop: number, receiver: string): boolean =>
  tree.within(tree.child(loop, "body"), "identifier").some((node) => {
    if (node <= tree.lastDescendant(deferred) || tree.textOf(node) !== receiver) return false
    if (tree.enclosing(node, "defer_statement", "go_statement") > loop) return true
    const holder = tree.enclosing(node, "call_expression", "assignment_statement", "statement_list")
    if (tree.is(holder, "call_expression")) return tree.textOf(tree.child(holder, "function")) === "append"
    const isTarget = !tree.is(holder, "assignment_statement") || tree.contains(tree.child(holder, "left"), node)
    const targets = isTarget ? [] : tree.namedChildren(tree.child(holder, "left"))
    return targets.some((target) => tree.is(target, "selector_expression", "index_expression"))
  })

const variesWith = (tree: FlatTree, loop: number, receiver: string): boolean => {
  const head = tree.text.slice(tree.start(loop), tree.start(tree.child(loop, "body")))
  const root = receiver.split(/[.[(]/, 1)[0]!
  return (
    new RegExp(`\\b${root}\\b`).test(head) ||
    new RegExp(`\\b${root}\\s*(?:,[^\\n]{0,80})?:?=[^=]`).test(tree.textOf(tree.child(loop, "body")))
  )
}

const isOpenedIn = (file: SourceFile, tree: FlatTree, loop: number, name: string): boolean => {
  if (!/^\w+$/.test(name)) return false
  return calls(file).some(({ node, callee }) => {
    if (!opened.test(callee) || !tree.contains(loop, node) || loopAround(tree, node) !== loop) return false
    const assignment = tree.enclosing(node, "short_var_declaration", "assignment_statement")
    return new RegExp(`^${name}\\b`).test(tree.textOf(assignment).slice(0, 80))
  })
}

/** Declares maps without a value inside a function; a parameter may hold a map, only a named result starts as nil. */
const declaresNilMap = (tree: FlatTree, node: number): boolean =>
  tree.is(tree.child(node, "type"), "map_type") &&
  tree.child(node, "value") === NONE &&
  tree.enclosing(node, ...functionKinds) !== NONE &&
  (!tree.is(node, "parameter_declaration") || tree.fieldOf(tree.parent(node)) === "result")

const inspectNilMaps = (tree: FlatTree, emit: Emit<RuleId>): void => {
  const seen = new Set<string>()
  let indexed = NONE
  let uses: ReadonlyMap<string, ReadonlyArray<number>> = new Map()
  for (const node of tree.of("var_spec", "parameter_declaration")) {
    if (!declaresNilMap(tree, node)) continue
    const owner = tree.enclosing(node, ...functionKinds)
    for (const nameNode of tree.childrenOfField(node, "name")) {
      const name = tree.textOf(nameNode)
      if (seen.has(`${owner} ${name}`)) continue
      seen.add(`${owner} ${name}`)
      if (indexed !== owner) uses = usesByName(tree, owner)
      indexed = owner
      const write = nilWrite(tree, uses.get(name) ?? [])
      if (write === NONE) continue
      emit({
        rule: "nil_map_write",
        ...spanOf(tree, write),
        message: `\`${name}\` is declared as a map and never initialised, so ${quoted(tree, write)} panics: assignment to entry in nil map.`,
        steps: [{ ...spanOf(tree, node), note: "The map is nil from here on." }],
        identifiers: [name]
      })
    }
  }
}

const usesByName = (tree: FlatTree, owner: number): ReadonlyMap<string, ReadonlyArray<number>> => {
  const found = new Map<string, Array<number>>()
  for (const node of tree.within(owner, "identifier")) {
    const name = tree.textOf(node)
    const known = found.get(name)
    if (known === undefined) found.set(name, [node])
    else known.push(node)
  }
  return found
}

/** The assignment whose target is an element of this operand; NONE where the element is only read. */
const elementWrite = (tree: FlatTree, element: number): number => {
  const list = tree.parent(element)
  const isTarget = tree.is(list, "expression_list") && tree.fieldOf(list) === "left"
  return isTarget && tree.is(tree.parent(list), "assignment_statement") ? tree.parent(list) : NONE
}

/** A use of a map that leaves it as it is. */
const leavesNil = (tree: FlatTree, node: number): boolean => {
  const parent = tree.parent(node)
  if (tree.is(parent, "var_spec", "parameter_declaration"))
    return tree.start(node) === tree.start(tree.child(parent, "name"))
  if (tree.is(parent, "range_clause")) return tree.fieldOf(node) === "right"
  if (tree.is(parent, "expression_list")) return tree.is(tree.parent(parent), "return_statement")
  return tree.is(parent, "argument_list", "return_statement", "binary_expression")
}

/** First write to an element of a map that no statement of the function ever sets. */
const nilWrite = (tree: FlatTree, uses: ReadonlyArray<number>): number => {
  let write = NONE
  for (const node of uses) {
    const parent = tree.parent(node)
    if (tree.is(parent, "index_expression") && tree.fieldOf(node) === "operand") {
      if (write === NONE) write = elementWrite(tree, parent)
    } else if (!leavesNil(tree, node)) {
      // Set, its address taken, captured under another name: it may be a map by then.
      return NONE
    }
  }
  return write
}

const inspectSleeps = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  if (!file.text.includes("time.Sleep(")) return
  for (const { node, callee, args } of calls(file)) {
    if (callee !== "time.Sleep" || !tree.is(args[0] ?? NONE, "int_literal") || args.length !== 1) continue
    const value = Number(tree.textOf(args[0]!).replace(/_/g, ""))
    if (!(value > 0 && value <= 1_000)) continue
    const message = `\`time.Sleep(${value})\` sleeps for ${value} nanoseconds; a unit such as \`${value} * time.Millisecond\` is missing.`
    emit({ rule: "duration_without_unit", ...spanOf(tree, node), message })
  }
}

export interface LoopCapture {
  readonly start: number
  readonly end: number
  readonly message: string
  readonly name: string
}

/** Names that the head of a loop declares. */
const loopVariables = (tree: FlatTree, loop: number): ReadonlyArray<string> => {
  const clause = tree.childOfKind(loop, "range_clause", "for_clause")
  const holder = tree.is(clause, "range_clause") ? clause : tree.child(clause, "initializer")
  const left = tree.child(holder, "left")
  if (!tree.textOf(clause).includes(":=") || !tree.is(left, "expression_list")) return []
  return tree.namedChildren(left).map((node) => tree.textOf(node))
}

const captureAt = (file: SourceFile, tree: FlatTree, node: number): LoopCapture | null => {
  const literal = tree.child(tree.namedChildren(node)[0] ?? NONE, "function")
  const loop = loopAround(tree, node)
  if (!tree.is(literal, "func_literal") || loop === NONE) return null
  const body = tree.child(loop, "body")
  // A loop that waits for its goroutine before the next iteration shares nothing.
  const rest = file.text.slice(tree.end(node), tree.end(body))
  if (/Wait\(|<-|\bselect\b|\breturn\b|\bbreak\b/.test(rest)) return null
  const name = loopVariables(tree, loop).find((one) => one !== "_" && usesOuter(tree, literal, body, one))
  if (name === undefined) return null
  const message = `The goroutine uses the loop variable \`${name}\`, which the next iteration changes before the goroutine reads it; most goroutines read the last value.`
  return { start: tree.start(node), end: tree.start(tree.child(literal, "body")), message, name }
}

/** Loop variables used by a goroutine: a bug up to Go 1.21 only, which the cross-file pass reads from go.mod. */
export const loopCaptures = (file: SourceFile, tree: FlatTree): ReadonlyArray<LoopCapture> =>
  [...tree.of("go_statement")].flatMap((node) => captureAt(file, tree, node) ?? [])

const usesOuter = (tree: FlatTree, literal: number, body: number, name: string): boolean => {
  const redeclared = new RegExp(`\\b${name}\\s*(?:,\\s*\\w+\\s*)?:=`)
  if (redeclared.test(tree.textOf(body))) return false
  if (new RegExp(`\\b${name}\\b`).test(tree.textOf(tree.child(literal, "parameters")))) return false
  return [...tree.within(tree.child(literal, "body"), "identifier")].some(
    (n) => tree.textOf(n) === name && !tree.is(tree.parent(n), "keyed_element", "literal_element")
  )
}

export const go: Check = {
  languages: languages("go"),
  inspect: (file, tree, emit) => {
    if (hasBelow(tree, 0, "defer_statement")) inspectDefers(file, tree, emit)
    inspectNilMaps(tree, emit)
    inspectSleeps(file, tree, emit)
  }
}
