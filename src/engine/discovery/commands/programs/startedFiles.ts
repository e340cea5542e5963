import { resolvedPath, type Survey } from "../../Survey.ts"
import { partsOf, unwrapped } from "../words.ts"

const programs =
  /^(?:node|nodemon|tsx|ts-node(?:-dev)?|babel-node|bun(?: build| run)?|deno run|esbuild|tsup|tsdown|rollup|webpack|browserify|ncc build|pkg|terser|uglifyjs|parcel(?:-bundler)?(?: (?:build|serve|watch))?)(?=\s)/

/** Options of Node that are followed by a value. */
const takesValue = /^(?:-[rC]|--(?:conditions|require|import|loader|experimental-loader|env-file))$/
const isFile = /^(?:\.\/)?([\w./-]+\.(?:[cm]?[jt]sx?|html?|pug))$/

/** The file that an interpreter or a bundler is given, as the line writes it. */
export const startedFile = (line: string): string | undefined => {
  const program = programs.exec(line)?.[0]
  if (program === undefined) return undefined
  const words = line.slice(program.length).trim().split(/\s+/)
  let at = 0
  while (words[at]?.startsWith("-") === true) at += takesValue.test(words[at]!) ? 2 : 1
  return isFile.exec(words[at] ?? "")?.[1]
}

const firstGiven = /^\s+["']?(?:\.\/)?([A-Za-z][\w-]*\/[\w./-]*\w\.\w+)(?=[\s:"']|$)/

/** The file that the program in a started file is given first, as the line writes it. */
export const givenFile = (line: string): string | undefined => {
  const started = startedFile(line)
  const end = started === undefined ? -1 : line.indexOf(started) + started.length
  return end < 0 ? undefined : firstGiven.exec(line.slice(end))?.[1]
}

/** Made by a build, or installed. */
export const isMade =
  /^(?:\.\.|.*(?:^|\/)(?:dist\w*|build|out|output|lib|es|cjs|esm|target|node_modules|generated|coverage|bundle\w*|compiled|tmp|temp|\.\w[\w-]*)(?:\/|$))/

/** Neither there, nor compiled beside a source of its name. */
export const isAbsent = (survey: Survey, path: string): boolean =>
  !survey.has(path) &&
  !survey.hasFolder(path) &&
  !["ts", "tsx", "mts", "coffee"].some((end) => survey.has(path.replace(/\.\w+$/, `.${end}`)))

export interface ShellPart {
  /** As it is written. */
  readonly part: string
  /** Without what only says how its program is started. */
  readonly line: string
  /** Where it is run; null behind a `cd` whose folder cannot be known. */
  readonly folder: string | null
}

const folderBehind = (at: string | null, part: string): string | null => {
  const to = /^(?:cd|pushd)\s+["']?([\w./-]+)["']?$/.exec(part)?.[1]
  const isUnknown = at === null || to === undefined || /^(?:\/|-$)/.test(to) || (at === "" && to.startsWith(".."))
  return isUnknown ? null : resolvedPath(at, to.replace(/\/$/, ""))
}

/** More parentheses end within it than begin. */
const isClosed = (part: string): boolean => part.split(")").length > part.split("(").length

/** Within parentheses a `cd` leads nowhere outside of them. */
class Shell {
  private readonly outside: Array<string | null> = []
  private at: string | null

  constructor(folder: string) {
    this.at = folder
  }

  run(written: string): ShellPart {
    const begins = /^(?:\(\s*)+(?=\S)/.exec(written)?.[0] ?? ""
    for (const sign of begins) if (sign === "(") this.outside.push(this.at)
    let part = written.slice(begins.length)
    let ends = 0
    while (ends < this.outside.length && part.endsWith(")") && isClosed(part)) {
      part = part.slice(0, -1).trim()
      ends++
    }
    const folder = this.at
    if (/^(?:cd|pushd|popd)(?=\s|$)/.test(part)) this.at = folderBehind(this.at, part)
    for (let end = 0; end < ends; end++) this.at = this.outside.pop()!
    return { part, line: unwrapped(part), folder }
  }
}

/** What a script runs, one after the other, each where a `cd` before it leads. */
export const shellParts = (folder: string, text: string): ReadonlyArray<ShellPart> => {
  const shell = new Shell(folder)
  return partsOf(text).map((part) => shell.run(part))
}
