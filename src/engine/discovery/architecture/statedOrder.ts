import { baseName } from "../../core/text/paths.ts"
import { productNames } from "../commands/programs/productNames.ts"
import type { Survey } from "../Survey.ts"
import type { EntryPoint } from "./EntryPoint.ts"
import { isSecondary } from "./mainLanguages.ts"

const isLibrary = ({ why }: EntryPoint): boolean => /^what |^library/.test(why)

const programIn = ({ why }: EntryPoint): string | undefined => /^program `([^`]+)`/.exec(why)?.[1]

/** A package that hands a program out has a file of its name that starts what a build makes elsewhere. */
const isWrapper = (stated: ReadonlyArray<EntryPoint>): ((entry: EntryPoint) => boolean) => {
  const built = new Set(stated.filter(({ why }) => !/package\.json$/.test(why)).map(programIn))
  return (entry) => /package\.json$/.test(entry.why) && programIn(entry) !== undefined && built.has(programIn(entry))
}

interface Ordered {
  readonly first: ReadonlyArray<EntryPoint>
  /** Helpers that are installed beside what the package starts when it is run by its name, and packages for pages. */
  readonly last: ReadonlyArray<EntryPoint>
}

/** Programs and libraries that manifests state: those of the largest unit first, libraries and wrappers after programs. */
export const statedOrder = (
  survey: Survey,
  stated: ReadonlyArray<EntryPoint>,
  sizeOf: (path: string) => number
): Ordered => {
  const wraps = isWrapper(stated)
  const rank = (entry: EntryPoint): number => Number(isLibrary(entry)) * 2 + Number(wraps(entry))
  const ordered = [...stated].sort((a, b) => rank(a) - rank(b) || sizeOf(b.file_path) - sizeOf(a.file_path))
  const names = productNames(survey)
  const hasMain = survey.source.some(({ path, isEntryPoint }) => isEntryPoint > 0 && baseName(path) === "__main__.py")
  const isLess = isSecondary(survey)
  // A package for pages within a program in another language.
  const isPart = (entry: EntryPoint): boolean => {
    const file = isLibrary(entry) && entry.file_path.includes("/") ? survey.file(entry.file_path) : null
    return file !== null && isLess(file)
  }
  const isHelper = (entry: EntryPoint): boolean =>
    isPart(entry) ||
    (hasMain && /(?:^|\/)(?:scripts?|tools?)\/[^/]+\.py$/.test(entry.file_path) && !names.has(programIn(entry) ?? ""))
  return { first: ordered.filter((one) => !isHelper(one)), last: ordered.filter(isHelper) }
}
