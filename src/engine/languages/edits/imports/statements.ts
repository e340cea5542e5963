import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Edit } from "../../../core/fix/Fixer.ts"
import { compareText } from "../../../core/text/compareText.ts"
import { type Import, imports } from "../../syntax/vocabulary.ts"
import type { FlatTree } from "../../tree/FlatTree.ts"
import { type AddImport, afterLine, beforeLine, insertion, isTaken } from "./ImportRequest.ts"

/** A language in which each import is a statement of its own with the full name. */
interface Convention {
  readonly kind: string
  readonly statement: (module: string) => string
  /** Kinds after which the first import comes, with a blank line between. */
  readonly after: ReadonlyArray<string>
  readonly isSorted: boolean
}

const placed = (file: SourceFile, { kind, after, isSorted, statement }: Convention, module: string): Edit => {
  const tree = file.tree!
  const text = statement(module)
  const known = tree.namedChildren(0).filter((node) => tree.is(node, kind) && isAlike(tree, node))
  const previous = isSorted
    ? known.filter((node) => compareText(unended(tree.textOf(node)), unended(text)) < 0).at(-1)
    : known.at(-1)
  if (previous !== undefined) return afterLine(file, tree.end(previous) - 1, text)
  if (known.length > 0) return beforeLine(file, tree.start(known[0]!), text)
  const head = tree
    .namedChildren(0)
    .filter((node) => tree.is(node, ...after))
    .at(-1)
  if (head !== undefined) return afterLine(file, tree.end(head) - 1, `\n${text}`)
  const [first] = tree.namedChildren(0)
  return first === undefined
    ? insertion(file.text.length, `${text}\n`)
    : beforeLine(file, tree.start(first), `${text}\n`)
}

const unended = (statement: string): string => statement.replace(/\s*;$/, "")

/** Static imports and functions of PHP are groups of their own. */
const isAlike = (tree: FlatTree, node: number): boolean =>
  !/^(?:import static|use (?:function|const)|using static)\b/.test(tree.textOf(node))

/** Java, C#, PHP, Rust: the last part of the full name is what code writes. */
const byFullName =
  (convention: Convention, separator: string): AddImport =>
  (file, { module, name }) => {
    const full = name === undefined ? module : `${module}${separator}${name}`
    const local = full.split(separator).at(-1)!
    const known = imports(file)
    const whole = full.slice(0, full.length - local.length - separator.length)
    const isWhole = (one: Import) => one.module === whole && one.names.some(({ imported }) => imported === "*")
    if (known.some((one) => one.module === full || isWhole(one))) return { local, edits: [] }
    if (isTaken(file, local) && convention.kind !== "using_directive") return null
    return { local, edits: [placed(file, convention, full)] }
  }

export const addJavaImport = byFullName(
  {
    kind: "import_declaration",
    statement: (module) => `import ${module};`,
    after: ["package_declaration"],
    isSorted: true
  },
  "."
)

export const addPhpImport = byFullName(
  {
    kind: "namespace_use_declaration",
    statement: (module) => `use ${module};`,
    after: ["php_tag", "namespace_definition", "declare_statement"],
    isSorted: true
  },
  "\\"
)

export const addRustImport = byFullName(
  {
    kind: "use_declaration",
    statement: (module) => `use ${module};`,
    after: ["inner_attribute_item"],
    isSorted: true
  },
  "::"
)

/** A namespace, whose types are then written without it. */
export const addCsharpImport: AddImport = (file, { module, name }) => {
  const convention: Convention = {
    kind: "using_directive",
    statement: (namespace) => `using ${namespace};`,
    after: [],
    isSorted: true
  }
  const local = name ?? module
  if (imports(file).some((one) => one.module === module)) return { local, edits: [] }
  return { local, edits: [placed(file, convention, module)] }
}

/** A library that defines constants: nothing says which. */
export const addRubyImport: AddImport = (file, { module, name }) => {
  const tree = file.tree!
  const local = name ?? module
  const known = imports(file)
  if (known.some((one) => one.module === module)) return { local, edits: [] }
  const quote = file.text.includes("require '") ? "'" : '"'
  const statement = `require ${quote}${module}${quote}`
  const last = known.filter(({ node }) => tree.parent(node) === 0 && /^require\b/.test(tree.textOf(node))).at(-1)
  if (last !== undefined) return { local, edits: [afterLine(file, tree.end(last.node) - 1, statement)] }
  const [first] = tree.namedChildren(0)
  return {
    local,
    edits: [
      first === undefined
        ? insertion(file.text.length, `${statement}\n`)
        : beforeLine(file, tree.start(first), `${statement}\n`)
    ]
  }
}
