import type { Emit } from "../../core/tool/AuditTool.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { isRepeatable, sameCode } from "../../structure/sameCode.ts"
import { type Check, isScript, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

/** The expression that a body consists of: `{ return x }` or `=> x`; NONE for any other body. */
const onlyValue = (tree: FlatTree, body: number): number => {
  if (tree.is(body, "arrow_expression_clause")) return tree.namedChildren(body)[0] ?? NONE
  const [only, ...more] = tree.namedChildren(body)
  if (only === undefined || more.length > 0 || !tree.is(only, "return_statement")) return NONE
  return tree.namedChildren(only)[0] ?? NONE
}

const reportRecursion = (tree: FlatTree, name: number, value: number, emit: Emit<RuleId>): void => {
  const text = tree.textOf(name)
  const message = `Reading \`${text}\` returns ${quoted(tree, value)}, which is the same property again, so it overflows the stack.`
  emit({ rule: "infinite_recursion", ...spanOf(tree, name), message, identifiers: [text], noun: `\`${text}\`` })
}

const inspectScript = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const method of tree.of("method_definition")) {
    if (tree.childOfKind(method, "get") === NONE || tree.childOfKind(method, "static") !== NONE) continue
    const name = tree.child(method, "name")
    const value = onlyValue(tree, tree.child(method, "body"))
    if (tree.is(name, "property_identifier") && tree.textOf(value) === `this.${tree.textOf(name)}`)
      reportRecursion(tree, name, value, emit)
  }
}

const inspectPython = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("decorated_definition")) {
    const method = tree.child(node, "definition")
    const decorators = tree.namedChildren(node).filter((n) => tree.is(n, "decorator"))
    if (
      decorators.length !== 1 ||
      tree.textOf(decorators[0]!) !== "@property" ||
      !tree.is(method, "function_definition")
    )
      continue
    const name = tree.child(method, "name")
    const value = onlyValue(tree, tree.child(method, "body"))
    if (tree.textOf(value) === `self.${tree.textOf(name)}`) reportRecursion(tree, name, value, emit)
  }
}

const inspectCsharp = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const property of tree.of("property_declaration")) {
    // `object IEnumerator.Current => Current` returns the other member of that name.
    if (tree.childOfKind(property, "explicit_interface_specifier") !== NONE) continue
    const name = tree.child(property, "name")
    const text = tree.textOf(name)
    const accessors = tree.child(property, "accessors")
    const getter = tree.namedChildren(accessors).find((n) => /^get\b/.test(tree.textOf(n)))
    const arrow = tree.child(property, "value")
    const body = accessors === NONE ? arrow : getter === undefined ? NONE : tree.child(getter, "body")
    const value = body === NONE ? NONE : onlyValue(tree, body)
    // A type may have the name of the property: `Color Color => Color.Red` is another expression.
    if (tree.textOf(value) === text || tree.textOf(value) === `this.${text}`) reportRecursion(tree, name, value, emit)
  }
}

const inspectJava = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const method of tree.of("method_declaration")) {
    const body = tree.child(method, "body")
    const call = body === NONE ? NONE : onlyValue(tree, body)
    const receiver = tree.child(call, "object")
    if (!tree.is(call, "method_invocation") || (receiver !== NONE && !tree.is(receiver, "this"))) continue
    const name = tree.child(method, "name")
    const parameters = tree
      .namedChildren(tree.child(method, "parameters"))
      .map((n) => tree.textOf(tree.child(n, "name")))
    const args = tree.namedChildren(tree.child(call, "arguments")).map((n) => tree.textOf(n))
    if (tree.textOf(tree.child(call, "name")) !== tree.textOf(name) || args.join() !== parameters.join()) continue
    const message = `\`${tree.textOf(name)}\` only calls itself with the same arguments, so it overflows the stack.`
    emit({ rule: "infinite_recursion", ...spanOf(tree, name), message, identifiers: [tree.textOf(name)] })
  }
}

interface Plain {
  readonly left: number
  readonly right: number
}

/** Sides of a statement that is a plain assignment of one name or member to another. */
const plainAssignment = (tree: FlatTree, statement: number): Plain | null => {
  const node = tree.is(statement, "assignment_statement") ? statement : tree.firstChild(statement)
  if (
    !tree.is(node, "assignment_expression", "assignment", "assignment_statement") ||
    tree.child(node, "type") !== NONE
  )
    return null
  const operator = tree.child(node, "operator")
  if (operator !== NONE && tree.textOf(operator) !== "=") return null
  const [left, right] = [tree.child(node, "left"), tree.child(node, "right")]
  return left === NONE || right === NONE ? null : { left, right }
}

const nextStatement = (tree: FlatTree, node: number): number => {
  let next = tree.nextSibling(node)
  while (next !== NONE && !tree.isNamed(next)) next = tree.nextSibling(next)
  return next
}

/** What a document makes of a text that these are given is read back: `link.href = url` makes a whole address of it. */
const changedByDocument = /\.(?:href|src|innerHTML|cssText|textContent|value)$/

/** `a = b` directly before `b = a`: both have the value of `b` afterwards. */
const inspectSwaps = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const first of tree.of("expression_statement", "assignment_statement")) {
    const second = nextStatement(tree, first)
    if (!tree.is(second, "expression_statement", "assignment_statement")) continue
    const earlier = plainAssignment(tree, first)
    const later = earlier === null ? null : plainAssignment(tree, second)
    if (earlier === null || later === null) continue
    if (!isSwapOf(tree, earlier, later)) continue
    if (sameCode(tree, later.left, later.right) || !isRepeatable(tree, later.left) || !isRepeatable(tree, later.right))
      continue
    const message = `${quoted(tree, first)} and then ${quoted(tree, second)} do not swap the two values: both have that of ${quoted(tree, later.left)}.`
    emit({ rule: "almost_swapped", start: tree.start(first), end: tree.end(second), message })
  }
}

/** Sides of an assignment. */
interface Sides {
  readonly left: number
  readonly right: number
}

/** `folder[name] = page` and then `page = folder[name]`: a container of Python may keep another object than it is given. */
const isSwapOf = (tree: FlatTree, earlier: Sides, later: Sides): boolean =>
  sameText(tree, earlier.left, later.right) &&
  sameText(tree, earlier.right, later.left) &&
  !changedByDocument.test(tree.textOf(earlier.left)) &&
  !(tree.is(earlier.left, "subscript") && tree.is(earlier.right, "identifier"))

const sameText = (tree: FlatTree, a: number, b: number): boolean =>
  tree.end(a) - tree.start(a) === tree.end(b) - tree.start(b) && tree.textOf(a) === tree.textOf(b)

export const accessors: Check = {
  languages: languages("typescript", "tsx", "javascript", "python", "java", "csharp", "go", "php", "rust"),
  inspect: (file, tree, emit) => {
    if (isScript(file)) inspectScript(tree, emit)
    else if (file.language === "python") inspectPython(tree, emit)
    else if (file.language === "csharp") inspectCsharp(tree, emit)
    else if (file.language === "java") inspectJava(tree, emit)
    inspectSwaps(tree, emit)
  }
}
