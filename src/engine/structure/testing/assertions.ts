import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Call, calls, functions, importedNames } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { TestCase } from "./testCases.ts"

/** Words that say so wherever they stand, even in a comment on why there is nothing to check. */
const spoken = /assert|expect|should|verif|\braise|\bthrow|\bfail|refute|flunk|snapshot|Exception|\bmust_|smoke|crash/i
/** Names that people give to calls that check. */
const checking =
  /check|valid|must|ensure|requir|compar|match|equal|test|confirm|exit|reject|guarantee|diff|^cy\b|\beq\b|\bis_|getBy|findBy|getAllBy|findAllBy|waitFor|\bpage\b|\bdone\b|\bnext$|golden|then_|andDo|inspect|lint|probe|cmp|bench|step|scenario|prove|given|\bok\b|perform|run_|run[A-Z]|^run$|spec|^t\./i

/** What Go's `t` may do without judging. */
const idleInGo =
  /\bt\.(?:Parallel|Log|Logf|Run|Skip|Skipf|SkipNow|Helper|Name|Setenv|TempDir|Cleanup|Deadline|Chdir|Context)\b/g

const between = (all: ReadonlyArray<Call>, from: number, to: number): ReadonlyArray<Call> => {
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (all[middle]!.node < from) low = middle + 1
    else high = middle
  }
  const found: Array<Call> = []
  for (let i = low; i < all.length && all[i]!.node <= to; i++) found.push(all[i]!)
  return found
}

export const callsBelow = (file: SourceFile, node: number): ReadonlyArray<Call> =>
  between(calls(file), node, file.tree!.lastDescendant(node))

const computeByName = (file: SourceFile): ReadonlyMap<string, number> => {
  const bodies = new Map<string, number>()
  for (const { name, body } of functions(file)) if (name !== null && body !== NONE) bodies.set(lastPart(name), body)
  return bodies
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1)

const known =
  /^(?:print|len|list|dict|set|tuple|str|int|float|bool|range|open|isinstance|type|super|getattr|setattr|hasattr|sorted|enumerate|zip|map|filter|next|iter|sum|min|max|any|all|require|import|setTimeout|clearTimeout|setInterval|clearInterval|setImmediate|parseInt|parseFloat|String|Number|Boolean|Array|Object|Promise|fetch|structuredClone|puts|p|lambda|proc|loop|sleep|nameof|typeof|make|append|new|string|byte|panic)$/

/** Whether something that cannot be looked into might be checking: inherited, global, or from a helper's module. */
const mightCheck = (file: SourceFile, call: Call): boolean => {
  const isOwn = call.receiver === null || /^(?:self|this|super\(\)|cls|base)$/.test(call.receiver)
  if (!isOwn || call.isNew || known.test(call.method)) return false
  const origin = importedNames(file).get(call.receiver === null ? call.callee : call.receiver)
  // Imported by name from the product: it is what is tested. From elsewhere in the tests: it may do the testing.
  return origin === undefined
    ? !declaredClass(file).has(call.method)
    : /test|spec|helper|util|support|fixture|mock|^\.\/|common/i.test(origin.module)
}

const computeClasses = (file: SourceFile): ReadonlySet<string> => {
  const tree = file.tree!
  const names = new Set<string>()
  for (const node of tree.of("class_definition", "class_declaration", "class")) {
    names.add(tree.textOf(tree.child(node, "name")))
  }
  return names
}
const declaredClass = (file: SourceFile) => file.memo(computeClasses, computeClasses)

const computeVerdicts = (): Map<number, boolean> => new Map()

const checksBelow = (file: SourceFile, body: number): boolean => {
  const tree = file.tree!
  const verdicts = file.memo(computeVerdicts, computeVerdicts)
  const earlier = verdicts.get(body)
  if (earlier !== undefined) return earlier
  verdicts.set(body, false)
  const verdict = checkingText(file, tree, body) || callsBelow(file, body).some((call) => callChecks(file, call))
  verdicts.set(body, verdict)
  return verdict
}

const callChecks = (file: SourceFile, call: Call): boolean => {
  if (file.language === "go") return false
  if (checking.test(call.callee)) return true
  const bodies = file.memo(computeByName, computeByName)
  const own = bodies.get(call.method)
  if (own !== undefined) return checksBelow(file, own)
  // A helper given by name: `cases.forEach(checkOne)`.
  for (const arg of call.args) {
    const given = file.tree!.is(arg, "identifier") ? bodies.get(file.tree!.textOf(arg)) : undefined
    if (given !== undefined && checksBelow(file, given)) return true
  }
  return mightCheck(file, call)
}

const checkingText = (file: SourceFile, tree: FlatTree, body: number): boolean => {
  const text = tree.textOf(body)
  if (file.language !== "go") return spoken.test(text)
  // `t.Run("case", testCase)` runs what is judged by itself, and `var _ io.Writer = x` is for the compiler to check.
  if (/\b[a-z]+\.Run\([^\n]{1,200},\s*[\w.]+\s*\)/.test(text) || /\bvar _ [\w.*[\]]+ =/.test(text)) return true
  return /[^.\w]t\b/.test(text.replace(idleInGo, "")) || /\bpanic\(|\.Fatal|\bb\.|suite\./.test(text)
}

/** Whether anything in a test could judge the outcome: it asserts, calls what asserts, or calls code outside of this file. */
export const mayAssert = (file: SourceFile, test: TestCase): boolean => {
  const hasBodyless = test.body === NONE
  return !hasBodyless && checksBelow(file, test.body)
}

/** Calls whose own name says that they assert; for rules about what surrounds an assertion. */
const certain =
  /^(?:expect|assert\w*|Assert|refute\w*|must_\w+|wont_\w+|verify\w*|is_expected|expectTypeOf|expectError)$/

export const isAssertion = (call: Call): boolean =>
  certain.test(call.callee) ||
  /^(?:self|this|cls)\.assert\w*$/.test(call.callee) ||
  /^(?:(?:t|chai)\.)?(?:assert|Assert|Assertions|CollectionAssert|StringAssert)\.\w+/.test(call.callee)

const computeAssertions = (): Map<number, ReadonlyArray<number>> => new Map()

/** Nodes of a test's own assertions, in document order. */
export const assertionsOf = (file: SourceFile, test: TestCase): ReadonlyArray<number> => {
  const known = file.memo(computeAssertions, computeAssertions)
  const earlier = known.get(test.function)
  if (earlier !== undefined) return earlier
  const found = callsBelow(file, test.body)
    .filter(isAssertion)
    .map(({ node }) => node)
  const statements = file.language === "python" ? file.tree!.within(test.body, "assert_statement") : []
  const all = [...found, ...statements].sort((a, b) => a - b)
  known.set(test.function, all)
  return all
}
