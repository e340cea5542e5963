import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Api, ApiNames, type Signature } from "./Api.ts"

const signatureOf = (tree: FlatTree, list: number): Signature => {
  const required = tree.namedChildren(list).filter((one) => tree.is(one, "parameter", "self_parameter")).length
  const isVariadic = tree.childOfKind(list, "variadic_parameter") !== NONE
  return { required, most: isVariadic ? Number.POSITIVE_INFINITY : required }
}

const isPublic = (tree: FlatTree, node: number): boolean =>
  tree.textOf(tree.childOfKind(node, "visibility_modifier")) === "pub"

class Reader {
  private readonly tree: FlatTree
  private readonly out: ApiNames

  constructor(tree: FlatTree) {
    this.tree = tree
    this.out = new ApiNames(tree)
  }

  read(): Api {
    this.items(0, "")
    return this.out.of(null)
  }

  private items(parent: number, prefix: string): void {
    const { tree, out } = this
    for (const node of tree.namedChildren(parent)) {
      if (tree.is(node, "impl_item")) this.implementation(node, prefix)
      else if (tree.is(node, "macro_definition")) {
        const marks = tree.text.slice(Math.max(0, tree.start(node) - 200), tree.start(node))
        if (/#\[macro_export[^\]]*\]\s*(?:(?:#\[[^\]]*\]|\/\/[^\n]*)\s*)*$/.test(marks))
          out.add(`${tree.textOf(tree.child(node, "name"))}!`, node)
      } else if (isPublic(tree, node)) this.item(node, prefix)
    }
  }

  private item(node: number, prefix: string): void {
    const { tree, out } = this
    if (tree.is(node, "use_declaration")) return this.use(tree.child(node, "argument"), prefix)
    const name = `${prefix}${tree.textOf(tree.child(node, "name"))}`
    switch (tree.kind(node)) {
      case "function_item":
      case "function_signature_item":
        return out.add(name, node, signatureOf(tree, tree.child(node, "parameters")))
      case "struct_item":
      case "union_item":
      case "enum_item":
        return this.type(node, name)
      case "trait_item":
        out.add(name, node)
        for (const member of tree.namedChildren(tree.child(node, "body"))) this.member(member, name)
        return
      case "mod_item":
        out.add(name, node)
        return this.items(tree.child(node, "body"), `${name}::`)
      case "const_item":
      case "static_item":
      case "type_item":
        return out.add(name, node)
    }
  }

  private type(node: number, name: string): void {
    const { tree, out } = this
    out.add(name, node)
    for (const part of tree.namedChildren(tree.child(node, "body"))) {
      const isVisible = tree.is(part, "enum_variant") || (tree.is(part, "field_declaration") && isPublic(tree, part))
      if (isVisible) out.add(`${name}::${tree.textOf(tree.child(part, "name"))}`, part)
    }
  }

  private member(node: number, type: string): void {
    const { tree, out } = this
    const name = `${type}::${tree.textOf(tree.child(node, "name"))}`
    if (tree.is(node, "function_item", "function_signature_item"))
      out.add(name, node, signatureOf(tree, tree.child(node, "parameters")))
    else if (tree.is(node, "const_item", "associated_type", "type_item")) out.add(name, node)
  }

  /** Methods of a trait are the trait's. */
  private implementation(node: number, prefix: string): void {
    const { tree } = this
    if (tree.child(node, "trait") !== NONE) return
    const type = /[A-Za-z_]\w*/.exec(tree.textOf(tree.child(node, "type")))?.[0] ?? ""
    for (const member of tree.namedChildren(tree.child(node, "body"))) {
      if (isPublic(tree, member)) this.member(member, `${prefix}${type}`)
    }
  }

  private use(node: number, prefix: string): void {
    const { tree, out } = this
    switch (tree.kind(node)) {
      case "use_wildcard":
        out.isOpen = true
        return
      case "use_as_clause":
        return out.add(`${prefix}${tree.textOf(tree.child(node, "alias"))}`, node)
      case "scoped_use_list":
        return this.use(tree.child(node, "list"), prefix)
      case "use_list":
        for (const one of tree.namedChildren(node)) this.use(one, prefix)
        return
      default: {
        const name = /([A-Za-z_]\w*)\s*$/.exec(tree.textOf(node))?.[1] ?? ""
        if (name !== "self") out.add(`${prefix}${name}`, node)
      }
    }
  }
}

/** A program without a library exports nothing, whatever it calls public. */
const isProgram = (path: string): boolean => /(?:^|\/)(?:main|build)\.rs$|(?:^|\/)src\/bin\//.test(path)

export const rustApi = (tree: FlatTree, path: string): Api =>
  isProgram(path) ? new ApiNames(tree).of(null) : new Reader(tree).read()
