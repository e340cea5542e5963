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

type IsCase = (path: string) => boolean

/** Folders in which most programs have their expected output beside them or in a folder of the case. */
const expectedIn = (code: ReadonlyArray<string>, isExpected: IsCase, cases: ReadonlySet<string>) => {
  const beside = new Map<string, Counts>()
  for (const path of code) {
    const folder = directoryOf(path)
    add(beside, folder, isExpected(path))
    // A folder of cases is counted by those that are in it.
    add(beside, directoryOf(folder), cases.has(folder))
  }
  return [...beside].filter(
    ([, counts]) => counts.cases >= MIN_CASES && isMostly(counts) && counts.programs <= MAX_OF_ALL * code.length
  )
}

/** Code by the folders around it that a pattern names; most trees have none, and no other path is looked at. */
const codeBelow = (code: ReadonlyArray<string>, named: RegExp): ReadonlyMap<string, ReadonlyArray<string>> => {
  const byFolder: Map<string, ReadonlyArray<string>> = new Map([["", []]])
  const namedAround = (folder: string): ReadonlyArray<string> => {
    const known = byFolder.get(folder)
    if (known !== undefined) return known
    const outer = namedAround(directoryOf(folder))
    const found = named.test(baseName(folder)) ? [...outer, folder] : outer
    byFolder.set(folder, found)
    return found
  }
  const below = new Map<string, Array<string>>()
  for (const path of code) {
    for (const folder of namedAround(directoryOf(path))) {
      const paths = below.get(folder)
      if (paths === undefined) below.set(folder, [path])
      else paths.push(path)
    }
  }
  return below
}

const isMostly = ({ programs, cases }: Counts): boolean => cases >= MIN_SHARE * programs

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
  const isExpected: IsCase = (path) => expected.has(path) || expected.has(stemOf(path))
  const named = codeBelow(code, ambiguous)
  const series = named.size === 0 ? new Map<string, number>() : seriesIn(code)
  const isCase: IsCase = (path) =>
    isExpected(path) ||
    caseFolders.has(directoryOf(path)) ||
    namesOf(path).some((name) => series.get(name)! >= MIN_NUMBERED)
  const isOfCases = (folder: string, programs: ReadonlyArray<string>) =>
    programs.length >= MIN_PROGRAMS &&
    programs.length < code.length &&
    (runFolders.has(folder) || isMostly({ programs: programs.length, cases: programs.filter(isCase).length }))
  const kits = [...codeBelow(code, kit)].filter(([, { length }]) => length <= MAX_OF_ALL * code.length)
  const folders = [
    ...expectedIn(code, isExpected, caseFolders).map(([folder]) => folder),
    ...[...named].filter(([folder, programs]) => isOfCases(folder, programs)).map(([folder]) => folder),
    ...kits.map(([folder]) => folder)
  ]
  return new Set(folders.filter((folder) => folder !== ""))
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
