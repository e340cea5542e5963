import { baseName, directoryOf } from "../text/paths.ts"
import { isCodePath } from "./libraries.ts"

/** What is expected of a program lies beside it under its name: `loop.c` and `loop.expected`, or `loop.c.out`. */
const expectation = /\.(?:expect(?:ed)?|exp|golden|gold|stdout|stderr|out|output|desc)$/
/** A case with a folder of its own has a description, or what is expected, under the same name in each. */
const caseFile =
  /^(?:test\.desc|expect(?:ed)?(?:[._-]?(?:out(?:put)?|results?|stdout|stderr|errors?))?(?:\.(?:txt|log|out|json))?|stdout|stderr)$/i

/** Folders by a word that is as common for a part of a product: what lies in them settles which of both. */
const ambiguous =
  /^(?:regressions?|regress|conformance|compliance|compat(?:ibility)?|torture|validation|bugs|issues|negative|positive|programs)$/i
/** What runs all programs of a folder lies among them. */
const runner =
  /^(?:test[-_]?suite|run[-_]?(?:all[-_]?)?(?:the[-_]?)?(?:tests?|regressions?|suite))(?:\.(?:sh|bash|py|pl|rb))?$/i
/** Kits with which others show that they implement a specification. */
const kit = /^(?:[\w-]+[-_])?(?:tck|jck)$/i

const MIN_PROGRAMS = 5
/** A number of cases that is no chance, whatever the folder is called. */
const MIN_CASES = 8
const MIN_SHARE = 0.6
/** A folder with more of the code than this is what the repository is about. */
const MAX_OF_ALL = 0.5
/** Names that differ in their number only, so many that they count cases. */
const MIN_NUMBERED = 4

const stemOf = (path: string): string => path.replace(/\.\w+$/, "")
/** `Array12.java` without its number; null where it has none. */
const unnumbered = (name: string): string | null => {
  const bare = stemOf(name).replace(/[a-z]?$/, "")
  const series = bare.replace(/[-_]?\d{1,6}$/, "")
  return series === bare ? null : series
}

interface Counts {
  programs: number
  cases: number
}

const add = (counts: Map<string, Counts>, folder: string, isCase: boolean): void => {
  const known = counts.get(folder)
  if (known === undefined) counts.set(folder, { programs: 1, cases: isCase ? 1 : 0 })
  else {
    known.programs++
    if (isCase) known.cases++
  }
}

/** How often a folder holds names that are alike but for their number: one text for the folder and the name. */
const seriesIn = (code: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const path of code) {
    for (const name of namesOf(path)) times.set(name, (times.get(name) ?? 0) + 1)
  }
  return times
}

/** The series that a file and the folder around it are of. */
const namesOf = (path: string): ReadonlyArray<string> =>
  [path, directoryOf(path)].flatMap((one) => {
    const series = unnumbered(baseName(one))
    return series === null ? [] : [`${directoryOf(one)}/${series}#`]
  })

/** The folders around a path, from the innermost. */
const foldersAround = (path: string): ReadonlyArray<string> => {
  const folders: Array<string> = []
  for (let folder = directoryOf(path); folder !== ""; folder = directoryOf(folder)) folders.push(folder)
  return folders
}

/**
 * Folders of programs that tests of a compiler, an analyser or an interpreter read: mistakes in them are made on purpose. Either
 * most have their expected output beside them, or the folder has a name that tests have, too, and most are numbered or
 * something runs them all.
 */
export const testProgramsOf = (paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const code = paths.filter((path) => isCodePath.test(path))
  const expected = new Set(paths.filter((path) => expectation.test(path)).map((path) => path.replace(expectation, "")))
  const caseFolders = new Set(paths.filter((path) => caseFile.test(baseName(path))).map(directoryOf))
  const runFolders = new Set(paths.filter((path) => runner.test(baseName(path))).map(directoryOf))
  const series = seriesIn(code)
  const isExpected = (path: string) => expected.has(path) || expected.has(stemOf(path))
  const isNumbered = (path: string) => namesOf(path).some((name) => series.get(name)! >= MIN_NUMBERED)
  const beside = new Map<string, Counts>()
  const below = new Map<string, Counts>()
  for (const path of code) {
    const folder = directoryOf(path)
    const isCase = isExpected(path) || caseFolders.has(folder)
    add(beside, folder, isExpected(path))
    // A folder of cases is counted by those that are in it.
    add(beside, directoryOf(folder), caseFolders.has(folder))
    for (const around of foldersAround(path)) {
      const isNamed = ambiguous.test(baseName(around))
      if (isNamed) add(below, around, isCase || runFolders.has(around) || isNumbered(path))
      else if (kit.test(baseName(around))) add(below, around, isCase)
    }
  }
  const isPart = ({ programs }: Counts) => programs <= MAX_OF_ALL * code.length
  const isMostly = ({ programs, cases }: Counts) => cases >= MIN_SHARE * programs
  const found = [
    ...[...beside].filter(([, counts]) => counts.cases >= MIN_CASES && isMostly(counts) && isPart(counts)),
    ...[...below].filter(([folder, counts]) =>
      kit.test(baseName(folder))
        ? isPart(counts)
        : counts.programs >= MIN_PROGRAMS && counts.programs < code.length && isMostly(counts)
    )
  ]
  return new Set(found.map(([folder]) => folder).filter((folder) => folder !== ""))
}

const objectClass = /^(?:.*\/)?java\/lang\/Object\.java$/
/** No program that computes or prints anything runs without these. */
const essential = ["Math", "System", "Thread"]

/**
 * Folders of classes that stand in for Java's own library: a compiler's tests resolve names in them. One that programs run with
 * has more, and is a product; so is one in a repository that is little else.
 */
export const standInsOf = (paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const objects = paths.filter((path) => objectClass.test(path))
  if (objects.length === 0) return new Set()
  const known = new Set(paths)
  const standIns = objects
    .map(directoryOf)
    .filter((folder) => essential.every((name) => !known.has(`${folder}/${name}.java`)))
    .map(directoryOf)
  const classes = paths.filter((path) => path.endsWith(".java"))
  const inside = classes.filter((path) => standIns.some((folder) => path.startsWith(`${folder}/`)))
  return new Set(inside.length <= MAX_OF_ALL * classes.length ? standIns : [])
}
