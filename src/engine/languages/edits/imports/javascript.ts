import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { type Import, imports } from "../../syntax/vocabulary.ts"
import type { FlatTree } from "../../tree/FlatTree.ts"
import { hasSemicolons, quoteOf } from "../style.ts"
import { type AddImport, afterLine, beforeLine, type Imported, insertion, isTaken } from "./ImportRequest.ts"

const bare = (module: string): string => module.replace(/^node:/, "")

const importOf = (file: SourceFile, module: string): ReadonlyArray<Import> =>
  imports(file).filter((one) => bare(one.module) === bare(module) && !one.typeOnly)

const isEsm = (file: SourceFile): boolean => {
  if (/\.[cm]?tsx?$|\.mjs$/.test(file.path)) return true
  if (/\.cjs$/.test(file.path)) return false
  return file.tree!.of("import_statement", "export_statement").length > 0 || !/\brequire\(|\bexports\b/.test(file.text)
}

const topLevel = (tree: FlatTree): ReadonlyArray<number> => tree.namedChildren(0)

/** `node:` is written where the file's other imports of built-in modules have it, or where there are none. */
const written = (file: SourceFile, module: string): string => {
  if (!module.startsWith("node:")) return module
  const builtin = imports(file).filter((one) =>
    /^(?:fs|path|crypto|http|https|url|util|os|child_process|stream|zlib|net|tls|events|buffer|assert)(?:\/|$)/.test(
      one.module
    )
  )
  const prefixed = imports(file).some((one) => one.module.startsWith("node:"))
  return builtin.length > 0 && !prefixed ? bare(module) : module
}

const isRequire = (tree: FlatTree, statement: number): boolean =>
  tree.is(statement, "lexical_declaration", "variable_declaration") && /=\s*require\(/.test(tree.textOf(statement))

/** What code writes for the name where the module is imported already. */
const localOf = ({ names }: Import, name: string | undefined): string | null => {
  const own = names.find(({ imported }) => imported === name)
  if (own !== undefined) return own.local
  const whole = names.find(({ imported }) => imported === "*" || imported === "default")
  if (whole === undefined) return null
  return name === undefined ? whole.local : `${whole.local}.${name}`
}

/** Adds the name to the braces of an import of its module. */
const withName = (file: SourceFile, { node }: Import, name: string): Imported | null => {
  const tree = file.tree!
  const braces = tree.is(node, "import_statement")
    ? tree.within(node, "named_imports")[0]
    : tree.within(tree.parent(node), "object_pattern")[0]
  const last = braces === undefined ? undefined : tree.namedChildren(braces).at(-1)
  return last === undefined || isTaken(file, name)
    ? null
    : { local: name, edits: [insertion(tree.end(last), `, ${name}`)] }
}

const existing = (file: SourceFile, module: string, name: string | undefined): Imported | null => {
  const known = importOf(file, module)
  const local = known.map((one) => localOf(one, name)).find((one) => one !== null)
  if (local !== undefined) return { local, edits: [] }
  if (name === undefined) return null
  return known.map((one) => withName(file, one, name)).find((one) => one !== null) ?? null
}

/** After the last import, or before the first code of a file without one. */
const placed = (file: SourceFile, statement: string) => {
  const tree = file.tree!
  const found = topLevel(tree).filter((node) => tree.is(node, "import_statement") || isRequire(tree, node))
  const last = found.at(-1)
  if (last !== undefined) return afterLine(file, Math.max(tree.start(last), tree.end(last) - 1), statement)
  const first = topLevel(tree).find(
    (node) => !tree.is(node, "hash_bang_line") && !/^["']use \w+["'];?$/.test(tree.textOf(node))
  )
  return first === undefined
    ? insertion(file.text.length, `${statement}\n`)
    : beforeLine(file, tree.start(first), `${statement}\n`)
}

export const addImport: AddImport = (file, { module, name }) => {
  const known = existing(file, module, name)
  if (known !== null) return known
  const local =
    name ??
    bare(module)
      .split("/")
      .at(-1)!
      .replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (isTaken(file, local)) return null
  const quote = quoteOf(file)
  const source = `${quote}${written(file, module)}${quote}`
  const end = hasSemicolons(file) ? ";" : ""
  const statement = isEsm(file)
    ? `import ${name === undefined ? local : `{ ${name} }`} from ${source}${end}`
    : `const ${name === undefined ? local : `{ ${name} }`} = require(${source})${end}`
  return { local, edits: [placed(file, statement)] }
}
