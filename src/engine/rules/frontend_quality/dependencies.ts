import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import {
  type Component,
  components,
  enclosingFunctionNode,
  functionKinds,
  reactHook
} from "../../structure/components.ts"
import type { RuleId } from "./rules.ts"

const withDependencies = /^use(?:Effect|LayoutEffect|Memo|Callback|InsertionEffect)$/
/** Callbacks and starting values are meant to be read once, or are the same for as long as the component lives. */
const stable =
  /^(?:on[A-Z]\w*|set[A-Z]\w*|dispatch|handle[A-Z]\w*|initial\w*|default\w*|\w*[rR]ef|children|key|t|i18n|navigate|history|router|queryClient)$/
const MAX_REFERENCES = 4_000

interface Reference {
  readonly name: string
  readonly node: number
}

/** Names that functions inside the callback, and the callback itself, declare again. */
const shadowed = (tree: FlatTree, callback: number): ReadonlySet<string> => {
  const names = new Set<string>()
  const add = (node: number): void => {
    if (tree.is(node, "identifier", "shorthand_property_identifier_pattern")) names.add(tree.textOf(node))
    else
      for (const inner of tree.within(node, "identifier", "shorthand_property_identifier_pattern"))
        names.add(tree.textOf(inner))
  }
  for (const declarator of tree.within(callback, "variable_declarator")) add(tree.child(declarator, "name"))
  for (const fn of tree.within(callback, ...functionKinds)) {
    const single = tree.child(fn, "parameter")
    if (single !== NONE) add(single)
    for (const parameter of tree.namedChildren(tree.child(fn, "parameters"))) add(parameter)
    const name = tree.child(fn, "name")
    if (name !== NONE) names.add(tree.textOf(name))
  }
  for (const clause of tree.within(callback, "catch_clause")) add(tree.child(clause, "parameter"))
  return names
}

const isRead = (tree: FlatTree, node: number): boolean => {
  const parent = tree.parent(node)
  if (tree.is(parent, "assignment_expression") && tree.child(parent, "left") === node) return false
  return !tree.is(parent, "jsx_opening_element", "jsx_self_closing_element", "labeled_statement")
}

const namesToWatch = (component: Component): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const name of component.props) if (!stable.test(name)) names.set(name, "prop")
  for (const { name } of component.states) names.set(name, "state")
  return names
}

/** Props and state that a callback reads and its list does not name, in document order. */
export const missingReferences = (
  tree: FlatTree,
  component: Component,
  callback: number,
  listed: ReadonlySet<string>
): ReadonlyArray<Reference & { readonly what: string }> => {
  const names = namesToWatch(component)
  if (names.size === 0 && component.propsName === null) return []
  const references = tree.within(callback, "identifier", "shorthand_property_identifier")
  if (references.length > MAX_REFERENCES) return []
  const hidden = shadowed(tree, callback)
  const missing: Array<Reference & { readonly what: string }> = []
  for (const node of references) {
    const name = tree.textOf(node)
    if (hidden.has(name) || !isRead(tree, node)) continue
    const what = names.get(name)
    if (what !== undefined && !listed.has(name)) missing.push({ name, node, what })
    const member = name === component.propsName ? tree.parent(node) : NONE
    if (!tree.is(member, "member_expression") || tree.child(member, "object") !== node) continue
    const property = tree.textOf(tree.child(member, "property"))
    const isCalled =
      tree.is(tree.parent(member), "call_expression") && tree.child(tree.parent(member), "function") === member
    const full = `${name}.${property}`
    if (!isCalled && !stable.test(property) && !listed.has(name) && !listed.has(full))
      missing.push({ name: full, node: member, what: "prop" })
  }
  return missing
}

/** `user.id` in the list follows the reads of `user` that were meant: only what is not listed in any form is missing. */
export const listedNames = (tree: FlatTree, list: number): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const node of tree.namedChildren(list)) {
    const text = tree.textOf(node).replace(/\?\./g, ".")
    const parts = /^[\w$]+(?:\.[\w$]+)?/.exec(text)
    if (parts !== null) names.add(parts[0])
    for (const inner of tree.within(node, "identifier")) {
      const parent = tree.parent(inner)
      if (!tree.is(parent, "member_expression") || !text.startsWith("props")) names.add(tree.textOf(inner))
    }
  }
  return names
}

const disabled =
  /exhaustive-deps|useExhaustiveDependencies|only (?:on|once|when)|on mount|mount only|run once|intentional/i
const MAX_COMMENTS = 2_000

/** A comment on the line above the hook, inside the callback's end or behind the list. */
const isExplained = (file: SourceFile, tree: FlatTree, call: Call, list: number): boolean => {
  const line = file.line(tree.start(call.node))
  const above = file.lineText(line - 1).trim()
  if (/^(?:\/\/|\/?\*|\{\/\*)/.test(above) && disabled.test(above)) return true
  const from = Math.max(tree.start(call.node), tree.end(list) - MAX_COMMENTS)
  const comments = file.text.slice(from, tree.end(list) + 120).match(/\/\/[^\n]*|\/\*[^*]*\*\//g) ?? []
  return comments.some((comment) => disabled.test(comment))
}

export const inspectDependencies = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  const tree = file.tree!
  for (const call of calls(file)) {
    const [callback, list] = call.args
    if (callback === undefined || list === undefined || call.args.length !== 2) continue
    const hook = reactHook(file, call)
    if (hook === null || !withDependencies.test(hook) || !tree.is(list, "array")) continue
    if (!tree.is(callback, "arrow_function", "function_expression")) continue
    const component = components(file).get(enclosingFunctionNode(tree, call.node))
    if (component === undefined || isExplained(file, tree, call, list)) continue
    const [missing] = missingReferences(tree, component, callback, listedNames(tree, list))
    if (missing === undefined) continue
    emit({
      rule: "missing_dependency",
      start: tree.start(list),
      end: tree.end(list),
      message: `\`${hook}\` reads the ${missing.what} \`${missing.name}\`, which is not in its list of dependencies.`,
      steps: [
        { start: tree.start(missing.node), end: tree.end(missing.node), note: `\`${missing.name}\` is read here` }
      ],
      identifiers: [missing.name.split(".").at(-1)!]
    })
  }
}
