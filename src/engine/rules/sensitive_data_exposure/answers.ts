import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, type RuleLanguage, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { carriedValues } from "../../languages/code/carriedValues.ts"
import { lastAssigned } from "../../languages/code/lastAssigned.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

export const mentionsTrace =
  /\.stack\b|format_exc|print_exc|printStackTrace|getStackTrace|StackTrace\b|debug\.Stack\(|getTraceAsString|backtrace\b|\b500\b|INTERNAL_SERVER_ERROR|InternalServerError|internal_server_error|\.internalServerError\(|\bProblem\(|\.ToString\(\)/

/** Calls that answer a request, by language: the callee as written. */
const answering: Partial<Record<RuleLanguage, RegExp>> = {
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

/** Shown to developers only, by what the code asks around the place. */
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

/** Behind one variable that this function gives a value. */
const behind = (file: SourceFile, node: number): string => {
  const tree = file.tree!
  const written = tree.textOf(node).slice(0, 120).replace(/\s+/g, "")
  if (!/^\$?\w{1,40}$/.test(written)) return written
  const value = lastAssigned(file, written, node)
  return value === NONE ? written : tree.textOf(value).slice(0, 120).replace(/\s+/g, "")
}

const argumentsOf = (call: Call): ReadonlyArray<number> => [...call.args, ...call.named.values()]

/** What an exception says, sent to whoever caused it. */
export const exceptionAnswers = (file: SourceFile, emit: Emit<RuleId>): void => {
  const language = ruleLanguageOf(file.language)
  const answers = answering[language]
  if (answers === undefined) return
  const tree = file.tree!
  const look = (node: number, callee: string, whole: string, isAnswer = true): void => {
    const written = tree.textOf(node).slice(0, 120).replace(/\s+/g, "")
    const range = { start: tree.start(node), end: tree.end(node) }
    const isTrace = trace[language]!.test(written) || trace[language]!.test(behind(file, node))
    if (isTrace && isAnswer && !isGuarded(file, node)) {
      const message = `\`${callee}\` answers the request with \`${written}\`: the stack trace of an error.`
      emit({ ...range, rule: "stack_to_client", message })
    } else if (!isTrace && text[language]!.test(written) && isInternalError.test(whole) && !isGuarded(file, node)) {
      const message = `\`${callee}\` answers the request with \`${written}\`, whatever the error that ended it says.`
      emit({ ...range, rule: "exception_text_to_client", message })
    }
  }
  for (const call of calls(file)) {
    if (language === "java" && call.method === "printStackTrace") printedTrace(file, call, emit)
    if (!answers.test(call.callee.slice(-120))) continue
    const whole = tree.textOf(call.node).slice(0, 600)
    if (language === "go" && /^fmt\.F/.test(call.callee) && tree.textOf(call.args[0] ?? NONE) !== "w") continue
    for (const argument of argumentsOf(call)) {
      for (const node of carriedValues(file, argument)) look(node, call.callee.slice(0, 60), whole)
    }
  }
  if (language === "php")
    for (const node of tree.of("echo_statement", "print_intrinsic", "exit_statement")) {
      for (const part of tree.namedChildren(node)) {
        for (const value of carriedValues(file, part))
          look(value, tree.textOf(node).slice(0, 5).trim(), "", !/cli|bin\//i.test(file.path))
      }
    }
}

/** `e.printStackTrace(response.getWriter())` */
const printedTrace = (file: SourceFile, call: Call, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const to = call.args[0] === undefined ? "" : behind(file, call.args[0])
  if (
    !/(?:\b|get)[rR]es(?:p|ponse)?\w*(?:\(\))?\.get(?:Writer|OutputStream)\(\)/.test(to) ||
    isGuarded(file, call.node)
  )
    return
  const message = `\`${call.callee}\` writes the stack trace of an error into the answer to the request.`
  emit({ start: tree.start(call.node), end: tree.end(call.node), rule: "stack_to_client", message })
}
