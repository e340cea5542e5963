import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { commandsOf, type Dockerfile, type Instruction, type Stage } from "../../languages/formats/dockerfile.ts"
import type { RuleId } from "./rules.ts"

/** Checks one instruction of a stage; the first line of it is what is shown. */
type Report = (rule: RuleId, instruction: Instruction, message: string) => void

const inspectStages = ({ stages }: Dockerfile, report: Report): void => {
  const names = new Set<string>()
  stages.forEach(({ alias, from, instructions }, index) => {
    if (alias !== null && names.has(alias)) {
      report("duplicate_stage", from, `An earlier stage is called \`${alias}\`, too.`)
    }
    for (const instruction of instructions) {
      const source =
        instruction.name === "COPY" ? /^(?:--\S+\s+){0,8}?--from=(\d{1,4})\s/.exec(instruction.value)?.[1] : undefined
      if (source === undefined || Number(source) < index || names.has(source)) continue
      const message = `Stage ${source} is not before this one, stage ${index}: there is nothing to copy from.`
      report("no_copy_source", instruction, message)
    }
    if (alias !== null) names.add(alias)
  })
}

const inspectStarts = ({ instructions }: Stage, report: Report): void => {
  for (const name of ["CMD", "ENTRYPOINT", "HEALTHCHECK"]) {
    const starts = instructions.filter((one) => one.name === name)
    const [first] = starts
    if (starts.length > 1) report("overridden_start", first!, `A later \`${name}\` of this stage replaces this one.`)
  }
}

const inspectForm = (instruction: Instruction, report: Report): void => {
  const { name, value } = instruction
  if (!/^(?:CMD|ENTRYPOINT|SHELL)$/.test(name) || !/^\[\s*'[^']*'\s*(?:,|\])/.test(value)) return
  report(
    "malformed_exec_form",
    instruction,
    `\`${name}\` with single quotes is no list but a shell command that starts with \`[\`.`
  )
}

const inspectPorts = (instruction: Instruction, report: Report): void => {
  if (instruction.name !== "EXPOSE") return
  for (const word of instruction.value.split(/\s+/)) {
    const port = /^(\d{1,9})(?:\/(?:tcp|udp|sctp))?$/i.exec(word)?.[1]
    if (port !== undefined && Number(port) > 65_535) report("invalid_port", instruction, `There is no port ${port}.`)
  }
}

const answers = /^(?:-[a-zA-Z]*y[a-zA-Z]*|-qq+|--yes|--assume-yes|--assumeyes|-q=2|--non-interactive|-n|--force-yes)$/
const managers = /^(?:apt-get|apt|yum|dnf|zypper)$/

/** A question that nothing answers: no option, no configuration, no piped `yes`. */
const asks = (words: ReadonlyArray<string>): boolean => {
  const at = words.findIndex((word) => managers.test(word))
  if (at < 0 || at > 2 || words.slice(0, at).some((word) => !/^(?:sudo|\w+=\S*|env)$/.test(word))) return false
  return words.slice(at).includes("install") && !words.some((word) => answers.test(word) || /[$`"']/.test(word))
}

const inspectRuns = ({ instructions }: Stage, isAnswered: boolean, report: Report): void => {
  const runs = instructions.filter(({ name }) => name === "RUN")
  for (const [i, instruction] of runs.entries()) {
    if (instruction.value.length > MAX_SCRIPT) continue
    const commands = commandsOf(instruction)
    const asking = isAnswered ? undefined : commands.find(asks)
    if (asking !== undefined) {
      const manager = asking.find((word) => managers.test(word))!
      report("interactive_install", instruction, `\`${manager} install\` asks whether to go on, and nothing answers.`)
    }
    const [only] = commands
    if (commands.length === 1 && only![0] === "cd" && only!.length === 2) {
      report(
        "lost_directory",
        instruction,
        `The next instruction does not start in \`${only![1]!.replace(/`/g, "")}\`.`
      )
    }
    const isUpdate =
      commands.length === 1 && /^(?:sudo )?apt(?:-get)?(?: -[\w=]+)* update(?: -[\w=]+)*$/.test(only!.join(" "))
    const later = runs.slice(i + 1, i + 1 + NEAR)
    if (
      isUpdate &&
      later.some(({ value }) => /\bapt(?:-get)?\b[^\n]{0,100}\binstall\b/.test(value.slice(0, MAX_SCRIPT)))
    ) {
      report("update_without_install", instruction, "A later layer installs from these lists, which stay in the cache.")
    }
  }
}

/** The file answers questions by other means than an option of the command. */
const answering = /Assume-Yes|assumeyes|\byes\s*\||APT_GET|--download-only|\s-[sd]\s/i
const MAX_SCRIPT = 20_000
const NEAR = 10

/** What makes the build stop or do something else than it says. */
export const inspectBuild = (file: SourceFile, dockerfile: Dockerfile, emit: Emit<RuleId>): void => {
  const report: Report = (rule, { start, end }, message) => {
    const line = file.text.indexOf("\n", start)
    emit({ rule, start, end: line < 0 ? end : Math.min(line, end), message })
  }
  const isAnswered = answering.test(file.text)
  inspectStages(dockerfile, report)
  for (const stage of dockerfile.stages) {
    inspectStarts(stage, report)
    inspectRuns(stage, isAnswered, report)
    for (const instruction of stage.instructions) {
      inspectForm(instruction, report)
      inspectPorts(instruction, report)
      if (instruction.name !== "MAINTAINER") continue
      report("deprecated_maintainer", instruction, "`MAINTAINER` is deprecated; a label says the same.")
    }
  }
}
