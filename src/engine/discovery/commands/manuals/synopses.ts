import { baseName } from "../../../core/text/paths.ts"
import type { Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"
import { titleWords } from "../programs/titleWords.ts"
import { manualPage, synopsisHeading } from "./manualPage.ts"
import { plainLine } from "./markup.ts"

/** Says what the program is, not what it does. */
const asksOnly = /\s--?(?:help|version)$/
const MAX_SYNOPSES = 2
const MAX_LINES = 30
const MAX_LENGTH = 160

export interface Synopsis {
  readonly text: string
  readonly line: number
}

/** Ends the section, or the first of several ways to start the program. */
const endsForm = /^\.(?:S[Hh]|SS|br|sp|[LP]?P|Pp|Ed|TP|HP|nf|fi)\b|^#{1,3}\s|^=+\s|^=head|^(?:={3,}|-{3,}|~{3,})\s*$/

const isEnd = (line: string): boolean => endsForm.test(line) || line.trim() === ""

/** Lines of the section up to the end of its first form, each as it is shown. */
const formOf = (lines: ReadonlyArray<Synopsis>, name: string): ReadonlyArray<Synopsis> => {
  const next = lines.findIndex(({ text }) => /^\.S[Hh]\b|^=head/.test(text))
  const section = next < 0 ? lines : lines.slice(0, next)
  const shown = section.map(({ text, line }) => ({
    line,
    text: isEnd(text) ? "" : plainLine(text, name),
    isEnd: isEnd(text)
  }))
  const first = shown.findIndex(({ text }) => text !== "")
  if (first < 0) return []
  const rest = shown.slice(first + 1)
  // Each line that begins with the program's name is another way.
  const end = rest.findIndex((one) => one.isEnd || one.text.split(" ")[0] === name)
  return [shown[first]!, ...rest.slice(0, end < 0 ? rest.length : end)]
}

/** A page may list some dozen options: the first of them show how the program is started, up to the end of one. */
const shortened = (command: string): string => {
  if (command.length <= MAX_LENGTH) return command
  const end = command.lastIndexOf("] ", MAX_LENGTH - 4)
  return end < 0 ? `${command.split(" ")[0]} ...` : `${command.slice(0, end + 1)} ...`
}

/** Says what the program is where others show how it is started. */
const isProse = /^\S+ (?:is|are|was|will|can|has|may|provides|allows|reads|writes|takes)\s/

/** The first way in which a manual page says that its program is started; null where it has no synopsis. */
export const synopsisOf = (text: string, name: string): Synopsis | null => {
  const lines = text.split("\n").map((line, index) => ({ text: line, line: index + 1 }))
  const heading = lines.findIndex((one) => synopsisHeading.test(one.text))
  const form = heading < 0 ? [] : formOf(lines.slice(heading + 1, heading + 1 + MAX_LINES), name)
  const command = form
    .map((one) => one.text)
    .join(" ")
    .replace(/\s+/g, " ")
    .trim()
  return command.split(" ")[0] === name && !isProse.test(command)
    ? { text: shortened(command), line: form[0]!.line }
    : null
}

interface Named {
  readonly name: string
}

/** Of several pages the one whose name begins those of all others: `shop` beside `shop-import` and `shop-export`. */
const firstOf = <P extends Named>(pages: ReadonlyArray<P>, programs: ReadonlySet<string>): ReadonlyArray<P> => {
  const named = pages.filter(({ name }) => programs.has(name))
  if (named.length > 0 || pages.length < 2 || programs.size > 0) return named
  return pages.filter(({ name }) => pages.every((other) => other.name === name || other.name.startsWith(`${name}-`)))
}

const MIN_COMMON = 4

const isAlike = (pages: ReadonlyArray<Named>): boolean => {
  const beginning = pages[0]?.name.slice(0, MIN_COMMON) ?? ""
  return beginning.length === MIN_COMMON && pages.every(({ name }) => name.startsWith(beginning))
}

/**
 * Where no page has the product's name: the only one whose name begins with it (`shop-import`), the only program, or programs that
 * the build makes and whose names all begin alike (`shopd`, `shopctl`).
 */
const familyOf = <P extends Named>(
  pages: ReadonlyArray<P>,
  programs: ReadonlySet<string>,
  products: ReadonlyArray<string>
): ReadonlyArray<P> => {
  const begun = pages.filter(({ name }) => products.some((product) => name.toLowerCase().startsWith(`${product}-`)))
  // A program of the product's name needs no page to be the one.
  if (begun.length === 1 && !products.some((product) => programs.has(product))) return begun
  const first = firstOf(pages, programs)
  const isFamily = first.length === pages.length && isAlike(first)
  return first.length === 1 || isFamily ? first : []
}

/** How the repository's own programs are started, as their manual pages say; those with its name first. */
export const synopsisCommands = (
  survey: Survey,
  programs: ReadonlySet<string>,
  names: ReadonlySet<string>
): ReadonlyArray<Command> => {
  const pages = survey.texts(manualPage).flatMap(({ path, text }) => {
    const name = baseName(path)
      .replace(/\.[1568](?:[.-].*)?$|\.(?:pod|pl|in)$/, "")
      .replace(/\.in$/, "")
    const synopsis = synopsisOf(text, name)
    return synopsis === null || asksOnly.test(synopsis.text)
      ? []
      : [{ path, synopsis, name, isMain: names.has(name.toLowerCase()) }]
  })
  const titled = titleWords(survey)
  const named = pages.filter(({ isMain }) => isMain)
  const main = named.length > 0 ? named : pages.filter(({ name }) => titled.has(name.toLowerCase()))
  const own = main.length > 0 ? main : familyOf(pages, programs, [...names, ...titled])
  // Of several programs none of which has the product's name it is not known which one starts it.
  // A page about none of the programs that the build makes is that of an older version, or of a format.
  return (own.length > 0 ? own : pages.length === 1 && programs.size === 0 ? pages : [])
    .slice(0, MAX_SYNOPSES)
    .map(({ path, synopsis: { text, line } }) => ({
      purpose: "run",
      command: text,
      means: null,
      folder: "",
      path,
      line,
      origin: "document"
    }))
}
