import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Emit } from "../../../core/tool/AuditTool.ts"
import { type Declared, type NativeFunction, plain, variableAt } from "../../../languages/native/functions.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"
import { quoted } from "../Check.ts"
import type { RuleId } from "../rules.ts"
import { nativeMatch } from "./CallSite.ts"

/** How a local pointer got its memory, where all that is assigned to it in the function is one kind. */
type Origin = "new" | "new[]" | "malloc"

const allocators = /^(?:std::)?(?:malloc|calloc|realloc|strdup|strndup|aligned_alloc)$/

const originOf = (tree: FlatTree, value: number): Origin | null => {
  const at = plain(tree, value)
  if (tree.is(at, "new_expression")) {
    if (tree.child(at, "placement") !== NONE) return null
    return tree.childOfKind(at, "new_declarator") === NONE ? "new" : "new[]"
  }
  if (!tree.is(at, "call_expression")) return null
  return allocators.test(tree.textOf(tree.child(at, "function"))) ? "malloc" : null
}

const originOfVariable = (tree: FlatTree, fn: NativeFunction, variable: Declared): Origin | null => {
  const values = variable.value === NONE ? [] : [variable.value]
  for (const node of tree.within(fn.body, "assignment_expression")) {
    if (tree.textOf(tree.child(node, "left")) === variable.name) values.push(tree.child(node, "right"))
  }
  const real = values.filter((value) => !tree.is(plain(tree, value), "null", "number_literal"))
  const origins = new Set(real.map((value) => originOf(tree, value)))
  return origins.size === 1 ? [...origins][0]! : null
}

const fits: Readonly<Record<Origin, string>> = { new: "delete", "new[]": "delete[]", malloc: "free" }

const inspectDeletes = (tree: FlatTree, fn: NativeFunction, emit: Emit<RuleId>): void => {
  for (const node of tree.within(fn.body, "delete_expression")) {
    const operand = tree.namedChildren(node).at(-1)
    const variable = variableAt(tree, fn, operand)
    if (variable === null || operand === undefined) continue
    if (variable.pointers === 1 && /^(?:const )?void$/.test(variable.type)) {
      // `delete (Node *)data`: the cast says what is deleted.
      if (tree.textOf(operand).replace(/[()\s]/g, "") !== variable.name) continue
      const message = `\`${variable.name}\` is a \`void *\`: no destructor runs, and the behaviour is undefined.`
      emit(nativeMatch(tree, node, { rule: "delete_of_void_pointer", message, noun: `\`${variable.name}\`` }))
      continue
    }
    const way = tree.textOf(node).replace(/\s+/g, "").startsWith("delete[]") ? "delete[]" : "delete"
    reportMismatch(tree, fn, { node, variable, way }, emit)
  }
}

interface Release {
  readonly node: number
  readonly variable: Declared
  readonly way: string
}

const reportMismatch = (
  tree: FlatTree,
  fn: NativeFunction,
  { node, variable, way }: Release,
  emit: Emit<RuleId>
): void => {
  if (variable.isParameter || variable.isStatic || variable.isArray) return
  const origin = originOfVariable(tree, fn, variable)
  if (origin === null || fits[origin] === way) return
  const message = `\`${variable.name}\` comes from \`${origin}\` and is released with \`${way}\`, which is undefined; \`${fits[origin]}\` belongs to \`${origin}\`.`
  emit(nativeMatch(tree, node, { rule: "mismatched_release", message, noun: `\`${variable.name}\`` }))
}

const inspectFrees = (tree: FlatTree, fn: NativeFunction, emit: Emit<RuleId>): void => {
  for (const { node, callee, args } of fn.calls) {
    const variable = /^(?:std::)?free$/.test(callee) ? variableAt(tree, fn, args[0]) : null
    if (variable !== null) reportMismatch(tree, fn, { node, variable, way: "free" }, emit)
  }
}

/** `for (auto it = v.begin(); …; ++it) v.erase(it)`. */
const inspectErasures = (tree: FlatTree, fn: NativeFunction, emit: Emit<RuleId>): void => {
  for (const call of fn.calls) {
    if (call.method !== "erase" || call.args.length !== 1 || call.receiver === null) continue
    const argument = call.args[0]!
    const statement = tree.parent(call.node)
    const loop = tree.enclosing(call.node, "for_statement", "while_statement", "for_range_loop")
    if (
      !tree.is(argument, "identifier") ||
      !tree.is(statement, "expression_statement") ||
      !tree.is(loop, "for_statement")
    )
      continue
    const iterator = tree.textOf(argument)
    const step = tree.textOf(tree.child(loop, "update"))
    const begins = tree
      .textOf(tree.child(loop, "initializer"))
      .replace(/\s+/g, "")
      .includes(`${iterator}=${call.receiver}.begin()`)
    if (
      !begins ||
      !new RegExp(`\\+\\+\\s*${iterator}\\b|\\b${iterator}\\s*\\+\\+`).test(step) ||
      isLeft(tree, statement, loop)
    )
      continue
    const message = `\`${call.receiver}.erase(${iterator})\` makes \`${iterator}\` invalid, and the loop then advances it; continue with what \`erase\` returns.`
    emit(nativeMatch(tree, call.node, { rule: "invalidated_iterator", message, noun: `\`${iterator}\`` }))
  }
}

/** Whether the loop ends after a statement: with `break`, `return` or `goto` somewhere behind it in its block. */
const isLeft = (tree: FlatTree, statement: number, loop: number): boolean => {
  for (let at = statement; at !== loop && at !== NONE; at = tree.parent(at)) {
    for (let next = tree.nextSibling(at); next !== NONE; next = tree.nextSibling(next)) {
      if (tree.is(next, "break_statement", "return_statement", "goto_statement", "throw_statement")) return true
    }
  }
  return false
}

/** `const char *p = make().c_str()`. */
const inspectDangling = (tree: FlatTree, fn: NativeFunction, emit: Emit<RuleId>): void => {
  for (const call of fn.calls) {
    if (call.method !== "c_str" || call.args.length > 0 || !tree.is(tree.parent(call.node), "init_declarator")) continue
    const owner = plain(tree, call.receiverNode)
    const isSum = tree.is(owner, "binary_expression") && tree.textOf(tree.child(owner, "operator")) === "+"
    const made = tree.is(owner, "call_expression") ? tree.textOf(tree.child(owner, "function")) : ""
    const isCopy =
      /^(?:std::)?(?:to_string|string)$/.test(made) ||
      /(?:\.|->)(?:substr)$/.test(made) ||
      /stringstream|\boss\.str$|\bss\.str$/.test(made)
    const target = tree.child(tree.parent(call.node), "declarator")
    if ((!isSum && !isCopy) || !tree.is(target, "pointer_declarator")) continue
    const message = `${quoted(tree, owner)} is a temporary: it is destroyed at the end of the statement, and the pointer then points to freed memory.`
    emit(nativeMatch(tree, call.node, { rule: "dangling_text", message }))
  }
}

const inspectExceptions = (tree: FlatTree, fn: NativeFunction, emit: Emit<RuleId>): void => {
  for (const node of tree.within(fn.body, "throw_statement")) {
    const value = tree.namedChildren(node)[0] ?? NONE
    if (!tree.is(value, "new_expression") || /exception_ptr|CException|CUserException/.test(tree.textOf(value)))
      continue
    const message = `${quoted(tree, node)} throws a pointer: handlers for the type do not catch it, and no one deletes it.`
    emit(nativeMatch(tree, node, { rule: "thrown_pointer", message }))
  }
  for (const node of tree.within(fn.body, "catch_clause")) {
    const parameter = tree.childOfKind(tree.child(node, "parameters"), "parameter_declaration")
    const declarator = tree.child(parameter, "declarator")
    const type = tree.textOf(tree.child(parameter, "type"))
    if (parameter === NONE || (declarator !== NONE && !tree.is(declarator, "identifier"))) continue
    if (!/(?:exception|error)$/i.test(type)) continue
    const message = `\`${type}\` is caught by value, so an exception of a class derived from it is cut down to \`${type}\`; catch it by reference.`
    emit(nativeMatch(tree, parameter, { rule: "exception_caught_by_value", message, noun: `\`${type}\`` }))
  }
}

/** What goes wrong with objects of C++. */
export const inspectObjects = (file: SourceFile, fn: NativeFunction, emit: Emit<RuleId>): void => {
  if (file.language !== "cpp") return
  const tree = file.tree!
  inspectDeletes(tree, fn, emit)
  inspectFrees(tree, fn, emit)
  inspectErasures(tree, fn, emit)
  inspectDangling(tree, fn, emit)
  inspectExceptions(tree, fn, emit)
}

const isVirtual = (tree: FlatTree, member: number): boolean =>
  tree
    .children(member)
    .some((child) => tree.is(child, "virtual", "virtual_function_specifier") || tree.textOf(child) === "virtual")

/** Classes with virtual functions and a destructor that is not, from which another class of the file derives. */
export const inspectClasses = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (file.language !== "cpp" || !file.text.includes("virtual")) return
  const bases = new Set<string>()
  for (const clause of tree.of("base_class_clause")) {
    for (const base of tree.namedChildren(clause)) if (tree.is(base, "type_identifier")) bases.add(tree.textOf(base))
  }
  for (const node of tree.of("class_specifier", "struct_specifier")) {
    const name = tree.child(node, "name")
    if (!bases.has(tree.textOf(name)) || !isOpenBase(tree, node)) continue
    const message = `\`${tree.textOf(name)}\` has virtual functions and no virtual destructor: deleting a derived object through a pointer to it is undefined.`
    emit(nativeMatch(tree, name, { rule: "destructor_not_virtual", message, noun: `\`${tree.textOf(name)}\`` }))
  }
}

/** A class without a base that has virtual functions and no destructor. */
const isOpenBase = (tree: FlatTree, node: number): boolean => {
  const body = tree.child(node, "body")
  if (body === NONE || tree.childOfKind(node, "base_class_clause") !== NONE) return false
  if (tree.is(tree.parent(node), "template_declaration") || tree.enclosing(node, "ERROR") !== NONE) return false
  if (tree.within(body, "ERROR").length > 0 || tree.textOf(body).includes(`~${tree.textOf(tree.child(node, "name"))}`))
    return false
  return tree.namedChildren(body).some((member) => isVirtual(tree, member))
}
