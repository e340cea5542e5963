import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { countsIn, wordCounts } from "../../languages/code/words.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { type Import, imports } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

/** Names for a compiler: markup compiles to calls of them. */
const pragmas = new Set(["React", "h", "jsx", "Fragment", "createElement", "_"])
/** Modules that do something when they are loaded. */
const effectful =
  /(?:^|\.)(?:readline|rlcompleter|signals?|handlers?|receivers?|tasks?|models?|admin|checks?|translation|urls|conftest|plugins?|site|distutils|setuptools|pylab|mpl_toolkits|Axes3D|colorama|gevent|monkey|celery|celery_app)$/
const silenced =
  /\bnoqa\b|eslint-disable|ts-ignore|ts-expect-error|pylint:\s*disable|pyflakes|type:\s*ignore|isort:\s*skip|NOPMD|NOSONAR/i

export interface UnusedName {
  readonly name: string
  readonly module: string
  readonly start: number
  readonly end: number
}

const lineTextAt = (file: SourceFile, start: number, end: number): string =>
  Array.from({ length: Math.min(40, file.line(end) - file.line(start) + 1) }, (_, i) =>
    file.lineText(file.line(start) + i)
  ).join("\n")

const isForEffect = (file: SourceFile, { node, module, names }: Import): boolean => {
  const tree = file.tree!
  if (file.language !== "python") return names.length === 0
  // In a `try`, an import tests whether a module exists; in a function, it is deferred until its effect is needed.
  if (tree.enclosing(node, "try_statement", "if_statement", ...syntaxOf("python")!.functionKinds) !== NONE) return true
  return (
    module === "__future__" || effectful.test(module) || (tree.is(node, "import_statement") && module.includes("."))
  )
}

const candidatesOf = (file: SourceFile): ReadonlyArray<Import> => {
  const tree = file.tree!
  return imports(file).filter(({ node }) =>
    tree.is(node, "import_statement", "import_from_statement", "import_declaration")
  )
}

/** Files that import for others: declarations, packages, and what hides the differences of versions. */
const offersImports = /\.d\.[cm]?ts$|\.pyi$|(?:^|\/)(?:__init__|_?(?:py\d*_?)?compat(?:ibility)?|_?py[23]k?|_?six)\.py$/

const isWord = /^[A-Za-z_$\x80-\uffff][\w$\x80-\uffff]*$/

export const unusedImports = (file: SourceFile): ReadonlyArray<UnusedName> => {
  const tree = file.tree
  if (tree === null || tree.hasError || offersImports.test(file.path)) return []
  if (/^\s*(?:\/\*|#|\/\/).{0,40}(?:eslint-disable\b(?!-)|flake8:\s*noqa|ruff:\s*noqa)/m.test(file.text)) return []
  const counts = wordCounts(file)
  const found: Array<UnusedName> = []
  for (const one of candidatesOf(file)) {
    if (isForEffect(file, one)) continue
    found.push(...unusedOf(file, one, counts))
  }
  return found
}

const unusedOf = (file: SourceFile, one: Import, counts: ReadonlyMap<string, number>): ReadonlyArray<UnusedName> => {
  const tree = file.tree!
  const [start, end] = [tree.start(one.node), tree.end(one.node)]
  const text = file.text.slice(start, end)
  const inImport = countsIn(text)
  const unused = one.names.filter(
    ({ local, imported }) =>
      isWord.test(local) &&
      !pragmas.has(local) &&
      !local.startsWith("_") &&
      !effectful.test(imported) &&
      counts.get(local) === inImport.get(local)?.count &&
      // `import x as x` passes a name on.
      !(file.language === "python" && inImport.get(local)!.count > 1)
  )
  if (unused.length === 0) return []
  const around = `${file.lineText(Math.max(1, file.line(start) - 1))}\n${lineTextAt(file, start, end)}`
  if (silenced.test(around)) return []
  return unused.map(({ local }) => {
    const at = start + inImport.get(local)!.last
    return { name: local, module: one.module, start: at, end: at + local.length }
  })
}

export const importMatch = ({ name, module, start, end }: UnusedName): Match<RuleId> => ({
  rule: "unused_import",
  start,
  end,
  message: `\`${name}\` is imported from \`${module}\` but never used in this file.`,
  identifiers: [name]
})
