import { emptySyntax, type FunctionInfo, type Syntax } from "./Syntax.ts"

const unquote = (text: string): string => text.replace(/^["'](.*)["']$/s, "$1")

/** In data files the keys are the scopes: `jobs.build.steps`. */
export const yaml: Syntax = {
  ...emptySyntax,
  scopeKinds: ["block_mapping_pair", "flow_pair"],
  stringKinds: ["double_quote_scalar", "single_quote_scalar", "plain_scalar", "block_scalar"],
  scopeName: (tree, node) => unquote(tree.textOf(tree.child(node, "key"))).slice(0, 80) || null
}

export const json: Syntax = {
  ...emptySyntax,
  scopeKinds: ["pair"],
  stringKinds: ["string"],
  scopeName: (tree, node) => unquote(tree.textOf(tree.child(node, "key"))).slice(0, 80) || null
}

export const terraform: Syntax = {
  ...emptySyntax,
  scopeKinds: ["block"],
  stringKinds: ["quoted_template", "string_lit"],
  interpolationKinds: ["template_interpolation"],
  scopeName: (tree, node) =>
    tree
      .namedChildren(node)
      .filter((child) => tree.is(child, "identifier", "string_lit"))
      .map((child) => unquote(tree.textOf(child)))
      .join(".") || null
}

export const shell: Syntax = {
  ...emptySyntax,
  functionKinds: ["function_definition"],
  assignmentKinds: ["variable_assignment"],
  stringKinds: ["string", "raw_string"],
  interpolationKinds: ["simple_expansion", "expansion", "command_substitution"],
  functionAt: (tree, node): FunctionInfo => ({
    node,
    name: tree.textOf(tree.child(node, "name")) || null,
    parameters: [],
    body: tree.child(node, "body"),
    isAsync: false,
    exported: true
  }),
  assignmentsAt: (tree, node) => {
    const targetNode = tree.child(node, "name")
    const target = tree.textOf(targetNode)
    return [{ node, target, targetNode, name: target, value: tree.child(node, "value"), operator: "=" }]
  }
}
