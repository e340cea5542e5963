import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { type Call, calls, imports } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { marksOf, testCases } from "../../structure/testing/testCases.ts"
import type { RuleId } from "./rules.ts"

const focusedScript =
  /^(?:(?:it|test|describe|context|suite|specify)(?:\.(?:concurrent|serial|parallel|describe))*\.only|fit|fdescribe|fcontext)(?:\.each)?$/
const focusedGo = /^(?:ginkgo\.)?(?:FIt|FDescribe|FContext|FSpecify|FWhen|FDescribeTable)$/
const groups = /^(?:describe|context|feature|it|specify|example|scenario)$/

const rubyFocus = (tree: FlatTree, call: Call): boolean => {
  if (tree.child(call.node, "block") === NONE) return false
  if (call.receiver === null && /^(?:fit|fdescribe|fcontext)$/.test(call.method)) return true
  if ((call.receiver !== null && call.receiver !== "RSpec") || !groups.test(call.method)) return false
  const mark = call.named.get("focus")
  return (mark !== undefined && tree.textOf(mark) === "true") || call.args.some((arg) => tree.textOf(arg) === ":focus")
}

const isFocused = (file: SourceFile, tree: FlatTree, call: Call): boolean => {
  if (file.language === "ruby") return rubyFocus(tree, call)
  if (file.language === "go") {
    return focusedGo.test(call.callee) && imports(file).some(({ module }) => module.includes("ginkgo"))
  }
  if (!focusedScript.test(call.callee) || call.isNew) return false
  return call.args.length >= 2 || /\.each$/.test(call.callee)
}

export const inspectFocus = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  if (!/\.only\b|\bfit\b|\bfdescribe\b|\bfcontext\b|focus|\bF[ISDCW]\w+\(/.test(file.text)) return
  const tree = file.tree!
  for (const call of calls(file)) {
    if (!isFocused(file, tree, call)) continue
    const end = tree.start(call.node) + call.callee.length
    const mark = file.language === "ruby" ? call.method : call.callee
    const message = `\`${mark}\` makes the runner leave out every other test${file.language === "ruby" ? " that is not marked" : " of this file"}.`
    emit({ rule: "focused_test", start: tree.start(call.node), end: Math.min(end, tree.end(call.node)), message })
  }
}

/** Two `def`s of one name directly in one class (or, in Python, one module). */
export const inspectShadowed = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  const tree = file.tree!
  const seen = new Map<string, number>()
  for (const test of testCases(file)) {
    if (!tree.is(test.node, "function_definition", "method") || test.title === null) continue
    const isPython = file.language === "python"
    if (isPython && !isPlainDefinition(tree, test.node)) continue
    const holder = tree.parent(test.suite)
    // Which of two is defined under a condition is decided at run time.
    const isDirect = isPython
      ? tree.is(test.suite, "module") || tree.is(holder, "class_definition")
      : tree.is(test.suite, "body_statement") && tree.is(holder, "class")
    if (!isDirect) continue
    const key = `${test.suite} ${test.title}`
    const earlier = seen.get(key)
    seen.set(key, test.titleNode)
    if (earlier === undefined) continue
    emit({
      rule: "shadowed_test",
      start: tree.start(earlier),
      end: tree.end(earlier),
      message: `\`${test.title}\` is defined again on line ${file.line(tree.start(test.titleNode))}; this one never runs.`,
      identifiers: [test.title]
    })
  }
}

/** Decorators that register a function under its name elsewhere keep the earlier one alive. */
const isPlainDefinition = (tree: FlatTree, node: number): boolean => {
  const parent = tree.parent(node)
  if (!tree.is(parent, "decorated_definition")) return true
  return tree
    .children(parent)
    .filter((child) => tree.is(child, "decorator"))
    .every((child) => /^@(?:pytest\.mark|mock\.patch|patch|override_settings|skip|unittest\.)/.test(tree.textOf(child)))
}

export const inspectBroad = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  const tree = file.tree!
  if (file.language === "java") return inspectBroadJava(file, tree, emit)
  if (!/raises|assertRaises/.test(file.text)) return undefined
  for (const call of calls(file)) {
    if (!/^(?:pytest\.raises|self\.assertRaises)$/.test(call.callee)) continue
    const type = call.args[0] === undefined ? "" : tree.textOf(call.args[0])
    if (!/^(?:Exception|BaseException)$/.test(type) || call.named.has("match")) continue
    // `as error` is followed by a look at it.
    if (tree.is(tree.parent(call.node), "as_pattern") || throwsIt.test(textAround(tree, call.node))) continue
    emit({
      rule: "broad_exception",
      start: tree.start(call.node),
      end: tree.end(call.node),
      message: `\`${call.method}(${type})\` is satisfied by any mistake on the way, not only by the failure that is meant.`
    })
  }
}

/** Code of the test's own that throws just that. */
const throwsIt = /\bnew (?:Exception|Throwable|RuntimeException)\(|\braise (?:Base)?Exception\b|side_effect/

const NEAR = 1_500

const textAround = (tree: FlatTree, node: number): string =>
  tree.text.slice(Math.max(0, tree.start(node) - NEAR), tree.end(node) + NEAR)

const inspectBroadJava = (file: SourceFile, tree: FlatTree, emit: (hit: Match<RuleId>) => void): void => {
  const reportBroad = (node: number, what: string): void =>
    emit({
      rule: "broad_exception",
      start: tree.start(node),
      end: tree.end(node),
      message: `${what} is satisfied by any mistake on the way, not only by the failure that is meant.`
    })
  for (const { node } of testCases(file)) {
    if (throwsIt.test(tree.textOf(node))) continue
    for (const [name, mark] of marksOf(tree, node)) {
      const broad = /\bexpected\s*=\s*(?:java\.lang\.)?(Exception|Throwable|RuntimeException)\.class/.exec(
        tree.textOf(mark)
      )
      if (name === "Test" && broad !== null) reportBroad(mark, `\`expected = ${broad[1]}.class\``)
    }
  }
  for (const call of calls(file)) {
    if (
      call.method !== "assertThrows" ||
      throwsIt.test(textAround(tree, call.node)) ||
      !tree.is(tree.parent(call.node), "expression_statement")
    )
      continue
    const type = call.args[0] === undefined ? "" : tree.textOf(call.args[0])
    if (/^(?:Exception|Throwable)\.class$/.test(type)) reportBroad(call.node, `\`assertThrows(${type}, …)\``)
  }
}

/** The plain base class calls a test and throws away the coroutine it gets. */
export const inspectAsyncCases = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  const tree = file.tree!
  for (const test of testCases(file)) {
    if (!test.isAsync || test.title === null) continue
    const holder = tree.parent(test.suite)
    if (!tree.is(holder, "class_definition") || tree.is(tree.parent(test.node), "decorated_definition")) continue
    const bases = tree.textOf(tree.child(holder, "superclasses")).replace(/\s/g, "")
    const isPlain =
      bases === "(unittest.TestCase)" ||
      (bases === "(TestCase)" && /^from unittest import [^\n]*\bTestCase\b/m.test(file.text))
    if (!isPlain) continue
    emit({
      rule: "async_test_not_run",
      start: tree.start(test.titleNode),
      end: tree.end(test.titleNode),
      message: `\`${test.title}\` is a coroutine function, and \`unittest.TestCase\` never awaits what it returns.`,
      identifiers: [test.title]
    })
  }
}

export const structural = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  inspectFocus(file, emit)
  if (file.language === "python" || file.language === "ruby") inspectShadowed(file, emit)
  if (file.language === "python" || file.language === "java") inspectBroad(file, emit)
  if (file.language === "python" && file.text.includes("async def")) inspectAsyncCases(file, emit)
}
