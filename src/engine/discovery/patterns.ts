import type { Language } from "../core/files/Language.ts"
import { compareText } from "../core/text/compareText.ts"
import { at, code, type Pattern, percent } from "./Draft.ts"
import type { ObservedFile, SiteKind } from "./Observed.ts"
import type { Survey } from "./Survey.ts"

const MIN_SITES = 5

/** A place in a file that shows a shape. */
interface Place {
  readonly path: string
  readonly role: ObservedFile["role"]
  readonly line: number
  readonly end: number
  readonly symbol: string | null
}

const kinds: ReadonlyArray<readonly [SiteKind, name: string, title: string]> = [
  ["data_access", "data_access", "Reaching stored data"],
  ["error", "error", "Raising errors"],
  ["catch", "error_handling", "What is done with a caught error"],
  ["logging", "logging", "Logging"],
  ["test", "test", "Declaring a test"],
  ["assertion", "assertion", "Asserting in a test"]
]

/** All places of one shape: counted, and one kept of each length. Places come in the order of files and lines. */
class Shape {
  count = 0
  readonly languages = new Set<Language>()
  readonly first: Place
  private readonly lengths = new Map<number, { count: number; readonly place: Place }>()

  constructor(first: Place) {
    this.first = first
  }

  add(place: Place, language: Language): void {
    this.count++
    this.languages.add(language)
    const length = place.end - place.line
    const known = this.lengths.get(length)
    if (known === undefined) this.lengths.set(length, { count: 1, place })
    else known.count++
  }

  /** Neither the shortest nor the longest: what a reader takes for normal. */
  get typical(): Place {
    const lengths = [...this.lengths].sort(([a], [b]) => a - b)
    let before = 0
    const middle = lengths.find(([, { count }]) => {
      before += count
      return before > this.count >> 1
    })
    const median = Math.max(2, Math.min(middle?.[0] ?? 2, 25))
    const [best] = lengths
      .map(([length, { place }]) => ({ distance: Math.abs(length - median), place }))
      .sort((a, b) => a.distance - b.distance || compareText(a.place.path, b.place.path) || a.place.line - b.place.line)
    return best?.place ?? this.first
  }
}

/** The shapes of one common thing, by name. */
type Shapes = Map<string, Shape>

const addPlace = (shapes: Shapes, shape: string, place: Place, { language }: ObservedFile): void => {
  const known = shapes.get(shape) ?? new Shape(place)
  shapes.set(shape, known)
  known.add(place, language)
}

const countOf = (shapes: Shapes): number => [...shapes.values()].reduce((sum, { count }) => sum + count, 0)

const patternOf = (name: string, title: string, shapes: Shapes): Pattern | null => {
  const [best, ...others] = [...shapes].sort((a, b) => b[1].count - a[1].count || compareText(a[0], b[0]))
  if (best === undefined || best[1].count < MIN_SITES) return null
  const [shape, members] = best
  const chosen = members.typical
  return {
    name,
    title,
    shape,
    count: members.count,
    of: countOf(shapes),
    scope: {
      folder: "",
      languages: [...members.languages].sort(),
      role: chosen.role === "test" ? "test" : "source"
    },
    canonical: {
      path: chosen.path,
      line: chosen.line,
      end: Math.min(chosen.end, chosen.line + 14),
      symbol: chosen.symbol
    },
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
      const guard =
        guards.length === 0
          ? " without anything in front of the handler"
          : ` with ${code(guards[0]!)} in front of the handler`
      const symbol = handler ?? `${method} ${path}`
      addPlace(shapes, `${framework} route${guard}`, { path: file_path, role, line, end, symbol }, file)
    }
  }
  return shapes
}

/** Shapes of each kind of site, by family of languages. */
const siteShapes = (survey: Survey): ReadonlyMap<SiteKind, Map<string, Shapes>> => {
  const byKind = new Map<SiteKind, Map<string, Shapes>>(kinds.map(([kind]) => [kind, new Map<string, Shapes>()]))
  for (const file of [...survey.source, ...survey.tests]) {
    for (const { kind, shape, line, end, symbol } of file.sites) {
      if (shape === "rethrown") continue
      const families = byKind.get(kind)!
      const shapes = families.get(languageFamily(file)) ?? new Map<string, Shape>()
      families.set(languageFamily(file), shapes)
      addPlace(shapes, shape, { path: file.path, role: file.role, line, end, symbol }, file)
    }
  }
  return byKind
}

/** The most common way of doing each common thing, per language where a repository has several. */
export const patternsOf = (survey: Survey): ReadonlyArray<Pattern> => {
  const found: Array<Pattern> = []
  const routes = patternOf("route", "Declaring a route", routeShapes(survey))
  if (routes !== null) found.push(routes)
  const sites = siteShapes(survey)
  for (const [kind, name, title] of kinds) {
    const ordered = [...sites.get(kind)!].sort((a, b) => countOf(b[1]) - countOf(a[1]) || compareText(a[0], b[0]))
    for (const [index, [language, shapes]] of ordered.entries()) {
      const pattern = patternOf(
        index === 0 ? name : `${name}_${language}`,
        index === 0 ? title : `${title} (${language})`,
        shapes
      )
      if (pattern !== null) found.push(pattern)
    }
  }
  return found
}

export const patternText = (
  { title, name, shape, count, of, canonical, others }: Pattern,
  snippet: string | null
): string => {
  const place = canonical.symbol === null ? at(canonical) : `${at(canonical)} in ${code(canonical.symbol)}`
  const lines = [
    `## ${title} (\`${name}\`)`,
    "",
    `Most common: ${shape}, ${count.toLocaleString("en-US")} of ${of.toLocaleString("en-US")} places (${percent(count, of)}). Typical: ${place}.`
  ]
  if (snippet !== null)
    lines.push("", "Quoted from the repository:", "", "```", snippet.replaceAll("```", "'''"), "```")
  if (others.length > 0) {
    lines.push("", "Other ways found:", "")
    for (const other of others)
      lines.push(`- ${other.shape}: ${other.count.toLocaleString("en-US")}, first at ${at(other.at)}`)
  }
  return lines.join("\n")
}
