import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Edit } from "../../../core/fix/Fixer.ts"
import { compareText } from "../../../core/text/compareText.ts"
import { imports } from "../../syntax/vocabulary.ts"
import type { FlatTree } from "../../tree/FlatTree.ts"
import { type AddImport, afterLine, beforeLine, type Imported, insertion, isTaken } from "./ImportRequest.ts"

/** Modules of the standard library that programs import most: enough to separate their group from others. */
const standard =
  /^(?:__future__|abc|argparse|ast|asyncio|base64|collections|concurrent|configparser|contextlib|copy|csv|dataclasses|datetime|decimal|email|enum|fnmatch|functools|getpass|glob|gzip|hashlib|heapq|hmac|html|http|importlib|inspect|io|itertools|json|logging|math|mimetypes|multiprocessing|operator|os|pathlib|pickle|platform|pprint|queue|random|re|secrets|select|shlex|shutil|signal|smtplib|socket|sqlite3|ssl|stat|statistics|string|struct|subprocess|sys|tarfile|tempfile|textwrap|threading|time|traceback|types|typing|unittest|urllib|uuid|warnings|weakref|xml|zipfile|zlib)(?:\.|$)/

const existing = (file: SourceFile, module: string, name: string | undefined): Imported | null => {
  for (const one of imports(file)) {
    if (one.typeOnly || one.module !== module || file.tree!.parent(one.node) !== 0) continue
    const isWhole = file.tree!.is(one.node, "import_statement")
    const own = one.names.find(({ imported }) => imported === (isWhole ? "*" : name))
    if (own === undefined) continue
    const local = isWhole && module.includes(".") && own.local === module.split(".")[0] ? module : own.local
    return { local: isWhole && name !== undefined ? `${local}.${name}` : local, edits: [] }
  }
  return null
}

const moduleOf = (tree: FlatTree, node: number): string =>
  tree.textOf(tree.is(node, "import_from_statement") ? tree.child(node, "module_name") : tree.child(node, "name"))

const isImport = (tree: FlatTree, node: number): boolean => tree.is(node, "import_statement", "import_from_statement")

/** The first block of imports, from the module's top on: what comes after other code is there for a reason. */
const headImports = (tree: FlatTree): ReadonlyArray<number> => {
  const body = tree.namedChildren(0)
  const first = body.findIndex((node) => isImport(tree, node))
  if (first < 0) return []
  const after = body.findIndex((node, i) => i > first && !isImport(tree, node))
  return body.slice(first, after < 0 ? body.length : after)
}

const placed = (file: SourceFile, module: string, statement: string): Edit => {
  const tree = file.tree!
  const head = headImports(tree)
  const ofStandard = head.filter((node) => standard.test(moduleOf(tree, node)))
  const isStandard = standard.test(module)
  const isPlain = statement.startsWith("import ")
  const group = isStandard ? ofStandard : head
  const alike = group.filter((node) => tree.is(node, "import_statement") === isPlain)
  const previous = alike.filter((node) => compareText(moduleOf(tree, node), module) < 0).at(-1)
  if (previous !== undefined) return afterLine(file, tree.end(previous) - 1, statement)
  const next = alike[0] ?? (isPlain ? group[0] : undefined)
  if (next !== undefined) return beforeLine(file, tree.start(next), statement)
  const last = group.at(-1)
  if (last !== undefined) return afterLine(file, tree.end(last) - 1, statement)
  if (head.length > 0) return beforeLine(file, tree.start(head[0]!), `${statement}\n`)
  return atTop(file, statement)
}

/** After the docstring and the imports that must come first. */
const atTop = (file: SourceFile, statement: string): Edit => {
  const tree = file.tree!
  const body = tree.namedChildren(0)
  const isHead = (node: number, i: number) =>
    tree.is(node, "future_import_statement") ||
    (i === 0 && tree.is(node, "expression_statement") && tree.is(tree.firstChild(node), "string"))
  const head = body.filter(isHead).at(-1)
  if (head !== undefined) return afterLine(file, tree.end(head) - 1, `\n${statement}`)
  const [first] = body
  if (first === undefined) return insertion(file.text.length, `${statement}\n`)
  const isDefinition = tree.is(first, "function_definition", "class_definition", "decorated_definition")
  return beforeLine(file, tree.start(first), `${statement}\n${isDefinition ? "\n" : ""}`)
}

export const addImport: AddImport = (file, { module, name }) => {
  const known = existing(file, module, name)
  if (known !== null) return known
  const local = name ?? module
  if (isTaken(file, local.split(".")[0]!)) return null
  const extended = name === undefined ? null : withName(file, module, name)
  if (extended !== null) return { local, edits: [extended] }
  const statement = name === undefined ? `import ${module}` : `from ${module} import ${name}`
  return { local, edits: [placed(file, module, statement)] }
}

/** `from module import a` becomes `from module import a, name`. */
const withName = (file: SourceFile, module: string, name: string): Edit | null => {
  const tree = file.tree!
  const known = headImports(tree).find(
    (node) => tree.is(node, "import_from_statement") && moduleOf(tree, node) === module
  )
  const last = known === undefined ? undefined : tree.childrenOfField(known, "name").at(-1)
  return last === undefined ? null : insertion(tree.end(last), `, ${name}`)
}
