import type { SourceFile } from "../../core/files/SourceFile.ts"
import { wordCounts } from "../../languages/code/words.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"

/** A declaration that code outside of its file, class or package cannot refer to. */
export interface PrivateName {
  readonly name: string
  readonly what: string
  readonly start: number
  readonly end: number
  /** The files that can refer to it. */
  readonly scope: "file" | "package" | "project"
}

const isModule = (tree: FlatTree, text: string): boolean =>
  tree.of("import_statement", "export_statement").length > 0 || /\bmodule\.exports\b|\bexports\.\w/.test(text)

const found = (tree: FlatTree, node: number, what: string, scope: PrivateName["scope"]): PrivateName => ({
  name: tree.textOf(node),
  what,
  start: tree.start(node),
  end: tree.end(node),
  scope
})

const hasBefore = (tree: FlatTree, node: number, ...kinds: ReadonlyArray<string>): boolean =>
  tree.childOfKind(node, ...kinds) !== NONE || tree.is(tree.previousSibling(node), "decorator")

const scriptFunctions = (file: SourceFile, tree: FlatTree): Array<PrivateName> => {
  const out: Array<PrivateName> = []
  const isOwn = isModule(tree, file.text)
  for (const node of tree.of("function_declaration", "generator_function_declaration", "class_declaration")) {
    const parent = tree.parent(node)
    if (tree.is(parent, "export_statement", "ambient_declaration") || hasBefore(tree, node, "decorator")) continue
    // At the top of a script, everything is visible to all scripts of the page.
    if (tree.is(parent, "program") && !isOwn) continue
    const name = tree.child(node, "name")
    if (name !== NONE) out.push(found(tree, name, tree.is(node, "class_declaration") ? "class" : "function", "file"))
  }
  return out
}

const isFunctionValue = (tree: FlatTree, declarator: number): boolean =>
  tree.is(
    tree.child(declarator, "value"),
    "arrow_function",
    "function_expression",
    "string",
    "number",
    "array",
    "object"
  )

const scriptVariables = (file: SourceFile, tree: FlatTree): Array<PrivateName> => {
  if (!isModule(tree, file.text)) return []
  return [...tree.of("variable_declarator")].flatMap((node) => {
    const declaration = tree.parent(node)
    const name = tree.child(node, "name")
    if (!tree.is(tree.parent(declaration), "program") || !tree.is(name, "identifier")) return []
    return isFunctionValue(tree, node) ? [found(tree, name, "variable", "file")] : []
  })
}

const scriptMembers = (tree: FlatTree): Array<PrivateName> =>
  [...tree.of("method_definition")].flatMap((node) => {
    const name = tree.child(node, "name")
    const modifier = tree.childOfKind(node, "accessibility_modifier")
    const isPrivate = tree.is(name, "private_property_identifier") || tree.textOf(modifier) === "private"
    if (!isPrivate || hasBefore(tree, node, "decorator") || tree.textOf(name) === "constructor") return []
    return [found(tree, name, "method", "file")]
  })

const pythonNames = (tree: FlatTree): Array<PrivateName> =>
  [...tree.of("function_definition", "class_definition")].flatMap((node) => {
    const name = tree.child(node, "name")
    const text = tree.textOf(name)
    if (!text.startsWith("_") || /^__\w+__$|^_+$/.test(text) || tree.is(tree.parent(node), "decorated_definition"))
      return []
    if (tree.is(tree.parent(node), "module"))
      return [found(tree, name, tree.is(node, "class_definition") ? "class" : "function", "project")]
    // A class with a base may be overriding something.
    const holder = tree.parent(tree.parent(node))
    const isPlain =
      tree.is(holder, "class_definition") && tree.namedChildren(tree.child(holder, "superclasses")).length === 0
    return isPlain && tree.is(node, "function_definition") ? [found(tree, name, "method", "project")] : []
  })

/** `// swagger:parameters`, `//export name`, `//go:linkname`: a tool finds what stands below by its comment. */
const directive = /^\/\/\s*(?:swagger|go|gen|genqlient|wire|kubebuilder|\+\w+)[:\w]|^\/\/export /

const hasDirective = (file: SourceFile, node: number): boolean => {
  const line = file.line(file.tree!.start(node))
  for (let above = line - 1; above > Math.max(line - 12, 0); above--) {
    const text = file.lineText(above).trim()
    if (!text.startsWith("//")) return false
    if (directive.test(text)) return true
  }
  return false
}

const goNames = (file: SourceFile, tree: FlatTree): Array<PrivateName> =>
  [...tree.of("function_declaration", "method_declaration", "type_spec")].flatMap((node) => {
    const name = tree.child(node, "name")
    const text = tree.textOf(name)
    if (!/^[a-z]/.test(text) || /^(?:main|init)$/.test(text) || hasDirective(file, node)) return []
    if (tree.is(node, "type_spec")) {
      const isTop = tree.is(tree.parent(tree.parent(node)), "source_file")
      return isTop ? [found(tree, name, "type", "package")] : []
    }
    const hasBody = tree.child(node, "body") !== NONE
    return hasBody ? [found(tree, name, tree.is(node, "method_declaration") ? "method" : "function", "package")] : []
  })

/** Methods that Java serialization calls. */
const serialising = /^(?:readObject|writeObject|readResolve|writeReplace|readObjectNoData|serialVersionUID|main)$/

const javaNames = (tree: FlatTree): Array<PrivateName> =>
  [...tree.of("method_declaration", "field_declaration")].flatMap((node) => {
    const modifiers = tree.childOfKind(node, "modifiers")
    const text = tree.textOf(modifiers)
    // A framework may call an annotated method.
    if (!/\bprivate\b/.test(text) || /@|\bnative\b/.test(text)) return []
    const isField = tree.is(node, "field_declaration")
    if (isField && !/\bstatic\b/.test(text)) return []
    const name = tree.child(isField ? tree.child(node, "declarator") : node, "name")
    return name === NONE || serialising.test(tree.textOf(name))
      ? []
      : [found(tree, name, isField ? "constant" : "method", "file")]
  })

const namesIn = (file: SourceFile, tree: FlatTree): Array<PrivateName> => {
  switch (file.language) {
    case "python":
      return pythonNames(tree)
    case "go":
      return goNames(file, tree)
    case "java":
      return javaNames(tree)
    default:
      return [...scriptFunctions(file, tree), ...scriptVariables(file, tree), ...scriptMembers(tree)]
  }
}

const dynamic =
  /\beval\s*\(|\bwith\s*\(|\bglobals\(\)|\blocals\(\)|getattr\(\s*[\w.]{1,80}\s*,\s*(?!["']\w{1,80}["']\s*[,)])/

/** Private names that occur once in the text of their file: where they are declared. */
export const unreferencedPrivates = (file: SourceFile): ReadonlyArray<PrivateName> => {
  const tree = file.tree
  if (tree === null || tree.hasError || /\.d\.[cm]?ts$|\.pyi$/.test(file.path) || dynamic.test(file.text)) return []
  const counts = wordCounts(file)
  return namesIn(file, tree).filter(
    ({ name, start }) =>
      counts.get(name.replace(/^#/, "")) === 1 &&
      !/noqa|eslint-disable|@ts-|nolint/.test(file.lineText(file.line(start)))
  )
}
