import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, type Match } from "../../core/tool/AuditTool.ts"
import {
  commandsOf,
  type Dockerfile,
  dockerfileOf,
  finalLineage,
  type Image,
  type Instruction,
  pairsOf,
  type Stage
} from "../../languages/formats/dockerfile.ts"
import { remoteScriptIn } from "../../languages/formats/remoteScript.ts"
import { inspectBuild } from "./builds.ts"
import { defaultUser, type FloatingImage, isFloating } from "./images.ts"
import { inspectInstallations } from "./installations.ts"
import type { RuleId } from "./rules.ts"
import { isDefaultPassword, isPasswordName, isSecretName, isWrittenOut } from "./secrets.ts"

const rangeOf = ({ start, end }: Instruction) => ({ start, end })
const firstLine = (file: SourceFile, { start, end }: Instruction) => {
  const stop = file.text.indexOf("\n", start)
  return { start, end: stop < 0 ? end : Math.min(stop, end) }
}
const shown = ({ name, tag }: Image): string => (tag === null ? name : `${name}:${tag}`)

/** Images to work in, not to serve from: being root there is what they are for. */
const workshop =
  /(?:^|\/)(?:\.devcontainer|devcontainers?|\.?ci|\.circleci|\.gitpod|\.github|toolchains?|hack|packaging|releng|integration|(?:[\w.-]*[_.-])?tests?(?:[_.-][\w.-]*)?|fstest|testserver)\/|(?:^|[/._-])(?:dev|devel|development|test|tests|testing|ci|build|builder|buildenv|e2e|lint|docs?|debug|gitpod|toolchain|cross)(?:[._-][\w.-]*)?$/i
const isWorkshop = (path: string): boolean => workshop.test(path.replace(/\.?(?:dockerfile|containerfile)\.?/i, ""))

const root = /^(?:root|0)(?::|$)/
/** Programs that start as root and switch to another user themselves. */
export const dropsRights =
  /\b(?:gosu|su-exec|setpriv|runuser|chpst|s6-setuidgid|s6-overlay|dumb-init-su|supervisord|tini-su|start-stop-daemon)\b|\bsu\s+-/

interface User {
  readonly name: string | null
  readonly instruction: Instruction | null
}

const lastUser = (lineage: ReadonlyArray<Stage>): User => {
  for (const { instructions } of lineage) {
    const user = instructions.filter(({ name }) => name === "USER").at(-1)
    if (user !== undefined) return { name: user.value, instruction: user }
  }
  return { name: null, instruction: null }
}

/** What a Dockerfile starts as root, and the script of the repository that may step down before it starts the program. */
export interface RootStart {
  readonly match: Match<RuleId>
  readonly script: string | null
}

const scriptName = /([\w.-]*entrypoint[\w.-]*|[\w.-]+\.(?:sh|bash))\b/
const startScript = (lineage: ReadonlyArray<Stage>): string | null => {
  for (const { instructions } of lineage) {
    for (const name of ["ENTRYPOINT", "CMD"]) {
      const start = instructions.filter((one) => one.name === name).at(-1)
      const script = start === undefined ? undefined : scriptName.exec(start.value)?.[1]
      if (script !== undefined) return script
    }
  }
  return null
}

const inspectUser = (file: SourceFile, dockerfile: Dockerfile, emit: (start: RootStart) => void): void => {
  const lineage = finalLineage(dockerfile)
  const starts = lineage.some(({ instructions }) => instructions.some(({ name }) => /^(?:CMD|ENTRYPOINT)$/.test(name)))
  const everything = lineage.flatMap(({ instructions }) => instructions)
  if (isWorkshop(file.path) || everything.some(({ value }) => dropsRights.test(value))) return
  if (everything.some(({ name, value }) => name === "LABEL" && value.includes("com.github.actions"))) return
  const user = lastUser(lineage)
  const stage = lineage[0]!
  if (user.instruction !== null) {
    if (!root.test(user.name!)) return
    const message = `The last \`USER\` is \`${user.name}\`, so the container's program runs as root.`
    emit({ match: { rule: "root_user", ...rangeOf(user.instruction), message }, script: startScript(lineage) })
    return
  }
  const image = lineage.at(-1)!.image
  const kind = image === null ? "unknown" : defaultUser(image)
  if (image === null || kind === "unknown" || kind === "other") return
  if (!starts && kind !== "root master") return
  const match: Match<RuleId> = {
    rule: kind === "root master" ? "root_server" : "root_user",
    ...firstLine(file, stage.from),
    message: `No \`USER\` after \`${shown(image)}\`: the container's program runs as root.`,
    identifiers: [image.name]
  }
  emit({ match, script: startScript(lineage) })
}

const floatingBases = (file: SourceFile, { stages }: Dockerfile): ReadonlyArray<FloatingImage> => {
  const found = new Map<string, FloatingImage>()
  for (const { image, from } of stages) {
    if (image === null || !isFloating(image) || found.has(image.name)) continue
    const message =
      image.tag === null
        ? `\`${image.name}\` has no tag, so every build takes the newest there is.`
        : `\`${shown(image)}\` is another image after every release.`
    found.set(image.name, { image: image.name, tag: image.tag, message, ...firstLine(file, from) })
  }
  return [...found.values()]
}

const secretFile =
  /(?:^|\/)(?:\.env(?:\.(?:local|prod|production))?|id_(?:rsa|dsa|ecdsa|ed25519)|\.netrc|\.git-credentials|\.pgpass|\.aws\/credentials|\.docker\/config\.json|private[-_]?key\.(?:pem|key)|[\w-]*credentials\.json|service[-_]?account[\w-]*\.json)$/

const pathsOf = (value: string): ReadonlyArray<string> => {
  const plain = value.replace(/^(?:--[\w-]+(?:=\S+)?\s+)+/, "")
  const isList = /^\[/.test(plain)
  const words = isList ? [...plain.matchAll(/"([^"]*)"/g)].map((match) => match[1]!) : plain.split(/\s+/)
  return words.slice(0, -1)
}

const inspectCopies = (instruction: Instruction, emit: Emit<RuleId>): void => {
  const secret = pathsOf(instruction.value).find((path) => secretFile.test(path))
  if (secret !== undefined) {
    const message = `\`${secret}\` becomes part of the image, readable by anyone who can pull it.`
    emit({ rule: "secret_file_in_image", ...rangeOf(instruction), message, identifiers: [secret] })
  }
  if (/^(?:\S+\s+)*?--chmod=0?777\s/.test(instruction.value.slice(0, 200))) {
    emit({
      rule: "world_writable",
      ...rangeOf(instruction),
      message: "`--chmod=777` lets every process replace these files."
    })
  }
  if (instruction.name !== "ADD" || /^(?:\S+\s+)*?--checksum=/.test(instruction.value.slice(0, 200))) return
  const url = pathsOf(instruction.value).find((path) => /^https?:\/\//.test(path) && !/\.git(?:#|$)/.test(path))
  if (url === undefined || /[#@/][0-9a-f]{40}\b/.test(url)) return
  emit({
    rule: "remote_add",
    ...rangeOf(instruction),
    message: `\`ADD\` takes \`${url}\` as it is on the day of the build.`
  })
}

const inspectValues = (file: SourceFile, instruction: Instruction, isFinal: boolean, emit: Emit<RuleId>): void => {
  for (const { name, value } of pairsOf(instruction)) {
    if (!isSecretName(name)) continue
    if (value === null) {
      if (instruction.name !== "ARG" || !isFinal) continue
      const message = `The build argument \`${name}\` stays readable in the image's history (\`docker history\`).`
      emit({ rule: "secret_build_argument", ...rangeOf(instruction), message, identifiers: [name] })
      continue
    }
    const isDefault = isFinal && instruction.name === "ENV" && isPasswordName(name) && isDefaultPassword(value)
    if (!isDefault && !isWrittenOut(value)) continue
    const at = file.text.indexOf(value, instruction.start)
    emit({
      rule: isDefault ? "default_password_in_image" : "secret_in_image",
      ...rangeOf(instruction),
      message: isDefault
        ? `\`${name}\` is set to a well-known default password in the image.`
        : `The value of \`${name}\` is written into the image.`,
      redact: at < 0 ? [] : [[at, at + value.length]],
      identifiers: [name]
    })
  }
}

const openMode = /^(?:0?777|a\+rwx|ugo\+rwx|a=rwx|ugo=rwx|a\+w|o\+w|\+w)$/
const shared = /^(?:\/tmp|\/var\/tmp|\/dev\/shm|\/run|\/var\/run)(?:\/|$)/

const inspectCommands = (file: SourceFile, instruction: Instruction, isFinal: boolean, emit: Emit<RuleId>): void => {
  const raw = file.text.slice(instruction.start, instruction.end)
  const script = remoteScriptIn(raw)
  if (script !== null) {
    emit({
      rule: script.url?.startsWith("http://") ? "remote_script_over_http" : "remote_script",
      start: instruction.start + script.start,
      end: instruction.start + script.end,
      message: `${script.url === null ? "A download" : `What \`${script.url}\` answers`} is piped into \`${script.shell}\` unseen.`
    })
  }
  if (!isFinal) return
  if (/\bNOPASSWD\s*:\s*ALL\b/.test(raw) && !isWorkshop(file.path)) {
    emit({
      rule: "sudo",
      ...rangeOf(instruction),
      message: "A user of the image may run everything as root without a password (`NOPASSWD:ALL`)."
    })
  }
  for (const words of commandsOf(instruction)) {
    const command = words[0] === "sudo" ? words.slice(1) : words
    if (command[0] !== "chmod") continue
    const [mode, ...targets] = command.slice(1).filter((word) => !/^-[a-zA-Z-]/.test(word))
    if (mode === undefined || !openMode.test(mode) || mode.endsWith("+w") || targets.every((path) => shared.test(path)))
      continue
    const at = file.text.indexOf("chmod", instruction.start)
    emit({
      rule: "world_writable",
      start: Math.max(at, instruction.start),
      end: instruction.end,
      message: `\`chmod ${mode}\` lets every process in the container replace \`${targets[0]}\`.`
    })
    break
  }
}

const runsApt = (instruction: Instruction, verb: string): boolean =>
  commandsOf(instruction).some((words) => words.includes("apt-get") && words.includes(verb))

const inspectApt = (file: SourceFile, dockerfile: Dockerfile, emit: Emit<RuleId>): void => {
  const lineage = finalLineage(dockerfile)
  if (isWorkshop(file.path) || /Install-Recommends["']?[ =]+["']?(?:0|false)/i.test(file.text)) return
  for (const { instructions } of lineage) {
    for (const instruction of instructions) {
      const { name, value } = instruction
      if (name !== "RUN" || !value.includes("apt-get") || !runsApt(instruction, "install")) continue
      const keepsLists = !/\/var\/lib\/apt\b/.test(value) && !/--mount=type=cache/.test(value)
      if (!keepsLists || !runsApt(instruction, "update")) continue
      const takesMore = !value.includes("--no-install-recommends")
      const message = takesMore
        ? "`apt-get install` brings recommended packages along, and the package lists stay in this layer."
        : "The package lists of `apt-get update` stay in this layer."
      emit({ rule: "apt_leftovers", ...firstLine(file, instruction), message })
      return
    }
  }
}

export interface DockerfileFacts {
  readonly start?: RootStart
  readonly images: ReadonlyArray<FloatingImage>
}

/** Returns what starts as root and the bases without a version; the other rules are decided here. */
export const inspectDockerfile = (file: SourceFile, emit: Emit<RuleId>): DockerfileFacts => {
  const dockerfile = dockerfileOf(file)
  if (dockerfile === null) return { images: [] }
  const starts: Array<RootStart> = []
  inspectUser(file, dockerfile, (start) => starts.push(start))
  inspectApt(file, dockerfile, emit)
  inspectBuild(file, dockerfile, emit)
  inspectInstallations(file, dockerfile, isWorkshop(file.path), emit)
  const lineage = new Set(finalLineage(dockerfile))
  for (const stage of dockerfile.stages) {
    const isFinal = lineage.has(stage)
    for (const instruction of stage.instructions) {
      if (instruction.name === "COPY" || instruction.name === "ADD") inspectCopies(instruction, emit)
      else if (instruction.name === "ENV" || instruction.name === "ARG") inspectValues(file, instruction, isFinal, emit)
      else if (instruction.name === "RUN") inspectCommands(file, instruction, isFinal, emit)
    }
  }
  const images = isWorkshop(file.path) ? [] : floatingBases(file, dockerfile)
  return starts[0] === undefined ? { images } : { start: starts[0], images }
}
