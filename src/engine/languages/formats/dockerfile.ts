import type { SourceFile } from "../../core/files/SourceFile.ts"

export interface Instruction {
  /** In capitals. */
  readonly name: string
  readonly start: number
  readonly end: number
  /** Arguments on one line: continuations joined, comments between them left out, here-documents appended. */
  readonly value: string
}

export interface Image {
  /** Without registry aliases of Docker Hub: `node`, `acme/api`, `gcr.io/distroless/static`. */
  readonly name: string
  readonly tag: string | null
  readonly digest: string | null
}

export interface Stage {
  readonly from: Instruction
  readonly alias: string | null
  /** Null when it depends on a build argument without a default. */
  readonly image: Image | null
  /** Index of the stage it builds on, or -1 when it starts from an image. */
  readonly base: number
  readonly instructions: ReadonlyArray<Instruction>
}

export interface Dockerfile {
  readonly stages: ReadonlyArray<Stage>
  readonly instructions: ReadonlyArray<Instruction>
}

const known = new Set(
  "ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR".split(
    " "
  )
)
const opening = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/g

const isSkipped = (line: string): boolean => /^\s*(?:#|$)/.test(line)

/** Text gathered from several lines, with the last line it took. */
interface Gathered {
  readonly value: string
  readonly lastLine: number
}

/** What stands after the instruction's name, with the lines that continue it. */
const argumentsFrom = (file: SourceFile, firstLine: number, afterName: string, escape: string): Gathered => {
  const parts = [afterName]
  let line = firstLine
  while (continues(parts.at(-1)!, escape) && line < file.lineCount) {
    parts.push(parts.pop()!.trimEnd().slice(0, -1))
    do line++
    while (line < file.lineCount && isSkipped(file.lineText(line)))
    const next = file.lineText(line)
    parts.push(/^\s*#/.test(next) ? "" : next)
  }
  return { value: parts.map((part) => part.trim()).join(" "), lastLine: line }
}

const continues = (line: string, escape: string): boolean => line.trimEnd().endsWith(escape)

/** The here-documents that these arguments open; only those of a `RUN` are script. */
const withHereDocuments = (file: SourceFile, name: string, { value, lastLine }: Gathered): Gathered => {
  let whole = value
  let line = lastLine
  for (const [, , mark] of value.matchAll(opening)) {
    while (line < file.lineCount) {
      line++
      const inside = file.lineText(line)
      if (inside.trim() === mark) break
      if (name === "RUN") whole += `\n${inside}`
    }
  }
  return { value: whole, lastLine: line }
}

const takesHereDocuments = new Set(["RUN", "COPY", "ADD"])

/**
 * The format is one of lines, and BuildKit accepts more in a line than the grammar knows (several names in an `ARG`,
 * options of mounts, no line end at the end), so instructions are split here, not taken from a tree.
 */
const instructionsOf = (file: SourceFile): ReadonlyArray<Instruction> | null => {
  const escape = /^\s*#\s*escape\s*=\s*`/im.test(file.text.slice(0, 300)) ? "`" : "\\"
  const found: Array<Instruction> = []
  for (let line = 1; line <= file.lineCount; line++) {
    const first = file.lineText(line)
    if (isSkipped(first)) continue
    const match = /^\s*([A-Za-z]+)(?:\s+|$)/.exec(first)
    const name = match?.[1]?.toUpperCase() ?? ""
    if (match === null || !known.has(name)) return null
    const start = file.lineStarts[line - 1]! + first.search(/\S/)
    const given = argumentsFrom(file, line, first.slice(match[0].length), escape)
    const { value, lastLine } = takesHereDocuments.has(name) ? withHereDocuments(file, name, given) : given
    found.push({ name, start, end: file.lineStarts[lastLine - 1]! + file.lineText(lastLine).length, value })
    line = lastLine
  }
  return found
}

const variable = /\$(?:\{(\w+)(?::?([-+])([^}$]*))?\}|(\w+))/g

/** Given by the builder: what they are is not known here. */
const predefined = /^(?:TARGET|BUILD)(?:PLATFORM|OS|ARCH|VARIANT)$/

/** Build arguments replaced by their defaults; null when one is not known. */
const expanded = (text: string, defaults: ReadonlyMap<string, string | null>): string | null => {
  let complete = true
  const result = text.replace(variable, (_all, braced, operator, word, plain) => {
    const name = braced ?? plain
    const value = predefined.test(name) ? null : defaults.get(name)
    if (value === null || (value === undefined && operator === undefined)) complete = false
    if (operator === "+") return value === undefined || value === "" ? "" : word
    return value || (word ?? "")
  })
  return complete && !result.includes("$") ? result : null
}

const hub = /^(?:(?:index\.|registry-1\.)?docker\.io\/|mirror\.gcr\.io\/|public\.ecr\.aws\/docker\/)?(?:library\/)?/

/** `registry:5000/name:tag@sha256:…` taken apart; null for what cannot be an image name. */
export const imageOf = (reference: string): Image | null => {
  const [path, digest] = reference.split("@", 2) as [string, string | undefined]
  if (!/^[\w][\w./:-]*$/.test(path) || path.includes("://")) return null
  const colon = path.lastIndexOf(":")
  const isTagged = colon > path.lastIndexOf("/")
  const name = (isTagged ? path.slice(0, colon) : path).replace(hub, "")
  return { name, tag: isTagged ? path.slice(colon + 1) : null, digest: digest ?? null }
}

/** `NAME=value` pairs of an `ENV`, `ARG` or `LABEL`, and the old `ENV NAME value`; a value of null where none is given. */
export const pairsOf = (
  instruction: Instruction
): ReadonlyArray<{ readonly name: string; readonly value: string | null }> => {
  const { name, value } = instruction
  const legacy = /^([A-Za-z_]\w*)\s+([^=\s].*)$/.exec(value)
  if (name !== "ARG" && legacy !== null) return [{ name: legacy[1]!, value: legacy[2]!.trim() }]
  const pairs = value.matchAll(/(?:^|\s)([A-Za-z_][\w.]*)(?:=("(?:[^"\\]|\\.)*"|'[^']*'|\S*))?(?=\s|$)/g)
  return [...pairs].map(([, key, given]) => ({
    name: key!,
    value: given === undefined ? null : given.replace(/^(["'])([\s\S]*)\1$/, "$2")
  }))
}

type OpenStage = Stage & { readonly instructions: Array<Instruction> }

/** Build arguments before the first stage, and the stages so far: what a `FROM` can refer to. */
class Scope {
  readonly stages: Array<OpenStage> = []
  private readonly defaults = new Map<string, string | null>()
  private readonly aliases = new Map<string, number>()

  declare(argument: Instruction): void {
    for (const { name, value } of pairsOf(argument)) {
      this.defaults.set(name, value === null ? null : expanded(value, this.defaults))
    }
  }

  begin(from: Instruction): void {
    const words = from.value.split(/\s+/).filter((word) => !word.startsWith("--"))
    const reference = expanded(words[0] ?? "", this.defaults)
    const alias = words[1]?.toLowerCase() === "as" ? (words[2]?.toLowerCase() ?? null) : null
    const base = this.aliases.get(reference?.toLowerCase() ?? "") ?? -1
    const image = reference === null || base >= 0 ? null : imageOf(reference)
    if (alias !== null && !this.aliases.has(alias)) this.aliases.set(alias, this.stages.length)
    this.stages.push({ from, alias, image, base, instructions: [] })
  }
}

const read = (file: SourceFile): Dockerfile | null => {
  const instructions = instructionsOf(file)
  if (instructions === null) return null
  const scope = new Scope()
  for (const instruction of instructions) {
    const stage = scope.stages.at(-1)
    if (instruction.name === "FROM") scope.begin(instruction)
    else if (stage !== undefined) stage.instructions.push(instruction)
    else if (instruction.name === "ARG") scope.declare(instruction)
    else return null
  }
  return scope.stages.length === 0 ? null : { stages: scope.stages, instructions }
}

/** A Dockerfile by stages; null for a file that is something else or a template of one. */
export const dockerfileOf = (file: SourceFile): Dockerfile | null => file.memo(read, read)

/** The final stage first, then the stages it builds on. */
export const finalLineage = ({ stages }: Dockerfile): ReadonlyArray<Stage> => {
  const lineage: Array<Stage> = []
  for (let at = stages.length - 1; at >= 0 && lineage.length < stages.length; at = stages[at]!.base) {
    lineage.push(stages[at]!)
  }
  return lineage
}

/** Simple commands of a `RUN` in shell form, as words; quotes are kept. An exec form is one command. */
export const commandsOf = ({ value }: Instruction): ReadonlyArray<ReadonlyArray<string>> => {
  const script = value.replace(/^(?:--\w+=\S+\s+)+/, "")
  if (/^\[\s*"/.test(script)) {
    return [[...script.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1]!)]
  }
  return script
    .split(/&&|\|\||[;\n|]/)
    .map((command) => command.trim().split(/\s+/))
    .filter((words) => words[0] !== "")
}
