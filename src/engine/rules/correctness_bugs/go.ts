import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, type Json } from "../../core/tool/AuditTool.ts"
import { calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { hasBelow } from "../../structure/sameCode.ts"
import { type Check, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const functionKinds = ["function_declaration", "method_declaration", "func_literal"]

/** Node of the loop that a statement belongs to, unless a function literal lies between. */
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
      const message = `\`${receiver}.${method}()\` is deferred to the end of the function, so the second round of the loop waits for a lock that the first still holds.`
      emit({ rule: "defer_in_loop", ...spanOf(tree, node), message, priority: "P1", identifiers: [receiver] })
    } else if (method === "Close" && isOpenedIn(file, tree, loop, receiver.replace(/\.Body$/, ""))) {
      const message = `${quoted(tree, node)} runs when the function returns, not at the end of the round, so the loop keeps everything open that it opened.`
      emit({ rule: "defer_in_loop", ...spanOf(tree, node), message, identifiers: [receiver] })
    }
  }
}

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

const inspectNilMaps = (tree: FlatTree, emit: Emit<RuleId>): void => {
  const told = new Set<string>()
  let indexed = NONE
  let uses: ReadonlyMap<string, ReadonlyArray<number>> = new Map()
  for (const node of tree.of("var_spec", "parameter_declaration")) {
    if (!tree.is(tree.child(node, "type"), "map_type") || tree.child(node, "value") !== NONE) continue
    const owner = tree.enclosing(node, ...functionKinds)
    if (owner === NONE) continue
    // A parameter may come with a map in it; only a named result starts as nil.
    if (tree.is(node, "parameter_declaration") && tree.fieldOf(tree.parent(node)) !== "result") continue
    for (const nameNode of tree.childrenOfField(node, "name")) {
      const name = tree.textOf(nameNode)
      if (told.has(`${owner} ${name}`)) continue
      told.add(`${owner} ${name}`)
      if (indexed !== owner) uses = usesByName(tree, owner)
      indexed = owner
      const write = nilWrite(tree, uses.get(name) ?? [])
      if (write === NONE) continue
      const message = `\`${name}\` is declared as a map and never made, so ${quoted(tree, write)} panics: assignment to entry in nil map.`
      emit({
        rule: "nil_map_write",
        ...spanOf(tree, write),
        message,
        steps: [{ ...spanOf(tree, node), note: "nil from here on" }],
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

/** First write to an element of a map that nothing in the function ever sets. */
const nilWrite = (tree: FlatTree, uses: ReadonlyArray<number>): number => {
  let write = NONE
  for (const node of uses) {
    const parent = tree.parent(node)
    const isElement = tree.is(parent, "index_expression") && tree.fieldOf(node) === "operand"
    if (isElement) {
      const list = tree.parent(parent)
      if (
        tree.is(list, "expression_list") &&
        tree.fieldOf(list) === "left" &&
        tree.is(tree.parent(list), "assignment_statement") &&
        write === NONE
      )
        write = tree.parent(list)
      continue
    }
    if (
      tree.is(
        parent,
        "var_spec",
        "parameter_declaration",
        "argument_list",
        "range_clause",
        "return_statement",
        "binary_expression"
      )
    ) {
      if (
        tree.is(parent, "var_spec", "parameter_declaration") &&
        tree.start(node) !== tree.start(tree.child(parent, "name"))
      )
        return NONE
      if (!tree.is(parent, "range_clause") || tree.fieldOf(node) === "right") continue
    }
    if (tree.is(parent, "expression_list") && tree.is(tree.parent(parent), "return_statement")) continue
    // Set, its address taken, captured under another name: it may be a map by then.
    return NONE
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

/** Loop variables used by a goroutine: a mistake up to Go 1.21 only, which go.mod decides later. */
export const loopCaptures = (file: SourceFile, tree: FlatTree): ReadonlyArray<Json> => {
  const found: Array<Json> = []
  for (const node of tree.of("go_statement")) {
    const call = tree.namedChildren(node)[0] ?? NONE
    const literal = tree.child(call, "function")
    const loop = loopAround(tree, node)
    if (!tree.is(literal, "func_literal") || loop === NONE) continue
    const clause = tree.childOfKind(loop, "range_clause", "for_clause")
    const left = tree.is(clause, "range_clause")
      ? tree.child(clause, "left")
      : tree.child(tree.child(clause, "initializer"), "left")
    const isDeclared = tree.textOf(clause).includes(":=")
    const body = tree.child(loop, "body")
    const rest = file.text.slice(tree.end(node), tree.end(body))
    // The loop that waits for its goroutine before the next round shares nothing.
    if (!isDeclared || /Wait\(|<-|\bselect\b|\breturn\b|\bbreak\b/.test(rest)) continue
    for (const nameNode of tree.is(left, "expression_list") ? tree.namedChildren(left) : []) {
      const name = tree.textOf(nameNode)
      if (name === "_" || !usesOuter(tree, literal, body, name)) continue
      const message = `The goroutine uses the loop variable \`${name}\`, which the next round changes before the goroutine reads it; most of them see the last value.`
      const capture: LoopCapture = {
        start: tree.start(node),
        end: tree.start(tree.child(literal, "body")),
        message,
        name
      }
      found.push({ ...capture })
      break
    }
  }
  return found
}

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
