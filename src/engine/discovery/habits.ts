import { addTo } from "../core/collections/lists.ts"
import { baseName, directoryOf } from "../core/text/paths.ts"
import { isOfHelpers } from "./architecture/mainLanguages.ts"
import { at, code, type Rule } from "./Draft.ts"
import { supportText } from "./groups.ts"
import type { ObservedFile } from "./Observed.ts"
import { languageTitles, type Survey } from "./Survey.ts"

const MIN_SITES = 5
const MIN_SHARE = 0.8

const byLanguage = (
  files: ReadonlyArray<ObservedFile>
): ReadonlyArray<readonly [title: string, files: ReadonlyArray<ObservedFile>]> => {
  const found = new Map<string, Array<ObservedFile>>()
  for (const file of files) {
    const title = languageTitles[file.language]
    if (title !== undefined) addTo(found, title, file)
  }
  return [...found].sort((a, b) => b[1].length - a[1].length)
}

const scopeOf = (files: ReadonlyArray<ObservedFile>) => ({
  folder: "",
  languages: [...new Set(files.map(({ language }) => language))].sort(),
  role: "source" as const
})

/** Decided in 80 % of the files that decide it. */
const decided = (files: ReadonlyArray<ObservedFile>, of: (file: ObservedFile) => string | null) => {
  const counts = new Map<string, Array<ObservedFile>>()
  let total = 0
  for (const file of files) {
    const value = of(file)
    if (value === null) continue
    addTo(counts, value, file)
    total++
  }
  const [best] = [...counts].sort((a, b) => b[1].length - a[1].length)
  if (best === undefined || best[1].length < MIN_SITES || best[1].length < total * MIN_SHARE) return null
  return {
    value: best[0],
    members: best[1],
    total,
    deviating: files.filter((file) => ![null, best[0]].includes(of(file))).map(({ path }) => path)
  }
}

const nameCases: ReadonlyArray<readonly [RegExp, string]> = [
  [/^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/, "kebab-case"],
  [/^_?[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/, "snake_case"],
  [/^[A-Z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/, "PascalCase"],
  [/^[a-z]+[a-z0-9]*(?:[A-Z][a-z0-9]*)+$/, "camelCase"]
]

const nameCase = ({ path }: ObservedFile): string | null => {
  const stem = baseName(path).replace(/\..*$/, "")
  return nameCases.find(([pattern]) => pattern.test(stem))?.[1] ?? null
}

/** Java and C# name files after types; style sheets and pages have names of their own. */
const namedByRule = /^(?:Java|C#|HTML|CSS|Sass)$/

const fileNameRules = (survey: Survey): ReadonlyArray<Rule> => {
  const isOfHelper = isOfHelpers(survey)
  const own = survey.source.filter((file) => !isOfHelper(file))
  return byLanguage(own).flatMap(([title, files]): ReadonlyArray<Rule> => {
    const named = namedByRule.test(title) ? null : decided(files, nameCase)
    if (named === null) return []
    const { members, total, deviating, value } = named
    const shown = deviating.slice(0, 2).map((path) => code(path))
    return [
      {
        id: `file-names:${title}`,
        origin: "inferred",
        scope: scopeOf(files),
        support: { count: members.length, of: total },
        deviations: deviating.slice(0, 8),
        text: `${title} files of more than one word are named in ${value}: ${supportText(members.length, total, "file")}${shown.length === 0 ? "" : `; not ${shown.join(", ")}`}.`,
        cites: [{ path: members[0]!.path, line: 1 }]
      }
    ]
  })
}

const typingRule = (survey: Survey): ReadonlyArray<Rule> => {
  const files = survey.source.filter(({ style }) => (style?.typed[1] ?? 0) > 0)
  const [typed, total] = files.reduce(([a, b], { style }) => [a + style!.typed[0], b + style!.typed[1]], [0, 0])
  if (total < 20 || typed < total * MIN_SHARE) return []
  const example = files.find(({ style }) => style!.typed[0] > 3) ?? files[0]!
  return [
    {
      id: "python-types",
      origin: "inferred",
      scope: scopeOf(files),
      support: { count: typed, of: total },
      text: `Python functions annotate all parameters and the result: ${supportText(typed, total, "function")}, for example in ${code(example.path)}.`,
      cites: [{ path: example.path, line: 1 }]
    }
  ]
}

const stem = (path: string): string =>
  baseName(path)
    .replace(/\.\w+$/, "")
    .replace(/^test_|[._-](?:test|spec|tests|e2e)$|(?<=[a-z])(?:Tests?|Spec|IT|TestCase)$/, "")

/** Source files by what the name and the folder of a test say of them. */
class Namesakes {
  private readonly stems = new Map<string, string>()
  private readonly byFolder = new Map<string, string>()
  private readonly byTail = new Map<string, string>()

  constructor(sources: ReadonlyArray<ObservedFile>) {
    for (const { path } of sources) {
      const name = stem(path)
      this.stems.set(name, path)
      this.byFolder.set(`${directoryOf(path)}\n${name}`, path)
      if (directoryOf(path) !== "") this.byTail.set(`${tailOf(directoryOf(path))}\n${name}`, path)
    }
  }

  /** The file that a test is named after, and where the test stands in relation to it; null where there is none. */
  of(test: string): readonly [place: string, source: string] | null {
    const name = stem(test)
    const any = name.length < 3 ? undefined : this.stems.get(name)
    if (any === undefined) return null
    const folder = directoryOf(test)
    const beside = this.byFolder.get(`${folder}\n${name}`)
    if (beside !== undefined) return ["stands beside it", beside]
    const isTestFolder = /^(?:__tests__|tests?|spec)$/.test(baseName(folder))
    const above = isTestFolder ? this.byFolder.get(`${directoryOf(folder)}\n${name}`) : undefined
    if (above !== undefined) return [`stands in a folder ${code(baseName(folder))} beside it`, above]
    return this.elsewhere(folder, name) ?? ["elsewhere", any]
  }

  private elsewhere(folder: string, name: string): readonly [place: string, source: string] | null {
    if (folder.includes("/src/test/") || folder.startsWith("src/test/")) {
      const main = this.byFolder.get(`${folder.replace("src/test/", "src/main/")}\n${name}`)
      return main === undefined ? null : ["mirrors its package under `src/test`", main]
    }
    const same = folder === "" ? undefined : this.byTail.get(`${tailOf(folder)}\n${name}`)
    return same === undefined ? null : [`has the same path under ${code(folder.split("/")[0]!)}`, same]
  }
}

const tailOf = (folder: string): string => folder.split("/").slice(1).join("/")

/** Where the test of a file is found, known from tests that are named after one. */
const testPlaceRule = (survey: Survey): ReadonlyArray<Rule> => {
  const namesakes = new Namesakes(survey.source)
  const places = new Map<string, Array<readonly [test: string, source: string]>>()
  let total = 0
  for (const { path } of survey.tests) {
    const found = namesakes.of(path)
    if (found === null) continue
    const [place, source] = found
    total++
    addTo(places, place, [path, source] as const)
  }
  const [best] = [...places].filter(([place]) => place !== "elsewhere").sort((a, b) => b[1].length - a[1].length)
  if (best === undefined || best[1].length < MIN_SITES || best[1].length < total * MIN_SHARE) return []
  const [test, source] = best[1][0]!
  return [
    {
      id: "test-place",
      origin: "inferred",
      scope: { folder: "" },
      support: { count: best[1].length, of: total },
      text: `The test of a file ${best[0]}: ${supportText(best[1].length, total, "test file")} named after a source file, for example ${code(test)} for ${code(source)}.`,
      cites: [
        { path: test, line: 1 },
        { path: source, line: 1 }
      ]
    }
  ]
}

const guardRules = (survey: Survey): ReadonlyArray<Rule> => {
  const routes = survey.source.flatMap(({ path, language, routes: own }) =>
    own.map((route) => ({ ...route, file: path, language }))
  )
  const mutating = routes.filter(({ method }) => /^(?:POST|PUT|PATCH|DELETE)$/.test(method))
  if (mutating.length < MIN_SITES) return []
  const counts = new Map<string, typeof mutating>()
  for (const route of mutating) for (const guard of new Set(route.guards)) addTo(counts, guard, route)
  return [...counts]
    .filter(([, members]) => members.length >= MIN_SITES && members.length >= mutating.length * MIN_SHARE)
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, 3)
    .map(([guard, members]) => ({
      id: `guard:${guard}`,
      origin: "inferred" as const,
      scope: {
        folder: "",
        languages: [...new Set(members.map(({ language }) => language))].sort(),
        role: "source" as const
      },
      support: { count: members.length, of: mutating.length },
      deviations: [...new Set(mutating.filter((route) => !route.guards.includes(guard)).map(({ file }) => file))].slice(
        0,
        8
      ),
      text: `Routes that change something pass ${code(guard)}: ${supportText(members.length, mutating.length, "such route")}, for example ${at({ path: members[0]!.file, line: members[0]!.line })}.`,
      cites: [{ path: members[0]!.file, line: members[0]!.line }]
    }))
}

/** Habits that hold in the whole repository, or in all of one language. */
export const habitRules = (survey: Survey): ReadonlyArray<Rule> => [
  ...guardRules(survey),
  ...testPlaceRule(survey),
  ...typingRule(survey),
  ...fileNameRules(survey)
]
