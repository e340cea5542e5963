import { compareText } from "../../../core/text/compareText.ts"
import { imports } from "../../syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../tree/FlatTree.ts"
import { type AddImport, afterLine, beforeLine, insertion, isTaken } from "./ImportRequest.ts"

const pathOf = (tree: FlatTree, spec: number): string => tree.textOf(tree.child(spec, "path")).slice(1, -1)

const isStandard = (path: string): boolean => !path.split("/")[0]!.includes(".")

/** A package is imported as a whole; `name` is one of its own. */
export const addImport: AddImport = (file, { module, name }) => {
  const tree = file.tree!
  const member = (local: string) => (name === undefined ? local : `${local}.${name}`)
  const known = imports(file).find((one) => one.module === module)?.names[0]
  if (known !== undefined)
    return known.local === "_" || known.local === "." ? null : { local: member(known.local), edits: [] }
  const local = module.split("/").at(-1)!
  if (isTaken(file, local)) return null
  const quoted = `"${module}"`
  const declarations = tree.of("import_declaration")
  const declaration = declarations[0]
  if (declaration === undefined) {
    const clause = tree.of("package_clause")[0]
    return clause === undefined
      ? null
      : { local: member(local), edits: [insertion(tree.end(clause), `\n\nimport ${quoted}`)] }
  }
  const list = tree.childOfKind(declaration, "import_spec_list")
  if (list === NONE) return { local: member(local), edits: [asBlock(tree, declaration, quoted)] }
  const specs = tree.namedChildren(list).filter((spec) => tree.is(spec, "import_spec"))
  const group = specs.filter((spec) => isStandard(pathOf(tree, spec)) === isStandard(module))
  const previous = group.filter((spec) => compareText(pathOf(tree, spec), module) < 0).at(-1)
  const line = `\t${quoted}`
  if (previous !== undefined) return { local: member(local), edits: [afterLine(file, tree.start(previous), line)] }
  const next = group[0]
  if (next !== undefined) return { local: member(local), edits: [beforeLine(file, tree.start(next), line)] }
  return { local: member(local), edits: [insertion(tree.end(tree.firstChild(list)), `\n${line}\n`)] }
}

const asBlock = (tree: FlatTree, declaration: number, quoted: string) => {
  const spec = tree.textOf(tree.childOfKind(declaration, "import_spec"))
  const pathIn = (text: string) => /["`](.*)["`]/.exec(text)?.[1] ?? text
  const specs = [spec, quoted].sort((a, b) => compareText(pathIn(a), pathIn(b)))
  return {
    start: tree.start(declaration),
    end: tree.end(declaration),
    text: `import (\n${specs.map((one) => `\t${one}\n`).join("")})`
  }
}
