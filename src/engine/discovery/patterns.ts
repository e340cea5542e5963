import { compareText } from "../core/text/compareText.ts"
import { at, code, type Pattern, percent } from "./Draft.ts"
import type { ObservedFile, Site, SiteKind } from "./Observed.ts"
import type { Survey } from "./Survey.ts"

const MIN_SITES = 5

interface Place extends Site {
  readonly file: ObservedFile
}

const kinds: ReadonlyArray<readonly [SiteKind, name: string, title: string]> = [
  ["data_access", "data_access", "Reaching stored data"],
  ["error", "error", "Raising errors"],
  ["catch", "error_handling", "What is done with a caught error"],
  ["logging", "logging", "Logging"],
  ["test", "test", "Declaring a test"],
  ["assertion", "assertion", "Asserting in a test"]
]

/** Neither the shortest nor the longest, and away from the edges of the repository: what a reader takes for normal. */
const typical = (places: ReadonlyArray<Place>): Place => {
  const lengths = places.map(({ line, end }) => end - line).sort((a, b) => a - b)
  const median = Math.max(2, Math.min(lengths[lengths.length >> 1]!, 25))
  const distance = ({ line, end }: Place) => Math.abs(end - line - median)
  return [...places].sort(
    (a, b) => distance(a) - distance(b) || compareText(a.file.path, b.file.path) || a.line - b.line
  )[0]!
}

const byShape = (
  places: ReadonlyArray<Place>
): ReadonlyArray<readonly [shape: string, places: ReadonlyArray<Place>]> => {
  const shapes = new Map<string, Array<Place>>()
  for (const place of places) {
    const known = shapes.get(place.shape)
    if (known === undefined) shapes.set(place.shape, [place])
    else known.push(place)
  }
  return [...shapes].sort((a, b) => b[1].length - a[1].length || compareText(a[0], b[0]))
}

const patternOf = (name: string, title: string, places: ReadonlyArray<Place>): Pattern | null => {
  if (places.length < MIN_SITES) return null
  const [best, ...others] = byShape(places)
  const [shape, members] = best!
  if (members.length < MIN_SITES) return null
  const chosen = typical(members)
  return {
    name,
    title,
    shape,
    count: members.length,
    of: places.length,
    scope: {
      folder: "",
      languages: [...new Set(members.map(({ file }) => file.language))].sort(),
      role: chosen.file.role === "test" ? "test" : "source"
    },
    canonical: {
      path: chosen.file.path,
      line: chosen.line,
      end: Math.min(chosen.end, chosen.line + 14),
      symbol: chosen.symbol
    },
    others: others.slice(0, 6).map(([other, found]) => ({
      shape: other,
      count: found.length,
      at: { path: found[0]!.file.path, line: found[0]!.line }
    }))
  }
}

const languageFamily = ({ language }: ObservedFile): string =>
  /^(?:typescript|tsx|javascript)$/.test(language) ? "javascript" : language

const routePlaces = (survey: Survey): ReadonlyArray<Place> =>
  survey.source.flatMap((file) =>
    file.routes.map(({ framework, guards, handler, line, end, method, path }) => ({
      kind: "test" as const,
      shape: `${framework} route${guards.length === 0 ? " without anything in front of the handler" : ` with ${code(guards[0]!)} in front of the handler`}`,
      line,
      end,
      symbol: handler ?? `${method} ${path}`,
      file
    }))
  )

/** The most common way of doing each common thing, per language where a repository has several. */
export const patternsOf = (survey: Survey): ReadonlyArray<Pattern> => {
  const found: Array<Pattern> = []
  const routes = patternOf("route", "Declaring a route", routePlaces(survey))
  if (routes !== null) found.push(routes)
  const sites: ReadonlyArray<Place> = [...survey.source, ...survey.tests].flatMap((file) =>
    file.sites.map((site) => ({ ...site, file }))
  )
  for (const [kind, name, title] of kinds) {
    const places = sites.filter((site) => site.kind === kind && site.shape !== "rethrown")
    const perLanguage = new Map<string, Array<Place>>()
    for (const place of places) {
      const known = perLanguage.get(languageFamily(place.file))
      if (known === undefined) perLanguage.set(languageFamily(place.file), [place])
      else known.push(place)
    }
    const ordered = [...perLanguage].sort((a, b) => b[1].length - a[1].length || compareText(a[0], b[0]))
    for (const [index, [language, members]] of ordered.entries()) {
      const pattern = patternOf(
        index === 0 ? name : `${name}_${language}`,
        index === 0 ? title : `${title} (${language})`,
        members
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
