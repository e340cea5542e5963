import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Call, calls, enclosingFunction, functions } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { routeTable } from "../../structure/routes/routeTable.ts"
import { isAssertion } from "../../structure/testing/assertions.ts"
import { testCases } from "../../structure/testing/testCases.ts"
import { clip, type ObservedRoute, type Site, type SiteKind } from "../Observed.ts"
import { comparedRoutes } from "./routes/comparedRoutes.ts"
import { keyedRoutes } from "./routes/keyedRoutes.ts"
import { textRoutes } from "./routes/textRoutes.ts"
import { shapeOf, testShapeOf } from "./siteShapes.ts"

const MAX_SITES = 150
const MAX_ROUTES = 1_500

const raises = ["throw_statement", "raise_statement", "throw_expression"]
const catches = ["catch_clause", "except_clause", "rescue"]

const thrownIn = (text: string): string | null => {
  const match = /^(?:throw|raise)\s+(?:new\s+)?([\w.:\\]{2,80})(\()?/.exec(text)
  if (match === null) return /^(?:throw|raise)\s*;?\s*$/.test(text) ? "rethrown" : null
  return match[2] === undefined && /^[a-z_]/.test(match[1]!) ? "rethrown" : match[1]!.replace(/^\\/, "")
}

const answerOf = (text: string): string => {
  if (/\b(?:throw|raise)\b/.test(text)) return "raised again or as another error"
  if (/\b(?:next|reject|callback|done|cb)\s*\(\s*(?:e|err|error|ex)\b/.test(text)) return "handed to the callback"
  if (/\blog\w*\b|console\.|error_log|print/i.test(text)) return "logged"
  if (/\breturn\b/.test(text)) return "turned into a returned value"
  return /\{\s*\}|:\s*pass\s*$/.test(text) ? "ignored" : "handled in place"
}

const rubyError = (name: string | null): string => (name === null || name === "rethrown" ? "rethrown" : `\`${name}\``)

const goError = (file: SourceFile, call: Call): string | null => {
  if (call.callee === "fmt.Errorf") {
    const wraps = file.tree!.textOf(call.args[0] ?? NONE).includes("%w")
    return wraps ? "`fmt.Errorf` with `%w`" : "`fmt.Errorf` without `%w`"
  }
  return /^errors\.(?:New|Wrap|Wrapf|Errorf|WithStack|Join)$/.test(call.callee) ? `\`${call.callee}\`` : null
}

/** An error that is made and passed on without exceptions: Go and Rust. */
const errorCall = (file: SourceFile, call: Call): string | null => {
  if (file.language === "go") return goError(file, call)
  if (file.language === "rust") {
    return /^(?:anyhow|bail|panic|Err)$/.test(call.callee)
      ? `\`${call.callee}${call.callee === "Err" ? "(…)" : "!"}\``
      : null
  }
  return file.language === "ruby" && call.receiver === null && call.method === "raise"
    ? rubyError(thrownIn(`raise ${file.tree!.textOf(call.args[0] ?? NONE)}(`))
    : null
}

/** Places of the kinds that conventions are about. */
export const sitesOf = (file: SourceFile): ReadonlyArray<Site> => {
  const tree = file.tree
  if (tree === null) return []
  const found: Array<Site> = []
  const perKind = new Map<SiteKind, number>()
  const add = (kind: SiteKind, shape: string, node: number): void => {
    const count = perKind.get(kind) ?? 0
    if (count >= MAX_SITES) return
    perKind.set(kind, count + 1)
    const around = kind === "test" || kind === "setup" ? null : enclosingFunction(file, node)
    const outer = around?.node ?? node
    found.push({
      kind,
      shape: clip(shape, 100),
      line: file.line(tree.start(node)),
      from: file.line(tree.start(outer)),
      end: file.line(Math.max(tree.start(outer), tree.end(outer) - 1)),
      symbol: file.symbolAt(tree.start(node))?.slice(0, 120) ?? null
    })
  }
  if (file.role === "test") testSites(file, add)
  else productSites(file, tree, add)
  return found
}

type Add = (kind: SiteKind, shape: string, node: number) => void

const isSetup = /^(?:setUp|setup|setUpClass|setUpTestData|setup_method)$/

const assertionShape = ({ callee }: Call): string => {
  const root = /^(?:self|this|cls)\.\w+/.test(callee) ? `${callee.split(".")[0]}.assert…` : callee.split(/[.(]/)[0]!
  return `\`${root === "expect" ? "expect(…)" : root}\``
}

const testSites = (file: SourceFile, add: Add): void => {
  for (const test of testCases(file)) add("test", testShape(file, test.node), test.node)
  for (const { name, node } of functions(file))
    if (name !== null && isSetup.test(name)) add("setup", `\`${name}\` methods`, node)
  for (const call of calls(file)) {
    const shape = testShapeOf(file, call.callee)
    if (shape !== null) add(shape[0], shape[1], call.node)
    if (isAssertion(call)) add("assertion", assertionShape(call), call.node)
  }
  for (const node of rustTests(file)) add("test", "`#[test]` functions", node)
  if (file.language === "python")
    for (const node of file.tree!.of("assert_statement")) add("assertion", "`assert` statement", node)
}

/** An attribute of Rust stands before the function, with others and comments between. */
const markedAsTest = /#\[(?:\w+::)*(?:test|rstest)\b[^\]\n]*\]\s*(?:(?:#\[[^\]\n]*\]|\/\/[^\n]*)\s*)*$/

const rustTests = (file: SourceFile): ReadonlyArray<number> =>
  file.language !== "rust"
    ? []
    : functions(file).flatMap(({ node }) => {
        const start = file.tree!.start(node)
        return markedAsTest.test(file.text.slice(Math.max(0, start - 300), start)) ? [node] : []
      })

const testShape = (file: SourceFile, node: number): string => {
  const text = file.tree!.text.slice(file.tree!.start(node), file.tree!.start(node) + 80)
  switch (file.language) {
    case "python":
      return file.tree!.enclosing(node, "class_definition") === NONE
        ? "`def test_…` functions"
        : "`test_…` methods of a test class"
    case "go":
      return "`func Test…(t *testing.T)`"
    case "ruby":
      return /^def /.test(text) ? "`def test_…` methods" : `\`${/^\w+/.exec(text)?.[0] ?? "it"} "…" do\` blocks`
    case "typescript":
    case "tsx":
    case "javascript":
      return `\`${/^\w+(?:\.\w+)*/.exec(text)?.[0] ?? "test"}(…)\``
    default:
      return `\`${/[@[](\w+)/.exec(text)?.[0].replace("[", "[") ?? "@Test"}\` methods`
  }
}

/** In Rust most tests lie beside what they test; a few show how one of them is asked for. */
const MAX_INNER_TESTS = 3

const productSites = (file: SourceFile, tree: FlatTree, add: Add): void => {
  for (const node of rustTests(file).slice(0, MAX_INNER_TESTS)) add("test", "`#[test]` functions", node)
  for (const call of calls(file)) {
    const shape = shapeOf(file, call.callee)
    if (shape !== null) add(shape[0], shape[1], call.node)
    const error = errorCall(file, call)
    if (error !== null) add("error", error, call.node)
  }
  for (const node of tree.of(...raises.filter((kind) => tree.grammar.idsOf.has(kind)))) {
    const thrown = thrownIn(tree.text.slice(tree.start(node), Math.min(tree.end(node), tree.start(node) + 120)))
    if (thrown !== null) add("error", thrown === "rethrown" ? thrown : `\`${thrown}\``, node)
  }
  for (const node of tree.of(...catches.filter((kind) => tree.grammar.idsOf.has(kind)))) {
    add("catch", answerOf(tree.text.slice(tree.start(node), Math.min(tree.end(node), tree.start(node) + 1_500))), node)
  }
}

const endpoint =
  /\bHttpApiEndpoint\s*\.\s*(get|post|put|patch|del|head|options)\(\s*["'`]([\w.-]+)["'`]\s*(?:\)\s*`|,\s*["'`])([^"'`\n]{1,160})["'`]/g

/** Endpoints of an HTTP contract of Effect: what answers one has its name in another file. */
const contractRoutes = (file: SourceFile): ReadonlyArray<ObservedRoute> =>
  !/^(?:typescript|tsx|javascript)$/.test(file.language) || !file.text.includes("@effect/platform")
    ? []
    : [...file.text.matchAll(endpoint)].map(({ index, 0: text, 1: method, 2: name, 3: path }) => ({
        framework: "Effect HttpApi",
        method: (method === "del" ? "DELETE" : method!.toUpperCase()) as ObservedRoute["method"],
        path: path!,
        handler: name!,
        guards: [],
        line: file.line(index),
        end: file.line(index + text.length - 1)
      }))

export const observedRoutes = (file: SourceFile): ReadonlyArray<ObservedRoute> => {
  const known = declaredRoutes(file)
  const lines = new Set(known.map(({ line }) => line))
  const written = [...contractRoutes(file), ...textRoutes(file), ...keyedRoutes(file)]
  const found = [...known, ...written.filter(({ line }) => !lines.has(line) && lines.add(line))]
  // Beside declared routes a comparison of the address is what runs before them.
  return (found.length > 0 ? found : comparedRoutes(file)).slice(0, MAX_ROUTES)
}

const declaredRoutes = (file: SourceFile): ReadonlyArray<ObservedRoute> =>
  routeTable(file)
    .routes.slice(0, MAX_ROUTES)
    .map(({ framework, method, path, handler, guards, start, end }) => ({
      framework,
      method,
      path: path.slice(0, 160),
      handler: handler?.slice(0, 100) ?? null,
      guards: guards.slice(0, 8).map((guard) => guard.slice(0, 80)),
      line: file.line(start),
      end: file.line(Math.max(start, end - 1))
    }))
