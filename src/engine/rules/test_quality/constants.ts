import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { isRepeatable, sameCode } from "../../structure/sameCode.ts"
import { assertionsOf, callsBelow } from "../../structure/testing/assertions.ts"
import { isScriptFunction, type TestCase, testAt } from "../../structure/testing/testCases.ts"
import type { RuleId } from "./rules.ts"
import { isScript, quoted } from "./support.ts"

const literal =
  /^(?:true|false|True|False|TRUE|null|nil|None|undefined|-?\d[\d._]*[lLfF]?|"[^"\\\n]{0,80}"|'[^'\\\n]{0,80}')$/
const isTrue = /^(?:true|True|TRUE|1|"[^"\\\n]{1,80}"|'[^'\\\n]{1,80}')$/
const isFalse = /^(?:false|False|FALSE|0|null|nil|None|undefined)$/

const trueAssertions = /^(?:assertTrue|assert_true|IsTrue|True|assert|ok|assert_|isTrue|That|assertThat)$/
const falseAssertions = /^(?:assertFalse|assert_false|IsFalse|False|isFalse|refute)$/
const equalAssertions =
  /^(?:assertEquals?|assertSame|assert_equal|assert_same|AreEqual|AreSame|Equal|Same|Equals|equal|equals|strictEqual|deepEqual|deepStrictEqual|assertSequenceEqual|assertListEqual|assertDictEqual|assertIs|isEqual|Exactly|EqualValues|sameMembers|assertIterableEquals|assertArrayEquals)$/

const constantIn = (tree: FlatTree, call: Call): string | null => {
  // Spring's `Assert.isTrue` is product code; AssertJ asks `isTrue()` of a subject.
  if (call.receiver === "Assert" && /^is/.test(call.method)) return null
  // `assert.True(t, x)`: what judges is the first argument, not the value.
  const args = call.args.filter((arg) => !/^(?:t|s\.T\(\)|suite\.T\(\))$/.test(tree.textOf(arg)))
  const first = args[0]
  if (first === undefined) return null
  const text = tree.textOf(first)
  if (trueAssertions.test(call.method) && args.length <= 2 && isTrue.test(text)) {
    return /^["']/.test(text) && (args.length > 1 || call.method === "That" || call.method === "assertThat")
      ? null
      : `${quoted(tree, first)} is always true`
  }
  if (/^(?:That|assertThat)$/.test(call.method)) return null
  if (falseAssertions.test(call.method) && isFalse.test(text)) return `${quoted(tree, first)} is always false`
  if (!equalAssertions.test(call.method) || args[1] === undefined) return null
  return sameValue(tree, first, args[1])
}

/** The same name or member twice; what is called twice may well be meant to answer twice. */
const sameValue = (tree: FlatTree, a: number, b: number): string | null => {
  if (!sameCode(tree, a, b) || !isRepeatable(tree, a)) return null
  const text = tree.textOf(a)
  if (/\(|\[|\{|=>|\n/.test(text)) return null
  return literal.test(text)
    ? `${quoted(tree, a)} is compared with the same constant`
    : `${quoted(tree, a)} is compared with itself`
}

const matchers =
  /^(?:toBe|toEqual|toStrictEqual|toBeTruthy|toBeFalsy|toBeNull|toBeDefined|toBeUndefined|toContain|toHaveLength|toMatch|toMatchObject|toThrow|toThrowError|toHaveBeenCalled|toHaveBeenCalledWith|toHaveBeenCalledTimes|toBeInTheDocument|toBeGreaterThan|toBeLessThan|toBeInstanceOf|toHaveProperty|toMatchSnapshot|toBeVisible|toHaveTextContent|toBeNaN|toBeCloseTo)$/

/** Through `.not`, `.resolves`: the call of `expect` at the root of a chain, or NONE. */
export const expectAtRoot = (tree: FlatTree, node: number): number => {
  let at = node
  for (let depth = 0; depth < 12 && at !== NONE; depth++) {
    if (tree.is(at, "call_expression")) {
      const callee = tree.child(at, "function")
      if (tree.is(callee, "identifier")) return tree.textOf(callee) === "expect" ? at : NONE
      at = callee
    } else if (tree.is(at, "member_expression")) at = tree.child(at, "object")
    else return NONE
  }
  return NONE
}

const expectProblem = (tree: FlatTree, call: Call): string | null => {
  const root = expectAtRoot(tree, call.receiverNode)
  if (root === NONE) return null
  const subject = tree.namedChildren(tree.child(root, "arguments"))[0]
  if (subject === undefined) return null
  const isNot = /\.not$/.test(call.receiver ?? "")
  const text = tree.textOf(subject)
  const isPlain = tree.is(tree.parent(root), "member_expression") && call.receiver === tree.textOf(root)
  const expected = call.args[0]
  if (isPlain && expected !== undefined && /^(?:toBe|toEqual|toStrictEqual|equal|eql|eq)$/.test(call.method)) {
    return sameValue(tree, subject, expected)
  }
  if (isPlain && call.args.length === 0 && literal.test(text)) {
    if (call.method === "toBeTruthy" && isTrue.test(text)) return `${quoted(tree, subject)} is always truthy`
    if (call.method === "toBeFalsy" && isFalse.test(text)) return `${quoted(tree, subject)} is always falsy`
  }
  const isAsyncFunction = isScriptFunction(tree, subject) && tree.childOfKind(subject, "async") !== NONE
  if (isNot && isAsyncFunction && /^toThrow(?:Error)?$/.test(call.method)) {
    return "an async function never throws, it returns a rejected promise, so `not.toThrow` always holds"
  }
  return null
}

/** A constant in a branch that should not be reached, or after what should have thrown, marks the place. */
const marksReachedPlace = (tree: FlatTree, node: number): boolean =>
  tree.enclosing(
    node,
    "catch_clause",
    "except_clause",
    "finally_clause",
    "rescue",
    "if_statement",
    "else_clause",
    "switch_case",
    "case_clause",
    "conditional_expression",
    "elif_clause",
    "match_arm",
    "if",
    "unless",
    "else",
    "try_statement"
  ) !== NONE

const testOf = (file: SourceFile, tree: FlatTree, node: number): TestCase | undefined => {
  const test = testAt(file, node)
  if (test === undefined) return undefined
  const inner = tree.enclosing(node, ...callbackKinds)
  // In a callback it says that the callback was called; a plan counts that.
  return inner <= test.function ? test : undefined
}

const callbackKinds = ["arrow_function", "function_expression", "lambda_expression", "func_literal", "lambda"]

/** `x.equals(x)` is a promise of its own. */
const comparesOnPurpose =
  /assertNotEqual|assertNotSame|NotEqual|AreNotEqual|not\.(?:toEqual|toBe\b|equal)|notEqual|assert_not_equal|refute_equal|<=>|\bcmp\(|\.equals\(|hashCode|__eq__|__hash__|compareTo|\.Equals\(|eql\?|\.hash\b/
const aboutEquality =
  /equal|hash|same|ident|reflex|compar|singleton|cache|(?:^|[^a-z])(?:test)?_?(?:eq|ne)(?:[^a-z]|$)/i

interface TestText {
  readonly counts: boolean
  readonly comparesOnPurpose: boolean
}
const computeTexts = (): Map<number, TestText> => new Map()

const textFacts = (file: SourceFile, tree: FlatTree, test: TestCase): TestText => {
  const known = file.memo(computeTexts, computeTexts)
  const earlier = known.get(test.function)
  if (earlier !== undefined) return earlier
  const text = tree.textOf(test.body)
  const facts = {
    counts: /\.assertions\(|hasAssertions\(|\.plan\(/.test(text),
    comparesOnPurpose: aboutEquality.test(test.title ?? "") || comparesOnPurpose.test(text)
  }
  known.set(test.function, facts)
  return facts
}

export const inspectConstants = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  const tree = file.tree!
  for (const call of calls(file)) {
    if (call.isNew || call.args.length > 4) continue
    const isExpect = isScript(file) && call.receiver?.startsWith("expect(") === true
    const isAsserting = /^(?:self\.|this\.|t\.)?assert|^(?:Assert|Assertions|require|refute|assert)\b/.test(call.callee)
    if (!isExpect && !isAsserting) continue
    const problem = isExpect ? expectProblem(tree, call) : constantIn(tree, call)
    if (problem === null || marksReachedPlace(tree, call.node)) continue
    const test = testOf(file, tree, call.node)
    if (test === undefined || (!hidesValue(tree, call) && !isWorthReporting(file, tree, test, call.node, problem)))
      continue
    emit({
      rule: "assertion_cannot_fail",
      start: tree.start(call.node),
      end: tree.end(call.node),
      message: `This assertion holds whatever the code does: ${problem}.`
    })
  }
  if (file.language === "python") inspectAssertStatements(file, tree, emit)
}

/** `assert.False(t, false, actual())`: the value stands in the message's place. */
const hidesValue = (tree: FlatTree, call: Call): boolean =>
  call.args.length === 3 && tree.is(call.args[2]!, "call_expression") && /^(?:assert|require)\./.test(call.callee)

/** A constant beside other assertions is noise; alone, it is all there is. */
const isWorthReporting = (file: SourceFile, tree: FlatTree, test: TestCase, node: number, problem: string): boolean => {
  const facts = textFacts(file, tree, test)
  if (/never throws/.test(problem)) return true
  return problem.endsWith("with itself")
    ? !facts.comparesOnPurpose
    : !facts.counts && assertionsOf(file, test).length === 1 && !isLastOfSeveral(file, tree, test, node)
}

/** `assertTrue(true)` at the end of a test that runs other code: reaching it is what the test shows. */
const isLastOfSeveral = (file: SourceFile, tree: FlatTree, test: TestCase, node: number): boolean => {
  const inner = tree.childOfKind(test.body, "statement_list", "body_statement")
  const statements = tree.namedChildren(inner === NONE ? test.body : inner)
  const last = statements.at(-1)
  if (last === undefined || statements.length < 2 || !tree.contains(last, node)) return false
  return statements.slice(0, -1).some((statement) => callsBelow(file, statement).length > 0)
}

const inspectAssertStatements = (file: SourceFile, tree: FlatTree, emit: (hit: Match<RuleId>) => void): void => {
  for (const node of tree.of("assert_statement")) {
    const value = tree.namedChildren(node)[0]
    if (value === undefined || marksReachedPlace(tree, node)) continue
    const [left, right] = tree.is(value, "comparison_operator") ? tree.namedChildren(value) : []
    const operator = left === undefined ? "" : tree.text.slice(tree.end(left), tree.start(right!)).trim()
    const problem = isTrue.test(tree.textOf(value))
      ? `${quoted(tree, value)} is always true`
      : right !== undefined && /^(?:==|is)$/.test(operator) && literal.test(tree.textOf(left!))
        ? sameValue(tree, left!, right)
        : null
    const test = problem === null ? undefined : testOf(file, tree, node)
    if (problem === null || test === undefined || !isWorthReporting(file, tree, test, node, problem)) continue
    const message = `This assertion holds whatever the code does: ${problem}.`
    emit({ rule: "assertion_cannot_fail", start: tree.start(node), end: tree.end(node), message })
  }
}

const neverMade = (file: SourceFile, tree: FlatTree, statement: number): string | null => {
  const node = tree.namedChildren(statement)[0]
  if (node === undefined) return null
  if (file.language === "python") {
    if (!tree.is(node, "attribute")) return null
    const name = tree.textOf(tree.child(node, "attribute"))
    return /^assert_(?:called|not_called|any_call|has_calls|awaited|not_awaited)\w*$/.test(name)
      ? `\`${name}\` is named and not called, so nothing is checked.`
      : null
  }
  if (tree.is(node, "call_expression")) {
    const isBare = tree.textOf(tree.child(node, "function")) === "expect"
    // Testing Library's `getBy…` throws by itself.
    const isQuery = /\b(?:get|find)(?:All)?By/.test(tree.textOf(node))
    return isBare && !isQuery && tree.namedChildren(tree.child(node, "arguments")).length === 1 && isJest(file)
      ? "`expect` is given a value and asked nothing about it."
      : null
  }
  if (!tree.is(node, "member_expression") || expectAtRoot(tree, node) === NONE) return null
  const name = tree.textOf(tree.child(node, "property"))
  return matchers.test(name) ? `\`${name}\` is named and not called, so nothing is compared.` : null
}

const jestWords = /\.to(?:Be|Equal|Have|Match|Throw)/
const mentionsJest = (file: SourceFile): boolean => jestWords.test(file.text)
const isJest = (file: SourceFile): boolean => file.memo(mentionsJest, mentionsJest)

export const inspectUncalled = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  const tree = file.tree!
  for (const statement of tree.of("expression_statement")) {
    const message = neverMade(file, tree, statement)
    if (message === null) continue
    emit({ rule: "assertion_not_called", start: tree.start(statement), end: tree.end(statement), message })
  }
  if (file.language !== "python" || !file.text.includes("assertTrue")) return
  for (const call of calls(file)) {
    const [value, second] = call.args
    if (!/^self\.assert(?:True|_)$/.test(call.callee) || call.args.length !== 2) continue
    if (value === undefined || second === undefined || !isValue(tree, value) || !isExpected(tree, second)) continue
    emit({
      rule: "assertion_not_called",
      start: tree.start(call.node),
      end: tree.end(call.node),
      message: `${quoted(tree, second)} is only the message here: \`assertTrue\` compares nothing. \`assertEqual\` does.`
    })
  }
}

/** A question is rightly asserted to be true; a thing is not. */
const isValue = (tree: FlatTree, node: number): boolean =>
  !tree.is(node, "comparison_operator", "boolean_operator", "not_operator") &&
  !/^(?:[\s\S]*\.)?(?:startswith|endswith|is[a-z]+|issubclass|hasattr|callable|any|all|exists|(?:is|has|can)_\w+)\([^()]*(?:\([^()]*\)[^()]*)*\)$/.test(
    tree.textOf(node).slice(0, 300)
  )

const isExpected = (tree: FlatTree, node: number): boolean =>
  tree.is(node, "integer", "float", "true", "false", "list", "dictionary", "tuple", "set")
