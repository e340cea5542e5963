import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit } from "../../core/tool/AuditTool.ts"
import { type Handler, type TryStatement, tryStatements } from "../../languages/code/tryStatements.ts"
import { enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { hasConsequence, hasFallback, isCleanupOrProbe, isDeliberate, isExplained } from "./idioms.ts"
import type { RuleId } from "./rules.ts"

interface Place {
  readonly file: SourceFile
  readonly attempt: TryStatement
  readonly handler: Handler
}

const textOf = ({ file, handler }: Place): string => file.tree!.textOf(handler.node)

/** The line of `catch (…) {`, not the whole block. */
const headOf = ({ file, handler }: Place): { readonly start: number; readonly end: number } => {
  const tree = file.tree!
  const start = tree.start(handler.node)
  const stop = file.text.indexOf("\n", start)
  const end = tree.end(handler.node)
  return { start, end: stop < 0 ? end : Math.min(stop, end) }
}

const uses = (place: Place, name: string): boolean => {
  const text = textOf(place)
  const first = text.indexOf(name)
  if (first < 0) return false
  const word = new RegExp(`(?<![\\w$])${name.replace(/[$]/g, "\\$&")}(?![\\w$])`, "g")
  return (text.match(word) ?? []).length > 1
}

const isBroad = ({ file, handler: { types } }: Place): boolean =>
  types.length === 0 ||
  types.some((type) => /^(?:Base)?Exception$|^StandardError$|^Throwable$|^RuntimeException$/.test(type)) ||
  file.language === "javascript"

/** Kinds of failure that say "no" to a question and nothing else. */
const telling =
  /^(?:NumberFormat|ClassNotFound|NoSuch\w*|CloneNotSupported|UnsupportedEncoding|IllegalArgument|IllegalState|IllegalAccess|Parse|DateTimeParse|URISyntax|MalformedURL|IndexOutOfBounds|ArrayIndexOutOfBounds|StringIndexOutOfBounds|EOF|FileNotFound|FileAlreadyExists|SocketTimeout|SocketException|Timeout|ClosedChannel|AsynchronousClose|Cancellation|InputMismatch|Security|UnsupportedOperation|AccessControl|ClassCast|NullPointer|MissingResource|Invocation\w*|BackingStore|RejectedExecution|UnknownHost|NotSerializable|Name(?:NotFound)?|Interrupted|InterruptedIO|Naming|AlreadyBound|InstanceNotFound|BadLocation|EmptyStack|Dead\w*|Conversion)(?:Exception)?$|^(?:NoClassDefFound|Linkage|UnsatisfiedLink|NoSuchMethod|NoSuchField|Abstract\w*|IncompatibleClassChange|ExceptionInInitializer|UnsupportedClassVersion)Error$/

const isTelling = ({ handler: { types } }: Place): boolean =>
  types.length > 0 && types.every((type) => telling.test(type))

const isEmpty = ({ file, handler: { statements } }: Place): boolean => {
  const tree = file.tree!
  return statements.every(
    (statement) =>
      tree.is(statement, "pass_statement", "continue_statement", "empty_statement") ||
      (tree.is(statement, "expression_statement") && tree.textOf(statement) === "...")
  )
}

const expected = /^_+$|ignor|expected|unused|swallow|dummy|nothing|safe/i
/** Languages in which a handler that names its kind of error has decided something. */
const broadOnly = new Set(["python", "csharp", "ruby"])
const quietFunction =
  /^(?:__del__|__exit__|__repr__|__str__|_?close|_?cleanup|_?clean_up|tear_?down|tearDown\w*|finalize|dispose|destroy|destructor|_?shutdown|_?stop|toString|try[A-Z_]\w*|maybe[A-Z_]\w*|safe[A-Z_]\w*|ignore\w*|quiet\w*|\w*Quietly|\w*[Ss]ilent(?:ly)?|_?atexit\w*)$/

const inspectEmpty = (place: Place, emit: Emit<RuleId>): boolean => {
  const { file, attempt, handler } = place
  if (!isEmpty(place) || attempt.statements.length === 0) return false
  if (isTelling(place) || (broadOnly.has(file.language) && !isBroad(place))) return false
  if (handler.binding !== null && expected.test(handler.binding)) return false
  if (isExplained(file, attempt, handler) || hasFallback(file, attempt) || isCleanupOrProbe(file, attempt)) return false
  const enclosing = enclosingFunction(file, handler.node)?.name?.split(".").at(-1) ?? null
  if (enclosing !== null && quietFunction.test(enclosing)) return false
  if (file.language === "csharp" && file.tree!.childOfKind(handler.node, "catch_filter_clause") !== NONE) return false
  const matters = hasConsequence(file, attempt)
  // What can be said for certain of these is that they catch too much.
  if (!matters && file.language === "python" && handler.types.length === 0) return false
  const what = handler.types.length === 0 ? "Every error" : handler.types.map((type) => `\`${type}\``).join(" or ")
  const call = /(?!(?:if|for|while|switch|with)\b)(?<![\w$])([\w$]+)\s*(?:<[^<>()]{0,80}>)?\(/.exec(
    file.tree!.textOf(attempt.statements[0]!).slice(0, 400)
  )?.[1]
  const from = call === undefined ? "of this block" : `of \`${call}\``
  emit({
    rule: "empty_handler",
    ...headOf(place),
    message: `${what} ${from} is dropped without a trace.`,
    ...(matters ? {} : { confidence: 0.62, priority: "P3" as const })
  })
  return true
}

const rethrows = ["throw_statement", "raise_statement", "throw_expression"]
const ends = /\b(?:sys\.exit|os\._exit|exit|abort|System\.exit|raise|reraise|rethrow|fail|panic|die)\b/

/** A handler that logs, reports or hands the failure on has not hidden it. */
const tells =
  /exc_info|traceback|Failure|fail|err(?:or|back)?\b|\$!|\blog|log\b|warn|debug|info\b|report|notif|print|abort|signal|\$ERROR_INFO|exception\s*\(|retry|rollback/i

const inspectBreadth = (place: Place, emit: Emit<RuleId>): void => {
  const { file, attempt, handler } = place
  const tree = file.tree!
  const { types } = handler
  const isBare =
    (file.language === "python" && (types.length === 0 || types.includes("BaseException"))) ||
    (file.language === "ruby" && types.includes("Exception"))
  if (!isBare || tree.within(handler.node, ...rethrows).length > 0 || ends.test(textOf(place))) return
  const said = handler.statements.map((statement) => tree.textOf(statement)).join("\n")
  if (tells.test(said) || (handler.binding !== null && uses(place, handler.binding))) return
  if (isExplained(file, attempt, handler)) return
  const imports = attempt.statements.some((statement) =>
    tree.is(statement, "import_statement", "import_from_statement")
  )
  if (imports) return
  const what = types.length === 0 ? "`except:`" : `\`${types.join(", ")}\``
  const also = file.language === "python" ? "`KeyboardInterrupt` and `SystemExit`" : "`Interrupt` and `SystemExit`"
  emit({
    rule: "catches_everything",
    ...headOf(place),
    message: `${what} takes ${also} along with the failure it was meant for, and tells nobody.`
  })
}

/** Falling out of the handler ends the method, and with it the thread's work. */
const endsMethod = ({ file, attempt }: Place): boolean => {
  const tree = file.tree!
  const info = enclosingFunction(file, attempt.node)
  if (info === null || !/^(?:run|call|main|shutdown\w*|close|stop)$/.test(info.name ?? "run")) return false
  let at = attempt.node
  while (at !== info.body && at !== NONE) {
    const siblings = tree.namedChildren(tree.parent(at))
    if (siblings.at(-1) !== at || tree.is(tree.parent(at), ...loopKinds)) return false
    at = tree.parent(at)
  }
  return true
}

const inspectInterrupt = (place: Place, emit: Emit<RuleId>): void => {
  const { file, attempt, handler } = place
  if (file.language !== "java" || !handler.types.includes("InterruptedException")) return
  const text = textOf(place)
  const tree = file.tree!
  if (/\binterrupt\w*\s*\(|[iI]nterrupted\s*=|\b(?:restore|propagate|rethrow|sneakyThrow)\w*\(/.test(text)) return
  const leaves = ["throw_statement", "return_statement", "break_statement"]
  if (tree.within(handler.node, ...leaves).length > 0 || isExplained(file, attempt, handler)) return
  // `SwingWorker.done` asks for a result that is there.
  if (enclosingFunction(file, handler.node)?.name === "done") return
  if (endsMethod(place) || /retry/i.test(handler.binding ?? "") || expected.test(handler.binding ?? "")) return
  emit({
    rule: "interrupt_swallowed",
    ...headOf(place),
    message: "The request to stop this thread is dropped: the handler neither interrupts it again nor leaves."
  })
}

const inspectPrinted = (place: Place, emit: Emit<RuleId>): void => {
  const { file, attempt, handler } = place
  if (file.language !== "java" || handler.statements.length !== 1 || handler.binding === null) return
  if (file.tree!.textOf(handler.statements[0]!).replace(/\s/g, "") !== `${handler.binding}.printStackTrace();`) return
  if (isExplained(file, attempt, handler) || handler.types.includes("InterruptedException")) return
  if (enclosingFunction(file, handler.node)?.name === "main") return
  const what = handler.types.map((type) => `\`${type}\``).join(" or ")
  emit({
    rule: "printed_only",
    ...headOf(place),
    message: `${what} is printed to the error stream, and the method goes on.`
  })
}

const loggingOnly =
  /^(?:self\.)?(?:[\w.]*\b(?:log|logger|logging|_logger|_log|LOG|LOGGER|Log|Logger|console|traceback)\.\w+|print|pprint|warnings\.warn|System\.(?:out|err)\.print\w*)\s*\(/

const success =
  /^return\s+(?:true|True|\{\s*["']?(?:success|ok)["']?\s*:\s*[tT]rue\b[^}]*\}|\w+\.(?:status\(200\)|sendStatus\(200\)).*);?$/s
/** The name asks a question: "yes" is then an answer, often the careful one, not a success. */
const question =
  /^_*(?:is|has|have|can|should|must|needs?|was|were|are|does|do|will|may|exists|contains|allow|expired?|outdated|check(?:If|_if))(?:[A-Z_]|$)/

const inspectSuccess = (place: Place, emit: Emit<RuleId>): void => {
  const { file, attempt, handler } = place
  const tree = file.tree!
  const last = handler.statements.at(-1)
  const done = attempt.statements.at(-1)
  if (
    last === undefined ||
    done === undefined ||
    !tree.is(last, "return_statement") ||
    !success.test(tree.textOf(last))
  )
    return
  const given = tree.textOf(last).replace(/\s/g, "")
  if (tree.textOf(done).replace(/\s/g, "") !== given || attempt.statements.length < 2 || isTelling(place)) return
  // Another way of doing the same is not a failure.
  if (!handler.statements.slice(0, -1).every((statement) => loggingOnly.test(tree.textOf(statement)))) return
  const name = enclosingFunction(file, handler.node)?.name ?? ""
  if (question.test(name) || isExplained(file, attempt, handler)) return
  const answers = attempt.statements
    .slice(0, -1)
    .some((statement) => tree.within(statement, "return_statement").length > 0)
  if (answers && /^return(?:true|True);?$/.test(given)) return
  const answer = tree
    .textOf(last)
    .replace(/^return\s+|;$/g, "")
    .slice(0, 60)
  emit({
    rule: "success_after_failure",
    start: tree.start(last),
    end: tree.end(last),
    message: `After a failure the answer is \`${answer}\`, as after success.`
  })
}

const parsing =
  /^_?(?:parse\w*|cast\w*|convert\w*|decode\w*|coerce\w*|URL|RegExp|BigInt|atob|require|resolve\w*|import|load\w*|from\w*|to[A-Z]\w*|valueOf|stat\w*|access\w*|verify\w*|check\w*|validate\w*)$/
/** Errors that say only that something failed; one named after what went wrong is an answer of its own. */
const vague =
  /^(?:Error|Exception|RuntimeException|IOException|UncheckedIOException|ServletException|SQLException|IllegalStateException|InvalidOperationException|ApplicationException|\w*(?:Service|System|Internal|Runtime|Server|Storage|Database|Processing|Execution)(?:Error|Exception))$/

const inspectCause = (place: Place, emit: Emit<RuleId>): void => {
  const { file, attempt, handler } = place
  const tree = file.tree!
  if (!["javascript", "typescript", "tsx", "java", "csharp"].includes(file.language)) return
  const thrown = handler.statements.at(-1)
  if (thrown === undefined || !tree.is(thrown, "throw_statement") || isTelling(place)) return
  const value = tree.namedChildren(thrown)[0] ?? NONE
  if (!tree.is(value, "new_expression", "object_creation_expression")) return
  const text = tree.textOf(value)
  const type = /^new\s+([\w.]+)/.exec(text)?.[1] ?? "Error"
  if (!vague.test(type) || /cause|innerException/i.test(text) || isExplained(file, attempt, handler)) return
  if (handler.binding !== null && uses(place, handler.binding)) return
  if (file.language === "csharp" && !isBroad(place)) return
  const names = [
    ...file.text
      .slice(tree.start(attempt.node), tree.start(handler.node))
      .slice(0, 400)
      .matchAll(/([\w$]+)\s*\(/g)
  ]
    .map((match) => match[1]!)
    .filter((name) => name !== "try")
  if (names.length <= 2 && names.some((name) => parsing.test(name))) return
  emit({
    rule: "cause_lost",
    start: tree.start(thrown),
    end: tree.end(thrown),
    message: `\`${type}\` says nothing of the error that led to it${handler.binding === null ? "" : ` (\`${handler.binding}\` is not used)`}.`
  })
}

const inspectRethrow = (place: Place, emit: Emit<RuleId>): void => {
  const { file, handler } = place
  if (file.language !== "csharp" || handler.binding === null) return
  const tree = file.tree!
  for (const thrown of tree.within(handler.node, "throw_statement")) {
    const value = tree.namedChildren(thrown)[0]
    if (value === undefined || !tree.is(value, "identifier") || tree.textOf(value) !== handler.binding) continue
    // A variable that was given another value is another exception.
    if (new RegExp(`(?<![\\w.])${handler.binding}\\s*=[^=]`).test(textOf(place))) continue
    if (tree.enclosing(thrown, "catch_clause") !== handler.node) continue
    emit({
      rule: "stack_trace_lost",
      start: tree.start(thrown),
      end: tree.end(thrown),
      message: `\`throw ${handler.binding};\` replaces the stack trace of what was caught; \`throw;\` keeps it.`
    })
  }
}

const absent = /None|Optional|Any|NoReturn|Never|Iterator|Generator|Iterable|object|bool|Context|Maybe/

const inspectResult = (place: Place, emit: Emit<RuleId>): void => {
  const { file, attempt, handler } = place
  if (file.language !== "python" || handler.statements.length === 0 || attempt.final !== null) return
  const tree = file.tree!
  const info = enclosingFunction(file, attempt.node)
  if (info === null || tree.parent(attempt.node) !== info.body) return
  const type = tree.textOf(tree.child(info.node, "return_type"))
  if (type === "" || absent.test(type)) return
  if (tree.namedChildren(info.body).at(-1) !== attempt.node || tree.childOfKind(attempt.node, "else_clause") !== NONE)
    return
  if (!handler.statements.every((statement) => loggingOnly.test(tree.textOf(statement)))) return
  const returns = attempt.statements.some((statement) => tree.within(statement, "return_statement").length > 0)
  if (!returns || tree.within(info.body, "yield").length > 0) return
  emit({
    rule: "result_lost",
    ...headOf(place),
    message: `\`${info.name ?? "This function"}\` promises \`${type}\` and returns \`None\` after a failure.`
  })
}

const functionKinds = [
  "function_declaration",
  "function_expression",
  "arrow_function",
  "method_definition",
  "function_definition",
  "lambda",
  "lambda_expression",
  "method_declaration",
  "method",
  "block",
  "do_block",
  "class_declaration",
  "class_body"
]
const loopKinds = [
  "for_statement",
  "for_in_statement",
  "while_statement",
  "do_statement",
  "enhanced_for_statement",
  "switch_statement",
  "switch_expression",
  "match_statement"
]

const inspectFinal = (file: SourceFile, attempt: TryStatement, emit: Emit<RuleId>): void => {
  if (attempt.final === null || file.language === "csharp") return
  const tree = file.tree!
  const kinds = file.language === "ruby" ? ["return"] : ["return_statement", "break_statement", "continue_statement"]
  for (const node of tree.within(attempt.finalNode, ...kinds)) {
    // The keyword of a Ruby `return` bears its name, too.
    if (!tree.isNamed(node)) continue
    const isReturn = tree.is(node, "return_statement", "return")
    let up = tree.parent(node)
    let isInner = false
    for (; up !== attempt.finalNode && up !== NONE; up = tree.parent(up)) {
      const isFunction = tree.is(up, ...functionKinds) && !(tree.is(up, "block") && file.language !== "ruby")
      // An attempt inside the block may end it on purpose.
      const isAttempt = tree.is(up, "try_statement", "begin")
      if (isFunction || isAttempt || (!isReturn && tree.is(up, ...loopKinds))) isInner = true
    }
    if (isInner || isDeliberate(file, attempt)) continue
    const word = isReturn ? "return" : tree.kind(node).replace("_statement", "")
    const name = file.language === "ruby" ? "ensure" : "finally"
    emit({
      rule: "overriding_finally",
      start: tree.start(node),
      end: tree.end(node),
      message: `This \`${word}\` in \`${name}\` discards the exception or the value that was on its way.`
    })
    return
  }
}

export const inspectHandlers = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const attempt of tryStatements(file)) {
    for (const handler of attempt.handlers) {
      const place = { file, attempt, handler }
      const isReported = inspectEmpty(place, emit)
      if (!isReported) inspectBreadth(place, emit)
      inspectInterrupt(place, emit)
      inspectPrinted(place, emit)
      inspectSuccess(place, emit)
      inspectCause(place, emit)
      inspectRethrow(place, emit)
      inspectResult(place, emit)
    }
    inspectFinal(file, attempt, emit)
  }
}
