import { directoryOf } from "../../core/text/paths.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Api, ApiNames, type Signature } from "./Api.ts"

const isExported = (name: string): boolean => /^\p{Lu}/u.test(name)

const signatureOf = (tree: FlatTree, list: number): Signature => {
  let required = 0
  let isVariadic = false
  for (const parameter of tree.namedChildren(list)) {
    if (tree.is(parameter, "variadic_parameter_declaration")) isVariadic = true
    else if (tree.is(parameter, "parameter_declaration"))
      required += Math.max(1, tree.childrenOfField(parameter, "name").length)
  }
  return { required, most: isVariadic ? Number.POSITIVE_INFINITY : required }
}

const addType = (tree: FlatTree, out: ApiNames, spec: number): void => {
  const name = tree.textOf(tree.child(spec, "name"))
  const isPublic = isExported(name)
  out.add(name, spec, null, isPublic)
  const type = tree.child(spec, "type")
  const list = tree.is(type, "struct_type") ? tree.childOfKind(type, "field_declaration_list") : type
  if (!tree.is(type, "struct_type", "interface_type")) return
  for (const member of tree.namedChildren(list)) {
    const names = tree.childrenOfField(member, "name")
    if (tree.is(member, "method_elem")) {
      const method = tree.textOf(names[0] ?? NONE)
      out.add(
        `${name}.${method}`,
        member,
        signatureOf(tree, tree.child(member, "parameters")),
        isPublic && isExported(method)
      )
    } else if (names.length === 0) out.inherits(name, tree.textOf(member).replace(/`[^`]*`|\w+\./g, " "))
    for (const field of tree.is(member, "field_declaration") ? names : []) {
      const written = tree.textOf(field)
      out.add(`${name}.${written}`, field, null, isPublic && isExported(written))
    }
  }
}

const addFunction = (tree: FlatTree, out: ApiNames, node: number): void => {
  const name = tree.textOf(tree.child(node, "name"))
  const receiver = tree.child(node, "receiver")
  const signature = signatureOf(tree, tree.child(node, "parameters"))
  if (receiver === NONE) return out.add(name, node, signature, isExported(name))
  const type =
    /[A-Za-z_]\w*/.exec(tree.textOf(tree.child(tree.childOfKind(receiver, "parameter_declaration"), "type")))?.[0] ?? ""
  out.add(`${type}.${name}`, node, signature, isExported(type) && isExported(name))
}

const addDeclaration = (tree: FlatTree, out: ApiNames, node: number): void => {
  if (tree.is(node, "function_declaration", "method_declaration")) addFunction(tree, out, node)
  else if (tree.is(node, "type_declaration")) for (const spec of tree.namedChildren(node)) addType(tree, out, spec)
  else if (tree.is(node, "const_declaration", "var_declaration")) {
    const names = [...tree.within(node, "const_spec", "var_spec")].flatMap((spec) => tree.childrenOfField(spec, "name"))
    for (const name of names) if (isExported(tree.textOf(name))) out.add(tree.textOf(name), name)
  }
}

/** A package is a folder: which of its files declares a name is its own affair. */
export const goApi = (tree: FlatTree, path: string): Api => {
  const out = new ApiNames(tree)
  const name = /^package\s+(\w+)/.exec(tree.textOf(tree.childOfKind(0, "package_clause")))?.[1] ?? ""
  const folder = directoryOf(path)
  // No other module can import these.
  if (name === "main" || /(?:^|\/)internal(?:\/|$)/.test(folder)) return out.of(folder)
  for (const node of tree.namedChildren(0)) addDeclaration(tree, out, node)
  return out.of(folder)
}
