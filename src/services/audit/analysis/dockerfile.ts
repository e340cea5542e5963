import type { SourceFile } from "../SourceFile.ts"

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

/**
 * The format is one of lines, and BuildKit accepts more in a line than the grammar knows (several names in an `ARG`,
 * options of mounts, no line end at the end), so instructions are split here, not taken from a tree.
 */
const instructionsOf = (file: SourceFile): ReadonlyArray<Instruction> | null => {
  const escape = /^\s*#\s*escape\s*=\s*`/im.test(file.text.slice(0, 300)) ? "`" : "\\"
  const found: Array<Instruction> = []
  let line = 1
  while (line <= file.lineCount) {
    const first = file.lineText(line)
    const match = /^\s*([A-Za-z]+)(?:\s+|$)/.exec(first)
    if (/^\s*(?:#|$)/.test(first)) {
      line++
      continue
    }
    const name = match?.[1]?.toUpperCase() ?? ""
    if (!known.has(name)) return null
    const start = file.lineStarts[line - 1]! + first.search(/\S/)
    const parts = [first.slice(match![0].length)]
    while (continues(parts.at(-1)!, escape) && line < file.lineCount) {
      parts.push(parts.pop()!.trimEnd().slice(0, -1))
      do line++
      while (line < file.lineCount && /^\s*(?:#|$)/.test(file.lineText(line)))
      const next = file.lineText(line)
      parts.push(/^\s*#/.test(next) ? "" : next)
    }
    let value = parts.map((part) => part.trim()).join(" ")
    if (name === "RUN" || name === "COPY" || name === "ADD") {
      for (const [, , mark] of value.matchAll(opening)) {
        while (line < file.lineCount) {
          line++
          const inside = file.lineText(line)
          if (inside.trim() === mark) break
          if (name === "RUN") value += `\n${inside}`
        }
      }
    }
    found.push({ name, start, end: file.lineStarts[line - 1]! + file.lineText(line).length, value })
    line++
  }
  return found
}

const continues = (line: string, escape: string): boolean => line.trimEnd().endsWith(escape)

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
  if (!/^[\w][\w./:-]*$/.test(path)) return null
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

const read = (file: SourceFile): Dockerfile | null => {
  const instructions = instructionsOf(file)
  if (instructions === null) return null
  const stages: Array<Stage & { readonly instructions: Array<Instruction> }> = []
  const defaults = new Map<string, string | null>()
  const named = new Map<string, number>()
  for (const instruction of instructions) {
    const stage = stages.at(-1)
    if (instruction.name === "FROM") {
      const words = instruction.value.split(/\s+/).filter((word) => !word.startsWith("--"))
      const reference = expanded(words[0] ?? "", defaults)
      const alias = words[1]?.toLowerCase() === "as" ? (words[2]?.toLowerCase() ?? null) : null
      const base = named.get(reference?.toLowerCase() ?? "") ?? -1
      const image = reference === null || base >= 0 ? null : imageOf(reference)
      if (alias !== null && !named.has(alias)) named.set(alias, stages.length)
      stages.push({ from: instruction, alias, image, base, instructions: [] })
    } else if (stage !== undefined) stage.instructions.push(instruction)
    else if (instruction.name === "ARG") {
      for (const { name, value } of pairsOf(instruction)) {
        defaults.set(name, value === null ? null : expanded(value, defaults))
      }
    } else return null
  }
  return stages.length === 0 ? null : { stages, instructions }
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
