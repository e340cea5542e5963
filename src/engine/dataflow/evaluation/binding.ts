import { compact } from "../../languages/syntax/Syntax.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { reachProperty } from "../sinks/sinks.ts"
import { writeElement } from "../values/elements.ts"
import { mark } from "../values/places.ts"
import type { Scope } from "../values/Scope.ts"
import {
  type Constant,
  Contents,
  collection,
  deepTaintsOf,
  isTainted,
  isWhole,
  join,
  unknown,
  type Value,
  withoutConstant,
  withStep
} from "../values/Value.ts"
import { noteFieldStore } from "./calls/storedRecords.ts"
import { keepsConstant } from "./conditions/constancy.ts"
import { evaluate } from "./evaluate.ts"
import { memberOf } from "./members.ts"
import { clip, MAX_WRITES, type Run, roleOf } from "./Run.ts"

const noted = (run: Run, node: number, name: string, value: Value): Value => {
  if (!isTainted(value)) return value
  const note = isWhole(value) ? `is assigned to \`${clip(name)}\`` : `becomes part of \`${clip(name)}\``
  return withStep(value, run.tree.start(node), run.tree.end(node), note)
}

const patternKinds = [
  "object_pattern",
  "array_pattern",
  "pattern_list",
  "tuple_pattern",
  "list_pattern",
  "expression_list",
  "tuple",
  "left_assignment_list",
  "destructured_left_assignment",
  "destructured_parameter",
  "tuple_expression",
  "list_literal"
]

/** Give a declared name or a pattern its value. */
export const bind = (run: Run, scope: Scope, target: number, value: Value): void => {
  const { tree } = run
  if (target === NONE) return
  if (tree.is(target, ...patternKinds)) return bindPattern(run, scope, target, value)
  if (tree.is(target, "assignment_pattern", "object_assignment_pattern")) {
    const fallback = evaluate(run, scope, tree.child(target, "right"))
    return bind(run, scope, tree.child(target, "left"), isTainted(value) ? join(value, fallback) : value)
  }
  if (
    tree.is(
      target,
      "rest_pattern",
      "list_splat_pattern",
      "as_pattern_target",
      "splat_argument",
      "rest_assignment",
      "argument"
    )
  ) {
    return bind(run, scope, tree.namedChildren(target)[0] ?? NONE, value)
  }
  if (tree.is(target, "shorthand_property_identifier_pattern")) {
    const name = tree.textOf(target)
    return scope.declare(name, withoutConstant(noted(run, target, name, value)))
  }
  write(run, scope, target, value, true)
}

const bindPattern = (run: Run, scope: Scope, pattern: number, value: Value): void => {
  const { tree } = run
  const parts = tree.namedChildren(pattern)
  parts.forEach((part, i) => {
    if (tree.is(part, "pair_pattern")) {
      const name = tree.textOf(tree.child(part, "key"))
      bind(run, scope, tree.child(part, "value"), memberOf(run, part, value, name))
    } else if (tree.is(part, "shorthand_property_identifier_pattern")) {
      bind(run, scope, part, memberOf(run, part, value, tree.textOf(part)))
    } else if (tree.is(part, "object_assignment_pattern")) {
      const name = tree.textOf(tree.child(part, "left"))
      bind(run, scope, part, memberOf(run, part, value, name))
    } else if (tree.is(part, "rest_pattern", "list_splat_pattern")) bind(run, scope, part, value)
    else bind(run, scope, part, value.fields === null ? memberOf(run, part, value, String(i)) : elementAt(value, i))
  })
}

const elementAt = (value: Value, index: number): Value =>
  value.fields?.get(String(index)) ?? value.fields?.get("*") ?? unknown()

/** A variable keeps a constant only where every write to it is followed. */
const lasting = (run: Run, name: string, target: number, value: Value): Value =>
  value.constant === undefined || keepsConstant(run, name, target, value.constant) ? value : withoutConstant(value)

/** Put a value where an assignment says. */
export const write = (run: Run, scope: Scope, target: number, value: Value, declares = false): void => {
  const { tree } = run
  switch (roleOf(run, target)) {
    case "name": {
      const name = tree.textOf(target)
      if (name === "_") return
      const kept = lasting(run, name, target, noted(run, target, name, value))
      if (declares) scope.declare(name, kept)
      else scope.assign(name, kept)
      if (/^@\w/.test(name)) noteInstanceVariable(run, target, name, kept)
      return
    }
    case "member":
      return writeMember(run, scope, target, value)
    case "call": {
      // `user.name = value` in Ruby.
      const object = tree.child(target, "receiver")
      const name = tree.textOf(tree.child(target, "method"))
      if (object === NONE || name === "") return
      const holder = evaluate(run, scope, object)
      addField(holder, name, noted(run, target, tree.textOf(target), value))
      return noteFieldStore(run, target, holder, name, value)
    }
    case "subscript": {
      const object = objectOf(run, target)
      const holder = evaluate(run, scope, object)
      const kept = noted(run, target, tree.textOf(object), value)
      writeElement(scope, holder, keyAt(run, scope, target, object), kept)
      noteElement(run, scope, object, kept)
      return
    }
    case "wrap": {
      const inner = tree.namedChildren(target)[0]
      if (inner !== undefined) write(run, scope, inner, value, declares)
      return
    }
    default:
      if (tree.is(target, ...patternKinds)) bindPattern(run, scope, target, value)
      else if (tree.is(target, "unary_expression", "pointer_expression")) {
        const inner = tree.child(target, "operand")
        if (inner !== NONE) write(run, scope, inner, value)
      }
  }
}

const writeMember = (run: Run, scope: Scope, target: number, value: Value): void => {
  const { tree } = run
  const object = objectOf(run, target)
  const holder = evaluate(run, scope, object)
  const name = tree.textOf(propertyOf(run, target))
  // What a field holds may change in any call.
  const kept = withoutConstant(noted(run, target, tree.textOf(target), value))
  const root = compact(tree.textOf(object))
  const before = isPath(root) ? evaluate(run, scope, target) : null
  if (before !== null) {
    // A condition may have said something of it on this path, which is not so on those that leave it alone.
    const natural = holder.fields?.has(name) === true ? before : memberOf(run, target, holder, name)
    mark(run, `${root}.${name}`, { node: target, written: { object, holder, before: natural } })
  }
  addField(holder, name, kept)
  noteWrite(run, root, holder, name, kept)
  noteFieldStore(run, target, holder, name, kept)
  if (before !== null) scope.assignPath(root, name, kept, holder, before)
  if (run.language.assignedSinks === true) reachProperty(run, tree.parent(target), holder, name, kept)
}

/** The constant by which a subscript chooses an element. */
export const keyAt = (run: Run, scope: Scope, node: number, object: number): Constant | undefined => {
  const { tree } = run
  const key = tree.namedChildren(node).findLast((child) => child !== object) ?? NONE
  if (tree.is(key, "simple_symbol")) return tree.textOf(key).slice(1)
  const only = tree.is(key, "bracketed_argument_list") ? (tree.namedChildren(key)[0] ?? NONE) : key
  return evaluate(run, scope, only).constant
}

/** What other methods of the class may find in a field of their object. */
const noteWrite = (run: Run, root: string, holder: Value, name: string, value: Value): void => {
  if (holder.type?.startsWith("self:") !== true || run.frame.writes.length >= MAX_WRITES) return
  if (deepTaintsOf(value).length === 0) return
  const path = root === "" ? "" : `${root}.${name}`
  run.frame.writes.push({ owner: holder.type.slice(5), field: name, path, value })
}

/** `@name = value` in Ruby. */
const noteInstanceVariable = (run: Run, target: number, name: string, value: Value): void => {
  const owner = run.index.className(target)
  if (owner === null || deepTaintsOf(value).length === 0 || run.frame.writes.length >= MAX_WRITES) return
  run.frame.writes.push({ owner, field: name.slice(1), path: name, value })
}

/** `this.values[name] = value`. */
export const noteElement = (run: Run, scope: Scope, object: number, value: Value): void => {
  if (roleOf(run, object) !== "member" || !isTainted(value)) return
  const element = collection()
  addField(element, "*", value)
  noteWrite(run, "", evaluate(run, scope, objectOf(run, object)), run.tree.textOf(propertyOf(run, object)), element)
}

/** Objects only ever gain contents: an element written on one path does not undo what another path wrote. */
export const addField = (holder: Value, name: string, value: Value): void => {
  holder.fields ??= new Map()
  if (holder.fields instanceof Contents) holder.fields.version++
  const known = holder.fields.get(name)
  holder.fields.set(name, known === undefined || known === value ? value : join(known, value))
}

export const isPath = (text: string): boolean => /^[\w$@]+(?:\.[\w$]+){0,3}$/.test(text)

export const objectOf = (run: Run, node: number): number => {
  for (const name of ["object", "operand", "value", "argument", "array", "receiver", "expression"]) {
    const found = run.tree.child(node, name)
    if (found !== NONE) return found
  }
  return run.tree.namedChildren(node)[0] ?? NONE
}

export const propertyOf = (run: Run, node: number): number => {
  for (const name of ["property", "attribute", "field", "name", "method"]) {
    const found = run.tree.child(node, name)
    if (found !== NONE) return found
  }
  return NONE
}
