import { baseName, directoryOf, joined } from "../../../core/text/paths.ts"
import { lineOf, type Survey } from "../../Survey.ts"

interface GemProgram {
  readonly name: string
  /** Where it lies, as far as it is there. */
  readonly start: string | undefined
  readonly path: string
  readonly line: number
}

const assigned = /^[ \t]*\w+\.executables?[ \t]*(?:=|<<)[ \t]*/m

/** `%w[kettle]`, `["kettle", "pot"]` or one name between quotes. */
const listed = /^(?:%w[[({<|]([^\])}>|\n]{0,400})[\])}>|]|\[([^\]]{0,400})\]|["']([\w.-]+)["'])/

/** A folder for programs within a pattern, a call or a command of Git: `%r{^exe/}`, `Dir["bin/*"]`, `git ls-files -- bin/*`. */
const foldersNamed = /(?:\^|["'\s({[/\\])((?:s?bin|exe)(?:\/\w+)?)(?=\\?\/|["'\s)])/

const bindir = /\.bindir[ \t]*=[ \t]*["']([\w./-]+)["']/

const quotedNames = (list: string): ReadonlyArray<string> =>
  list.split(/[\s,"']+/).filter((name) => /^[\w.-]+$/.test(name))

/** What Bundler puts beside a new gem, for those who work on it. */
const isOfBundler = /^(?:console|setup|bundle|rake|rspec|rubocop)$/

/** Files right below the folder that a pattern chooses. */
const below = (survey: Survey, folder: string): ReadonlyArray<string> =>
  survey.files
    .filter(({ path }) => directoryOf(path) === folder)
    .map(({ path }) => baseName(path))
    .filter((name) => /^\w[\w.-]*$/.test(name) && !isOfBundler.test(name))

const programsIn = (survey: Survey, path: string, text: string): ReadonlyArray<GemProgram> => {
  const match = assigned.exec(text)
  if (match === null) return []
  const rest = text.slice(match.index + match[0].length, match.index + 600)
  const home = directoryOf(path)
  const places = [bindir.exec(text)?.[1], "exe", "bin"].flatMap((one) => (one === undefined ? [] : [joined(home, one)]))
  const list = listed.exec(rest)
  const line = lineOf(text, assigned) ?? 1
  if (list !== null)
    return quotedNames(list.slice(1).find((one) => one !== undefined) ?? "").map((name) => ({
      name,
      start: places.map((place) => joined(place, name)).find((one) => survey.has(one)),
      path,
      line
    }))
  const chosen = foldersNamed.exec(rest.split("\n", 2).join("\n"))?.[1]
  const folder = chosen === undefined ? places[0]! : joined(home, chosen)
  return below(survey, folder).map((name) => ({ name, start: joined(folder, name), path, line }))
}

/** Programs of gems: those that a gemspec lists, or what lies in the tree where it chooses them by a pattern. */
export const gemPrograms = (survey: Survey): ReadonlyArray<GemProgram> =>
  survey.sourceTexts(/\.gemspec$/).flatMap(({ path, text }) => programsIn(survey, path, text))
