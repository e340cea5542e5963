import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Check, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const functionKinds = ["function_declaration", "method_declaration", "func_literal"]

/** `for { select { case <-done: break } }`: the loop goes on. */
const inspectBreaks = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("break_statement")) {
    if (tree.namedChildren(node).length > 0 || tree.nextSibling(node) !== NONE) continue
    const entry = tree.enclosing(
      node,
      "communication_case",
      "default_case",
      "expression_case",
      "for_statement",
      ...functionKinds
    )
    const list = tree.parent(node)
    if (!tree.is(entry, "communication_case") || tree.parent(list) !== entry) continue
    const select = tree.parent(entry)
    const holder = tree.parent(tree.parent(select))
    const loop = tree.parent(holder)
    const isLast = tree.nextSibling(select) === NONE
    if (!tree.is(loop, "for_statement") || !isLast || tree.namedChildren(loop).length !== 1) continue
    const message = `This \`break\` leaves the \`select\`, not the loop around it, so the loop goes on.`
    emit({ rule: "break_without_effect", ...spanOf(tree, node), message })
  }
}

const inspectCancels = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("short_var_declaration", "assignment_statement")) {
    const names = tree.namedChildren(tree.child(node, "left"))
    const callee = tree.child(tree.namedChildren(tree.child(node, "right"))[0] ?? NONE, "function")
    if (names.length !== 2 || tree.textOf(names[1]!) !== "_") continue
    if (!/^context\.With(?:Cancel|Timeout|Deadline|CancelCause)$/.test(tree.textOf(callee))) continue
    const message = `The function that cancels the context is discarded, so its timer and goroutine live until the parent ends.`
    emit({ rule: "cancel_discarded", ...spanOf(tree, node), message, noun: `\`${tree.textOf(callee)}\`` })
  }
}

const inspectDivisions = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("binary_expression")) {
    const [left, right] = [tree.child(node, "left"), tree.child(node, "right")]
    if (!tree.is(left, "int_literal") || !tree.is(right, "int_literal") || !tree.is(tree.child(node, "operator"), "/"))
      continue
    const [a, b] = [Number(tree.textOf(left)), Number(tree.textOf(right))]
    if (!(a > 0 && b > a)) continue
    const message = `${quoted(tree, node)} is an integer division, which is 0; write \`${a}.0 / ${b}\`.`
    emit({ rule: "integer_division_to_zero", ...spanOf(tree, node), message })
  }
}

const nextStatement = (tree: FlatTree, node: number): number => {
  let next = tree.nextSibling(node)
  while (next !== NONE && !tree.isNamed(next)) next = tree.nextSibling(next)
  return next
}

/** `resp, err := …; defer resp.Body.Close(); if err != nil`: on an error there is nothing to close. */
const inspectDefers = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const declared of tree.of("short_var_declaration")) {
    const node = nextStatement(tree, declared)
    const check = nextStatement(tree, node)
    if (!tree.is(node, "defer_statement") || !tree.is(check, "if_statement")) continue
    const [resource, error, ...more] = tree.namedChildren(tree.child(declared, "left")).map((n) => tree.textOf(n))
    if (error === undefined || more.length > 0) continue
    const call = tree.textOf(tree.namedChildren(node)[0] ?? NONE)
    const isClosed = call === `${resource}.Close()` || call === `${resource}.Body.Close()`
    if (!isClosed || tree.textOf(tree.child(check, "condition")) !== `${error} != nil`) continue
    const message = `\`${resource}\` is nil when \`${error}\` is not, and ${quoted(tree, node)} stands before the error is checked.`
    emit({ rule: "deferred_close_before_check", ...spanOf(tree, node), message, identifiers: [resource!, error] })
  }
}

/** Value types of variables that a function declares by `var x T` or `x := T{}`. */
const declaredValue = (tree: FlatTree, holder: number, name: string): string | null => {
  let found: string | null = null
  for (const spec of tree.within(holder, "var_spec")) {
    if (tree.textOf(tree.child(spec, "name")) !== name) continue
    if (found !== null || tree.child(spec, "value") !== NONE || tree.childrenOfField(spec, "name").length > 1)
      return null
    const type = tree.child(spec, "type")
    found = tree.is(type, "type_identifier", "slice_type", "struct_type") ? tree.textOf(type) : "?"
  }
  const isAlsoShort = tree
    .within(holder, "short_var_declaration", "parameter_declaration")
    .some((n) =>
      new RegExp(`(?<![.\\w])${name}\\b`).test(
        tree.textOf(tree.child(n, tree.is(n, "parameter_declaration") ? "name" : "left"))
      )
    )
  return isAlsoShort || found === "?" || found === "any" ? null : found
}

const inspectDecoders = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  const decoders = calls(file).filter(({ method }) => method === "Unmarshal")
  // Handwritten files decode less often.
  for (const { node, callee, args } of decoders.slice(0, 100)) {
    const target = /^(?:json|xml|yaml|toml)\.Unmarshal$/.test(callee) ? args[1] : undefined
    if (target === undefined || !tree.is(target, "identifier")) continue
    const name = tree.textOf(target)
    const holder = tree.enclosing(node, ...functionKinds)
    const type = holder === NONE ? null : declaredValue(tree, holder, name)
    if (type === null || !isPlainType(file, type)) continue
    const message = `\`${name}\` is passed by value, so \`${callee}\` returns an error and fills nothing; pass \`&${name}\`.`
    emit({ rule: "decode_into_value", ...spanOf(tree, node), message, identifiers: [name] })
  }
}

/** A struct of this file, or a slice: no interface and no named pointer. */
const isPlainType = (file: SourceFile, type: string): boolean =>
  type.startsWith("[]") ||
  type.startsWith("struct") ||
  new RegExp(`\\btype ${type} (?:struct\\b|\\[\\])`).test(file.text)

const inspectTags = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const tag of tree.of("raw_string_literal")) {
    if (tree.fieldOf(tag) !== "tag") continue
    const text = tree.textOf(tag).slice(1, -1)
    const isKnown = /^\s*(?:json|xml|yaml|toml|db|bson|gorm|form|validate|mapstructure)\b/.test(text)
    if (!isKnown || /^\s*(?:[^\s:"]+:"(?:[^"\\]|\\.)*"(?:\s+|$))+$/.test(text)) continue
    // Pairs without a space between them are read by all decoders up to there only.
    const message = `${quoted(tree, tag)} does not have the form \`key:"value"\`, so decoders ignore it.`
    emit({ rule: "malformed_struct_tag", ...spanOf(tree, tag), message })
  }
}

const lockTypes = /^sync\.(?:Mutex|RWMutex|WaitGroup|Once|Cond|Pool)$/

const inspectReceivers = (tree: FlatTree, emit: Emit<RuleId>): void => {
  const guarded = new Map<string, string>()
  for (const field of tree.of("field_declaration")) {
    const type = tree.textOf(tree.child(field, "type"))
    const spec = tree.enclosing(field, "type_spec")
    if (!lockTypes.test(type) || tree.parent(tree.parent(tree.parent(field))) !== spec) continue
    guarded.set(tree.textOf(tree.child(spec, "name")), type)
  }
  if (guarded.size === 0) return
  for (const method of tree.of("method_declaration")) {
    const receiver = tree.namedChildren(tree.child(method, "receiver"))[0] ?? NONE
    const type = tree.child(receiver, "type")
    const lock = tree.is(type, "type_identifier") ? guarded.get(tree.textOf(type)) : undefined
    if (lock === undefined) continue
    const message = `\`${tree.textOf(tree.child(method, "name"))}\` has the value receiver ${quoted(tree, receiver)}, so each call copies its \`${lock}\` and locks the copy.`
    emit({ rule: "lock_copied_by_receiver", ...spanOf(tree, receiver), message, identifiers: [tree.textOf(type)] })
  }
}

const writes = /^(?:http\.(?:Error|Redirect)|\w+\.(?:Write|WriteHeader|WriteString)|fmt\.Fprint\w*|json\.NewEncoder)\(/

/** An error response without `return`: the code after it writes to the response again. */
const inspectResponses = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const { node, callee, args } of calls(file)) {
    if (callee !== "http.Error" || args.length !== 3) continue
    const statement = tree.parent(node)
    const block = tree.parent(tree.parent(statement))
    const branch = tree.parent(block)
    if (
      tree.nextSibling(statement) !== NONE ||
      !tree.is(branch, "if_statement") ||
      tree.child(branch, "alternative") !== NONE
    )
      continue
    if (tree.is(tree.parent(branch), "if_statement")) continue
    const writer = tree.textOf(args[0]!)
    const next = tree.nextSibling(branch)
    const text = tree.textOf(next).slice(0, 200)
    if (!tree.is(next, "expression_statement") || !writes.test(text) || !new RegExp(`\\b${writer}\\b`).test(text))
      continue
    const message = `There is no \`return\` after ${quoted(tree, node)}, so ${quoted(tree, next)} adds to the error response.`
    emit({ rule: "error_response_without_return", ...spanOf(tree, node), message })
  }
}

/** `for { select { …; default: } }` without anything in the default: the loop never waits. */
const inspectSpins = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const entry of tree.of("default_case")) {
    const select = tree.parent(entry)
    if (tree.namedChildren(entry).length > 0 || !tree.is(select, "select_statement")) continue
    const loop = tree.parent(tree.parent(tree.parent(select)))
    const statements = tree.namedChildren(tree.parent(select))
    if (!tree.is(loop, "for_statement") || tree.namedChildren(loop).length !== 1 || statements.length !== 1) continue
    const message = `The empty \`default\` never waits, so this loop uses a whole processor core.`
    emit({ rule: "busy_select_loop", ...spanOf(tree, entry), message })
  }
}

export const goChecks: Check = {
  languages: languages("go"),
  inspect: (file, tree, emit) => {
    inspectBreaks(tree, emit)
    if (file.text.includes("context.With")) inspectCancels(tree, emit)
    inspectDivisions(tree, emit)
    inspectDefers(tree, emit)
    if (file.text.includes("Unmarshal(")) inspectDecoders(file, tree, emit)
    inspectTags(tree, emit)
    if (file.text.includes("sync.")) inspectReceivers(tree, emit)
    if (file.text.includes("http.Error(")) inspectResponses(file, tree, emit)
    inspectSpins(tree, emit)
  }
}
