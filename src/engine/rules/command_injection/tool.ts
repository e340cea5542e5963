import { auditTool, type Hit } from "../../core/tool/AuditTool.ts"
import { type CrossFlow, joinFiles } from "../../dataflow/crossFile.ts"
import { flowFacts } from "../../dataflow/facts.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { identifiersOf, oncePerPlace, rangeOf, sourceFlows, stepsFor, type Told } from "../../dataflow/report.ts"
import { ARGUMENT, COMMAND } from "../../dataflow/values/Value.ts"

const KINDS = COMMAND | ARGUMENT

const untrusted = (flow: Told): Omit<Hit, "steps"> | null => {
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

const built = (flow: Told, path: string): Omit<Hit, "steps"> | null => {
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

const hitOf = (flow: CrossFlow): Hit | null => {
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
  rules: [
    {
      id: "untrusted_command",
      languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
      title: "Untrusted input becomes part of a shell command",
      description:
        "A shell reads `;`, `|`, `$( )` and line breaks in the input as its own syntax, so whoever sends the request " +
        "runs any program with the rights of this process. Start the program without a shell and pass arguments as a " +
        "list (`execFile`, `spawn` without `shell`, `subprocess.run([...])`, `exec.Command(name, args...)`, " +
        "`ProcessBuilder` with separate arguments), and check the value against what is allowed.",
      cwe: [78],
      confidence: 0.9,
      effort: "small",
      risk: "low"
    },
    {
      id: "untrusted_program",
      languages: ["csharp", "go", "javascript", "ruby"],
      title: "Untrusted input decides which program runs",
      description:
        "The name of the program comes from the request, so any executable on the machine can be started. Look the " +
        "program up in a list that the code itself keeps and refuse everything else.",
      cwe: [78],
      confidence: 0.85,
      effort: "small",
      risk: "low"
    },
    {
      id: "built_command",
      languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
      title: "Shell command is put together from a parameter",
      description:
        "The function pastes its parameter into a command line that a shell reads, so a space or a semicolon in a file " +
        "name, branch or address already does something else, and input from outside runs programs. Start the program " +
        "without a shell and pass the value as an argument of its own, or quote it with the platform's own function " +
        "(`shlex.quote`).",
      cwe: [78],
      confidence: 0.75,
      effort: "small",
      risk: "low",
      priority: "P2"
    },
    {
      id: "argument_injection",
      languages: ["csharp", "go", "javascript", "python", "ruby"],
      title: "Untrusted input can be taken for an option of a program",
      description:
        "Programs such as git, ssh, curl and tar have options that run commands or write files, and they take any " +
        "argument that starts with a dash for one. Put `--` before values from outside where the program knows it, and " +
        "refuse values that start with a dash; in .NET add each argument to `ArgumentList`.",
      cwe: [88],
      confidence: 0.7,
      effort: "small",
      risk: "low",
      priority: "P1"
    }
  ],
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  inspect: (file, emit) => {
    for (const flow of sourceFlows(file, KINDS)) {
      const told = untrusted(flow)
      if (told !== null) emit({ ...told, steps: flow.steps })
    }
    return flowFacts(file)
  },
  conclude: (facts, project, emit) => {
    const told = joinFiles(facts, project, KINDS).filter((flow) => hitOf(flow) !== null)
    for (const flow of oncePerPlace(told)) {
      const hit = hitOf(flow)
      if (hit !== null) emit(flow.path, hit)
    }
  }
})
