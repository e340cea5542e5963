import { auditTool, type Match } from "../../core/tool/AuditTool.ts"
import { type CrossFlow, joinFiles } from "../../dataflow/crossFile.ts"
import { flowFacts } from "../../dataflow/facts.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { identifiersOf, oncePerPlace, rangeOf, sourceFlows, stepsFor, type Told } from "../../dataflow/report.ts"
import { ARGUMENT, COMMAND } from "../../dataflow/values/Value.ts"
import { type RuleId, rules } from "./rules.ts"

const KINDS = COMMAND | ARGUMENT

const untrusted = (flow: Told): Omit<Match<RuleId>, "steps"> | null => {
  const at = { ...rangeOf(flow), identifiers: identifiersOf(flow) }
  if (flow.kind === COMMAND) {
    const message = `Untrusted input \`${flow.name}\` becomes part of the command line that \`${flow.callee}\` runs.`
    return { ...at, rule: "untrusted_command", message }
  }
  if (flow.label === "the name of a program to run") {
    const message = `Untrusted input \`${flow.name}\` decides which program \`${flow.callee}\` runs.`
    return { ...at, rule: "untrusted_program", message }
  }
  if (flow.label === "the argument line of a program") {
    const message =
      `Untrusted input \`${flow.name}\` becomes part of the arguments that \`${flow.callee}\` splits at spaces, so ` +
      "that it can add options of its own."
    return { ...at, rule: "argument_injection", message }
  }
  // Text before the value keeps it from being taken for an option.
  if (!flow.text.startsWith("\u0000")) return null
  const message =
    `Untrusted input \`${flow.name}\` is an argument of the program that \`${flow.callee}\` runs; when it starts ` +
    "with a dash it is taken for an option."
  return { ...at, rule: "argument_injection", message }
}

/** Parameters that are commands by name are what the function is for; its callers are the ones to look at. */
const commandByName =
  /^(?:cmd|cmds|command|commands|commandline|command_line|cmdline|args?|argv|script|flags?|options?|opts|bin|binary|program|prog|exe|executable|shell|code|line|prefix|suffix|env|port|pid|timeout|signal|version|tool|runner|interpreter|python|node|npm|pkgmanager|packagemanager|platform|arch)$/i

const housekeeping =
  /(?:^|\/)(?:scripts?|tools?|tasks?|bin|build|ci|hack|\.github|\.circleci|dev|devtools?|release|gulp\w*|grunt\w*|e2e|benchmarks?|setup\.py|noxfile\.py|fabfile\.py|tasks\.py|conanfile\.py|gulpfile\.[cm]?js|Gruntfile\.js)(?:\/|$)/i

const built = (flow: Told, path: string): Omit<Match<RuleId>, "steps"> | null => {
  if (flow.kind !== COMMAND || housekeeping.test(path) || configured.test(flow.name)) return null
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
  const message = `The command line that \`${flow.callee}\` hands to a shell is put together from \`${flow.name}\` ${where}.`
  return {
    ...rangeOf(flow),
    identifiers: identifiersOf(flow),
    rule: "built_command",
    message,
    confidence: path.endsWith(".php") ? 0.65 : 0.75
  }
}

/** Set by whoever runs the program. */
const configured =
  /(?:^|\.)(?:\w*config|settings|conf|cfg|configuration|env|argv|\w*opts?|\w*options?|\w*_opt_dict|\w*args|flags|params?)\./i

const hitOf = (flow: CrossFlow): Match<RuleId> | null => {
  const told = flow.isSource ? untrusted(flow) : built(flow, flow.path)
  return told === null ? null : { ...told, steps: stepsFor(flow.path, flow.steps) }
}

export default auditTool({
  id: "command_injection",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P0",
  version: 2,
  rules,
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  inspect: (file, emit) => {
    for (const flow of sourceFlows(file, KINDS)) {
      const told = untrusted(flow)
      if (told !== null) emit({ ...told, steps: flow.steps })
    }
    return flowFacts(file)
  },
  finish: (facts, project, emit) => {
    const told = joinFiles(facts, project, KINDS).filter((flow) => hitOf(flow) !== null)
    for (const flow of oncePerPlace(told)) {
      const hit = hitOf(flow)
      if (hit !== null) emit(flow.path, hit)
    }
  }
})
