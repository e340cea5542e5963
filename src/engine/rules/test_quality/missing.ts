import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { tryStatements } from "../../languages/code/tryStatements.ts"
import { enclosingFunction, importedNames } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { assertionsOf, mayAssert } from "../../structure/testing/assertions.ts"
import { marksOf, type TestCase, testAt, testCases } from "../../structure/testing/testCases.ts"
import type { RuleId } from "./rules.ts"

const MIN_TESTS = 4
/** Longer guarded blocks do more than expect one exception. */
const MAX_TRY = 6_000

/** Tests that say that running through is all they ask for. */
const runsThrough =
  /without|does ?n.?t|does_?not|no_?(?:error|exception|panic)|not_?(?:error|panic|block|hang|leak|explode|break)|smoke|compil|construct|instantiat|import|constructor|creat|build|render|works?|load|safe|accept|allow|noop|no-op|nil|null|empty|warning|race|concurren|parallel|deadlock|leak|support|survive|handles?|close|stop|shutdown|cleanup|initiali|start|ignore|mount|perf|benchmark|stress|example|types?\b|typ(?:ed|ing)|can_|\bcan\b/i

const titleOf = (test: TestCase): string => (test.title === null ? "This test" : `\`${test.title.slice(0, 80)}\``)

const spanOf = (tree: FlatTree, test: TestCase) => ({
  start: tree.start(test.titleNode),
  end: Math.max(tree.end(test.titleNode), tree.start(test.titleNode) + 1)
})

const statementsOf = (tree: FlatTree, body: number): ReadonlyArray<number> => {
  const list = tree.childOfKind(body, "statement_list")
  return tree.namedChildren(list === NONE ? body : list)
}

/** Nothing but declarations: the compiler is what tests here. */
const declaresOnly = (tree: FlatTree, body: number): boolean =>
  statementsOf(tree, body).every((statement) =>
    tree.is(statement, "var_declaration", "type_declaration", "const_declaration", "assignment_statement")
  )

const isPlaceholder = (tree: FlatTree, body: number): boolean => {
  const statements = statementsOf(tree, body)
  return statements.every(
    (statement) => tree.is(statement, "pass_statement") || /^(?:\.\.\.|"""|''')/.test(tree.textOf(statement))
  )
}

const expectsByMark = (file: SourceFile, tree: FlatTree, test: TestCase): boolean => {
  if (file.language === "python") {
    const parent = tree.parent(test.node)
    if (!tree.is(parent, "decorated_definition")) return false
    // A decorator may do anything with the test, and most that are not the runner's own do.
    return tree
      .children(parent)
      .some(
        (child) =>
          tree.is(child, "decorator") &&
          !/parametrize|usefixtures|override_settings|skip|django_db|asyncio/.test(tree.textOf(child))
      )
  }
  return marksOf(tree, test.node).some(
    ([name, mark]) =>
      /Expect|Throws|Timeout/.test(name) || /expected|timeout|Expected|Result\s*=/.test(tree.textOf(mark))
  )
}

const why = /race|panic|crash|leak|error|throw|raise|compil|deadlock|block/i

/** A comment above a test or in it may say that running through is the point. */
const isExplained = (tree: FlatTree, test: TestCase): boolean => {
  const before = tree.previousSibling(test.node)
  if (tree.isComment(before) && why.test(tree.textOf(before))) return true
  const list = tree.childOfKind(test.body, "statement_list")
  return [test.body, list].some((block) =>
    tree.children(block).some((child) => tree.isComment(child) && why.test(tree.textOf(child)))
  )
}

const isChecked = (file: SourceFile, tree: FlatTree, test: TestCase): boolean => {
  if (mayAssert(file, test) || expectsByMark(file, tree, test)) return true
  if (runsThrough.test(test.title ?? "") || test.title === null || isExplained(tree, test)) return true
  if (file.language === "ruby") return false
  if (file.language === "go") return !test.parameters.includes("t") || declaresOnly(tree, test.body)
  // A callback or a context of the runner: its receiver may check.
  return file.language !== "python" && test.parameters.some((name) => !name.startsWith("{"))
}

const bodyOf = (tree: FlatTree, test: TestCase): boolean => test.body !== NONE && !isPlaceholder(tree, test.body)

/** Where most tests of a file check nothing that is known here, they check in a way that is not known here. */
export const inspectUnchecked = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  const tree = file.tree!
  const tests = testCases(file).filter((test) => bodyOf(tree, test))
  const unchecked = tests.filter((test) => !isChecked(file, tree, test))
  if (unchecked.length === 0 || (tests.length >= MIN_TESTS && unchecked.length * 2 > tests.length)) return
  for (const test of unchecked) {
    emit({
      rule: "no_assertion",
      ...spanOf(tree, test),
      message: `${titleOf(test)} runs the code and checks nothing that comes of it.`,
      identifiers: file.language === "javascript" || test.title === null ? [] : identifiersOf(test.title)
    })
  }
}

const identifiersOf = (title: string): ReadonlyArray<string> => (/^\w+$/.test(title) ? [title] : [])

const takesAssertions: Partial<Record<SourceFile["language"], RegExp>> = {
  python: /^(?:|Exception|BaseException|AssertionError)$/,
  java: /^(?:Throwable|Error|AssertionError|AssertionFailedError)$/,
  csharp: /^(?:|Exception|AssertionException|XunitException)$/,
  ruby: /^Exception$/
}

const handlesFailure =
  /\b(?:fail|throw|raise|done|reject|assert|expect|Assert|Fail|abort|skip|retry|next|exit|return|continue|t\.)|Error\(/

const firstIn = (tree: FlatTree, asserts: ReadonlyArray<number>, statements: ReadonlyArray<number>): number => {
  const [first, last] = [statements[0], statements.at(-1)]
  if (first === undefined || last === undefined) return NONE
  const end = tree.lastDescendant(last)
  return asserts.find((node) => node >= first && node <= end) ?? NONE
}

/** `assertVersion` of the product, imported by that name: what is tested, not what tests. */
const isTested = (file: SourceFile, tree: FlatTree, node: number): boolean => {
  const name = /^\w+/.exec(tree.textOf(node))?.[0] ?? ""
  const origin = importedNames(file).get(name)?.module
  return (
    origin !== undefined && /^\./.test(origin) && !/assert|expect|test|spec|helper|util|support|common/i.test(origin)
  )
}

/** An assertion whose failure a handler takes, and handlers that hold the only assertions. */
export const inspectHandlers = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  const tree = file.tree!
  for (const statement of tryStatements(file)) {
    if (statement.handlers.length === 0 || tree.end(statement.node) - tree.start(statement.node) > MAX_TRY) continue
    const test = testAt(file, statement.node)
    if (test === undefined) continue
    const asserts = assertionsOf(file, test)
    const guarded = firstIn(tree, asserts, statement.statements)
    if (guarded !== NONE && isTested(file, tree, guarded)) continue
    if (guarded === NONE) {
      inspectUnreached(file, tree, test, statement, emit)
      continue
    }
    // Below a callback the test learns of a failure by what did not happen: a latch, an answer, a status.
    if ((enclosingFunction(file, statement.node)?.node ?? test.function) > test.function) continue
    const taking = statement.handlers.find(({ types }) => takesAll(file, types))
    if (taking === undefined || handlesFailure.test(tree.textOf(taking.node))) continue
    const line = file.line(tree.start(taking.node))
    emit({
      rule: "assertion_swallowed",
      start: tree.start(guarded),
      end: tree.end(guarded),
      message: `When this assertion of ${titleOf(test)} fails, the handler on line ${line} takes the failure and the test passes.`
    })
  }
}

const takesAll = (file: SourceFile, types: ReadonlyArray<string>): boolean => {
  const pattern = takesAssertions[file.language]
  return pattern === undefined ? true : types.length === 0 ? pattern.test("") : types.some((type) => pattern.test(type))
}

type Guarded = ReturnType<typeof tryStatements>[number]

const stops =
  /\b(?:fail|Fail|throw|raise|flunk|unreachable|reject|assert|expect|done|pytest\.fail|return|break|should|AssertionError|ok\b|equal)/

/** `fail()`, `assert(!error)`, `assert.ifError(error)`, `expect(true).toBe(false)`. */
const failing =
  /^(?:\w+\.)*(?:fail\w*\(|ifError\(|(?:assert|ok|isOk|isTrue|assert_?True)\(\s*(?:false|False|0|!\s*\w+|not \w+)\s*[,)]|assert\s+(?:False|0|not \w+)\b|expect\((?:true\)\.toBe(?:\(false|Falsy)|false\)\.toBe(?:\(true|Truthy)))/i

/** `pytest.fail("…")` behind the handler that returns: what was not thrown fails the test. */
const failsAfter = (tree: FlatTree, attempt: number): boolean => {
  for (let at = tree.nextSibling(attempt); at !== NONE; at = tree.nextSibling(at)) {
    if (!tree.isComment(at) && failing.test(tree.textOf(at).slice(0, 80))) return true
  }
  return false
}

const inspectUnreached = (
  file: SourceFile,
  tree: FlatTree,
  test: TestCase,
  statement: Guarded,
  emit: (hit: Match<RuleId>) => void
): void => {
  if (file.language === "ruby" || statement.final !== null || expectsByMark(file, tree, test)) return
  const asserts = assertionsOf(file, test)
  const [first, last] = [asserts[0], asserts.at(-1)]
  if (first === undefined || last === undefined) return
  if (tree.start(first) < tree.start(statement.node) || tree.start(last) > tree.end(statement.node)) return
  const text = tree.text.slice(tree.start(test.body), Math.min(tree.end(test.body), tree.start(test.body) + MAX_TRY))
  // Counted assertions, flags set in the handler and loops over outcomes make up for it.
  if (/\.assertions\(|hasAssertions|\.plan\(|t\.plan|_exc\b|thrown|caught|raised/i.test(text)) return
  if (statement.statements.some((node) => stops.test(tree.textOf(node)))) return
  // Python's `else` runs when nothing was thrown.
  if (stops.test(tree.textOf(tree.childOfKind(statement.node, "else_clause")))) return
  if (failsAfter(tree, statement.node)) return
  // A handler that does no more than fail asks that nothing be thrown, which the test does check.
  if (asserts.every((node) => failing.test(tree.textOf(node).slice(0, 80)))) return
  if (tree.enclosing(statement.node, "for_statement", "while_statement", "for_in_statement") > test.function) return
  emit({
    rule: "assertion_only_in_handler",
    start: tree.start(first),
    end: tree.end(first),
    message: `${titleOf(test)} asserts only here, in the handler: when nothing is thrown, it passes unchecked.`
  })
}
