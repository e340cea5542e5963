import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import {
  commandsOf,
  type Dockerfile,
  type Instruction,
  pairsOf,
  type Stage
} from "../../languages/formats/dockerfile.ts"
import type { RuleId } from "./rules.ts"

type Report = (rule: RuleId, instruction: Instruction, message: string, noun?: string) => void

/** Words of a command without `sudo`, variables set for it and quotes. */
const programAt = (words: ReadonlyArray<string>): number =>
  words.findIndex((word) => !/^(?:sudo|env|\w+=\S*|-E|if|then|do|else|!|set|\(|\{)$/.test(word))

const local = /\blocalhost\b|\b127\.0\.0\.1\b|\[::1\]/

/** Options that accept what is not signed or comes from a server that no one has verified. */
const unverified: ReadonlyArray<readonly [program: RegExp, option: RegExp]> = [
  [/^curl$/, /^(?:--insecure|-[a-zA-Z]*k[a-zA-Z]*)$/],
  [/^wget$/, /^--no-check-certificate$/],
  [/^apt(?:-get)?$/, /^(?:--allow-unauthenticated|--force-yes)$/],
  [/^apk$/, /^--allow-untrusted$/],
  [/^(?:yum|dnf|microdnf|tdnf|zypper)$/, /^(?:--nogpgcheck|--no-gpg-checks)$/],
  [/^pip[\d.]*$/, /^--trusted-host(?:=|$)/]
]
const unverifiedText = /\bnpm config set strict-ssl (?:=\s*)?false\b|\bhttp\.sslVerify[ =]"?false\b/

/** All that is installed are files which lie in the image already; their dependencies keep their signatures. */
const isOfContext = (words: ReadonlyArray<string>): boolean => {
  const named = words.filter((word) => !word.startsWith("-") && !/^(?:add|install|upgrade)$/.test(word))
  return (
    named.length > 0 &&
    named.every((word) => /^\.{0,2}\/[^\s:]*\.(?:apk|deb|rpm)$|^[\w*.-]+\.(?:apk|deb|rpm)$/.test(word))
  )
}

const inspectDownload = (instruction: Instruction, commands: Commands, report: Report): void => {
  for (const words of commands) {
    const at = programAt(words)
    const program = words[at] ?? ""
    const options = unverified.find(([name]) => name.test(program))?.[1]
    const option = options === undefined ? undefined : words.slice(at + 1).find((word) => options.test(word))
    if (option === undefined || words.some((word) => local.test(word)) || isOfContext(words.slice(at + 1))) continue
    const message = `\`${program} ${option}\` takes what anyone on the way sends in its place.`
    return report("unverified_download", instruction, message, `${program} ${option}`.slice(0, 60))
  }
  const setting = unverifiedText.exec(instruction.value.slice(0, MAX_SCRIPT))?.[0]
  if (setting === undefined) return
  report("unverified_download", instruction, `\`${setting}\` takes what anyone on the way sends in its place.`, setting)
}

const unverifiedVariables: Readonly<Record<string, RegExp>> = {
  NODE_TLS_REJECT_UNAUTHORIZED: /^0$/,
  PYTHONHTTPSVERIFY: /^0$/,
  GIT_SSL_NO_VERIFY: /^(?:1|true)$/i,
  NPM_CONFIG_STRICT_SSL: /^false$/i
}

const inspectVariables = (instruction: Instruction, report: Report): void => {
  for (const { name, value } of pairsOf(instruction)) {
    if (value === null || !Object.hasOwn(unverifiedVariables, name) || !unverifiedVariables[name]!.test(value)) continue
    const message = `\`${name}=${value}\` lets every program of the image accept any certificate.`
    report("unverified_download", instruction, message, name)
  }
}

const accountPassword =
  /\becho\s+(?:-e\s+)?["']?([\w.-]{1,32}):([^\s"'$|]{1,64})["']?\s*\|\s*(?:sudo\s+)?chpasswd\b(?!\s+-e)/

const inspectPassword = (file: SourceFile, instruction: Instruction, emit: Emit<RuleId>): void => {
  const match = accountPassword.exec(instruction.value.slice(0, MAX_SCRIPT))
  if (match === null || /^\$[0-9a-z]+\$/.test(match[2]!)) return
  const at = file.text.indexOf(`${match[1]!}:${match[2]!}`, instruction.start)
  const secret = at + match[1]!.length + 1
  emit({
    rule: "account_password_in_image",
    ...firstLine(file, instruction),
    message: `The account \`${match[1]!}\` has a password that is written in the Dockerfile.`,
    noun: match[1]!,
    redact: at < 0 ? [] : [[secret, secret + match[2]!.length]]
  })
}

type Commands = ReadonlyArray<ReadonlyArray<string>>

/** What follows a package manager's verb for installation; null for other commands. */
const installed = (words: ReadonlyArray<string>, programs: RegExp, verbs: RegExp): ReadonlyArray<string> | null => {
  const at = programAt(words)
  if (!programs.test(words[at] ?? "")) return null
  const verb = words.findIndex((word, i) => i > at && verbs.test(word))
  return verb < 0 ? null : words.slice(verb + 1)
}

const requirementFile = /^(?:-r|--requirement|-c|--constraint|-e|--editable|\.|--no-deps|--require-hashes|-f)$/
const isUnpinnedPython = (words: ReadonlyArray<string>): boolean => {
  const packages = installed(words, /^pip[\d.]*$/, /^install$/)
  if (packages === null || packages.some((word) => requirementFile.test(word) || /^--requirement=/.test(word)))
    return false
  return packages.some(
    (word) => /^[A-Za-z][\w.-]*(?:\[[\w,]+\])?$/.test(word) && !/^(?:pip|setuptools|wheel)$/.test(word)
  )
}
const isUnpinnedNode = (words: ReadonlyArray<string>): boolean => {
  const packages = installed(words, /^npm$/, /^(?:install|i|add)$/)
  if (packages === null || !packages.some((word) => /^(?:-g|--global)$/.test(word))) return false
  return packages.some((word) => /^(?:@[\w.-]+\/)?[a-z][\w.-]*$/.test(word))
}

const inspectPins = (instruction: Instruction, commands: Commands, report: Report): void => {
  const words = commands.find((one) => isUnpinnedPython(one) || isUnpinnedNode(one))
  if (words === undefined) return
  const command = words.slice(programAt(words)).join(" ").slice(0, 60)
  report("unpinned_package", instruction, `\`${command}\` installs whatever version is newest on the day of the build.`)
}

const inspectCaches = (instruction: Instruction, commands: Commands, settings: string, report: Report): void => {
  const text = instruction.value.slice(0, MAX_SCRIPT)
  if (/--mount=type=cache/.test(text)) return
  const pip = commands.find((words) => installed(words, /^pip[\d.]*$/, /^install$/) !== null)
  const apk = commands.find((words) => installed(words, /^apk$/, /^add$/) !== null)
  const yum = commands.find((words) => installed(words, /^(?:yum|dnf|microdnf)$/, /^(?:install|-y)$/) !== null)
  const keeps =
    pip !== undefined && !/--no-cache-dir|\.cache/.test(text) && !/PIP_NO_CACHE_DIR/.test(settings)
      ? "pip install"
      : apk !== undefined && !/--no-cache|\/var\/cache\/apk/.test(text)
        ? "apk add"
        : yum !== undefined && !/clean all|\/var\/cache\/(?:yum|dnf)/.test(text)
          ? (yum[programAt(yum)] ?? "yum")
          : null
  if (keeps !== null) report("package_cache_in_image", instruction, `\`${keeps}\` leaves its downloads in this layer.`)
}

const inspectRecommended = (file: SourceFile, instruction: Instruction, commands: Commands, report: Report): void => {
  const apt = commands.find((words) => installed(words, /^apt(?:-get)?$/, /^install$/) !== null)
  if (apt === undefined || apt.some((word) => /no-install-recommends|Install-Recommends/.test(word))) return
  // Where the package lists stay as well, `apt_leftovers` reports both.
  if (/APT::Install-Recommends/i.test(file.text) || !/\/var\/lib\/apt|--mount=type=cache/.test(instruction.value))
    return
  report(
    "recommended_packages",
    instruction,
    "`apt-get install` brings recommended packages along that no one asked for."
  )
}

const archive = /\.(?:tar|tgz|tbz2?|txz|tar\.\w+|gz|bz2|xz|zst|zip)$/i

const inspectAdd = (instruction: Instruction, report: Report): void => {
  const words = instruction.value.split(/\s+/).filter((word) => !word.startsWith("--"))
  const sources = words.slice(0, -1)
  if (sources.length === 0 || sources.some((word) => archive.test(word) || /[$:*<["@]/.test(word))) return
  report(
    "add_for_files",
    instruction,
    "`ADD` of files of the build context does what `COPY` does, and unpacks archives unasked."
  )
}

const inspectPipes = (stage: Stage, report: Report): void => {
  let isStrict = false
  for (const instruction of stage.instructions) {
    if (instruction.name === "SHELL") isStrict = /pipefail/.test(instruction.value)
    if (instruction.name !== "RUN" || isStrict || instruction.value.length > MAX_SCRIPT) continue
    if (
      /pipefail/.test(instruction.value) ||
      !/(?:curl|wget)\b[^|;&\n]{0,400}[^|]\|\s*(?!\|)\w/.test(instruction.value)
    )
      continue
    report(
      "pipe_hides_failure",
      instruction,
      "When the download fails, the build goes on: only the last command of a pipe counts."
    )
  }
}

const inspectFolder = (stage: Stage, report: Report): void => {
  if (stage.image === null) return
  const first = stage.instructions.find(({ name }) => name === "WORKDIR")
  if (first === undefined || /^["']?(?:\/|[A-Za-z]:|\$|\\)/.test(first.value)) return
  report(
    "relative_workdir",
    first,
    `Where \`${first.value.slice(0, 60)}\` is depends on the folder that the base image leaves.`
  )
}

const MAX_SCRIPT = 20_000

const firstLine = (file: SourceFile, { start, end }: Instruction) => {
  const stop = file.text.indexOf("\n", start)
  return { start, end: stop < 0 ? end : Math.min(stop, end) }
}

/** How packages and files come into the image. */
export const inspectInstallations = (
  file: SourceFile,
  dockerfile: Dockerfile,
  isWorkshop: boolean,
  emit: Emit<RuleId>
): void => {
  const reported = new Set<RuleId>()
  const report: Report = (rule, instruction, message, noun) =>
    emit({ rule, ...firstLine(file, instruction), message, ...(noun === undefined ? {} : { noun }) })
  // Habits of a file are reported once, and not for images that are worked in.
  const once: Report = (rule, instruction, message) => {
    if (!isWorkshop && !reported.has(rule)) report(rule, instruction, message)
    reported.add(rule)
  }
  for (const stage of dockerfile.stages) {
    inspectPipes(stage, once)
    inspectFolder(stage, once)
    for (const instruction of stage.instructions) {
      if (instruction.name === "ENV") inspectVariables(instruction, report)
      if (instruction.name === "ADD") inspectAdd(instruction, once)
      if (instruction.name === "EXPOSE" && /(?:^|\s)22(?:\/tcp)?(?:\s|$)/.test(instruction.value)) {
        report("ssh_in_container", instruction, "The image is made to be signed in to over SSH.")
      }
      if (instruction.name !== "RUN" || instruction.value.length > MAX_SCRIPT) continue
      const commands = commandsOf(instruction)
      inspectDownload(instruction, commands, report)
      inspectPassword(file, instruction, emit)
      inspectPins(instruction, commands, once)
      inspectCaches(instruction, commands, file.text, once)
      inspectRecommended(file, instruction, commands, once)
    }
  }
}
