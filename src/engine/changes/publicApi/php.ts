import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Api, ApiNames, type Signature } from "./Api.ts"

const typeKinds = ["class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"] as const

const signatureOf = (tree: FlatTree, list: number): Signature => {
  const parameters = tree.namedChildren(list)
  const isVariadic = (one: number): boolean => tree.is(one, "variadic_parameter")
  const isRequired = (one: number): boolean => !isVariadic(one) && tree.child(one, "default_value") === NONE
  // Functions written in PHP take more arguments than they have parameters.
  return { required: parameters.filter(isRequired).length, most: Number.POSITIVE_INFINITY }
}

class Reader {
  private readonly tree: FlatTree
  private readonly out: ApiNames

  constructor(tree: FlatTree) {
    this.tree = tree
    this.out = new ApiNames(tree)
  }

  read(): Api {
    this.statements(0, "")
    return this.out.of("")
  }

  private statements(parent: number, prefix: string): void {
    const { tree, out } = this
    let namespace = prefix
    for (const node of tree.namedChildren(parent)) {
      const name = `${namespace}${tree.textOf(tree.child(node, "name"))}`
      if (tree.is(node, "namespace_definition")) {
        const body = tree.child(node, "body")
        const inner = `${tree.textOf(tree.child(node, "name"))}\\`
        if (body === NONE) namespace = inner
        else this.statements(body, inner)
      } else if (tree.is(node, "function_definition"))
        out.add(name, node, signatureOf(tree, tree.child(node, "parameters")))
      else if (tree.is(node, ...typeKinds)) this.type(node, name)
      else if (tree.is(node, "const_declaration")) this.constants(node, namespace, true)
      else if (tree.is(node, "expression_statement")) {
        const defined = /^define\(\s*["']([\w\\]+)["']/.exec(tree.textOf(node).slice(0, 200))?.[1]
        if (defined !== undefined) out.add(defined, node)
      } else if (tree.is(node, "if_statement")) this.statements(tree.child(node, "body"), namespace)
    }
  }

  private constants(node: number, prefix: string, isPublic: boolean): void {
    const { tree, out } = this
    for (const one of tree.namedChildren(node).filter((child) => tree.is(child, "const_element"))) {
      out.add(`${prefix}${tree.textOf(tree.namedChildren(one)[0] ?? NONE)}`, one, null, isPublic)
    }
  }

  private type(node: number, name: string): void {
    const { tree, out } = this
    out.add(name, node)
    for (const clause of tree
      .namedChildren(node)
      .filter((one) => tree.is(one, "base_clause", "class_interface_clause"))) {
      out.inherits(name, tree.textOf(clause))
    }
    for (const member of tree.namedChildren(tree.child(node, "body"))) this.member(member, name)
  }

  private member(node: number, type: string): void {
    const { tree, out } = this
    const isPublic = tree.textOf(tree.childOfKind(node, "visibility_modifier")) !== "private"
    switch (tree.kind(node)) {
      case "method_declaration":
        return out.add(
          `${type}::${tree.textOf(tree.child(node, "name"))}`,
          node,
          signatureOf(tree, tree.child(node, "parameters")),
          isPublic
        )
      case "const_declaration":
        return this.constants(node, `${type}::`, isPublic)
      case "enum_case":
        return out.add(`${type}::${tree.textOf(tree.child(node, "name"))}`, node)
      case "use_declaration":
        return out.inherits(type, tree.textOf(node).replace(/^use\b|\{[\s\S]*$/g, " "))
      case "property_declaration":
        for (const one of tree.namedChildren(node).filter((child) => tree.is(child, "property_element"))) {
          out.add(`${type}::${tree.textOf(tree.child(one, "name"))}`, one, null, isPublic)
        }
    }
  }
}

/** Namespaces are part of the names. */
export const phpApi = (tree: FlatTree): Api => new Reader(tree).read()
