import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { assignments, calls, imports } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { isConditional, isForDevelopment, isInMainGuard, rangeAt, scopeText } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsDebug =
  /\bdebug\s*=\s*True|\bDEBUG\s*=\s*True|ALLOWED_HOSTS|display_errors|WP_DEBUG|errorhandler|consider_all_requests_local|UseDeveloperExceptionPage/

const settingsFile = /(?:^|\/)settings(?:\/[\w-]+|_\w+)?\.py$|(?:^|\/)\w*settings\.py$/

const developmentMode = /\b(?:dev|devel|development|debug)\b|_dev\b|\bdev_|_debug\b|\bdebug_/i

/** `if args.dev:`: who starts the program asks for it. */
const isDevelopmentBranch = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  for (let at = tree.parent(node), from = node; at !== NONE; from = at, at = tree.parent(at)) {
    if (!tree.is(at, "if_statement", "elif_clause") || from !== tree.child(at, "consequence")) continue
    const condition = tree.textOf(tree.child(at, "condition"))
    if (developmentMode.test(condition) && !/\bnot\b/.test(condition)) return true
  }
  return false
}

const flask = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (!/\bflask\b/i.test(file.text)) return
  for (const call of calls(file)) {
    if (call.method !== "run" || !/^(?:\w*app\w*|application|server)$/i.test(call.receiver ?? "")) continue
    const debug = call.named.get("debug")
    if (debug === undefined || tree.textOf(debug) !== "True" || isDevelopmentBranch(file, call.node)) continue
    const message = `\`${call.callee}\` starts the debugger of Flask, which runs code for anyone who reaches it.`
    emit({
      ...rangeAt(file, call.node),
      rule: isInMainGuard(file, call.node) ? "flask_debugger_in_main" : "flask_debugger",
      message
    })
  }
}

const django = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (!settingsFile.test(file.path) || isForDevelopment(file.path) || !/INSTALLED_APPS|django/.test(file.text)) return
  if (/local_settings|settings_local|from \.local|environ\w*[\s\S]{0,20}DEBUG/.test(file.text)) return
  for (const assignment of assignments(file)) {
    if (isConditional(file, assignment.node)) continue
    const value = assignment.value < 0 ? "" : tree.textOf(assignment.value).slice(0, 60).replace(/\s+/g, "")
    if (assignment.target === "DEBUG" && value === "True") {
      const message = "`DEBUG` is on in settings that are not for development only."
      emit({ ...rangeAt(file, assignment.node), rule: "debug_mode", message })
    } else if (assignment.target === "ALLOWED_HOSTS" && /^[[(]["']\*["'],?[\])]$/.test(value)) {
      const message = "`ALLOWED_HOSTS` accepts any Host header."
      emit({ ...rangeAt(file, assignment.node), rule: "any_host_allowed", message })
    }
  }
}

const php = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (/(?:^|\/)(?:bin|cli|scripts?|tools?|maintenance|install\w*|setup)\//i.test(file.path)) return
  if (/(?:^|\/)(?:development|debug|local)[\w-]*\.php$/i.test(file.path)) return
  for (const call of calls(file)) {
    const [name, value] = call.args
    if (name === undefined || value === undefined || isConditional(file, call.node)) continue
    const state = tree.textOf(value).replace(/["']/g, "").toLowerCase()
    const key = literalValue(file, name)
    const isOn = /^(?:1|on|true|yes|stdout)$/.test(state)
    if (
      isOn &&
      ((call.callee === "ini_set" && key === "display_errors") || (call.callee === "define" && key === "WP_DEBUG"))
    ) {
      const message = `\`${key}\` is on: errors are shown to anyone who causes them.`
      emit({ ...rangeAt(file, call.node), rule: "debug_mode", message })
    }
  }
}

const javascript = (file: SourceFile, emit: Emit<RuleId>): void => {
  const names = imports(file)
    .filter(({ module }) => module === "errorhandler")
    .flatMap((found) => found.names.map(({ local }) => local))
  if (names.length === 0) return
  for (const call of calls(file)) {
    if (!names.includes(call.callee) || isConditional(file, call.node)) continue
    const message = `\`${call.callee}\` sends stack traces to clients in every environment.`
    emit({ ...rangeAt(file, call.node), rule: "debug_mode", message })
  }
}

const rails = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (!/(?:^|\/)environments\/(?:production|staging)\.rb$/.test(file.path)) return
  for (const { node, name, value } of assignments(file)) {
    if (name !== "consider_all_requests_local" || file.tree!.textOf(value) !== "true") continue
    const message = "`consider_all_requests_local` shows the error pages for developers to all visitors."
    emit({ ...rangeAt(file, node), rule: "debug_mode", message })
  }
}

const aspNet = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    if (call.method !== "UseDeveloperExceptionPage" || isConditional(file, call.node)) continue
    if (/IsDevelopment|IsProduction|IsEnvironment|#if DEBUG/.test(scopeText(file, call.node))) continue
    const message = `\`${call.callee}\` shows the error page for developers in every environment.`
    emit({ ...rangeAt(file, call.node), rule: "debug_mode", message })
  }
}

export const debugModes = (file: SourceFile, emit: Emit<RuleId>): void => {
  switch (ruleLanguageOf(file.language)) {
    case "python":
      flask(file, emit)
      return django(file, emit)
    case "php":
      return php(file, emit)
    case "javascript":
      return javascript(file, emit)
    case "ruby":
      return rails(file, emit)
    case "csharp":
      return aspNet(file, emit)
  }
}
