import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { type Handler, tryStatements } from "../../languages/code/tryStatements.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import type { Call } from "../../languages/syntax/vocabulary.ts"
import { excerpt, headSpan } from "../../languages/tree/excerpt.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

export const mentionsErrorLog = /\b[lL][oO][gG]\w*\.(?:error|fatal|severe|critical|Error\w*|Print\w*|Fatal\w*)\(/

const errorLog =
  /(?:^|\.)_?(?:log|logger|LOG|LOGGER|logging|slog|logrus|klog)\.(?:error|fatal|critical|severe|Error|Errorf|Errorln|Print|Printf|Println)$/

const MAX_TEXT = 4_000

const textOf = (file: SourceFile, nodes: ReadonlyArray<number>): string =>
  nodes
    .map((node) => file.tree!.textOf(node))
    .join("\n")
    .slice(0, MAX_TEXT)

/** The call that a statement consists of, when it logs an error. */
const loggedBy = (file: SourceFile, statement: number): Call | null => {
  const tree = file.tree!
  const syntax = syntaxOf(file.language)!
  let at = statement
  while (tree.is(at, "expression_statement", "await_expression", "await")) at = tree.namedChildren(at)[0] ?? NONE
  const call = tree.is(at, ...syntax.callKinds) ? syntax.callAt(tree, at) : null
  return call !== null && errorLog.test(call.callee) ? call : null
}

const mentions = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w$.])${name.replace(/\$/g, "\\$")}(?![\\w$])`).test(text)

/** Only the message of it, and nothing that leads to the place it came from. */
const onlyMessage = (text: string, name: string): boolean => {
  const rest = text.replace(
    new RegExp(
      `(?<![\\w$.])${name.replace(/\$/g, "\\$")}\\??\\.(?:message|getMessage\\(\\)|getLocalizedMessage\\(\\))`,
      "g"
    ),
    ""
  )
  return rest !== text && !mentions(rest, name)
}

const leaves = ["throw_statement", "raise_statement"]
/** Failures whose kind says all there is to say. */
const selfExplanatory =
  /NotFound|Timeout|Cancel|Interrupt|Abort|Validation|Parse|Syntax|Json|JSON|NumberFormat|Format|ValueError|KeyError|ImportError|ModuleNotFound|FileNotFound|Permission|Connection(?:Refused|Error|Reset)|StopIteration|HTTPError|Unicode|Usage|Argument|Config/

/** What cannot be read says so by itself. */
const parsesOnly = (file: SourceFile, statements: ReadonlyArray<number>): boolean =>
  statements.length <= 2 && /\bJSON\.parse\(|\bjson\.loads?\(/.test(textOf(file, statements))

const inHandler = (file: SourceFile, handler: Handler, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const logged = handler.statements.map((statement) => loggedBy(file, statement)).find((call) => call !== null)
  if (logged === undefined || logged === null || handler.types.some((type) => selfExplanatory.test(type))) return
  if (tree.within(handler.node, ...leaves).length > 0) return
  const handlerText = textOf(file, handler.statements)
  if (
    /\bexc_info\b|traceback|stack|\.exception\(|printStackTrace|Sentry|captureException|report|notify|next\(/i.test(
      handlerText
    )
  )
    return
  const { binding } = handler
  if (file.language === "python") {
    const isBroad =
      handler.types.length === 0 || handler.types.some((type) => type === "Exception" || type === "BaseException")
    if (!isBroad) return
  } else if (binding !== null && mentions(handlerText, binding) && !onlyMessage(handlerText, binding)) return
  else if (binding === null && file.language === "java") return
  const lost =
    file.language === "python" || (binding !== null && mentions(handlerText, binding))
      ? "where it happened"
      : "what happened"
  emit({
    rule: "exception_without_cause",
    ...headSpan(tree, logged.node),
    message: `${excerpt(tree, logged.node)} does not say ${lost}: the exception's trace is dropped here.`
  })
}

/** `if err != nil { log.Println("failed") }` without `err`. */
const inGo = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const node of tree.of("if_statement")) {
    const name = /^(\w*[eE]rr)\s*!=\s*nil$/.exec(tree.textOf(tree.child(node, "condition")).slice(0, 60))?.[1]
    if (name === undefined) continue
    const body = tree.child(node, "consequence")
    const statements = tree.namedChildren(tree.childOfKind(body, "statement_list"))
    const logged = statements.map((statement) => loggedBy(file, statement)).find((call) => call !== null)
    if (logged === undefined || logged === null || mentions(tree.textOf(body).slice(0, MAX_TEXT), name)) continue
    emit({
      rule: "exception_without_cause",
      ...headSpan(tree, logged.node),
      message: `${excerpt(tree, logged.node)} says that something failed, and leaves out \`${name}\`, which says what.`
    })
  }
}

export const lostCauses = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (file.language === "go") return inGo(file, emit)
  for (const { handlers, statements } of tryStatements(file)) {
    if (!parsesOnly(file, statements)) for (const handler of handlers) inHandler(file, handler, emit)
  }
}
