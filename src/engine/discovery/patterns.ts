import type { Language } from "../core/files/Language.ts"
import { compareText } from "../core/text/compareText.ts"
import { at, code, type Pattern, percent, plural } from "./Draft.ts"
import type { ObservedFile, SiteKind } from "./Observed.ts"
import { keyedFramework } from "./observers/routes/keyedRoutes.ts"
import type { Survey } from "./Survey.ts"

// What fewer places show, or fewer of them, is one way among others and no pattern.
const MIN_PLACES = 10
const MIN_FILES = 3
const MIN_SHARE = 0.6

/** An example is a whole function, long enough to show something and short enough to be read. */
const MIN_LENGTH = 2
const MAX_LENGTH = 18
const BEST_LENGTH = 7
const MAX_EXAMPLES = 4

/** A place in a file that shows a shape, with the lines of the function around it. */
interface Place {
  readonly path: string
  readonly role: ObservedFile["role"]
  readonly line: number
  readonly from: number
  readonly end: number
  readonly symbol: string | null
}

interface Kind {
  readonly kind: SiteKind
  readonly name: string
  readonly title: string
  readonly purpose: string
}

const kinds: ReadonlyArray<Kind> = [
  {
    kind: "data_access",
    name: "data_access",
    title: "Reaching stored data",
    purpose: "Reads and writes of what is stored go this way."
  },
  {
    kind: "transaction",
    name: "transaction",
    title: "Transactions",
    purpose: "What has to happen together or not at all is written this way."
  },
  {
    kind: "error",
    name: "error",
    title: "Raising errors",
    purpose: "Code says this way that it cannot do what it was asked for."
  },
  {
    kind: "catch",
    name: "error_handling",
    title: "What is done with a caught error",
    purpose: "Callers that catch an error treat it this way."
  },
  { kind: "logging", name: "logging", title: "Logging", purpose: "What operators are to read is written this way." },
  {
    kind: "validation",
    name: "validation",
    title: "Validating input",
    purpose: "Input is checked this way before it is used."
  },
  {
    kind: "authentication",
    name: "authentication",
    title: "Requiring a login or a permission",
    purpose: "Code that not everybody may run is protected this way."
  },
  {
    kind: "injection",
    name: "dependency_injection",
    title: "Getting collaborators",
    purpose: "Parts get the parts they work with this way."
  },
  {
    kind: "feature_flag",
    name: "feature_flag",
    title: "Feature flags",
    purpose: "Features that can be switched are asked for this way."
  },
  { kind: "response", name: "response", title: "Answering a request", purpose: "Handlers answer this way." },
  { kind: "test", name: "test", title: "Declaring a test", purpose: "Tests are written this way." },
  {
    kind: "setup",
    name: "test_setup",
    title: "Preparing a test",
    purpose: "What tests need beforehand is made this way."
  },
  { kind: "fixture", name: "fixture", title: "Data for tests", purpose: "Tests get their data this way." },
  {
    kind: "assertion",
    name: "assertion",
    title: "Asserting in a test",
    purpose: "Tests say this way what they expect."
  }
]

/** All places of one shape: counted, with those that make the best examples. Places come in the order of files and lines. */
class Shape {
  count = 0
  readonly languages = new Set<Language>()
  readonly first: Place
  examples: ReadonlyArray<Place> = []
  private files = 0
  private lastPath = ""

  constructor(first: Place) {
    this.first = first
  }

  add(place: Place, language: Language): void {
    this.count++
    this.languages.add(language)
    if (place.path !== this.lastPath) this.files++
    this.lastPath = place.path
    const worst = this.examples.at(-1)
    const isFull = this.examples.length >= MAX_EXAMPLES
    if (!isExample(place) || (isFull && distance(place) >= distance(worst!))) return
    this.examples = [...this.examples, place].sort((a, b) => distance(a) - distance(b)).slice(0, MAX_EXAMPLES)
  }

  get fileCount(): number {
    return this.files
  }
}

const lengthOf = ({ from, end }: Place): number => end - from + 1

const isExample = (place: Place): boolean => lengthOf(place) >= MIN_LENGTH && lengthOf(place) <= MAX_LENGTH

const distance = (place: Place): number => Math.abs(lengthOf(place) - BEST_LENGTH)

/** The shapes of one common thing, by name. */
type Shapes = Map<string, Shape>

const addPlace = (shapes: Shapes, shape: string, place: Place, { language }: ObservedFile): void => {
  const known = shapes.get(shape) ?? new Shape(place)
  shapes.set(shape, known)
  known.add(place, language)
}

const countOf = (shapes: Shapes): number => [...shapes.values()].reduce((sum, { count }) => sum + count, 0)

const patternOf = (
  { name, title, purpose }: Omit<Kind, "kind">,
  shapes: Shapes,
  minPlaces = MIN_PLACES
): Pattern | null => {
  const [best, ...others] = [...shapes].sort((a, b) => b[1].count - a[1].count || compareText(a[0], b[0]))
  const of = countOf(shapes)
  if (best === undefined || of < minPlaces || best[1].count < MIN_SHARE * of || best[1].fileCount < MIN_FILES)
    return null
  const [shape, members] = best
  // What is done with an error in its place differs from place to place.
  if (shape === "handled in place" || members.examples.length === 0) return null
  return {
    name,
    title,
    purpose,
    shape,
    count: members.count,
    of,
    files: members.fileCount,
    scope: {
      folder: "",
      languages: [...members.languages].sort(),
      role: members.first.role === "test" ? "test" : "source"
    },
    examples: members.examples.map(({ path, from, end, symbol }) => ({ path, line: from, end, symbol })),
    others: others.slice(0, 6).map(([other, { count, first }]) => ({
      shape: other,
      count,
      at: { path: first.path, line: first.line }
    }))
  }
}

const languageFamily = ({ language }: ObservedFile): string =>
  /^(?:typescript|tsx|javascript)$/.test(language) ? "javascript" : language

const routeShapes = (survey: Survey): Shapes => {
  const shapes: Shapes = new Map()
  for (const file of survey.source) {
    const { path: file_path, role } = file
    for (const { framework, guards, handler, line, end, method, path } of file.routes) {
      // A table is one place, however many rows it has.
      if (framework === keyedFramework) continue
      const guard =
        guards.length === 0
          ? " without anything in front of the handler"
          : ` with ${code(guards[0]!)} in front of the handler`
      const symbol = handler ?? `${method} ${path}`
      addPlace(shapes, `${framework} route${guard}`, { path: file_path, role, line, from: line, end, symbol }, file)
    }
  }
  return shapes
}

/** Errors of the repository's own types are one way, however many types there are. */
class OwnErrors {
  private readonly names = new Set<string>()

  constructor(survey: Survey) {
    for (const { definitions } of survey.source)
      for (const { kind, name } of definitions) if (kind === "type") this.names.add(name.split(/[.:]+/).at(-1)!)
  }

  shapeOf(shape: string): string {
    const name = /^`(?:::)?([\w.:\\]+)`$/.exec(shape)?.[1]
    const last = name
      ?.replace(/\.new$/, "")
      .split(/[.:\\]+/)
      .at(-1)
    return last !== undefined && this.names.has(last) ? "an error type of the repository itself" : shape
  }
}

/** Shapes of each kind of site, by family of languages. */
const siteShapes = (survey: Survey): ReadonlyMap<SiteKind, Map<string, Shapes>> => {
  const byKind = new Map<SiteKind, Map<string, Shapes>>(kinds.map(({ kind }) => [kind, new Map<string, Shapes>()]))
  const own = new OwnErrors(survey)
  for (const file of [...survey.source, ...survey.tests]) {
    for (const { kind, shape, ...site } of file.sites) {
      const families = byKind.get(kind)
      if (shape === "rethrown" || families === undefined) continue
      const shapes = families.get(languageFamily(file)) ?? new Map<string, Shape>()
      families.set(languageFamily(file), shapes)
      const place = { path: file.path, role: file.role, ...site, from: site.from ?? site.line }
      addPlace(shapes, kind === "error" ? own.shapeOf(shape) : shape, place, file)
    }
  }
  return byKind
}

/** What most places do that do a common thing, per language where a repository has several. */
export const patternsOf = (survey: Survey): ReadonlyArray<Pattern> => {
  const route = {
    name: "route",
    title: "Declaring a route",
    purpose: "What is reachable over HTTP is declared this way."
  }
  const found = [patternOf(route, routeShapes(survey))]
  const sites = siteShapes(survey)
  for (const { kind, name, title, purpose } of kinds) {
    const ordered = [...sites.get(kind)!].sort((a, b) => countOf(b[1]) - countOf(a[1]) || compareText(a[0], b[0]))
    for (const [index, [language, shapes]] of ordered.entries()) {
      const suffix = index === 0 ? ["", ""] : [`_${language}`, ` (${language})`]
      found.push(patternOf({ name: `${name}${suffix[0]}`, title: `${title}${suffix[1]}`, purpose }, shapes))
    }
  }
  return found.filter((pattern) => pattern !== null)
}

export type Example = Pattern["examples"][number]

export const patternText = (
  { title, name, purpose, shape, count, of, files, others }: Pattern,
  example: Example,
  snippet: string
): string => {
  const place = example.symbol === null ? at(example) : `${at(example)} in ${code(example.symbol)}`
  const lines = [
    `## ${title} (\`${name}\`)`,
    "",
    `${purpose} ${shape}: ${count.toLocaleString("en-US")} of ${of.toLocaleString("en-US")} places (${percent(count, of)}) in ${plural(files, "file")}. Typical: ${place}.`,
    "",
    "Quoted from the repository:",
    "",
    "```",
    snippet.replaceAll("```", "'''"),
    "```"
  ]
  if (others.length > 0) {
    lines.push("", "Exceptions:", "")
    for (const other of others)
      lines.push(`- ${other.shape}: ${other.count.toLocaleString("en-US")}, first at ${at(other.at)}`)
  }
  return lines.join("\n")
}
