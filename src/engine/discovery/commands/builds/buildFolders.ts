import { baseName } from "../../../core/text/paths.ts"
import type { Survey } from "../../Survey.ts"
import type { ShellLine } from "../shellIn.ts"
import { partsOf, unwrapped } from "../words.ts"

/** `cmake ..` or `meson ..` with its choices; in a folder beside the checkout that has the repository's name. */
const configuresAbove =
  /^(?:cmake\b(?!.*\s--build\b)|meson(?: setup)?)(.*?)\s(?:\.\.(?:\/\.\.){0,3}|(?:~|\$HOME|\/path\/to)(?:\/[\w.-]+){0,4}?)(?:\/([\w.-]+))?\/?(?=\s|$)/

const withValue = /^(?:-D|-G|--(?:prefix|buildtype|\w*dir|native-file|cross-file|backend))$/

/** The folder that `meson setup _build`, `meson . _build` or `cmake -B out` makes; what is built in next lies there. */
export const madeFolder = (text: string): string | null => {
  const [, tool, rest] = /^(meson|cmake)\s+(.*)$/.exec(text) ?? []
  if (tool === "cmake") return /(?:^|\s)-B[ =]?([\w-]+)(?=\s|$)/.exec(rest!)?.[1] ?? null
  if (
    tool === undefined ||
    /^(?:compile|test|install|configure|introspect|dist|wrap|init|subprojects|devenv)\b/.test(rest!)
  )
    return null
  const words = rest!.split(/\s+/)
  const named = words.filter(
    (word, index) => !word.startsWith("-") && !withValue.test(words[index - 1] ?? "") && !/^(?:setup|\.\.?)$/.test(word)
  )
  return named.length === 1 && /^[\w-]+$/.test(named[0]!) ? named[0]! : null
}

const makesDirectory = /^mkdir\s+(?:-p\s+)?(\w[\w.-]*)(?=\s|$)/

/** A script of the repository that asks CMake or Meson for a folder of its own to build in. */
export const wrapsConfigure = /^(?:\.\/)?configure\.(?:sh|py|pl)(?=\s|$)/

const enters = /^cd\s+(?:\.\/)?([\w-]+)\/?$/

/** `mkdir build && cd build && cmake .. && make` in one line. */
const entersFirst = /^(?:mkdir\s[^&;]*(?:&&|;)\s*)?cd\s+([\w.-]+)\s*(?:&&|;)\s*(\S.*)$/

/**
 * Folders that a document makes for CMake or Meson to build in: they are not there yet, and what is said within them is given as it is
 * said from where they lie.
 */
export class BuildFolders {
  private readonly folders: ReadonlySet<string>
  private readonly names: ReadonlySet<string>
  private readonly hasMakefile: boolean
  /** Where `cmake ..` is said whose `cd` is in another block or in a sentence. */
  private readonly implied: string
  /** Whether the document asks such a script, which makes the folder that is entered next. */
  private readonly isWrapped: boolean
  private readonly survey: Survey

  constructor(survey: Survey, lines: ReadonlyArray<ShellLine>, names: ReadonlySet<string>) {
    this.names = names
    this.survey = survey
    this.isWrapped = lines.some(({ text }) =>
      partsOf(text).some((part) => {
        const script = wrapsConfigure.exec(unwrapped(part))?.[0]
        return script !== undefined && survey.has(script.replace(/^\.\//, ""))
      })
    )
    this.hasMakefile = ["Makefile", "makefile", "GNUmakefile"].some((name) => survey.has(name))
    this.implied = lines.flatMap(({ text }) => makesDirectory.exec(text)?.[1] ?? [])[0] ?? "build"
    const made = new Set(lines.flatMap(({ text, folder }) => (folder === "" ? (madeFolder(text) ?? []) : [])))
    const entered = lines
      .map((line) => ({ text: line.text, folder: this.placeOf(line) }))
      .filter(
        ({ text, folder }) =>
          folder !== "" &&
          (made.has(folder) || this.configures(text) || (this.isWrapped && /^[\w-]+$/.test(folder))) &&
          !survey.hasFolder(folder)
      )
      .map(({ folder }) => folder)
    const implied = lines.some((line) => this.isImplied(line)) ? [this.implied] : []
    this.folders = new Set([...entered, ...implied])
  }

  /** The folder of a line; where a script makes the build folder, that of the checkout stands for none. */
  private placeOf({ folder, clone }: ShellLine): string {
    const [first = "", ...rest] = folder.split("/")
    const isCheckout = this.isWrapped && (first.toLowerCase() === clone || this.names.has(first.toLowerCase()))
    return isCheckout ? rest.join("/") : folder
  }

  private configures(text: string): boolean {
    const [found, , beside] = configuresAbove.exec(text) ?? []
    return found !== undefined && (beside === undefined || this.names.has(beside.toLowerCase()))
  }

  /** Above the checkout there is nothing to configure. */
  private isImplied({ text, folder }: ShellLine): boolean {
    const [found, , beside] = configuresAbove.exec(text) ?? []
    const isOwn = beside === undefined || this.names.has(beside.toLowerCase())
    return folder === "" && found !== undefined && isOwn
  }

  /** The folder that a line is said in, as far as the document makes one; `make` has nothing to do above the only one. */
  private folderOf(line: ShellLine): string | null {
    const { text } = line
    const folder = this.placeOf(line)
    if (this.folders.has(folder)) return baseName(folder)
    if (this.isImplied(line)) return this.implied
    const [only, ...others] = this.folders
    const asksMake = /^(?:sudo\s+)?(?:make|ninja)(?=\s|$)(?!.*\s-[Cf])/.test(text)
    return folder === "" && asksMake && only !== undefined && others.length === 0 && !this.hasMakefile
      ? baseName(only)
      : null
  }

  /** `./configure.sh && cd build && make`: what follows is said in the folder that the script made. */
  private entering(text: string): string | null {
    const parts = partsOf(text)
    const at = parts.findIndex((part) => enters.test(part))
    const folder = enters.exec(parts[at] ?? "")?.[1]
    if (folder === undefined || this.survey.hasFolder(folder) || /\|\||;/.test(text)) return null
    const within = parts.slice(at + 1).map((part) => partFromAbove(part, folder))
    return [...parts.slice(0, at), ...within].join(" && ")
  }

  /** A line that is said within a build folder, as it is said from where that folder lies; null for every other line. */
  fromAbove(line: ShellLine): string | null {
    const [, entered, rest] = entersFirst.exec(line.text) ?? []
    if (entered !== undefined && line.folder === "" && this.configures(rest!)) return linesFromAbove(rest!, entered)
    const within = this.isWrapped && this.placeOf(line) === "" ? this.entering(line.text) : null
    if (within !== null) return within
    const folder = this.folderOf(line)
    return folder === null ? null : linesFromAbove(line.text, folder)
  }
}

const linesFromAbove = (text: string, build: string): string =>
  partsOf(text)
    .map((part) => partFromAbove(part, build))
    .join(" && ")

const partFromAbove = (text: string, build: string): string =>
  text
    .replace(configuresAbove, (found, options: string) =>
      found.startsWith("meson") ? `meson setup${options} ${build}` : `cmake${options} -S . -B ${build}`
    )
    .replace(/^cmake\s+--build\s+\.(?=\s|$)/, `cmake --build ${build}`)
    .replace(/^((?:sudo\s+)?(?:make|ninja))(?=\s|$)(?!.*\s-[Cf])/, `$1 -C ${build}`)
    .replace(/^((?:sudo\s+)?meson (?:compile|test|install))(?=\s|$)(?!.*\s-C)/, `$1 -C ${build}`)
    .replace(/^ctest(?=\s|$)(?!.*--test-dir)/, `ctest --test-dir ${build}`)
