import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit, Match } from "../../core/tool/AuditTool.ts"
import { carriedValues } from "../../languages/code/carriedValues.ts"
import { assignmentsTo } from "../../languages/code/lastAssigned.ts"
import { isAboutNames, isSecretName } from "../../languages/code/sensitiveNames.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

export const mentionsLog =
  /\b(?:console|log|logs|logger|logging|LOG|LOGGER|winston|pino|slog|logrus|zap|syslog|error_log|Log)\b|_log(?:ger)?\b|[lL]ogger\b/

const logger =
  /(?:^|[.>:])(?:console|(?:\w*_)?log|(?:\w*_)?logger|\w*Logger|logging|LOG|LOGGER|winston|pino|bunyan|slog|logrus|zap|sugar|log4j|Log|\w+Log)(?:\(\))?$/
const level =
  /^(?:log|trace|debug|info|warn|warning|error|fatal|critical|exception|notice|verbose|silly|alert|emergency|severe|fine|finer|finest|print|printf|println|Print|Printf|Println|Fatal|Fatalf|Fatalln|Panicf|(?:Trace|Debug|Info|Warn|Warning|Error)(?:f|ln|w|Context)?|Log(?:Trace|Debug|Information|Warning|Error|Critical)?)$/

/** `log.Printf`, `Rails.logger.info`, `error_log`: writes for operators, not output for the user of the program. */
export const isLogging = (call: Call): boolean => {
  if (call.receiver === null) return /^(?:error_log|syslog|NSLog|log_message|watchdog)$/.test(call.method)
  const receiver = call.receiver.replace(/^(?:this|self|@|\$this)(?:\.|->)?/, "").replace(/^[$@_]+/, "")
  return level.test(call.method) && logger.test(receiver) && !/(?:^|\.)Math$/.test(receiver)
}

const argumentsOf = (call: Call): ReadonlyArray<number> => [...call.args, ...call.named.values()]

const pathShape = /^[\w$@][\w$@.\-?!:>[\]"']*$/
const getter =
  /(?:^|[.>:])get(?:Password|Passwd|Passphrase|Secret|ApiKey|SecretKey|PrivateKey|AccessToken|RefreshToken|AuthToken|CardNumber|Ssn)\(\)$/i
const lookup =
  /(?:^|[.>:])(?:get|fetch|getParameter|getHeader|header|FormValue|PostFormValue|Get|getenv|Getenv|GetHeader|input|query|post)\(\s*["']([\w-]+)["']\s*(?:,[^()]*)?\)$|\[:?["']?([\w-]+)["']?\]$/

const nameOf = (text: string): string | null => {
  if (getter.test(text)) return text.slice(text.lastIndexOf("get") + 3, -2)
  const key = lookup.exec(text)
  if (key !== null) return key[1] ?? key[2] ?? null
  return pathShape.test(text) ? (/([\w$]+)[!?]*$/.exec(text)?.[1] ?? null) : null
}

const isAuthorizationHeader = (text: string): boolean =>
  /headers?(?:\?*\.|\[["'])authorization(?:["']\])?$|(?:[hH]eader|headers\.get|Header\.Get|get|getHeader|GetHeader)\(["']authorization["']\)$/i.test(
    text
  )

/** A name in capitals names a constant, often that of a field; settings and the environment hold values. */
const isConstantName = (text: string): boolean => {
  const last = /(\w+)["'\])]*$/.exec(text)?.[1] ?? ""
  return /^[A-Z][A-Z0-9_]*$/.test(last) && !/env|settings|config|environ/i.test(text.slice(0, -last.length))
}

const secretIn = (file: SourceFile, node: number): string | null => {
  const tree = file.tree!
  if (tree.end(node) - tree.start(node) > 120) return null
  const text = tree
    .textOf(node)
    .replace(/\s+/g, "")
    .replace(/\.(?:toString|ToString|to_s|trim|Trim|strip|inspect)\(\)$/, "")
  // `!!password` is true when there is one.
  if (text.startsWith("!")) return null
  if (isAuthorizationHeader(text)) return text
  const name = nameOf(text)
  if (name === null || isConstantName(text) || !isSecretName(name.replace(/^\$/, ""))) return null
  return isAboutNames(text) || mayBeSerialNumber.test(name) || isMasked(file, text) ? null : text
}

/** Devices and volumes have an `ssn` too; people's is certain where it is spelled out. */
const mayBeSerialNumber = /(?:^|[a-z_])ssn$/i

/** `shown = f"{key[:4]}****"`: what is left of it opens nothing. */
const isMasked = (file: SourceFile, text: string): boolean => {
  const values = assignmentsTo(file, text).filter(({ value }) => value !== NONE)
  return (
    values.length > 0 &&
    values.every(({ value }) =>
      /\*{3}|["']\*["']\s*\*|mask|redact|obfuscat/i.test(file.tree!.textOf(value).slice(0, 400))
    )
  )
}

const wholeRequest =
  /^(?:\w*(?:req|request|ctx\.request|context\.request|self\.request|this\.request|ctx\.req))\.(?:body|rawBody|headers|rawHeaders|cookies|form|POST|COOKIES|META|Header|PostForm)$|^\$_(?:POST|COOKIE)$|^r\.(?:Header|PostForm)$|^(?:request|req)\.(?:get_json|getHeaders|getParameterMap)\(\)$|^request\.(?:headers|cookies)\.to_h$/

/** Programs that print for their user: generated credentials are shown once here, on purpose. */
const commandLine =
  /(?:^|\/)(?:bin|cli|cmd|scripts?|tools?|hack|contrib|management\/commands|commands?|console|tasks|seeds?|migrations?|setup|install\w*)\/|(?:^|\/)(?:cli|setup|install\w*|seeds?|manage)\.\w+$/i
const intendedOutput = /generated|your (?:new )?|temporary|initial|copy (?:it|this)|save (?:it|this)|one.?time|usage/i

/** Printed on purpose for the user of the program. */
const isIntendedOutput = (file: SourceFile, call: Call): boolean => {
  if (!/^(?:console|log|fmt)$/.test(call.receiver ?? "")) return false
  const first = call.args[0]
  const message = first === undefined ? "" : (literalValue(file, first) ?? file.tree!.textOf(first).slice(0, 200))
  return commandLine.test(file.path) || intendedOutput.test(message)
}

const loggedAt = (file: SourceFile, call: Call, node: number): Match<RuleId> | null => {
  const tree = file.tree!
  const name = secretIn(file, node)
  const at = { start: tree.start(node), end: tree.end(node), identifiers: [call.method] }
  if (name !== null) {
    const message = `\`${name}\` is logged by \`${call.callee}\`.`
    return isIntendedOutput(file, call) ? null : { ...at, rule: "secret_in_log", message }
  }
  if (at.end - at.start >= 60 || !wholeRequest.test(tree.textOf(node))) return null
  const message = `The whole of \`${tree.textOf(node)}\` is logged by \`${call.callee}\`, including any passwords, cookies and tokens.`
  return { ...at, rule: "request_in_log", message }
}

/** Secrets, and whole requests that contain them, in the arguments of logging calls. */
export const loggedSecrets = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    if (!isLogging(call)) continue
    for (const node of argumentsOf(call).flatMap((argument) => carriedValues(file, argument))) {
      const match = loggedAt(file, call, node)
      if (match !== null) emit(match)
    }
  }
}
