import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, type RuleLanguage, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { carriedValues } from "../../languages/code/carriedValues.ts"
import { lastAssigned } from "../../languages/code/lastAssigned.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

export const mentionsTrace =
  /\.stack\b|format_exc|print_exc|printStackTrace|getStackTrace|StackTrace\b|debug\.Stack\(|getTraceAsString|backtrace\b|\b500\b|INTERNAL_SERVER_ERROR|InternalServerError|internal_server_error|\.internalServerError\(|\bProblem\(|\.ToString\(\)/

/** Calls that send a response, by language: the callee as written. */
const responding: Partial<Record<RuleLanguage, RegExp>> = {
  javascript:
    /(?:^|\.)(?:res|response|reply|rep)\b[\w.()"', -]*\.(?:send|json|jsonp|end|write|render)$|^(?:NextResponse|Response)\.json$|^(?:ctx|c)\.(?:json|text|html)$/,
  python:
    /^(?:\w+\.)?(?:jsonify|make_response|HttpResponse\w*|JsonResponse|Response|JSONResponse|PlainTextResponse|HTMLResponse|HTTPException|abort)$/,
  go: /^http\.Error$|^(?:c|ctx|gc|ginCtx)\.(?:JSON|String|AbortWithStatusJSON|IndentedJSON|HTML|SendString)$|^(?:fmt\.Fprint(?:f|ln)?|w\.Write)$/,
  java: /(?:getWriter\(\)|getOutputStream\(\))\.(?:print|println|write|append)$|\.sendError$|^ResponseEntity\b.*\.body$|^Response\b.*\.entity$/,
  php: /^(?:die|exit|abort|wp_die|wp_send_json\w*|response|response\(\)->json|\$response->(?:write|setContent|setBody)|new JsonResponse|JsonResponse|Response)$/,
  csharp:
    /^(?:this\.)?(?:BadRequest|StatusCode|Content|Json|Ok|Problem|NotFound|ObjectResult|JsonResult|ContentResult)$|^(?:Results|TypedResults)\.(?:Problem|BadRequest|Json|Text|Content|StatusCode)$|Response\.(?:Write|WriteAsync|WriteAsJsonAsync)$/,
  ruby: /^(?:render|halt)$/
}

const trace: Partial<Record<RuleLanguage, RegExp>> = {
  javascript: /^(?:\w*(?:e|ex|err|error|exception|exc|reason|cause)\w*)\??\.stack$/i,
  python: /^traceback\.format_exc\([^()]*\)$|^format_exc\(\)$|^traceback\.format_(?:exception|tb)\(/,
  go: /^(?:string\()?debug\.Stack\(\)\)?$/,
  java: /^(?:\w+\.)?(?:ExceptionUtils\.)?(?:getStackTrace|getFullStackTrace|getStackTraceAsString)\(\w*\)$|^\w+\.getStackTrace\(\)$/,
  php: /^\$\w+->getTrace(?:AsString)?\(\)$/,
  csharp: /^(?:ex|e|err|error|exception|exc)\.StackTrace$|^(?:ex|exception|exc|error|err)\.ToString\(\)$/,
  ruby: /^(?:e|ex|err|error|exception|exc)\.(?:backtrace|full_message)\b/
}

const text: Partial<Record<RuleLanguage, RegExp>> = {
  javascript: /^(?:e|ex|err|error|exception)\??\.message$|^(?:err|error|exception)$/,
  python: /^(?:e|ex|err|error|exc|exception)$/,
  go: /^err\.Error\(\)$/,
  java: /^(?:e|ex|err|exception|t|throwable)\.(?:getMessage|getLocalizedMessage|toString)\(\)$/,
  php: /^\$(?:e|ex|err|error|exception)->getMessage\(\)$/,
  csharp: /^(?:e|ex|err|exception)\.Message$/,
  ruby: /^(?:e|ex|err|error|exception)\.(?:message|to_s|inspect)$|^(?:e|ex|exception)$/
}

const isInternalError = /\b500\b|INTERNAL_SERVER_ERROR|InternalServerError|internal_server_error|\bProblem\b/

const careful =
  /\bdev|debug|NODE_ENV|\bprod|production|verbose|\bisTest|\btest\b|expose|show_?(?:stack|trace|errors?|details?)|include_?stack|is_?(?:admin|staff|superuser)|IsDevelopment|\blocal\b|sapi|\bcli\b/i

const conditional =
  /^(?:if_statement|if|elif_clause|else_clause|else_if_clause|elsif|unless|if_modifier|unless_modifier|ternary_expression|conditional_expression|conditional|switch_statement|binary_expression|boolean_operator)$/

/** Included for developers only, by the conditions around the node. */
const isGuarded = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  for (let up = tree.parent(node), from = node; up !== NONE; from = up, up = tree.parent(up)) {
    if (!conditional.test(tree.kind(up))) continue
    const head = file.text.slice(
      tree.start(up),
      Math.max(tree.start(up), Math.min(tree.start(from), tree.start(up) + 300))
    )
    const tail = tree.is(up, "if_modifier", "unless_modifier", "conditional_expression")
      ? file.text.slice(tree.end(from), Math.min(tree.end(up), tree.end(from) + 200))
      : ""
    if (careful.test(head) || careful.test(tail)) return true
  }
  return false
}

/** The text of the node, or of the value that its variable was assigned. */
const assignedText = (file: SourceFile, node: number): string => {
  const tree = file.tree!
  const written = tree.textOf(node).slice(0, 120).replace(/\s+/g, "")
  if (!/^\$?\w{1,40}$/.test(written)) return written
  const value = lastAssigned(file, written, node)
  return value === NONE ? written : tree.textOf(value).slice(0, 120).replace(/\s+/g, "")
}

const argumentsOf = (call: Call): ReadonlyArray<number> => [...call.args, ...call.named.values()]

/** Details of an exception in a response. */
export const exceptionResponses = (file: SourceFile, emit: Emit<RuleId>): void => {
  const language = ruleLanguageOf(file.language)
  const responses = responding[language]
  if (responses === undefined) return
  const tree = file.tree!
  for (const call of calls(file)) {
    if (language === "java" && call.method === "printStackTrace") printedTrace(file, call, emit)
    if (!responses.test(call.callee.slice(-120))) continue
    if (language === "go" && /^fmt\.F/.test(call.callee) && tree.textOf(call.args[0] ?? NONE) !== "w") continue
    const statement = { callee: call.callee.slice(0, 60), text: tree.textOf(call.node).slice(0, 600), isResponse: true }
    for (const node of argumentsOf(call).flatMap((argument) => carriedValues(file, argument)))
      exceptionDetail(file, node, statement, emit)
  }
  if (language === "php") printedExceptions(file, emit)
}

/** The statement that sends a value: a call, or `echo` of PHP. */
interface Statement {
  readonly callee: string
  readonly text: string
  readonly isResponse: boolean
}

const exceptionDetail = (file: SourceFile, node: number, statement: Statement, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const language = ruleLanguageOf(file.language)
  const value = tree.textOf(node).slice(0, 120).replace(/\s+/g, "")
  const range = { start: tree.start(node), end: tree.end(node) }
  const isTrace = trace[language]!.test(value) || trace[language]!.test(assignedText(file, node))
  // The trace beside it holds the message, too.
  const hasTrace = /\.stack\b/.test(statement.text)
  const isMessage = !isTrace && !hasTrace && text[language]!.test(value) && isInternalError.test(statement.text)
  if (isTrace && statement.isResponse && !isGuarded(file, node)) {
    const message = `\`${statement.callee}\` sends \`${value}\`, the stack trace of an error, to the client.`
    emit({ ...range, rule: "stack_to_client", message })
  } else if (isMessage && !isGuarded(file, node)) {
    const message = `\`${statement.callee}\` sends \`${value}\`, the message of an unexpected error, to the client.`
    emit({ ...range, rule: "exception_text_to_client", message })
  }
}

const printedExceptions = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const isResponse = !/cli|bin\//i.test(file.path)
  for (const node of tree.of("echo_statement", "print_intrinsic", "exit_statement")) {
    const statement = { callee: tree.textOf(node).slice(0, 5).trim(), text: "", isResponse }
    for (const value of tree.namedChildren(node).flatMap((part) => carriedValues(file, part)))
      exceptionDetail(file, value, statement, emit)
  }
}

/** `e.printStackTrace(response.getWriter())` */
const printedTrace = (file: SourceFile, call: Call, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const to = call.args[0] === undefined ? "" : assignedText(file, call.args[0])
  if (
    !/(?:\b|get)[rR]es(?:p|ponse)?\w*(?:\(\))?\.get(?:Writer|OutputStream)\(\)/.test(to) ||
    isGuarded(file, call.node)
  )
    return
  const message = `\`${call.callee}\` writes the stack trace of an error to the response.`
  emit({ start: tree.start(call.node), end: tree.end(call.node), rule: "stack_to_client", message })
}
