import { isUpkeep } from "../../core/files/upkeep.ts"
import { auditTool } from "../../core/tool/AuditTool.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { ARGUMENT_LINE, OPTIONS, PROGRAM } from "../../dataflow/models/labels.ts"
import { isFromStranger } from "../../dataflow/models/trust.ts"
import { identifiersOf, isChosenWhole, rangeOf } from "../../dataflow/report.ts"
import { type MatchFlow, untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { ARGUMENT, COMMAND } from "../../dataflow/values/Value.ts"
import { isNative } from "../../languages/native/functions.ts"
import { inspectNativeCommands } from "./native.ts"
import { type RuleId, rules } from "./rules.ts"

const untrusted: MatchFlow<RuleId> = (flow) => {
  const at = { ...rangeOf(flow), identifiers: identifiersOf(flow) }
  if (!isFromStranger(flow.source) && flow.kind === COMMAND && isChosenWhole(flow)) return null
  if (flow.kind === COMMAND) {
    const message = `Untrusted input \`${flow.name}\` becomes part of the command line that \`${flow.callee}\` runs in a shell.`
    return { ...at, rule: "untrusted_command", message }
  }
  if (flow.label === PROGRAM) {
    const message = `Untrusted input \`${flow.name}\` decides which program \`${flow.callee}\` runs.`
    return { ...at, rule: "untrusted_program", message }
  }
  if (flow.label === ARGUMENT_LINE) {
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

/** Numbers by their names. Libraries of JavaScript are called with whatever a request holds. */
const isNumber = (name: string, path: string): boolean =>
  /(?:^|[._])p{1,2}id$/i.test(name) && !/\.[cm]?[jt]sx?$/.test(path)

const parameterInCommand: MatchFlow<RuleId> = (flow, path) => {
  if (flow.kind !== COMMAND || isUpkeep(path) || isNumber(flow.name, path)) return null
  const literal = flow.text.replace(/[\u0000\u0001]/g, "").trim()
  // What a command begins with is the program, and to run it is what such a function is for.
  if (flow.hole < 0 || literal.length < 2 || (flow.hole === 0 && flow.text.startsWith("\u0000"))) return null
  const where = flow.within === null ? "here" : `in \`${flow.within}\``
  const message = `The command line that \`${flow.callee}\` passes to a shell is built from \`${flow.name}\` ${where}.`
  return {
    ...rangeOf(flow),
    identifiers: identifiersOf(flow),
    rule: path.endsWith(".php") ? "built_command_php" : "built_command",
    message
  }
}

/** The caller of a library chooses an argument, a stranger may choose it through the caller. */
const exported: MatchFlow<RuleId> = (flow) => {
  if (flow.label !== OPTIONS || !flow.text.startsWith("\u0000")) return null
  const message =
    `\`${flow.name}\`, a parameter of an exported function, is an argument of the program that \`${flow.callee}\` runs; ` +
    "when it starts with a dash, the program parses it as an option."
  return { ...rangeOf(flow), identifiers: identifiersOf(flow), rule: "argument_injection", message }
}

const flows = untrustedFlows(COMMAND | ARGUMENT, untrusted, { parameters: parameterInCommand, exported })

export default auditTool({
  id: "command_injection",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P0",
  version: 7,
  rules,
  appliesTo: ({ language, role }) => role === "source" && (taintLanguageOf(language) !== null || isNative(language)),
  ...flows,
  inspect: (file, emit) => {
    if (!isNative(file.language)) return flows.inspect(file, emit)
    inspectNativeCommands(file, emit)
    return undefined
  }
})
