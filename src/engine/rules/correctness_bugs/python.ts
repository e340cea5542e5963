import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { binaries } from "../../languages/code/binaries.ts"
import { functions } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare } from "../../structure/sameCode.ts"
import { type Check, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const mutators = new Set([
  "append",
  "extend",
  "insert",
  "add",
  "update",
  "setdefault",
  "pop",
  "popitem",
  "remove",
  "discard",
  "clear",
  "sort",
  "reverse"
])

/** What an empty object has no element for. */
const removers = new Set(["pop", "popitem", "remove", "discard", "clear", "sort", "reverse"])

/** How a function changes or returns the object behind a parameter; null when it only reads it, or may have replaced it. */
const misuse = (tree: FlatTree, body: number, name: string, isEmpty: boolean): Use | null => {
  let found: Use | null = null
  for (const node of tree.within(body, "identifier")) {
    if (tree.end(node) - tree.start(node) !== name.length || tree.textOf(node) !== name) continue
    const parent = tree.parent(node)
    const field = tree.fieldOf(node)
    if (
      tree.is(
        parent,
        "assignment",
        "for_statement",
        "as_pattern_target",
        "named_expression",
        "pattern_list",
        "global_statement"
      ) &&
      (field === "left" || field === "name" || field === null)
    ) {
      return null
    }
    const use = useOf(tree, parent, field, isEmpty)
    if (use !== null && found === null) found = use
  }
  return found
}

type Use = { readonly node: number; readonly how: string }

const useOf = (tree: FlatTree, parent: number, field: string | null, isEmpty: boolean): Use | null => {
  if (tree.is(parent, "attribute") && field === "object") return useOfMethod(tree, parent, isEmpty)
  if (tree.is(parent, "subscript") && field === "value") return useOfElement(tree, parent, isEmpty)
  if (tree.is(parent, "augmented_assignment") && field === "left")
    return { node: parent, how: "it is added to in place" }
  if (tree.is(parent, "return_statement"))
    return { node: parent, how: "it is returned to callers, which may change it" }
  return null
}

const useOfMethod = (tree: FlatTree, attribute: number, isEmpty: boolean): Use | null => {
  const method = tree.textOf(tree.child(attribute, "attribute"))
  const call = tree.parent(attribute)
  if (!tree.is(call, "call") || tree.fieldOf(attribute) !== "function") return null
  if (!mutators.has(method) || (isEmpty && removers.has(method))) return null
  return { node: call, how: `\`.${method}()\` changes it` }
}

const useOfElement = (tree: FlatTree, subscript: number, isEmpty: boolean): Use | null => {
  const holder = tree.parent(subscript)
  if (tree.is(holder, "delete_statement")) return isEmpty ? null : { node: holder, how: "an element of it is removed" }
  const isTarget = tree.is(holder, "assignment", "augmented_assignment") && tree.fieldOf(subscript) === "left"
  return isTarget ? { node: holder, how: "an element of it is set" } : null
}

const mutableKinds = new Set([
  "list",
  "dictionary",
  "set",
  "list_comprehension",
  "dictionary_comprehension",
  "set_comprehension"
])

const isMutable = (tree: FlatTree, value: number): boolean =>
  mutableKinds.has(tree.kind(value)) ||
  (tree.is(value, "call") &&
    /^(?:list|dict|set|(?:collections\.)?(?:defaultdict|OrderedDict|deque))\(/.test(tree.textOf(value)))

/** `def next_line(at=[at])` in a function: the state of one closure, created in each call around it. */
const isStateOfClosure = (tree: FlatTree, owner: number, value: number, isEmpty: boolean): boolean =>
  !isEmpty &&
  tree.within(value, "identifier").length > 0 &&
  tree.enclosing(owner, "function_definition", "class_definition") !== NONE &&
  tree.is(tree.enclosing(owner, "function_definition", "class_definition"), "function_definition")

const inspectDefaults = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("default_parameter", "typed_default_parameter")) {
    const value = tree.child(node, "value")
    if (!isMutable(tree, value)) continue
    const name = tree.textOf(tree.child(node, "name"))
    const owner = tree.enclosing(node, "function_definition", "lambda")
    // A default that outlives the call is also how a function keeps a cache.
    if (/^_|cache|memo|seen|last|state|counter|static|registry/i.test(name) || !tree.is(owner, "function_definition"))
      continue
    const isEmpty = /^(?:\[\s*\]|\{\s*\}|[\w.]+\(\s*\))$/.test(tree.textOf(value))
    if (isStateOfClosure(tree, owner, value, isEmpty)) continue
    const use = misuse(tree, tree.child(owner, "body"), name, isEmpty)
    if (use === null) continue
    const functionName = tree.textOf(tree.child(owner, "name"))
    const message = `The default of \`${name}\` is created once and shared by all calls of \`${functionName}\`, and on line ${file.line(tree.start(use.node))} ${use.how}.`
    const steps = [{ ...spanOf(tree, use.node), note: `Here ${use.how}.` }]
    emit({ rule: "mutable_default", ...spanOf(tree, node), message, steps, identifiers: [functionName, name] })
  }
}

const identityLiterals = new Set([
  "string",
  "concatenated_string",
  "integer",
  "float",
  "list",
  "dictionary",
  "tuple",
  "set",
  "list_comprehension"
])

const inspectIdentity = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const { node, left, operator, right } of binaries(file)) {
    if (operator !== "is" && operator !== "is not") continue
    const literal = [left, right].map((n) => bare(tree, n)).find((n) => identityLiterals.has(tree.kind(n)))
    if (literal === undefined) continue
    const instead = operator === "is" ? "==" : "!="
    const message = `${quoted(tree, node)} tests whether two names refer to one object in memory, not whether the values are equal; use \`${instead}\`.`
    emit({ rule: "identity_with_literal", ...spanOf(tree, node), message })
  }
}

const inspectAsserts = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("assert_statement")) {
    const condition = tree.namedChildren(node)[0] ?? NONE
    if (!tree.is(condition, "tuple") || tree.namedChildren(condition).length === 0) continue
    const message = `${quoted(tree, node)} asserts a tuple, which is always true, so nothing is checked.`
    emit({ rule: "assert_on_tuple", ...spanOf(tree, node), message })
  }
}

/** Subclasses of built-in exceptions, as far as they are caught in ordinary code. */
const parents: Record<string, string> = {
  FileNotFoundError: "OSError",
  PermissionError: "OSError",
  FileExistsError: "OSError",
  IsADirectoryError: "OSError",
  NotADirectoryError: "OSError",
  ConnectionError: "OSError",
  TimeoutError: "OSError",
  BrokenPipeError: "ConnectionError",
  ConnectionResetError: "ConnectionError",
  ConnectionRefusedError: "ConnectionError",
  KeyError: "LookupError",
  IndexError: "LookupError",
  ZeroDivisionError: "ArithmeticError",
  OverflowError: "ArithmeticError",
  UnicodeDecodeError: "UnicodeError",
  UnicodeEncodeError: "UnicodeError",
  UnicodeError: "ValueError",
  "json.JSONDecodeError": "ValueError",
  JSONDecodeError: "ValueError",
  ModuleNotFoundError: "ImportError",
  NotImplementedError: "RuntimeError",
  RecursionError: "RuntimeError",
  OSError: "Exception",
  IOError: "OSError",
  LookupError: "Exception",
  ArithmeticError: "Exception",
  ValueError: "Exception",
  ImportError: "Exception",
  RuntimeError: "Exception",
  TypeError: "Exception",
  AttributeError: "Exception",
  NameError: "Exception",
  AssertionError: "Exception",
  StopIteration: "Exception",
  EOFError: "Exception"
}

/** The exception, or one above it, that an earlier handler names. */
const caughtBefore = (type: string, earlier: ReadonlyMap<string, number>): string | undefined => {
  for (let at: string | undefined = type; at !== undefined; at = Object.hasOwn(parents, at) ? parents[at] : undefined)
    if (earlier.has(at)) return at
  return undefined
}

const caughtTypes = (tree: FlatTree, clause: number): ReadonlyArray<string> => {
  let value = tree.namedChildren(clause).find((n) => !tree.is(n, "block")) ?? NONE
  if (tree.is(value, "as_pattern")) value = tree.firstChild(value)
  const types = tree.is(value, "tuple") ? tree.namedChildren(value) : value === NONE ? [] : [value]
  return types.map((type) => tree.textOf(type))
}

const inspectOperator = (tree: FlatTree, clause: number, emit: Emit<RuleId>): void => {
  const first = tree.namedChildren(clause)[0] ?? NONE
  const alternative = tree.is(first, "as_pattern") ? tree.firstChild(first) : first
  if (!tree.is(alternative, "boolean_operator")) return
  const message = `${quoted(tree, alternative)} is evaluated first and only ${quoted(tree, tree.child(alternative, "left"))} is caught; list several types in a tuple.`
  emit({ rule: "except_with_operator", ...spanOf(tree, alternative), message })
}

/** `earlier` has the line of the handler that catches each type. */
const inspectReach = (
  tree: FlatTree,
  clause: number,
  types: ReadonlyArray<string>,
  earlier: ReadonlyMap<string, number>,
  emit: Emit<RuleId>
): void => {
  const shadow = types.map((type) => caughtBefore(type, earlier))
  const by = shadow[0]
  if (by === undefined || shadow.includes(undefined)) return
  emit({
    rule: "unreachable_handler",
    start: tree.start(clause),
    end: tree.start(clause) + 6,
    message: `\`except ${types.join(", ")}\` never runs: \`except ${by}\` on line ${earlier.get(by)} already catches it.`,
    identifiers: types
  })
}

const inspectHandlers = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("try_statement")) {
    const earlier = new Map<string, number>()
    for (const clause of tree.namedChildren(node)) {
      if (!tree.is(clause, "except_clause")) continue
      inspectOperator(tree, clause, emit)
      const types = caughtTypes(tree, clause)
      inspectReach(tree, clause, types, earlier, emit)
      for (const type of types) if (!earlier.has(type)) earlier.set(type, file.line(tree.start(clause)))
    }
  }
}

const inspectRaises = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("raise_statement")) {
    const raised = tree.namedChildren(node)[0] ?? NONE
    const called = tree.is(raised, "call") ? tree.child(raised, "function") : raised
    const isConstant = tree.textOf(called) === "NotImplemented"
    if (!isConstant && !tree.is(raised, "string", "concatenated_string")) continue
    const why = isConstant
      ? "`NotImplemented` is a value for operators, not an exception; raise `NotImplementedError`"
      : "a string cannot be raised; pass it to an exception"
    emit({
      rule: "raises_no_exception",
      ...spanOf(tree, node),
      message: `This raises a TypeError instead of the intended error: ${why}.`
    })
  }
}

/** `if self.is_ready:` where `is_ready` is a method: the method itself is always true. */
const inspectMethodTruth = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  let methods: Set<string> | undefined
  let assigned: Set<string> | undefined
  for (const node of tree.of("attribute")) {
    if (tree.textOf(tree.child(node, "object")) !== "self") continue
    const name = tree.textOf(tree.child(node, "attribute"))
    if (!/^_{0,2}(?:is|has|can|should|needs)_/.test(name) || !isCondition(tree, node)) continue
    methods ??= plainMethods(file, tree)
    const owner = tree.enclosing(node, "class_definition")
    if (owner === NONE || !methods.has(`${owner} ${name}`)) continue
    assigned ??= assignedNames(file.text)
    if (assigned.has(name)) continue
    const message = `\`self.${name}\` is a method and not called here, so the condition is always true.`
    emit({ rule: "method_not_called", ...spanOf(tree, node), message, identifiers: [name] })
  }
}

const isCondition = (tree: FlatTree, node: number): boolean => {
  const parent = tree.parent(node)
  if (tree.is(parent, "not_operator", "boolean_operator")) return true
  return tree.is(parent, "if_statement", "elif_clause", "while_statement") && tree.fieldOf(node) === "condition"
}

/** Names to which a value is assigned anywhere in the file. */
const assignedNames = (text: string): Set<string> =>
  new Set([...text.matchAll(/\b\w+(?=\s*(?::[^=\n]{1,40})?=[^=])/g)].map(([name]) => name))

const plainMethods = (file: SourceFile, tree: FlatTree): Set<string> => {
  const found = new Set<string>()
  for (const { node, name } of functions(file)) {
    const owner = tree.parent(tree.parent(node))
    if (name !== null && tree.is(owner, "class_definition") && tree.is(node, "function_definition"))
      found.add(`${owner} ${name}`)
  }
  return found
}

export const python: Check = {
  languages: languages("python"),
  inspect: (file, tree, emit) => {
    inspectDefaults(file, tree, emit)
    inspectIdentity(file, tree, emit)
    inspectAsserts(tree, emit)
    inspectHandlers(file, tree, emit)
    inspectRaises(tree, emit)
    inspectMethodTruth(file, tree, emit)
  }
}
