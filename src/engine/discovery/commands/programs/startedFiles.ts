import { resolvedPath, type Survey } from "../../Survey.ts"
import { partsOf, unwrapped } from "../words.ts"

const programs = /^(?:node|nodemon|tsx|ts-node(?:-dev)?|babel-node|bun(?: build| run)?|deno run|esbuild)(?=\s)/

const firstFile = /^\s+(?:-\S+\s+)*(?:\.\/)?([\w./-]+\.[cm]?[jt]sx?)(?=\s|$)/

/** The file that an interpreter or a bundler is given, as the line writes it. */
export const startedFile = (line: string): string | undefined => {
  const program = programs.exec(line)?.[0]
  return program === undefined ? undefined : firstFile.exec(line.slice(program.length))?.[1]
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

interface ShellPart {
  readonly line: string
  /** Where it is run; null behind a `cd` whose folder cannot be known. */
  readonly folder: string | null
}

const folderBehind = (at: string | null, part: string): string | null => {
  const to = /^(?:cd|pushd)\s+["']?([\w./-]+)["']?$/.exec(part)?.[1]
  const isUnknown = at === null || to === undefined || /^(?:\/|-$)/.test(to) || (at === "" && to.startsWith(".."))
  return isUnknown ? null : resolvedPath(at, to.replace(/\/$/, ""))
}

/** What a script runs, one after the other, each where a `cd` before it leads. */
export const shellParts = (folder: string, text: string): ReadonlyArray<ShellPart> => {
  let at: string | null = folder
  return partsOf(text).map((part) => {
    if (/^(?:cd|pushd|popd)(?=\s|$)/.test(part)) at = folderBehind(at, part)
    return { line: unwrapped(part), folder: at }
  })
}
