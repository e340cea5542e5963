import { baseName } from "../../core/text/paths.ts"
import type { Survey } from "../Survey.ts"
import type { ShellLine } from "./shellIn.ts"

/** `cmake ..` with its choices; in a folder beside the checkout that has the repository's name. */
const configuresAbove = /^cmake\b(?!.*\s--build\b)(.*?)\s\.\.(?:\/([\w.-]+))?\/?(?=\s|$)/

/** `meson _build` and `cmake -B out` make the folder that is built in next. */
const makes = /^(?:meson(?: setup)?|cmake\b.*\s-B)\s+([\w-]+)(?=\s|$)/

/**
 * Folders that a document makes for CMake or Meson to build in: they are not there yet, and what is said within them is given as it is
 * said from where they lie.
 */
export class BuildFolders {
  private readonly folders: ReadonlySet<string>
  private readonly names: ReadonlySet<string>
  private readonly hasMakefile: boolean

  constructor(survey: Survey, lines: ReadonlyArray<ShellLine>, names: ReadonlySet<string>) {
    this.names = names
    this.hasMakefile = ["Makefile", "makefile", "GNUmakefile"].some((name) => survey.has(name))
    const made = new Set(lines.flatMap(({ text, folder }) => (folder === "" ? (makes.exec(text)?.[1] ?? []) : [])))
    this.folders = new Set(
      lines
        .filter(
          ({ text, folder }) =>
            folder !== "" && (made.has(folder) || this.configures(text)) && !survey.hasFolder(folder)
        )
        .map(({ folder }) => folder)
    )
  }

  private configures(text: string): boolean {
    const [found, , beside] = configuresAbove.exec(text) ?? []
    return found !== undefined && (beside === undefined || this.names.has(beside.toLowerCase()))
  }

  /** The folder that a line is said in, as far as the document makes one; `make` has nothing to do above the only one. */
  folderOf({ text, folder }: ShellLine): string | null {
    if (this.folders.has(folder)) return baseName(folder)
    const [only, ...others] = this.folders
    const asksMake = /^(?:sudo\s+)?(?:make|ninja)(?=\s|$)(?!.*\s-[Cf])/.test(text)
    return folder === "" && asksMake && only !== undefined && others.length === 0 && !this.hasMakefile
      ? baseName(only)
      : null
  }
}

/** What is said within a build folder, as it is said from where that folder lies. */
export const fromAbove = (text: string, build: string): string =>
  text
    .replace(configuresAbove, `cmake$1 -S . -B ${build}`)
    .replace(/^cmake\s+--build\s+\.(?=\s|$)/, `cmake --build ${build}`)
    .replace(/^((?:sudo\s+)?(?:make|ninja))(?=\s|$)/, `$1 -C ${build}`)
    .replace(/^ctest(?=\s|$)/, `ctest --test-dir ${build}`)
