import type { SourceFile } from "../../core/files/SourceFile.ts"
import { wordCounts } from "../../languages/code/words.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"

export interface ExportedName {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Names that frameworks look for. */
const conventional =
  /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|default|handler|loader|action|meta|links|headers|metadata|viewport|config|middleware|runtime|revalidate|dynamic\w*|fetchCache|maxDuration|preferredRegion|generate\w+|get(?:Server|Static|Initial)\w+|ErrorBoundary|HydrateFallback|shouldRevalidate|clientLoader|clientAction|load|actions|prerender|ssr|csr|up|down|register|activate|deactivate|setup|teardown|init|install|Page|Layout|reducers?|[A-Z_]+)$/

const declared = (tree: FlatTree, statement: number): ReadonlyArray<number> => {
  const declaration = tree.child(statement, "declaration")
  if (tree.is(declaration, "function_declaration", "generator_function_declaration", "class_declaration"))
    return [tree.child(declaration, "name")]
  if (!tree.is(declaration, "lexical_declaration")) return []
  return tree
    .namedChildren(declaration)
    .filter((one) => tree.is(tree.child(one, "value"), "arrow_function", "function_expression"))
    .map((one) => tree.child(one, "name"))
    .filter((name) => tree.is(name, "identifier"))
}

/** Functions and classes that are exported and not referenced anywhere else in their file. */
export const unreferencedExports = (file: SourceFile): ReadonlyArray<ExportedName> => {
  const tree = file.tree
  if (tree === null || tree.hasError || /\.d\.[cm]?ts$|\.(?:stories|story|config)\.\w+$/.test(file.path)) return []
  const counts = wordCounts(file)
  return [...tree.of("export_statement")].flatMap((statement) => {
    if (tree.childOfKind(statement, "default", "decorator") !== NONE) return []
    return declared(tree, statement)
      .filter((name) => name !== NONE && !conventional.test(tree.textOf(name)) && counts.get(tree.textOf(name)) === 1)
      .map((name) => ({ name: tree.textOf(name), start: tree.start(name), end: tree.end(name) }))
  })
}
