import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Check, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const functionKinds = [
  "arrow_function",
  "function_expression",
  "function_declaration",
  "method_definition",
  "generator_function",
  "generator_function_declaration"
]

const isGetter = (tree: FlatTree, method: number): boolean => tree.childOfKind(method, "get") !== NONE

const inspectGetters = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const method of tree.of("method_definition")) {
    const body = tree.child(method, "body")
    if (!isGetter(tree, method) || tree.namedChildren(body).length === 0) continue
    const leaves = tree.within(body, "return_statement", "throw_statement").some((node) => {
      const isOwn = tree.enclosing(node, ...functionKinds) === method
      return isOwn && (tree.is(node, "throw_statement") || tree.namedChildren(node).length > 0)
    })
    if (leaves || isInfinite(tree, body)) continue
    const name = tree.textOf(tree.child(method, "name"))
    const message = `The getter \`${name}\` never returns a value, so reading the property always gives undefined.`
    emit({
      rule: "getter_without_return",
      ...spanOf(tree, tree.child(method, "name")),
      message,
      identifiers: [name],
      noun: `\`${name}\``
    })
  }
}

/** A body that only calls something which throws: `notSupported()`. */
const isInfinite = (tree: FlatTree, body: number): boolean =>
  tree.namedChildren(body).length === 1 &&
  /throw|error|fail|unsupported|notImpl|deprecat|abort|invariant|assert/i.test(tree.textOf(body))

const heritageOf = (tree: FlatTree, owner: number): string => {
  const heritage = tree.childOfKind(owner, "class_heritage")
  return heritage === NONE ? "" : tree.textOf(heritage)
}

const inspectConstructors = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const method of tree.of("method_definition")) {
    if (tree.textOf(tree.child(method, "name")) !== "constructor" || tree.is(tree.parent(method), "object")) continue
    const owner = tree.parent(tree.parent(method))
    const body = tree.child(method, "body")
    if (!/^extends\s+(?!null\b)/.test(heritageOf(tree, owner)) || body === NONE) continue
    const callsSuper = tree.within(body, "super").some((node) => tree.is(tree.parent(node), "call_expression"))
    const leaves = tree
      .within(body, "return_statement", "throw_statement")
      .some((n) => tree.enclosing(n, ...functionKinds) === method)
    if (callsSuper || leaves) continue
    const message = `The constructor of a class that extends ${quoted(tree, tree.childOfKind(owner, "class_heritage")).replace("`extends ", "`")} does not call \`super()\`, so \`new\` throws a ReferenceError.`
    emit({ rule: "missing_super_call", ...spanOf(tree, tree.child(method, "name")), message })
  }
}

const inspectCatches = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const clause of tree.of("catch_clause")) {
    const parameter = tree.child(clause, "parameter")
    const body = tree.child(clause, "body")
    const [only, ...more] = tree.namedChildren(body)
    if (!tree.is(parameter, "identifier") || only === undefined || more.length > 0 || !tree.is(only, "throw_statement"))
      continue
    if (
      tree.textOf(tree.namedChildren(only)[0] ?? NONE) !== tree.textOf(parameter) ||
      tree.children(body).some((n) => tree.isComment(n))
    )
      continue
    const message = `This \`catch\` only throws the same error again, as if it were not there.`
    emit({ rule: "useless_catch", start: tree.start(clause), end: tree.start(body), message })
  }
}

interface Bindings {
  readonly constant: number
  /** The declaration, where it is a constant or an import. */
  readonly node: number
  readonly others: number
}

/** Nodes that bind names, with the field that holds them; "" for the whole node. */
const binders: ReadonlyArray<readonly [kind: string, field: string]> = [
  ["variable_declarator", "name"],
  ["formal_parameters", ""],
  ["arrow_function", "parameter"],
  ["catch_clause", "parameter"],
  ["function_declaration", "name"],
  ["generator_function_declaration", "name"],
  ["function_expression", "name"],
  ["class_declaration", "name"],
  ["class", "name"],
  ["for_in_statement", "left"],
  ["enum_declaration", "name"],
  ["internal_module", "name"],
  ["import_clause", ""],
  ["import_require_clause", ""],
  ["function_signature", "name"],
  ["ambient_declaration", ""]
]

const addBinding = (found: Map<string, Bindings>, name: string, node: number, isConstant: boolean): void => {
  const known = found.get(name) ?? { constant: 0, node: NONE, others: 0 }
  found.set(
    name,
    isConstant ? { ...known, constant: known.constant + 1, node } : { ...known, others: known.others + 1 }
  )
}

const computeBindings = (file: SourceFile): ReadonlyMap<string, Bindings> => {
  const tree = file.tree!
  const found = new Map<string, Bindings>()
  for (const [kind, field] of binders) {
    for (const holder of tree.of(kind)) {
      const target = field === "" ? holder : tree.child(holder, field)
      if (target === NONE) continue
      const isConstant = isConstantBinder(tree, holder, target)
      for (const node of tree.within(target, "identifier", "shorthand_property_identifier_pattern"))
        addBinding(found, tree.textOf(node), node, isConstant)
    }
  }
  return found
}

const isConstantBinder = (tree: FlatTree, holder: number, target: number): boolean =>
  tree.is(holder, "import_clause") ||
  (tree.is(holder, "variable_declarator") &&
    tree.is(target, "identifier") &&
    tree.child(holder, "value") !== NONE &&
    tree.is(tree.child(tree.parent(holder), "kind"), "const"))

/** A constant and an import are known within the block they are declared in. */
const scopes = ["statement_block", "for_statement", "for_in_statement", "switch_body", "class_static_block", "program"]

const inspectConstants = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("assignment_expression", "augmented_assignment_expression", "update_expression")) {
    const target = tree.child(node, tree.is(node, "update_expression") ? "argument" : "left")
    if (!tree.is(target, "identifier")) continue
    const name = tree.textOf(target)
    const binding = file.memo(computeBindings, computeBindings).get(name)
    if (
      binding === undefined ||
      binding.constant !== 1 ||
      binding.others > 0 ||
      !tree.contains(tree.enclosing(binding.node, ...scopes), node) ||
      tree.enclosing(node, "with_statement") !== NONE
    )
      continue
    const line = file.line(tree.start(binding.node))
    const message = `\`${name}\` is a constant, declared on line ${line}, so ${quoted(tree, node)} throws a TypeError.`
    const steps = [{ ...spanOf(tree, binding.node), note: "Declared as a constant here." }]
    emit({
      rule: "constant_reassigned",
      ...spanOf(tree, node),
      message,
      steps,
      identifiers: [name],
      noun: `\`${name}\``
    })
  }
}

/** Calls that read `${name}` in a plain string themselves. */
const expands =
  /replace|split|includes|indexOf|startsWith|endsWith|match|test|search|template|compile|expand|interpol|render|format|raw|eval|Function|exec|spawn|\$t|i18n|translate|printf|sql|query/i

const placeholdersIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\$\{\s*([\w$-]+)\s*\}/g)].map(([, name = ""]) => name)

const inspectPlainStrings = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  const names = file.memo(computeBindings, computeBindings)
  const placeholders = [...tree.of("string")].flatMap((node) => placeholdersIn(tree.textOf(node).slice(0, 300)))
  // No variable is called like that: some code or library fills these placeholders in.
  if (placeholders.some((name) => /[^\w$]|^\d/.test(name))) return
  for (const node of tree.of("string")) {
    if (tree.end(node) - tree.start(node) > 300) continue
    const text = tree.textOf(node)
    const name = /\$\{\s*([A-Za-z_$][\w$]*)(?:\.[\w$]+)*\s*\}/.exec(text)?.[1]
    if (name === undefined || !names.has(name) || /\\\$|`|%|\{\{/.test(text)) continue
    const parent = tree.parent(node)
    if (
      !tree.is(
        parent,
        "arguments",
        "variable_declarator",
        "assignment_expression",
        "binary_expression",
        "return_statement"
      )
    )
      continue
    const call = tree.enclosing(node, "call_expression", "new_expression")
    const callee =
      tree.child(call, "function") === NONE ? tree.child(call, "constructor") : tree.child(call, "function")
    if (call !== NONE && expands.test(tree.textOf(callee).slice(-80))) continue
    const message = `${quoted(tree, node)} is a plain string, so \`\${${name}}\` stays as it is; backticks were probably meant.`
    emit({ rule: "interpolation_in_plain_string", ...spanOf(tree, node), message, identifiers: [name] })
  }
}

export const scriptScopes: Check = {
  languages: languages("typescript", "tsx", "javascript"),
  inspect: (file, tree, emit) => {
    inspectGetters(tree, emit)
    inspectConstructors(tree, emit)
    inspectCatches(tree, emit)
    if (tree.hasError) return
    inspectConstants(file, tree, emit)
    if (/["'][^"'\n`]*\$\{/.test(file.text)) inspectPlainStrings(file, tree, emit)
  }
}
