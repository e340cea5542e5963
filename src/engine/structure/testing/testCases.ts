import type { SourceFile } from "../../core/files/SourceFile.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { type Call, calls, functions } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"

/** One test, in whatever way its framework spells it. */
export interface TestCase {
  readonly node: number
  /** Static title or name; null when it is put together at run time. */
  readonly title: string | null
  /** What names it in the code: the title's or the name's node. */
  readonly titleNode: number
  /** Function, method or block that is the test. */
  readonly function: number
  readonly body: number
  /** Block of statements it stands in: its suite. */
  readonly suite: number
  readonly parameters: ReadonlyArray<string>
  readonly isAsync: boolean
}

const scriptTest = /^(?:it|test|specify|fit|ftest)(?:\.(?:only|concurrent|serial|sequential|slow|failing|fails)\b)*$/
const scriptTable =
  /^(?:it|test|specify|fit|ftest)(?:\.(?:only|concurrent|serial|failing|fails)\b)*\.(?:each|for)(?:[([`<]|$)/
export const isScriptFunction = (tree: FlatTree, node: number): boolean =>
  tree.is(node, "arrow_function", "function_expression", "generator_function")

const scriptCase = (file: SourceFile, tree: FlatTree, call: Call): TestCase | null => {
  const isTable = scriptTable.test(call.callee) && tree.is(tree.child(call.node, "function"), "call_expression")
  if (call.isNew || (!isTable && !scriptTest.test(call.callee))) return null
  const [titleNode, ...rest] = call.args
  const fn = rest.find((arg) => isScriptFunction(tree, arg))
  if (titleNode === undefined || fn === undefined || isScriptFunction(tree, titleNode)) return null
  const single = tree.child(fn, "parameter")
  const listed = single === NONE ? tree.namedChildren(tree.child(fn, "parameters")) : [single]
  return {
    node: call.node,
    title: isTable ? null : literalValue(file, titleNode),
    titleNode,
    function: fn,
    body: tree.child(fn, "body"),
    suite: tree.enclosing(call.node, "statement_block", "program"),
    parameters: isTable ? [] : listed.map((parameter) => tree.textOf(parameter)),
    isAsync: tree.childOfKind(fn, "async") !== NONE
  }
}

const rubyNames = new Set(["it", "specify", "example", "scenario", "test", "fit"])

const rubyCase = (file: SourceFile, tree: FlatTree, call: Call): TestCase | null => {
  if (call.receiver !== null || !rubyNames.has(call.method)) return null
  const block = tree.child(call.node, "block")
  if (block === NONE) return null
  const titleNode = call.args[0] ?? NONE
  return {
    node: call.node,
    title: titleNode === NONE ? null : literalValue(file, titleNode),
    titleNode: titleNode === NONE ? tree.child(call.node, "method") : titleNode,
    function: block,
    body: tree.child(block, "body"),
    suite: tree.enclosing(call.node, "do_block", "block", "class", "module", "program"),
    parameters: [],
    isAsync: false
  }
}

const goTestName = /^Test(?:$|[^a-z])/
const pythonTestName = /^test(?:_|[A-Z0-9]|$)/

const inTestClass = (tree: FlatTree, node: number): boolean => {
  const holder = tree.enclosing(node, "class_definition", "function_definition")
  if (holder === NONE) return true
  if (!tree.is(holder, "class_definition")) return false
  const name = tree.textOf(tree.child(holder, "name"))
  return /Test|Spec/.test(name) || /Test/.test(tree.textOf(tree.child(holder, "superclasses")))
}

/** Annotations of Java and attributes of C#, by short name. */
export const marksOf = (tree: FlatTree, node: number): ReadonlyArray<readonly [name: string, mark: number]> => {
  const holders = tree.children(node).filter((child) => tree.is(child, "modifiers", "attribute_list"))
  return holders.flatMap((holder) =>
    tree
      .children(holder)
      .filter((mark) => tree.is(mark, "annotation", "marker_annotation", "attribute"))
      .map((mark) => [/(\w+)$/.exec(tree.textOf(tree.child(mark, "name")))?.[1] ?? "", mark] as const)
  )
}

const markedTest = /^(?:Test|ParameterizedTest|RepeatedTest|Fact|Theory|TestMethod|DataTestMethod|TestCase)$/
const isIgnored = /^(?:Ignore|Ignored|Disabled|Explicit)$/

/** `@unittest.skip("…")`, `@pytest.mark.skip`: whatever the platform is. */
const isSkipped = (tree: FlatTree, node: number): boolean =>
  tree
    .children(tree.parent(node))
    .some((child) => tree.is(child, "decorator") && /^@(?:unittest|pytest\.mark)\.skip\b/.test(tree.textOf(child)))

const isNamedTest = (file: SourceFile, tree: FlatTree, node: number, name: string): boolean => {
  switch (file.language) {
    case "python":
      return (
        pythonTestName.test(name) &&
        tree.is(node, "function_definition") &&
        inTestClass(tree, node) &&
        !isSkipped(tree, node)
      )
    case "go":
      return tree.is(node, "function_declaration") && goTestName.test(name)
    case "ruby":
      return tree.is(node, "method") && name.startsWith("test_")
    default: {
      if (!tree.is(node, "method_declaration")) return false
      const marks = marksOf(tree, node).map(([mark]) => mark)
      return marks.some((mark) => markedTest.test(mark)) && !marks.some((mark) => isIgnored.test(mark))
    }
  }
}

const read = (file: SourceFile): ReadonlyArray<TestCase> => {
  const tree = file.tree
  if (tree === null) return []
  const found: Array<TestCase> = []
  const isRuby = file.language === "ruby"
  if (isRuby || file.language === "javascript" || file.language === "typescript" || file.language === "tsx") {
    for (const call of calls(file)) {
      const one = isRuby ? rubyCase(file, tree, call) : scriptCase(file, tree, call)
      if (one !== null) found.push(one)
    }
    if (!isRuby) return found
  }
  for (const info of functions(file)) {
    if (info.name === null || info.body === NONE || !isNamedTest(file, tree, info.node, info.name)) continue
    const parent = tree.parent(info.node)
    found.push({
      node: info.node,
      title: info.name,
      titleNode: tree.child(info.node, "name"),
      function: info.node,
      body: info.body,
      suite: tree.is(parent, "decorated_definition") ? tree.parent(parent) : parent,
      parameters: info.parameters.map(({ name }) => name),
      isAsync: info.isAsync
    })
  }
  return found
}

/** Tests of a file, in document order, skipped ones left out where the code says so. */
export const testCases = (file: SourceFile): ReadonlyArray<TestCase> => file.memo(read, read)

const MAX_NESTED = 8

/** The test a node stands in. */
export const testAt = (file: SourceFile, node: number): TestCase | undefined => {
  const tests = testCases(file)
  let low = 0
  let high = tests.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (tests[middle]!.function <= node) low = middle + 1
    else high = middle
  }
  for (let i = low - 1; i >= Math.max(0, low - MAX_NESTED); i--) {
    if (file.tree!.contains(tests[i]!.function, node)) return tests[i]
  }
  return undefined
}
