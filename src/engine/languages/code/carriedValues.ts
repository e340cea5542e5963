import type { SourceFile } from "../../core/files/SourceFile.ts"
import { syntaxOf } from "../syntax/languages.ts"
import { NONE } from "../tree/FlatTree.ts"

const MAX_DEPTH = 40
const MAX_VALUES = 200

/** Calls whose answer shows what they are given. */
const showing =
  /^(?:format|sprintf|printf|Sprintf|Sprint|Sprintln|Errorf|stringify|str|repr|String|valueOf|json_encode|print_r|var_export|dumps|Format|Join|join|concat|Concat|inspect|toString|ToString|to_s|to_json|strip|trim|Trim|strval|encode|decode|Any|Stringer|WithField|formatted|kv|keyValue)$/

const branches =
  /^(?:ternary_expression|conditional_expression|conditional|match_expression|parenthesized_expression|parenthesized_statements|as_expression|non_null_expression|satisfies_expression|cast_expression|await_expression|await|argument|keyword_argument|spread_element|list_splat|tuple|list|array|array_element_initializer|object|dictionary|hash|pair|argument_list|array_creation_expression|format_expression|interpolation|template_substitution|initializer_expression|implicit_array_creation_expression|anonymous_object_creation_expression|composite_literal|literal_value|keyed_element|literal_element|variadic_argument|expression_list)$/

/**
 * The parts of an expression that end up in the text it makes: operands of concatenations, what fills templates and
 * formats, elements and fields. Conditions, and arguments of functions that may answer anything, are not among them.
 */
export const carriedValues = (file: SourceFile, root: number): ReadonlyArray<number> => {
  const syntax = syntaxOf(file.language)
  const tree = file.tree
  const found: Array<number> = []
  if (syntax === null || tree === null) return found
  const strings = new Set([...syntax.stringKinds, "heredoc_body"])
  const fillings = new Set(syntax.interpolationKinds)
  const calls = new Set(syntax.callKinds)
  const binaries = new Set([...syntax.binaryKinds, "boolean_operator"])
  const filling = (node: number, kind: string): ReadonlyArray<number> =>
    /^(?:interpolation|template_substitution)$/.test(kind)
      ? tree
          .namedChildren(node)
          .filter((part) => !tree.is(part, "interpolation_brace"))
          .slice(0, 1)
      : [node]
  const visitAll = (nodes: ReadonlyArray<number>, depth: number): void => {
    for (const node of nodes) visit(node, depth)
  }
  const inString = (node: number, depth: number): void => {
    for (const child of tree.children(node)) {
      const kind = tree.kind(child)
      if (fillings.has(kind)) visitAll(filling(child, kind), depth + 1)
      else if (strings.has(kind) && depth < MAX_DEPTH) inString(child, depth + 1)
    }
  }
  const inOperands = (node: number, depth: number): void => {
    const operator = tree.textOf(tree.child(node, "operator"))
    if (/^(?:\+|\.|%|<<|\|\||\?\?|or|\?:)$/.test(operator)) visit(tree.child(node, "left"), depth + 1)
    if (/^(?:\+|\.|%|<<|\|\||\?\?|or|\?:|&&|and)$/.test(operator)) visit(tree.child(node, "right"), depth + 1)
  }
  const inCall = (node: number, depth: number): void => {
    const call = syntax.callAt(tree, node)
    // `error.ToString()` says more than `error`.
    const isPlain = call !== null && call.args.length === 0 && tree.kind(call.receiverNode) === "identifier"
    if (call === null || isPlain || !showing.test(call.method)) {
      found.push(node)
      return
    }
    visit(call.receiverNode, depth + 1)
    visitAll(call.args, depth + 1)
    visitAll([...call.named.values()], depth + 1)
  }
  const visit = (node: number, depth: number): void => {
    if (node === NONE || depth > MAX_DEPTH || found.length >= MAX_VALUES) return
    const kind = tree.kind(node)
    if (strings.has(kind)) return inString(node, depth)
    if (binaries.has(kind)) return inOperands(node, depth)
    if (calls.has(kind)) return inCall(node, depth)
    if (branches.test(kind)) return visitAll(partsOf(file, node, kind), depth + 1)
    found.push(node)
  }
  visit(root, 0)
  return found
}

const partsOf = (file: SourceFile, node: number, kind: string): ReadonlyArray<number> => {
  const tree = file.tree!
  const parts = tree.namedChildren(node)
  if (kind === "conditional_expression" && file.language === "python") return [parts[0] ?? NONE, parts[2] ?? NONE]
  if (/^(?:ternary_expression|conditional_expression|conditional)$/.test(kind)) return parts.slice(1)
  const isEntry = /^(?:pair|keyed_element|keyword_argument)$/.test(kind)
  return isEntry || (kind === "array_element_initializer" && parts.length > 1) ? parts.slice(-1) : parts
}
