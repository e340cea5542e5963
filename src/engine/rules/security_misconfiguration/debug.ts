import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { assignments, calls, imports } from "../../languages/syntax/vocabulary.ts"
import { isConditional, isForDevelopment, isInMainGuard, rangeAt, scopeText } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsDebug =
  /\bdebug\s*=\s*True|\bDEBUG\s*=\s*True|ALLOWED_HOSTS|display_errors|WP_DEBUG|errorhandler|consider_all_requests_local|UseDeveloperExceptionPage/

const settingsFile = /(?:^|\/)settings(?:\/[\w-]+|_\w+)?\.py$|(?:^|\/)\w*settings\.py$/

const flask = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (/\bflask\b/i.test(file.text)) {
    for (const call of calls(file)) {
      if (call.method !== "run" || !/^(?:\w*app\w*|application|server)$/i.test(call.receiver ?? "")) continue
      const debug = call.named.get("debug")
      if (debug === undefined || tree.textOf(debug) !== "True") continue
      const message = `\`${call.callee}\` starts the debugger of Flask, which runs code for whoever reaches it.`
      emit({
        ...rangeAt(file, call.node),
        rule: "debug_mode",
        message,
        confidence: isInMainGuard(file, call.node) ? 0.65 : 0.85
      })
    }
  }
}

const django = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (!settingsFile.test(file.path) || isForDevelopment(file.path) || !/INSTALLED_APPS|django/.test(file.text)) return
  if (/local_settings|settings_local|from \.local|environ\w*[\s\S]{0,20}DEBUG/.test(file.text)) return
  for (const given of assignments(file)) {
    if (isConditional(file, given.node)) continue
    const value = given.value < 0 ? "" : tree.textOf(given.value).slice(0, 60).replace(/\s+/g, "")
    if (given.target === "DEBUG" && value === "True") {
      const message = "`DEBUG` is on in settings that are not for development only."
      emit({ ...rangeAt(file, given.node), rule: "debug_mode", message })
    } else if (given.target === "ALLOWED_HOSTS" && /^[[(]["']\*["'],?[\])]$/.test(value)) {
      const message = "`ALLOWED_HOSTS` accepts any Host header."
      emit({ ...rangeAt(file, given.node), rule: "any_host_allowed", message })
    }
  }
}

const php = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  if (/(?:^|\/)(?:bin|cli|scripts?|tools?|maintenance|install\w*|setup)\//i.test(file.path)) return
  for (const call of calls(file)) {
    const [name, value] = call.args
    if (name === undefined || value === undefined || isConditional(file, call.node)) continue
    const said = tree.textOf(value).replace(/["']/g, "").toLowerCase()
    const key = literalValue(file, name)
    const isOn = /^(?:1|on|true|yes|stdout)$/.test(said)
    if (
      isOn &&
      ((call.callee === "ini_set" && key === "display_errors") || (call.callee === "define" && key === "WP_DEBUG"))
    ) {
      const message = `\`${key}\` is switched on: errors are shown to whoever causes them.`
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
    const message = `\`${call.callee}\` answers errors with their stack traces, whatever the environment.`
    emit({ ...rangeAt(file, call.node), rule: "debug_mode", message })
  }
}

export const debugModes = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  switch (ruleLanguageOf(file.language)) {
    case "python":
      flask(file, emit)
      return django(file, emit)
    case "php":
      return php(file, emit)
    case "javascript":
      return javascript(file, emit)
    case "ruby":
      if (!/(?:^|\/)environments\/(?:production|staging)\.rb$/.test(file.path)) return
      for (const given of assignments(file)) {
        if (given.name !== "consider_all_requests_local" || tree.textOf(given.value) !== "true") continue
        const message = "`consider_all_requests_local` shows the error pages for developers to everybody."
        emit({ ...rangeAt(file, given.node), rule: "debug_mode", message })
      }
      return
    case "csharp":
      for (const call of calls(file)) {
        if (call.method !== "UseDeveloperExceptionPage" || isConditional(file, call.node)) continue
        if (/IsDevelopment|IsProduction|IsEnvironment|#if DEBUG/.test(scopeText(file, call.node))) continue
        const message = `\`${call.callee}\` shows the error page for developers in every environment.`
        emit({ ...rangeAt(file, call.node), rule: "debug_mode", message })
      }
  }
}
