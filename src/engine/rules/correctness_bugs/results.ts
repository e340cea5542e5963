import { escape as escapeRegExp } from "effect/RegExp"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { binaryAt } from "../../languages/code/binaries.ts"
import { commentAbove } from "../../languages/code/commentAbove.ts"
import { declaredType } from "../../languages/code/declaredTypes.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { type Call, functions } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare } from "../../structure/sameCode.ts"
import { type Check, isScript, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const isText = (tree: FlatTree, node: number | undefined): boolean =>
  node !== undefined &&
  tree.is(node, "string", "template_string", "string_literal", "encapsed_string", "concatenated_string")

const javaImmutable: ReadonlyArray<readonly [type: RegExp, methods: RegExp]> = [
  [/^String$/, /^(?:trim|strip\w*|replace|replaceAll|replaceFirst|toUpperCase|toLowerCase|concat|substring|repeat)$/],
  [/^Big(?:Decimal|Integer)$/, /^(?:add|subtract|multiply|divide|negate|setScale|abs|pow|mod|remainder)$/],
  [
    /^(?:Local(?:Date|Time|DateTime)|ZonedDateTime|OffsetDateTime|Instant|Duration|Period)$/,
    /^(?:plus|minus|with|truncatedTo|negated)\w*$/
  ]
]

type IsIdle = (file: SourceFile, tree: FlatTree, call: Call) => boolean

const isIdleScript: IsIdle = (_file, tree, { receiver, method, args }) => {
  if (receiver === null) return false
  if (/^(?:toUpperCase|toLowerCase)$/.test(method)) return args.length !== 1
  if (/^(?:padStart|padEnd)$/.test(method)) return true
  return (
    /^replace(?:All)?$/.test(method) &&
    args.length === 2 &&
    tree.is(args[0]!, "regex", "string") &&
    isText(tree, args[1])
  )
}

const pythonTime = /^(?:year|month|day|hour|minute|second|microsecond|tzinfo)$/

/** `replace` of a text takes no named argument; the one of a table may work in place. */
const isIdlePythonReplace = (tree: FlatTree, { args, named }: Call): boolean =>
  args.length === 2
    ? named.size === 0 && isText(tree, args[0]) && isText(tree, args[1])
    : args.length === 0 && named.size > 0 && [...named.keys()].every((name) => pythonTime.test(name))

const isIdlePython: IsIdle = (file, tree, call) => {
  const { receiver, method, callee, args, named } = call
  if (receiver === null) return /^(?:sorted|reversed)$/.test(callee) && args.length > 0
  // The text class of rich has methods of these names that work in place.
  if (/\bText\b/.test(file.text)) return false
  if (method === "replace") return isIdlePythonReplace(tree, call)
  if (/^(?:lower|upper)$/.test(method)) return named.size === 0 && args.length === 0
  return /^[lr]?strip$/.test(method) && named.size === 0 && (args.length === 0 || isText(tree, args[0]))
}

const isIdleJava: IsIdle = (file, tree, { receiver, receiverNode, method }) => {
  if (!tree.is(receiverNode, "identifier") || receiver === null) return false
  const type = declaredType(file, receiver)
  return type !== null && javaImmutable.some(([types, methods]) => types.test(type) && methods.test(method))
}

const isIdleCsharp: IsIdle = (file, tree, { receiver, receiverNode, method }) =>
  tree.is(receiverNode, "identifier") &&
  receiver !== null &&
  /^[sS]tring$/.test(declaredType(file, receiver) ?? "") &&
  /^(?:Trim\w*|Replace|ToUpper\w*|ToLower\w*|Substring|Insert|Remove|PadLeft|PadRight)$/.test(method)

const isIdleGo: IsIdle = (_file, _tree, { callee }) =>
  /^strings\.(?:Replace|ReplaceAll|Trim\w*|ToLower|ToUpper|Repeat|Title)$|^fmt\.(?:Sprintf|Errorf|Sprint)$|^errors\.New$/.test(
    callee
  )

const isIdlePhp: IsIdle = (_file, _tree, { callee }) =>
  /^\\?(?:str_replace|trim|rtrim|ltrim|strtolower|strtoupper|substr|ucfirst|array_merge|array_reverse|array_unique|htmlspecialchars|sprintf)$/.test(
    callee
  )

/** Whether a call has no effect but its return value. */
const isIdle: Partial<Record<SourceFile["language"], IsIdle>> = {
  typescript: isIdleScript,
  tsx: isIdleScript,
  javascript: isIdleScript,
  python: isIdlePython,
  java: isIdleJava,
  csharp: isIdleCsharp,
  go: isIdleGo,
  php: isIdlePhp
}

const calleeHints =
  /\.(?:toUpperCase|toLowerCase|pad(?:Start|End)|replace(?:All|First)?|l?r?strip|lower|upper|trim|concat|substring|plus|minus|with|add|subtract|multiply|Trim|Replace|ToUpper|ToLower|Substring|ToLowerInvariant)|sorted\(|reversed\(|strings\.|fmt\.|errors\.|str_replace|strto|array_|trim\(|sprintf|substr|htmlspecialchars|ucfirst/

/** `<?= f() ?>` prints what `f` returns. */
const isEchoed = (file: SourceFile, tree: FlatTree, node: number): boolean =>
  file.language === "php" && /<\?=\s*$/.test(file.text.slice(Math.max(0, tree.start(node) - 20), tree.start(node)))

const inspectCall = (file: SourceFile, tree: FlatTree, node: number, emit: Emit<RuleId>): void => {
  const head = file.text.slice(tree.start(node), Math.min(tree.end(node), tree.start(node) + 300))
  if (!calleeHints.test(head)) return
  const call = syntaxOf(file.language)?.callAt(tree, node) ?? null
  if (call === null || isIdle[file.language]?.(file, tree, call) !== true || isEchoed(file, tree, node)) return
  // In a `try`, calling it may be a way to find out whether it can be called.
  const holder = tree.enclosing(
    node,
    "try_statement",
    "function_definition",
    "method_definition",
    "function_declaration",
    "method_declaration",
    "arrow_function"
  )
  if (tree.is(holder, "try_statement")) return
  const message = `\`${call.callee.slice(0, 60)}\` returns the changed value and leaves the original unchanged; here the result is discarded.`
  emit({ rule: "result_ignored", ...spanOf(tree, node), message, identifiers: [call.method] })
}

/** The name of a class: a word after an underscore begins with a capital. */
const exceptionName =
  /^(?:\w+\.)*(?!\w*_[a-z])(?!(?:Set|Get|Raise|Throw|Handle|Log|Print|Show|Report|Check|Is|Format|Make|Create|Add|Clear|On|Last|Close|Ignore|Exit|Write|Read|Send|Emit|Catch|Convert|Parse|Process|Record|Register|Display|Die|Fail|Abort|Return|Expect|Assert|Run|Try|Suppress|Wrap)[A-Z])[A-Z]\w*(?:Error|Exception)$/

const functionNames = (file: SourceFile): ReadonlySet<string> =>
  new Set(functions(file).flatMap(({ name }) => name ?? []))

/** In Python a call of a function looks like the creation of an object. */
const isOwnFunction = (file: SourceFile, name: string): boolean => file.memo(functionNames, functionNames).has(name)

/** The exceptions that Python has by itself, by their last word. */
const pythonBuiltIn =
  /^(?:(?:Arithmetic|Assertion|Attribute|Buffer|Connection\w*|EOF|FileExists|FileNotFound|FloatingPoint|IO|Import|Indentation|Index|Interrupted|IsADirectory|Key|Lookup|Memory|ModuleNotFound|Name|NotADirectory|NotImplemented|OS|Overflow|Permission|ProcessLookup|Recursion|Reference|Runtime|Syntax|System|Tab|Timeout|Type|Unbound\w*|Unicode\w*|Value|ZeroDivision)Error|Exception|BaseException)$/

/** `Log.FatalError(…)`: a member of a class is a method more often than an exception that is declared in it. */
const ofClass = /(?:^|\.)[A-Z]\w*\.\w+$/

/** How sure it is that a name that ends like an exception's is one: a dialog may be called `DialogError`, too. */
const UNSEEN = 0.6

const isSeenInPython = (file: SourceFile, name: string): boolean => {
  if (pythonBuiltIn.test(name)) return true
  const last = escapeRegExp(name.split(".").at(-1)!)
  return new RegExp(
    `\\b(?:raise|except)\\s+(?:\\(\\s*)?(?:[\\w.]+\\s*,\\s*){0,9}(?:\\w+\\.)*${last}\\b|\\bclass\\s+${last}\\s*\\([^)\\n]{0,200}(?:Error|Exception|Warning)\\b`
  ).test(file.text)
}

/** The errors that Java and C# have by themselves: other classes of such names are often records of what was found. */
const compiledBuiltIn =
  /^(?:java\.lang\.)?(?:Assertion|BootstrapMethod|ClassCircularity|ClassFormat|ExceptionInInitializer|IllegalAccess|IncompatibleClassChange|Instantiation|Internal|Linkage|NoClassDefFound|NoSuchField|NoSuchMethod|OutOfMemory|StackOverflow|Unknown|UnsatisfiedLink|UnsupportedClassVersion|Verify|VirtualMachine)?Error$/

const isSeenInCompiled = (file: SourceFile, name: string): boolean => {
  if (name.endsWith("Exception") || compiledBuiltIn.test(name)) return true
  const last = escapeRegExp(name.split(".").at(-1)!)
  return new RegExp(
    `\\bthrow\\s+new\\s+(?:\\w+\\.)*${last}\\b|\\b(?:catch\\s*\\(|throws\\s)[^){;]{0,200}\\b${last}\\b`
  ).test(file.text)
}

const isSeenAsException = (file: SourceFile, name: string): boolean => {
  if (file.language === "python") return isSeenInPython(file, name)
  return (file.language !== "java" && file.language !== "csharp") || isSeenInCompiled(file, name)
}

/** A class of this file that is no exception, by what it extends. */
const isOtherClass = (file: SourceFile, name: string): boolean => {
  const declared = new RegExp(`\\bclass\\s+${escapeRegExp(name.split(".").at(-1)!)}\\b([^{]{0,300})`).exec(file.text)
  return declared !== null && !/(?:Error|Exception|Throwable|Warning)\b/.test(declared[1]!)
}

/** Some exceptions log by their constructor, and who creates one for that says so above it. */
const createdForItself = /\b(?:construct\w*|log(?:s|ged|ging)?|side[- ]effects?|not thrown)\b/i

/** An exception without a message is created to load its class ahead of time: `new Error()`, `new LineError("", 1)`. */
const withoutMessage = /\((?:(?:""|''|null)(?:,\s*(?:""|''|null|\d+))*)?\)$/

/** `new Error("…");` as a statement: it is not thrown. */
const inspectException = (file: SourceFile, tree: FlatTree, node: number, emit: Emit<RuleId>): void => {
  const isNew = tree.is(node, "new_expression", "object_creation_expression")
  const isPythonCall = file.language === "python" && tree.is(node, "call")
  if (!isNew && !isPythonCall) return
  const type = isPythonCall
    ? tree.child(node, "function")
    : tree.child(node, "constructor") !== NONE
      ? tree.child(node, "constructor")
      : (tree.namedChildren(node)[0] ?? NONE)
  const name = tree.textOf(type)
  if (
    !exceptionName.test(name) ||
    (isPythonCall && (isOwnFunction(file, name) || (ofClass.test(name) && !isSeenAsException(file, name)))) ||
    (!isPythonCall && isOtherClass(file, name)) ||
    withoutMessage.test(tree.textOf(node).slice(-60)) ||
    createdForItself.test(commentAbove(file, tree.start(node)))
  )
    return
  const message = `\`${name}\` is created here and not ${file.language === "python" ? "raised" : "thrown"}, so execution continues as if nothing had failed.`
  const confidence = isSeenAsException(file, name) ? {} : { confidence: UNSEEN }
  emit({ rule: "exception_not_thrown", ...spanOf(tree, node), message, identifiers: [name], ...confidence })
}

const inspectComparison = (file: SourceFile, tree: FlatTree, node: number, emit: Emit<RuleId>): void => {
  const binary = binaryAt(tree, node)
  if (binary === null || !/^[=!]==?$/.test(binary.operator)) return
  if (!isScript(file) && file.language !== "python" && file.language !== "php") return
  const statement = tree.parent(node)
  // The value of the last expression of a block is shown in notebooks and consoles.
  if (file.language === "python" && !tree.is(tree.parent(statement), "block")) return
  if (tree.enclosing(node, "with_statement", "try_statement") !== NONE) return
  const message = `${quoted(tree, node)} compares and discards the result; an assignment, a return or an assertion was probably meant.`
  emit({ rule: "comparison_without_effect", ...spanOf(tree, node), message })
}

export const results: Check = {
  languages: languages("typescript", "tsx", "javascript", "python", "go", "java", "php", "csharp"),
  inspect: (file, tree, emit) => {
    for (const statement of tree.of("expression_statement")) {
      const first = tree.firstChild(statement)
      if (first === NONE) continue
      const node = bare(tree, first)
      inspectCall(file, tree, node, emit)
      inspectException(file, tree, node, emit)
      inspectComparison(file, tree, node, emit)
    }
  }
}
