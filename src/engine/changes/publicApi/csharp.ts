import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Api, ApiNames, type Signature } from "./Api.ts"

const typeKinds = [
  "class_declaration",
  "struct_declaration",
  "interface_declaration",
  "enum_declaration",
  "record_declaration",
  "record_struct_declaration"
] as const

const signatureOf = (tree: FlatTree, list: number): Signature => {
  const parameters = tree.namedChildren(list).filter((one) => tree.is(one, "parameter"))
  const isOptional = (one: number): boolean => /=(?!>)/.test(tree.textOf(one))
  return {
    required: parameters.filter((one) => !isOptional(one)).length,
    most: /\bparams\b/.test(tree.textOf(list)) ? Number.POSITIVE_INFINITY : parameters.length
  }
}

class Reader {
  private readonly tree: FlatTree
  private readonly out: ApiNames

  constructor(tree: FlatTree) {
    this.tree = tree
    this.out = new ApiNames(tree)
  }

  read(): Api {
    const { tree } = this
    const file = tree.childOfKind(0, "file_scoped_namespace_declaration")
    const prefix = file === NONE ? "" : `${tree.textOf(tree.child(file, "name"))}.`
    this.members(0, prefix)
    if (file !== NONE) this.members(file, prefix)
    return this.out.of("")
  }

  private members(parent: number, prefix: string): void {
    const { tree, out } = this
    for (const node of tree.namedChildren(parent)) {
      const name = `${prefix}${tree.textOf(tree.child(node, "name"))}`
      if (tree.is(node, "namespace_declaration")) this.members(tree.child(node, "body"), `${name}.`)
      else if (tree.is(node, ...typeKinds)) this.type(node, name, this.isVisible(node))
      else if (tree.is(node, "delegate_declaration")) {
        out.add(name, node, signatureOf(tree, tree.child(node, "parameters")), this.isVisible(node))
      }
    }
  }

  private isVisible(node: number): boolean {
    const { tree } = this
    const modifiers = tree
      .namedChildren(node)
      .filter((one) => tree.is(one, "modifier"))
      .map((one) => tree.textOf(one))
    return modifiers.includes("public") || (modifiers.includes("protected") && !modifiers.includes("private"))
  }

  private type(node: number, name: string, isPublic: boolean): void {
    const { tree, out } = this
    out.add(name, node, null, isPublic)
    const bases = tree.childOfKind(node, "base_list")
    if (bases !== NONE) out.inherits(name, tree.textOf(bases))
    const record = tree.childOfKind(node, "parameter_list")
    if (record !== NONE) {
      out.add(`${name}.constructor`, record, signatureOf(tree, record), isPublic)
      for (const one of tree.is(node, "record_declaration") ? tree.namedChildren(record) : []) {
        out.add(`${name}.${tree.textOf(tree.child(one, "name"))}`, one, null, isPublic)
      }
    }
    const body = tree.child(node, "body")
    const isImplied = tree.is(node, "interface_declaration", "enum_declaration")
    for (const member of tree.namedChildren(body))
      this.member(member, name, isPublic && (isImplied || this.isVisible(member)))
    const isPlain = tree.is(node, "class_declaration") && record === NONE
    if (
      isPlain &&
      tree.childOfKind(body, "constructor_declaration") === NONE &&
      !/\b(?:static|abstract|partial)\b/.test(tree.text.slice(tree.start(node), tree.start(tree.child(node, "name"))))
    ) {
      out.add(`${name}.constructor`, node, { required: 0, most: 0 }, isPublic)
    }
  }

  private member(node: number, type: string, isPublic: boolean): void {
    const { tree, out } = this
    const name = `${type}.${tree.textOf(tree.child(node, "name"))}`
    switch (tree.kind(node)) {
      case "method_declaration":
        return out.add(name, node, signatureOf(tree, tree.child(node, "parameters")), isPublic)
      case "constructor_declaration":
        return out.add(`${type}.constructor`, node, signatureOf(tree, tree.child(node, "parameters")), isPublic)
      case "property_declaration":
      case "event_declaration":
      case "enum_member_declaration":
        return out.add(name, node, null, isPublic)
      case "indexer_declaration":
        return out.add(`${type}.this[]`, node, null, isPublic)
      case "delegate_declaration":
        return out.add(name, node, signatureOf(tree, tree.child(node, "parameters")), isPublic)
      case "field_declaration":
      case "event_field_declaration":
        for (const one of tree.within(node, "variable_declarator")) {
          out.add(`${type}.${tree.textOf(tree.child(one, "name"))}`, one, null, isPublic)
        }
        return
      default:
        if (tree.is(node, ...typeKinds)) this.type(node, name, isPublic)
    }
  }
}

/** Namespaces are part of the names. */
export const csharpApi = (tree: FlatTree): Api => new Reader(tree).read()
