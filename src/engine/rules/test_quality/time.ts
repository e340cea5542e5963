import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { type Call, calls, importedNames } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { assertionsOf, callsBelow, isAssertion } from "../../structure/testing/assertions.ts"
import { isScriptFunction, type TestCase, testAt } from "../../structure/testing/testCases.ts"
import { expectAtRoot } from "./constants.ts"
import type { RuleId } from "./rules.ts"
import { isScript, quoted } from "./support.ts"

/** Below this no one waits for anything: the thread only gives way. */
const MIN_PAUSE_MS = 50

const functionKinds: Partial<Record<SourceFile["language"], ReadonlyArray<string>>> = {
  python: ["function_definition", "lambda"],
  java: ["method_declaration", "lambda_expression"],
  csharp: ["method_declaration", "lambda_expression", "anonymous_method_expression", "local_function_statement"],
  go: ["function_declaration", "func_literal"],
  ruby: ["method", "singleton_method", "do_block", "block", "lambda"]
}
const scriptFunctionKinds = ["arrow_function", "function_expression", "function_declaration", "method_definition"]
const loops = [
  "for_statement",
  "while_statement",
  "do_statement",
  "for_in_statement",
  "enhanced_for_statement",
  "foreach_statement",
  "for_each_statement",
  "while",
  "until",
  "while_modifier",
  "until_modifier",
  "with_statement",
  "using_statement"
]

const enclosing = (file: SourceFile, tree: FlatTree, node: number): number =>
  tree.enclosing(node, ...(isScript(file) ? scriptFunctionKinds : (functionKinds[file.language] ?? [])))

const number = (text: string): number => Number(text.replace(/[_lLfF]/g, ""))

const goUnit: Record<string, number> = { Nanosecond: 1e-6, Microsecond: 1e-3, Millisecond: 1, Second: 1e3, Minute: 6e4 }

const goDuration = (text: string): number => {
  const match = /^(?:(\d+)\s*\*\s*)?time\.(\w+)(?:\s*\*\s*(\d+))?$/.exec(text)
  return match === null ? Number.NaN : Number(match[1] ?? match[3] ?? 1) * (goUnit[match[2]!] ?? Number.NaN)
}

/** Milliseconds of a pause of fixed length; NaN for anything else. */
const pauseOf = (file: SourceFile, tree: FlatTree, call: Call): number => {
  const first = call.args[0]
  if (first === undefined) return Number.NaN
  const text = tree.textOf(first)
  switch (file.language) {
    case "python":
      return call.callee === "time.sleep" || isSleepOfTime(file, call) ? number(text) * 1000 : Number.NaN
    case "java":
      return call.callee === "Thread.sleep" ? number(text) : Number.NaN
    case "csharp":
      return /^(?:Thread\.Sleep|Task\.Delay)$/.test(call.callee) ? number(text) : Number.NaN
    case "go":
      return call.callee === "time.Sleep" ? goDuration(text) : Number.NaN
    case "ruby":
      return call.receiver === null && call.method === "sleep" ? number(text) * 1000 : Number.NaN
    default:
      return scriptPause(tree, call)
  }
}

const isSleepOfTime = (file: SourceFile, call: Call): boolean =>
  call.callee === "sleep" && importedNames(file).get("sleep")?.module === "time"

const scriptPause = (tree: FlatTree, call: Call): number => {
  if (/^(?:page\.waitForTimeout|cy\.wait)$/.test(call.callee)) return number(tree.textOf(call.args[0]!))
  const isAwaited = tree.is(tree.parent(call.node), "await_expression")
  if (!isAwaited) return Number.NaN
  if (!call.isNew) {
    return /^(?:sleep|delay|pause|timeout)$/i.test(call.callee) && call.args.length === 1
      ? number(tree.textOf(call.args[0]!))
      : Number.NaN
  }
  if (call.callee !== "Promise") return Number.NaN
  const match = /^\(?\s*\w+\s*\)?\s*=>\s*(?:\{\s*)?setTimeout\(\s*\w+\s*,\s*([\d_]+)\s*\)/.exec(
    tree.textOf(call.args[0]!).slice(0, 200)
  )
  return match === null ? Number.NaN : number(match[1]!)
}

/** `if t.Failed() { time.Sleep(…) }`: the verdict is given, and the pause is for what is printed of it. */
const isForDiagnosis = (tree: FlatTree, test: TestCase, call: Call): boolean => {
  const branch = tree.enclosing(call.node, "if_statement")
  return branch > test.function && /\.Failed\(\)/.test(tree.textOf(tree.child(branch, "condition")))
}

/** In the test's own thread, once, and with something to judge afterwards. */
const isFixedWait = (file: SourceFile, tree: FlatTree, test: TestCase, call: Call): boolean => {
  if (enclosing(file, tree, call.node) !== test.function) return false
  const loop = tree.enclosing(call.node, ...loops)
  if (loop > test.function || isForDiagnosis(tree, test, call)) return false
  const last = assertionsOf(file, test).at(-1) ?? NONE
  return last > call.node || lastGoVerdict(file, test) > call.node
}

/** What a pause between two events makes differ: stamps, ages, deadlines. */
const clocks =
  /m_?time|c_?time|a_?time|time_?stamp|modif|updated|last_?(?:seen|used|access)|expir|\bttl\b|time_?to_?live|time_?out|elapsed|durat|uptime|\bage\b|idle|throttl|debounc|rate_?limit|interval|stale|keep_?alive|heartbeat|deadline|cooldown|\bnow\(|time\.time\(|monotonic|perf_counter|nanoTime|currentTimeMillis|Date\.now|time\.Since|time\.Now|Stopwatch|evict|lease|backoff|cache|fraction|resolution|granularity|precision|same second/i
/** What shows that nothing has happened. */
const absence =
  /\bnot\b|\.not\.|not_|Not(?:Called|Null|Equal|Contain|Receive|Exist)|[Nn]ever|\bno_|Empty|empty|assertFalse|False\(|refute|assertNull|Nil\(|isNull|toBeNull|toBeUndefined|toBeFalsy|(?:[=(,]\s*|Equal\w*\([^)]*,\s*)0\b|NoError|\bnil\b|None\b|null\b|unchanged|same|still/

/** `if len(received) != 0 { t.Fatal(…) }` right after the pause. */
const showsNothingCame = /^\s*if (?:len\()?[\w.]+\)? (?:!=|>) 0 \{\s*(?:t|tb)\.(?:Error|Fatal)/

/** The pause lets a clock move, or what comes after it shows that nothing happened: no event could be waited for. */
const leaves =
  /^\s*(?:;|\/\/[^\n]*\n|\s)*(?:os\.Exit|os\._exit|sys\.exit|System\.exit|Environment\.Exit|process\.exit|Process\.exit!?|exit!?|panic)\s*\(/

/** `time.Sleep(…); os.Exit(5)`: a limit after which a child process gives up, and nothing is judged after it. */
const isLastResort = (tree: FlatTree, call: Call): boolean => {
  const end = tree.end(call.node)
  return leaves.test(tree.text.slice(end, end + 300))
}

/** By the node of a test, the offset of its first comment about time; infinite without one. */
const computeReasons = (): Map<number, number> => new Map()

/** What the test says of its pauses before this one: the reason of the first is that of the others. */
const reasonOf = (file: SourceFile, tree: FlatTree, test: TestCase): number => {
  const known = file.memo(computeReasons, computeReasons)
  const earlier = known.get(test.function)
  if (earlier !== undefined) return earlier
  const start = tree.start(test.function)
  const comments = tree.text.slice(start, tree.end(test.function)).matchAll(/^[ \t]*(?:#|\/\/)[^\n]*/gm)
  const first = [...comments].find(([comment]) => clocks.test(comment))
  const at = first === undefined ? Number.POSITIVE_INFINITY : start + first.index
  known.set(test.function, at)
  return at
}

const isAboutTime = (file: SourceFile, tree: FlatTree, test: TestCase, call: Call): boolean => {
  const title = test.title ?? ""
  if (clocks.test(title) || /\b(?:not|never|no|without|ignore\w*|stop\w*|cancel\w*)\b/i.test(title.replace(/_/g, " ")))
    return true
  const line = file.line(tree.start(call.node))
  const around = [line - 2, line - 1, line, line + 1, line + 2].map((at) => file.lineText(at)).join("\n")
  if (reasonOf(file, tree, test) < tree.start(call.node)) return true
  if (clocks.test(around.replace(/(?:set)?[Tt]imeout\(|Date\.now\(\) *[-+]/g, ""))) return true
  if (showsNothingCame.test(tree.text.slice(tree.end(call.node), tree.end(call.node) + 200))) return true
  const next = assertionsOf(file, test).find((node) => node > call.node) ?? NONE
  return next !== NONE && absence.test(tree.textOf(next).slice(0, 300))
}

const computeVerdicts = (): Map<number, number> => new Map()

const lastGoVerdict = (file: SourceFile, test: TestCase): number => {
  if (file.language !== "go") return NONE
  const known = file.memo(computeVerdicts, computeVerdicts)
  const earlier = known.get(test.function)
  if (earlier !== undefined) return earlier
  const last = callsBelow(file, test.body).findLast(({ callee }) => /^(?:t\.(?:Error|Fatal)|require\.)/.test(callee))
  known.set(test.function, last?.node ?? NONE)
  return last?.node ?? NONE
}

export const inspectSleeps = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  if (!/sleep|delay|pause|timeout|setTimeout|cy\.wait/i.test(file.text)) return
  if (/useFakeTimers|FakeTimers|fakeAsync|freeze_time|freezegun|Timecop/.test(file.text)) return
  const tree = file.tree!
  for (const call of calls(file)) {
    const pause = pauseOf(file, tree, call)
    if (!(pause >= MIN_PAUSE_MS)) continue
    const test = testAt(file, call.node)
    if (
      test === undefined ||
      !isFixedWait(file, tree, test, call) ||
      isLastResort(tree, call) ||
      isAboutTime(file, tree, test, call)
    )
      continue
    const title = test.title === null ? "This test" : `\`${test.title.slice(0, 80)}\``
    emit({
      rule: "sleep_in_test",
      start: tree.start(call.node),
      end: tree.end(call.node),
      message: `${title} waits ${pause} ms here and then asserts, whether or not what it waits for has happened.`
    })
  }
}

/** Statements of a function, without `await` or `return` before the promise. */
const isDropped = (tree: FlatTree, node: number): boolean => tree.is(tree.parent(node), "expression_statement")

const chained = (tree: FlatTree, call: number): boolean => {
  const parent = tree.parent(call)
  return tree.is(parent, "member_expression") && tree.child(parent, "object") === call
}

const droppedScript = (file: SourceFile, tree: FlatTree, call: Call): string | null => {
  if (!isDropped(tree, call.node)) return null
  if (/\.(?:resolves|rejects)(?:\.|$)/.test(call.receiver ?? "") && expectAtRoot(tree, call.receiverNode) !== NONE) {
    return `\`${/\.(resolves|rejects)/.exec(call.receiver ?? "")?.[1]}.${call.method}\` returns a promise that is not awaited.`
  }
  // QUnit keeps a test open for its own `assert.rejects`.
  if (/^assert(?:\.strict)?\.(?:rejects|doesNotReject)$/.test(call.callee) && importedNames(file).has("assert")) {
    return `\`${call.callee}\` returns a promise that is not awaited.`
  }
  return call.method === "then" ? droppedChain(file, tree, call) : null
}

/** `load().then((x) => { expect(x)… })` as a statement of a test that takes no callback. */
const droppedChain = (file: SourceFile, tree: FlatTree, call: Call): string | null => {
  const test = testAt(file, call.node)
  if (test === undefined || test.parameters.some((name) => !name.startsWith("{"))) return null
  if (
    enclosing(file, tree, call.node) !== test.function ||
    tree.textOf(test.body).length > 8_000 ||
    /\bcy\.|waitFor|setTimeout|await|\.(?:\$apply|\$digest|flush)\(/.test(tree.textOf(test.body))
  )
    return null
  const callback = call.args.find((arg) => isScriptFunction(tree, arg))
  if (callback === undefined || call.receiver === null || chained(tree, call.node)) return null
  // What is read synchronously from a made-up promise still runs before the test is over, in some libraries.
  if (!callsBelow(file, callback).some(isAssertion)) return null
  return "The assertions in this `then` run after the test has returned: the promise is neither awaited nor returned."
}

const droppedCsharp = (file: SourceFile, tree: FlatTree, call: Call): string | null =>
  /^Assert\.Throws(?:Any)?Async\b/.test(call.callee) && isDropped(tree, call.node) && /using Xunit;/.test(file.text)
    ? `\`${call.method}\` returns a task that is not awaited.`
    : null

export const inspectDropped = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  const tree = file.tree!
  if (!/resolves|rejects|doesNotReject|\.then\(|ThrowsA/.test(file.text)) return
  for (const call of calls(file)) {
    const message = isScript(file) ? droppedScript(file, tree, call) : droppedCsharp(file, tree, call)
    if (message === null) continue
    emit({ rule: "assertion_not_awaited", start: tree.start(call.node), end: tree.end(call.node), message })
  }
}

export const inspectGoroutines = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  if (!file.text.includes("go func")) return
  const tree = file.tree!
  for (const call of calls(file)) {
    if (!/^t\.(?:Fatal|Fatalf|FailNow|SkipNow)$/.test(call.callee)) continue
    const fn = tree.enclosing(call.node, "func_literal", "function_declaration")
    if (!tree.is(fn, "func_literal")) continue
    const started = tree.parent(fn)
    if (!tree.is(started, "call_expression") || !tree.is(tree.parent(started), "go_statement")) continue
    if (/\bt \*testing\.T/.test(tree.textOf(tree.child(fn, "parameters")))) continue
    emit({
      rule: "fatal_in_goroutine",
      start: tree.start(call.node),
      end: tree.end(call.node),
      message: `${quoted(tree, tree.child(call.node, "function"))} ends this goroutine, not the test that started it.`
    })
  }
}
