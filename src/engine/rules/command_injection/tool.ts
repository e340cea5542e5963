import { isUpkeep } from "../../core/files/upkeep.ts"
import { auditTool } from "../../core/tool/AuditTool.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { identifiersOf, rangeOf } from "../../dataflow/report.ts"
import { type MatchFlow, untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { ARGUMENT, COMMAND } from "../../dataflow/values/Value.ts"
import { type RuleId, rules } from "./rules.ts"

const untrusted: MatchFlow<RuleId> = (flow) => {
  const at = { ...rangeOf(flow), identifiers: identifiersOf(flow) }
  if (flow.kind === COMMAND) {
    const message = `Untrusted input \`${flow.name}\` becomes part of the command line that \`${flow.callee}\` runs in a shell.`
    return { ...at, rule: "untrusted_command", message }
  }
  if (flow.label === "the name of a program to run") {
    const message = `Untrusted input \`${flow.name}\` decides which program \`${flow.callee}\` runs.`
    return { ...at, rule: "untrusted_program", message }
  }
  if (flow.label === "the argument line of a program") {
    const message =
      `Untrusted input \`${flow.name}\` becomes part of the arguments that \`${flow.callee}\` splits at spaces, so ` +
      "that it can add options."
    return { ...at, rule: "argument_injection", message }
  }
  // Text before the value keeps it from being parsed as an option.
  if (!flow.text.startsWith("\u0000")) return null
  const message =
    `Untrusted input \`${flow.name}\` is an argument of the program that \`${flow.callee}\` runs; when it starts ` +
    "with a dash, the program parses it as an option."
  return { ...at, rule: "argument_injection", message }
}

/** Parameters that are commands by name are the purpose of the function; its callers decide whether they are safe. */
const commandByName =
  /^(?:cmd|cmds|command|commands|commandline|command_line|cmdline|args?|argv|script|flags?|options?|opts|bin|binary|program|prog|exe|executable|shell|code|line|prefix|suffix|env|port|pid|timeout|signal|version|tool|runner|interpreter|python|node|npm|pkgmanager|packagemanager|platform|arch)$/i

const parameterInCommand: MatchFlow<RuleId> = (flow, path) => {
  if (flow.kind !== COMMAND || isUpkeep(path) || configured.test(flow.name)) return null
  const last = flow.name.slice(flow.name.lastIndexOf(".") + 1)
  const literal = flow.text.replace(/[\u0000\u0001]/g, "").trim()
  if (
    commandByName.test(last) ||
    flow.hole < 0 ||
    literal.length < 2 ||
    (flow.hole === 0 && flow.text.startsWith("\u0000"))
  )
    return null
  const where = flow.within === null ? "here" : `in \`${flow.within}\``
  const message = `The command line that \`${flow.callee}\` passes to a shell is built from \`${flow.name}\` ${where}.`
  return {
    ...rangeOf(flow),
    identifiers: identifiersOf(flow),
    rule: path.endsWith(".php") ? "built_command_php" : "built_command",
    message
  }
}

/** Set by the operator of the program. */
const configured =
  /(?:^|\.)(?:\w*config|settings|conf|cfg|configuration|env|argv|\w*opts?|\w*options?|\w*_opt_dict|\w*args|flags|params?)\./i

export default auditTool({
  id: "command_injection",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P0",
  version: 3,
  rules,
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  ...untrustedFlows(COMMAND | ARGUMENT, untrusted, { parameters: parameterInCommand })
})
