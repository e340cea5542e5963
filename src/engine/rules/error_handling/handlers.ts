import { escape as escapeRegExp } from "effect/RegExp"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { type Handler, type TryStatement, tryStatements } from "../../languages/code/tryStatements.ts"
import { enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { isExplained } from "./comments.ts"
import { inspectFinally, loopKinds } from "./finallyBlocks.ts"
import { hasConsequence, hasFallback, isCleanupOrProbe } from "./idioms.ts"
import type { RuleId } from "./rules.ts"

interface HandlerContext {
  readonly file: SourceFile
  readonly attempt: TryStatement
  readonly handler: Handler
}

const textOf = ({ file, handler }: HandlerContext): string => file.tree!.textOf(handler.node)

/** The line of `catch (…) {`, not the whole block. */
const headOf = ({ file, handler }: HandlerContext): { readonly start: number; readonly end: number } => {
  const tree = file.tree!
  const start = tree.start(handler.node)
  const stop = file.text.indexOf("\n", start)
  const end = tree.end(handler.node)
  return { start, end: stop < 0 ? end : Math.min(stop, end) }
}

const uses = (context: HandlerContext, name: string): boolean => {
  const text = textOf(context)
  const first = text.indexOf(name)
  if (first < 0) return false
  const word = new RegExp(`(?<![\\w$])${escapeRegExp(name)}(?![\\w$])`, "g")
  return (text.match(word) ?? []).length > 1
}

const isBroad = ({ file, handler: { types } }: HandlerContext): boolean =>
  types.length === 0 ||
  types.some((type) => /^(?:Base)?Exception$|^StandardError$|^Throwable$|^RuntimeException$/.test(type)) ||
  file.language === "javascript"

/** Kinds of failure whose name is all that a caller needs. */
const selfExplanatory =
  /^(?:NumberFormat|ClassNotFound|NoSuch\w*|CloneNotSupported|UnsupportedEncoding|IllegalArgument|IllegalState|IllegalAccess|Parse|DateTimeParse|URISyntax|MalformedURL|IndexOutOfBounds|ArrayIndexOutOfBounds|StringIndexOutOfBounds|EOF|FileNotFound|FileAlreadyExists|SocketTimeout|SocketException|Timeout|ClosedChannel|AsynchronousClose|Cancellation|InputMismatch|Security|UnsupportedOperation|AccessControl|ClassCast|NullPointer|MissingResource|Invocation\w*|BackingStore|RejectedExecution|UnknownHost|NotSerializable|Name(?:NotFound)?|Interrupted|InterruptedIO|Naming|AlreadyBound|InstanceNotFound|BadLocation|EmptyStack|Dead\w*|Conversion)(?:Exception)?$|^(?:NoClassDefFound|Linkage|UnsatisfiedLink|NoSuchMethod|NoSuchField|Abstract\w*|IncompatibleClassChange|ExceptionInInitializer|UnsupportedClassVersion)Error$/

const isSelfExplanatory = ({ handler: { types } }: HandlerContext): boolean =>
  types.length > 0 && types.every((type) => selfExplanatory.test(type))

const isEmpty = ({ file, handler: { statements } }: HandlerContext): boolean => {
  const tree = file.tree!
  return statements.every(
    (statement) =>
      tree.is(statement, "pass_statement", "continue_statement", "empty_statement") ||
      (tree.is(statement, "expression_statement") && tree.textOf(statement) === "...")
  )
}

const expected = /^_+$|ignor|expected|unused|swallow|dummy|nothing|safe/i
/** Languages in which a handler that names its kind of error is deliberate. */
const broadOnly = new Set(["python", "csharp", "ruby"])
const quietFunction =
  /^(?:__del__|__exit__|__repr__|__str__|_?close|_?cleanup|_?clean_up|tear_?down|tearDown\w*|finalize|dispose|destroy|destructor|_?shutdown|_?stop|toString|try[A-Z_]\w*|maybe[A-Z_]\w*|safe[A-Z_]\w*|ignore\w*|quiet\w*|\w*Quietly|\w*[Ss]ilent(?:ly)?|_?atexit\w*)$/

/** The kind of error, its name, a comment, the fallback or the function around it shows that dropping it is intended. */
const isIntended = (context: HandlerContext): boolean => {
  const { file, attempt, handler } = context
  if (isSelfExplanatory(context) || (broadOnly.has(file.language) && !isBroad(context))) return true
  if (handler.binding !== null && expected.test(handler.binding)) return true
  if (isExplained(file, attempt, handler) || hasFallback(file, attempt) || isCleanupOrProbe(file, attempt)) return true
  const enclosing = enclosingFunction(file, handler.node)?.name?.split(".").at(-1) ?? null
  if (enclosing !== null && quietFunction.test(enclosing)) return true
  return file.language === "csharp" && file.tree!.childOfKind(handler.node, "catch_filter_clause") !== NONE
}

const inspectEmpty = (context: HandlerContext, emit: Emit<RuleId>): boolean => {
  const { file, attempt, handler } = context
  if (!isEmpty(context) || attempt.statements.length === 0 || isIntended(context)) return false
  const matters = hasConsequence(file, attempt)
  // Of these it is certain only that they catch too much.
  if (!matters && file.language === "python" && handler.types.length === 0) return false
  const what = handler.types.length === 0 ? "Every error" : handler.types.map((type) => `\`${type}\``).join(" or ")
  const call = /(?!(?:if|for|while|switch|with)\b)(?<![\w$])([\w$]+)\s*(?:<[^<>()]{0,80}>)?\(/.exec(
    file.tree!.textOf(attempt.statements[0]!).slice(0, 400)
  )?.[1]
  const from = call === undefined ? "of this block" : `of \`${call}\``
  emit({
    rule: matters ? "empty_handler" : "empty_handler_low_impact",
    ...headOf(context),
    message: `${what} ${from} is caught and discarded.`
  })
  return true
}

const rethrows = ["throw_statement", "raise_statement", "throw_expression"]
const ends = /\b(?:sys\.exit|os\._exit|exit|abort|System\.exit|raise|reraise|rethrow|fail|panic|die)\b/

/** A handler that logs, reports or passes on the failure has not hidden it. */
const reportsFailure =
  /exc_info|traceback|Failure|fail|err(?:or|back)?\b|\$!|\blog|log\b|warn|debug|info\b|report|notif|print|abort|signal|\$ERROR_INFO|exception\s*\(|retry|rollback/i

/** `except KeyboardInterrupt:` or `rescue Interrupt` before the handler that takes the rest: who wrote it knew of both. */
const letsProgramEnd = ({ attempt, handler }: HandlerContext): boolean =>
  attempt.handlers.some(
    ({ node, types }) => node < handler.node && types.some((type) => /^(?:KeyboardInterrupt|Interrupt)$/.test(type))
  )

const inspectBreadth = (context: HandlerContext, emit: Emit<RuleId>): void => {
  const { file, attempt, handler } = context
  const tree = file.tree!
  const { types } = handler
  const isBare =
    (file.language === "python" && (types.length === 0 || types.includes("BaseException"))) ||
    (file.language === "ruby" && types.includes("Exception"))
  if (!isBare || tree.within(handler.node, ...rethrows).length > 0 || ends.test(textOf(context))) return
  const handlerText = handler.statements.map((statement) => tree.textOf(statement)).join("\n")
  if (reportsFailure.test(handlerText) || (handler.binding !== null && uses(context, handler.binding))) return
  if (isExplained(file, attempt, handler) || letsProgramEnd(context)) return
  const imports = attempt.statements.some((statement) =>
    tree.is(statement, "import_statement", "import_from_statement")
  )
  if (imports) return
  const what = types.length === 0 ? "`except:`" : `\`${types.join(", ")}\``
  const also = file.language === "python" ? "`KeyboardInterrupt` and `SystemExit`" : "`Interrupt` and `SystemExit`"
  emit({
    rule: "catches_everything",
    ...headOf(context),
    message: `${what} catches ${also} along with the expected failure, and reports none of them.`
  })
}

/** The end of the handler ends the method, and with it the work of the thread. */
const endsMethod = ({ file, attempt }: HandlerContext): boolean => {
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

/** `future.setException(e)`, `failure = e`, `failure = new IOException(e)`: another thread or a later line gets it. */
const isKept = (text: string, binding: string): boolean =>
  new RegExp(
    `\\b(?:(?:set|on|complete|try|obtrude|add)\\w*|fail\\w*|reject)\\([^;{}]*\\b${binding}\\b|(?<![=!<>])=\\s*(?:new [\\w.]+\\([^;{}]*\\b${binding}\\b[^;{}]*\\)|${binding})\\s*;`
  ).test(text)

/** `catch (…) { done = true; }` in `while (!done)`: the handler leaves by what the loop asks for. */
const endsLoop = (tree: FlatTree, handler: number, text: string): boolean => {
  const loop = tree.enclosing(handler, "while_statement", "do_statement")
  if (loop === NONE) return false
  const condition = tree.textOf(tree.child(loop, "condition"))
  const set = [...text.matchAll(/\b(\w+)\s*=\s*(true|false)\s*;/g)]
  return set.some(([, name, value]) =>
    new RegExp(value === "true" ? `!\\s*(?:this\\.)?${name}\\b` : `(?<![!\\w])${name}\\b`).test(condition)
  )
}

const inspectInterrupt = (context: HandlerContext, emit: Emit<RuleId>): void => {
  const { file, attempt, handler } = context
  if (file.language !== "java" || !handler.types.includes("InterruptedException")) return
  const text = textOf(context)
  const tree = file.tree!
  if (/\binterrupt\w*\s*\(|[iI]nterrupted\s*=|\b(?:restore|propagate|rethrow|sneakyThrow)\w*\(/.test(text)) return
  if (handler.binding !== null && isKept(text, handler.binding)) return
  const leaves = ["throw_statement", "return_statement", "break_statement"]
  if (tree.within(handler.node, ...leaves).length > 0 || isExplained(file, attempt, handler)) return
  if (endsLoop(tree, handler.node, text)) return
  // `SwingWorker.done` reads a result that has arrived.
  if (enclosingFunction(file, handler.node)?.name === "done") return
  if (endsMethod(context) || /retry/i.test(handler.binding ?? "") || expected.test(handler.binding ?? "")) return
  emit({
    rule: "interrupt_swallowed",
    ...headOf(context),
    message:
      "The handler discards the request to stop this thread: it neither restores the interrupted flag nor leaves."
  })
}

const inspectPrinted = (context: HandlerContext, emit: Emit<RuleId>): void => {
  const { file, attempt, handler } = context
  if (file.language !== "java" || handler.statements.length !== 1 || handler.binding === null) return
  if (file.tree!.textOf(handler.statements[0]!).replace(/\s/g, "") !== `${handler.binding}.printStackTrace();`) return
  if (isExplained(file, attempt, handler) || handler.types.includes("InterruptedException")) return
  if (enclosingFunction(file, handler.node)?.name === "main") return
  const what = handler.types.map((type) => `\`${type}\``).join(" or ")
  emit({
    rule: "printed_only",
    ...headOf(context),
    message: `${what} is printed to the error stream, and the method continues.`
  })
}

const loggingOnly =
  /^(?:self\.)?(?:[\w.]*\b(?:log|logger|logging|_logger|_log|LOG|LOGGER|Log|Logger|console|traceback)\.\w+|print|pprint|warnings\.warn|System\.(?:out|err)\.print\w*)\s*\(/

const success =
  /^return\s+(?:true|True|\{\s*["']?(?:success|ok)["']?\s*:\s*[tT]rue\b[^}]*\}|\w+\.(?:status\(200\)|sendStatus\(200\)).*);?$/s
/** The name is a question: true is then its answer, often the safe one, not a success. */
const question =
  /^_*(?:is|has|have|can|should|must|needs?|was|were|are|does|do|will|may|exists|contains|allow|expired?|outdated|check(?:If|_if))(?:[A-Z_]|$)/

const inspectSuccess = (context: HandlerContext, emit: Emit<RuleId>): void => {
  const { file, attempt, handler } = context
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
  const returned = tree.textOf(last).replace(/\s/g, "")
  if (tree.textOf(done).replace(/\s/g, "") !== returned || attempt.statements.length < 2 || isSelfExplanatory(context))
    return
  // A handler that does the work in another way has not failed.
  if (!handler.statements.slice(0, -1).every((statement) => loggingOnly.test(tree.textOf(statement)))) return
  const name = enclosingFunction(file, handler.node)?.name ?? ""
  if (question.test(name) || isExplained(file, attempt, handler)) return
  const returnsEarly = attempt.statements
    .slice(0, -1)
    .some((statement) => tree.within(statement, "return_statement").length > 0)
  if (returnsEarly && /^return(?:true|True);?$/.test(returned)) return
  const result = tree
    .textOf(last)
    .replace(/^return\s+|;$/g, "")
    .slice(0, 60)
  emit({
    rule: "success_after_failure",
    start: tree.start(last),
    end: tree.end(last),
    message: `After a failure this returns \`${result}\`, as after success.`
  })
}

const parsing =
  /^_?(?:parse\w*|cast\w*|convert\w*|decode\w*|coerce\w*|URL|RegExp|BigInt|atob|require|resolve\w*|import|load\w*|from\w*|to[A-Z]\w*|valueOf|stat\w*|access\w*|verify\w*|check\w*|validate\w*)$/
/** Errors whose name shows only that something failed; a more specific name is enough without the cause. */
const vague =
  /^(?:Error|Exception|RuntimeException|IOException|UncheckedIOException|ServletException|SQLException|IllegalStateException|InvalidOperationException|ApplicationException|\w*(?:Service|System|Internal|Runtime|Server|Storage|Database|Processing|Execution)(?:Error|Exception))$/

const inspectCause = (context: HandlerContext, emit: Emit<RuleId>): void => {
  const { file, attempt, handler } = context
  const tree = file.tree!
  if (!["javascript", "typescript", "tsx", "java", "csharp"].includes(file.language)) return
  const thrown = handler.statements.at(-1)
  if (thrown === undefined || !tree.is(thrown, "throw_statement") || isSelfExplanatory(context)) return
  const value = tree.namedChildren(thrown)[0] ?? NONE
  if (!tree.is(value, "new_expression", "object_creation_expression")) return
  const text = tree.textOf(value)
  const type = /^new\s+([\w.]+)/.exec(text)?.[1] ?? "Error"
  if (!vague.test(type) || /cause|innerException/i.test(text) || isExplained(file, attempt, handler)) return
  if (handler.binding !== null && uses(context, handler.binding)) return
  if (file.language === "csharp" && !isBroad(context)) return
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
    message: `\`${type}\` does not include the error that caused it${handler.binding === null ? "" : ` (\`${handler.binding}\` is not used)`}.`
  })
}

const inspectRethrow = (context: HandlerContext, emit: Emit<RuleId>): void => {
  const { file, handler } = context
  if (file.language !== "csharp" || handler.binding === null) return
  const tree = file.tree!
  for (const thrown of tree.within(handler.node, "throw_statement")) {
    const value = tree.namedChildren(thrown)[0]
    if (value === undefined || !tree.is(value, "identifier") || tree.textOf(value) !== handler.binding) continue
    // A variable that is assigned again holds another exception.
    if (new RegExp(`(?<![\\w.])${handler.binding}\\s*=[^=]`).test(textOf(context))) continue
    if (tree.enclosing(thrown, "catch_clause") !== handler.node) continue
    emit({
      rule: "stack_trace_lost",
      start: tree.start(thrown),
      end: tree.end(thrown),
      message: `\`throw ${handler.binding};\` replaces the stack trace of the caught exception; \`throw;\` keeps it.`
    })
  }
}

const absent = /None|Optional|Any|NoReturn|Never|Iterator|Generator|Iterable|object|bool|Context|Maybe/

const inspectResult = (context: HandlerContext, emit: Emit<RuleId>): void => {
  const { file, attempt, handler } = context
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
    ...headOf(context),
    message: `\`${info.name ?? "This function"}\` declares \`${type}\` and returns \`None\` after a failure.`
  })
}

export const inspectHandlers = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const attempt of tryStatements(file)) {
    for (const handler of attempt.handlers) {
      const context = { file, attempt, handler }
      const isReported = inspectEmpty(context, emit)
      if (!isReported) inspectBreadth(context, emit)
      inspectInterrupt(context, emit)
      inspectPrinted(context, emit)
      inspectSuccess(context, emit)
      inspectCause(context, emit)
      inspectRethrow(context, emit)
      inspectResult(context, emit)
    }
    inspectFinally(file, attempt, emit)
  }
}
