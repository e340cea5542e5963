import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Api, ApiNames, type Signature } from "./Api.ts"

const typeKinds = [
  "class_declaration",
  "interface_declaration",
  "enum_declaration",
  "record_declaration",
  "annotation_type_declaration"
] as const

const signatureOf = (tree: FlatTree, list: number): Signature => {
  const parameters = tree.namedChildren(list).filter((one) => !tree.is(one, "receiver_parameter"))
  const fixed = parameters.filter((one) => !tree.is(one, "spread_parameter")).length
  return { required: fixed, most: fixed < parameters.length ? Number.POSITIVE_INFINITY : fixed }
}

const isVisible = (tree: FlatTree, node: number): boolean =>
  /\b(?:public|protected)\b/.test(tree.textOf(tree.childOfKind(node, "modifiers")))

class Reader {
  private readonly tree: FlatTree
  private readonly out: ApiNames

  constructor(tree: FlatTree) {
    this.tree = tree
    this.out = new ApiNames(tree)
  }

  read(): Api {
    const { tree, out } = this
    for (const node of tree.namedChildren(0))
      if (tree.is(node, ...typeKinds)) this.type(node, "", isVisible(tree, node))
    const declaration = tree.childOfKind(0, "package_declaration")
    const named = tree.namedChildren(declaration).findLast((one) => tree.is(one, "scoped_identifier", "identifier"))
    return out.of(declaration === NONE ? "" : tree.textOf(named ?? NONE))
  }

  private type(node: number, outer: string, isPublic: boolean): void {
    const { tree, out } = this
    const name = `${outer}${tree.textOf(tree.child(node, "name"))}`
    out.add(name, node, null, isPublic)
    for (const clause of ["superclass", "super_interfaces", "extends_interfaces"]) {
      const found = tree.childOfKind(node, clause)
      if (found !== NONE) out.inherits(name, tree.textOf(found))
    }
    const isInterface = tree.is(node, "interface_declaration", "annotation_type_declaration")
    const record = tree.is(node, "record_declaration") ? tree.child(node, "parameters") : NONE
    if (record !== NONE) {
      out.add(`${name}.constructor`, record, signatureOf(tree, record), isPublic)
      for (const one of tree.namedChildren(record)) {
        out.add(`${name}.${tree.textOf(tree.child(one, "name"))}`, one, { required: 0, most: 0 }, isPublic)
      }
    }
    const body = tree.child(node, "body")
    const inner = tree.childOfKind(body, "enum_body_declarations")
    for (const member of [...tree.namedChildren(body), ...tree.namedChildren(inner)])
      this.member(member, name, isPublic, isInterface)
    if (tree.is(node, "class_declaration") && tree.within(node, "constructor_declaration").length === 0) {
      out.add(`${name}.constructor`, node, { required: 0, most: 0 }, isPublic)
    }
  }

  private member(node: number, type: string, isPublicType: boolean, isInterface: boolean): void {
    const { tree, out } = this
    const isPublic =
      isPublicType &&
      (isVisible(tree, node) ||
        tree.is(node, "enum_constant") ||
        (isInterface && !/\bprivate\b/.test(tree.textOf(tree.childOfKind(node, "modifiers")))))
    const name = `${type}.${tree.textOf(tree.child(node, "name"))}`
    if (tree.is(node, ...typeKinds)) this.type(node, `${type}.`, isPublic)
    else if (tree.is(node, "constructor_declaration")) {
      out.add(`${type}.constructor`, node, signatureOf(tree, tree.child(node, "parameters")), isPublic)
    } else if (tree.is(node, "method_declaration"))
      out.add(name, node, signatureOf(tree, tree.child(node, "parameters")), isPublic)
    else if (tree.is(node, "enum_constant", "annotation_type_element_declaration")) out.add(name, node, null, isPublic)
    else if (tree.is(node, "field_declaration", "constant_declaration")) {
      for (const one of tree.childrenOfField(node, "declarator")) {
        out.add(`${type}.${tree.textOf(tree.child(one, "name"))}`, one, null, isPublic)
      }
    }
  }
}

export const javaApi = (tree: FlatTree): Api => new Reader(tree).read()
