import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { assignments, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { rangeAt, scopeText, siblingsOf } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsCors =
  /Access-Control-Allow-Credentials|supports_credentials|allow_credentials|CORS_ALLOW_CREDENTIALS|[aA]llowCredentials|\bcredentials\b\s*:\s*true/i

const rule = "cors_with_credentials"
const anyone = "Any site can read the responses to a user who is logged in here"

const everything = /^\[?\s*(?:true|["']\*["']|\(?\s*_?\w*\s*\)?\s*=>\s*true)\s*\]?$/
const echo =
  /^(?:async\s*)?(?:function\s*\w*)?\s*\(\s*\w+\s*,\s*(\w+)\s*\)\s*(?:=>)?\s*\{?\s*(?:return\s+)?\1\(\s*null\s*,\s*(?:true|origin|\w+)\s*\)\s*;?\s*\}?$/

/** `cors({ origin: true, credentials: true })` and the like. */
const options = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const { name, node, value } of assignments(file)) {
    if (name !== "credentials" || !tree.is(node, "pair") || tree.textOf(value) !== "true") continue
    const origin = siblingsOf(file, node).get("origin")?.replace(/\s+/g, " ").trim()
    if (origin === undefined || !(everything.test(origin) || echo.test(origin))) continue
    const holder = tree.parent(tree.parent(node))
    if (!/cors/i.test(tree.textOf(holder).slice(0, 80)) && !/cors/i.test(tree.textOf(tree.parent(holder)).slice(0, 80)))
      continue
    const message = `${anyone}: \`origin: ${origin.slice(0, 60)}\` comes with \`credentials: true\`.`
    emit({ ...rangeAt(file, tree.parent(node)), rule, message })
  }
}

const goOptions = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const node of tree.of("keyed_element")) {
    const parts = tree.namedChildren(node)
    if (tree.textOf(parts[0] ?? -1) !== "AllowCredentials" || tree.textOf(parts.at(-1)!) !== "true") continue
    const entries = siblingsOf(file, node)
    const origins =
      entries.get("AllowOrigins") ?? entries.get("AllowedOrigins") ?? entries.get("AllowOriginsFunc") ?? ""
    const check = entries.get("AllowOriginFunc") ?? entries.get("AllowOriginsFunc") ?? ""
    const isOpen =
      entries.get("AllowAllOrigins") === "true" ||
      /^\[\]string\{\s*"\*"\s*,?\s*\}$|^"\*"$/.test(origins) ||
      /^func\([^{}]*\{\s*return true\s*\}$/.test(check)
    if (isOpen)
      emit({
        ...rangeAt(file, tree.parent(node)),
        rule,
        message: `${anyone}: every origin is allowed, with \`AllowCredentials\`.`
      })
  }
}

/** `CORS(app, origins="*", supports_credentials=True)` of Flask and the middleware of FastAPI. */
const pythonArguments = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const call of calls(file)) {
    const valueOf = (name: string): string => {
      const value = call.named.get(name)
      return value === undefined ? "" : tree.textOf(value).slice(0, 100)
    }
    const isAllowed = valueOf("supports_credentials") === "True" || valueOf("allow_credentials") === "True"
    if (!isAllowed) continue
    const origins = valueOf("origins") || valueOf("allow_origins") || valueOf("allow_origin_regex")
    if (!/^\[?\s*r?["'](?:\*|\.\*|\^?\.\*\$?)["']\s*,?\s*\]?$/.test(origins)) continue
    emit({
      ...rangeAt(file, call.node),
      rule,
      message: `${anyone}: \`${call.callee}\` allows every origin, with credentials.`
    })
  }
}

/** `CORS_ALLOW_ALL_ORIGINS = True` in the settings of Django. */
const djangoSettings = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const all = assignments(file).find(
    ({ target, value }) => /^CORS_(?:ALLOW_ALL_ORIGINS|ORIGIN_ALLOW_ALL)$/.test(target) && tree.textOf(value) === "True"
  )
  const credentials = assignments(file).some(
    ({ target, value }) => target === "CORS_ALLOW_CREDENTIALS" && tree.textOf(value) === "True"
  )
  if (all === undefined || !credentials) return
  emit({
    ...rangeAt(file, all.node),
    rule,
    message: `${anyone}: \`${all.target}\` comes with \`CORS_ALLOW_CREDENTIALS\`.`
  })
}

const pythonSettings = (file: SourceFile, emit: Emit<RuleId>): void => {
  pythonArguments(file, emit)
  djangoSettings(file, emit)
}

const anyOrigin =
  /(?:allowedOrigins|allowedOriginPatterns|setAllowedOrigins|setAllowedOriginPatterns|addAllowedOrigin|addAllowedOriginPattern)\((?:(?:Arrays\.asList|List\.of|Collections\.singletonList)\()?\s*(?:CorsConfiguration\.ALL|"\*")\s*\)|SetIsOriginAllowed\(\s*\(?\w+\)?\s*=>\s*true\s*\)|\.AllowAnyOrigin\(\)/
const credentialsAllowed =
  /(?:allowCredentials|setAllowCredentials)\(\s*(?:true|Boolean\.TRUE)\s*\)|\.AllowCredentials\(\)/

/** Chains of calls in Java and C#: both calls in one statement or function. */
const chains = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const call of calls(file)) {
    if (!/^(?:allowCredentials|setAllowCredentials|AllowCredentials)$/.test(call.method)) continue
    const own = tree.textOf(call.node)
    const isSetter = call.method.startsWith("set")
    if (isSetter && enclosingFunction(file, call.node) === null) continue
    const around = isSetter ? scopeText(file, call.node) : own
    if (!credentialsAllowed.test(isSetter ? own : own.slice(-60)) || !anyOrigin.test(around)) continue
    emit({ ...rangeAt(file, call.node), rule, message: `${anyone}: every origin is allowed, with credentials.` })
  }
}

/** `@CrossOrigin(origins = "*", allowCredentials = "true")` */
const annotations = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const node of tree.of("annotation")) {
    const text = tree.textOf(node).slice(0, 300)
    if (!/^@CrossOrigin\b/.test(text) || !/allowCredentials\s*=\s*"true"/.test(text)) continue
    if (/(?:origins|originPatterns|value)\s*=\s*\{?\s*"\*"/.test(text)) {
      emit({ ...rangeAt(file, node), rule, message: `${anyone}: every origin is allowed, with credentials.` })
    }
  }
}

const reflected =
  /^Access-Control-Allow-Origin["']?\]?\s*[,:=]?\s*["'`]?\s*[,.+=:]?\s*(?:\$\{)?\s*(?:(?:req|request|r|ctx|c|this\.request|self\.request|\$request|ctx\.req(?:uest)?|Request|context\.Request|HttpContext\.Request)(?:->|\.)[\w.>-]*(?:\[["']|\(["']|\.)?(?:HTTP_)?origin["']?\s*[\])]?|\$_SERVER\[["']HTTP_ORIGIN["']\]|origin\b|\$origin\b|requestOrigin\b|\{\$_SERVER\[["']HTTP_ORIGIN["']\]\})/i
const withCredentials = /Access-Control-Allow-Credentials["']?\]?\s*[,:=]\s*(?:\[?["']?\s*)?(?:true)\b/i
const checked =
  /allow(?:ed)?_?(?:list|origins?|domains?|hosts?)\b|white_?list|includes\(|include\?|in_array|\.contains\(|contains\(|indexOf|\.has\(|\.test\(|preg_match|matches\(|\.match|endsWith|end_with|HasSuffix|startsWith|HasPrefix|strpos|trusted|===? ?["'(]|\bin [a-zA-Z_.]*(?:origin|allow|trust)|is_?valid|is_?allowed|verify|permitted|slices\.|\w*allow\w*\[|[oO]rigins?\[/i

const checkedElsewhere =
  /(?:valid|allow|check|trust|permit|verif|accept|match|resolve|legal|known)\w*_?origin|origin\w*_?(?:valid|allow|trust|permit|match|check)/i

/** A helper that is given the origin: those that call it may have checked it. */
const isHandedOver = (file: SourceFile, node: number, others: string): boolean => {
  const info = enclosingFunction(file, node)
  return (
    info?.parameters.some(({ name }) => /origin$/i.test(name)) === true &&
    (checkedElsewhere.test(others) || checkedElsewhere.test(file.text.replace(/Access-Control-[\w-]+/gi, "")))
  )
}

/** The header echoes the origin of the request, in a function that allows credentials and never checks the origin. */
const headers = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const match of file.text.matchAll(/Access-Control-Allow-Origin/gi)) {
    const line = file.text.slice(match.index, match.index + 220)
    if (!reflected.test(line)) continue
    const tree = file.tree!
    const node = tree.covering(match.index, match.index + match[0].length)
    const scope = scopeText(file, node)
    const others = scope.replace(/Access-Control-[\w-]+/g, "")
    if (!withCredentials.test(scope) || checked.test(others) || isHandedOver(file, node, others)) continue
    emit({
      ...rangeAt(file, node),
      rule,
      message: `${anyone}: the origin of the request is sent back as allowed, with credentials.`
    })
  }
}

const MAX_HEADERS = 200

export const openCors = (file: SourceFile, emit: Emit<RuleId>): void => {
  const language = ruleLanguageOf(file.language)
  if (language === "javascript") options(file, emit)
  else if (language === "go") goOptions(file, emit)
  else if (language === "python") pythonSettings(file, emit)
  else if (language === "csharp") chains(file, emit)
  else if (language === "java") {
    chains(file, emit)
    annotations(file, emit)
  }
  if (/Access-Control-Allow-Credentials/i.test(file.text) && countOf(file.text) < MAX_HEADERS) headers(file, emit)
}

const countOf = (text: string): number => {
  let count = 0
  for (const _ of text.matchAll(/Access-Control-Allow-Origin/gi)) count++
  return count
}
