import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Api, ApiNames, type Signature } from "./Api.ts"

const typeKinds = ["class_specifier", "struct_specifier", "union_specifier", "enum_specifier"] as const

const signatureOf = (tree: FlatTree, list: number): Signature => {
  const parameters = tree.namedChildren(list)
  const isNothing = (one: number): boolean => tree.textOf(one).trim() === "void"
  const fixed = parameters.filter((one) => tree.is(one, "parameter_declaration") && !isNothing(one)).length
  const optional = parameters.filter((one) => tree.is(one, "optional_parameter_declaration")).length
  const isVariadic =
    parameters.some((one) => tree.is(one, "variadic_parameter", "variadic_parameter_declaration")) ||
    tree.textOf(list).includes("...")
  return { required: fixed, most: isVariadic ? Number.POSITIVE_INFINITY : fixed + optional }
}

/** `INCLUDED_H`, which a header defines to know that it was read. */
const isGuard = (tree: FlatTree, node: number): boolean =>
  tree.child(node, "value") === NONE &&
  /(?:_H|_HPP|_HH|_INCLUDED|_H__?|^X)_*$/i.test(tree.textOf(tree.child(node, "name")))

class Reader {
  private readonly tree: FlatTree
  private readonly out: ApiNames

  constructor(tree: FlatTree) {
    this.tree = tree
    this.out = new ApiNames(tree)
  }

  read(): Api {
    this.declarations(0, "")
    return this.out.of("")
  }

  private declarations(parent: number, prefix: string): void {
    for (const node of this.tree.namedChildren(parent)) this.declaration(node, prefix)
  }

  private declaration(node: number, prefix: string): void {
    const { tree, out } = this
    switch (tree.kind(node)) {
      case "preproc_def":
      case "preproc_function_def":
        if (!isGuard(tree, node)) out.add(tree.textOf(tree.child(node, "name")), node)
        return
      case "namespace_definition": {
        const name = tree.textOf(tree.child(node, "name"))
        return this.declarations(tree.child(node, "body"), name === "" ? prefix : `${prefix}${name}::`)
      }
      case "linkage_specification": {
        const body = tree.child(node, "body")
        return tree.is(body, "declaration_list") ? this.declarations(body, prefix) : this.declaration(body, prefix)
      }
      case "preproc_ifdef":
      case "preproc_if":
      case "preproc_else":
      case "preproc_elif":
      case "template_declaration":
      case "declaration_list":
        return this.declarations(node, prefix)
      case "alias_declaration":
        return out.add(`${prefix}${tree.textOf(tree.child(node, "name"))}`, node)
      case "type_definition":
        this.declaration(tree.child(node, "type"), prefix)
        for (const one of tree.childrenOfField(node, "declarator")) this.declarator(one, prefix)
        return
      case "declaration":
      case "function_definition":
        this.declaration(tree.child(node, "type"), prefix)
        for (const one of tree.childrenOfField(node, "declarator")) this.declarator(one, prefix)
        return
      default:
        if (tree.is(node, ...typeKinds)) this.type(node, prefix)
    }
  }

  /** The name that a declarator ends in, with the parameters of the outermost function. */
  private declarator(node: number, prefix: string, isPublic = true): void {
    const { tree, out } = this
    let at = node
    let signature: Signature | null = null
    for (let inner = tree.child(at, "declarator"); inner !== NONE; inner = tree.child(at, "declarator")) {
      if (tree.is(at, "function_declarator"))
        signature = tree.is(inner, "parenthesized_declarator") ? null : signatureOf(tree, tree.child(at, "parameters"))
      at = inner
    }
    // Pointers in parentheses have no field for what they hold.
    while (tree.is(at, "parenthesized_declarator", "pointer_declarator", "reference_declarator"))
      at = tree.namedChildren(at).at(-1) ?? NONE
    if (tree.is(at, "identifier", "field_identifier", "type_identifier", "operator_name"))
      out.add(`${prefix}${tree.textOf(at)}`, node, signature, isPublic)
  }

  private type(node: number, prefix: string): void {
    const { tree, out } = this
    const body = tree.child(node, "body")
    const written = tree.textOf(tree.child(node, "name"))
    const name = `${prefix}${written}`
    if (body === NONE) return
    if (written !== "") out.add(name, node)
    const bases = tree.childOfKind(node, "base_class_clause")
    if (bases !== NONE) out.inherits(name, tree.textOf(bases).replace(/\w+::/g, ""))
    if (tree.is(node, "enum_specifier")) {
      const inner = tree.textOf(node).startsWith("enum class") ? `${name}::` : prefix
      for (const one of tree.namedChildren(body)) out.add(`${inner}${tree.textOf(tree.child(one, "name"))}`, one)
      return
    }
    this.members(body, name, !tree.is(node, "class_specifier"))
  }

  private members(body: number, type: string, isPublicAtFirst: boolean): void {
    const { tree } = this
    let isPublic = isPublicAtFirst
    for (const member of tree.namedChildren(body)) {
      if (tree.is(member, "access_specifier")) isPublic = !tree.textOf(member).startsWith("private")
      else if (tree.is(member, "field_declaration", "declaration", "function_definition")) {
        for (const one of tree.childrenOfField(member, "declarator")) this.declarator(one, `${type}::`, isPublic)
        if (isPublic) this.declaration(tree.child(member, "type"), `${type}::`)
      } else if (isPublic) this.declaration(member, `${type}::`)
    }
  }
}

/** Headers declare what others call; other files keep their names to themselves. */
export const isHeader = (path: string): boolean => /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp)$/i.test(path)

export const cApi = (tree: FlatTree, path: string): Api =>
  isHeader(path) ? new Reader(tree).read() : new ApiNames(tree).of("")
