import { directoryOf } from "../../core/text/paths.ts"
import { at, code, type Item, plural } from "../Draft.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { Modules } from "./modules.ts"

interface Edge {
  count: number
  readonly path: string
  readonly line: number
}

const hasImports = /^(?:typescript|tsx|javascript|python|go|java|rust|php)$/
/** A folder that holds nearly all of the others is no part of a division. */
const MIN_SHARE = 0.8
const MIN_FILES = 2
const MIN_IMPORTS = 3
/** So little against a direction breaks it; more of it says that there is none. */
const MAX_BROKEN_SHARE = 0.1
const MAX_ITEMS = 14
const MAX_PARTS = 24

const childOf = (root: string, path: string): string | null => {
  const below = root === "" ? path : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null
  const end = below?.indexOf("/") ?? -1
  return below === null || end < 0 ? null : `${root === "" ? "" : `${root}/`}${below.slice(0, end)}`
}

/** Files below each folder right below a root, the fullest folder first. */
const childrenOf = (root: string, files: ReadonlyArray<{ readonly path: string }>) => {
  const counts = new Map<string, number>()
  for (const { path } of files) {
    const child = childOf(root, path)
    if (child !== null) counts.set(child, (counts.get(child) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

/** The folder whose subfolders divide the sources: most of them lie below it, and not in one of its folders alone. */
export const dividedFolder = (files: ReadonlyArray<{ readonly path: string }>): string => {
  for (let root = ""; ; ) {
    const [largest] = childrenOf(root, files)
    if (largest === undefined || largest[1] < MIN_SHARE * files.length) return root
    root = largest[0]
  }
}

const partOf = (root: string, path: string, parts: ReadonlySet<string>): string | null => {
  const part = childOf(root, `${path}/`)
  return part !== null && parts.has(part) ? part : null
}

/** The largest folders right below a root. */
const partsBelow = (files: ReadonlyArray<ObservedFile>, root: string): ReadonlySet<string> => {
  const largest = childrenOf(root, files).filter(([, count]) => count >= MIN_FILES)
  return new Set(largest.slice(0, MAX_PARTS).map(([part]) => part))
}

const add = (
  edges: Map<string, Map<string, Edge>>,
  from: string,
  to: string,
  place: Pick<Edge, "path" | "line">
): void => {
  const known = edges.get(from) ?? new Map<string, Edge>()
  edges.set(from, known)
  const edge = known.get(to)
  if (edge === undefined) known.set(to, { count: 1, ...place })
  else edge.count++
}

/** Imports between the parts below a folder, by both of them. */
export const importsBetween = (survey: Survey, files: ReadonlyArray<ObservedFile>, root: string) => {
  const parts = partsBelow(files, root)
  const edges = new Map<string, Map<string, Edge>>()
  const modules = new Modules(survey)
  for (const file of files) {
    const from = file.has("imports") ? partOf(root, directoryOf(file.path), parts) : null
    if (from === null) continue
    for (const { module, line } of file.imports) {
      const target = modules.resolve(file, module)
      const to = target === null ? null : partOf(root, target, parts)
      if (to !== null && to !== from) add(edges, from, to, { path: file.path, line })
    }
  }
  return edges
}

type Edges = ReturnType<typeof importsBetween>

const countOf = (edges: Edges, from: string, to: string): number => edges.get(from)?.get(to)?.count ?? 0

const described = (edges: Edges, from: string): Item | null => {
  const ordered = [...(edges.get(from) ?? [])].sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1))
  const oneWay = ordered.filter(([to, { count }]) => count > countOf(edges, to, from))
  const [first] = oneWay
  if (first === undefined || first[1].count < MIN_IMPORTS) return null
  const shown = oneWay.slice(0, 8).map(([to, { count }]) => `${code(to)} (${count.toLocaleString("en-US")})`)
  return {
    text: `${code(from)} imports ${shown.join(", ")}, for example ${at(first[1])}.`,
    cites: [{ path: first[1].path, line: first[1].line }]
  }
}

/** Pairs in which a few imports go against the many. */
const broken = (edges: Edges): ReadonlyArray<Item> =>
  [...edges].flatMap(([from, targets]) =>
    [...targets].flatMap(([to, edge]): ReadonlyArray<Item> => {
      const with_ = countOf(edges, to, from)
      if (with_ < MIN_IMPORTS || edge.count >= with_ * MAX_BROKEN_SHARE) return []
      return [
        {
          text: `Against that direction: ${code(from)} imports ${code(to)} in ${plural(edge.count, "place")}, first ${at(edge)}; the other way round it is ${with_.toLocaleString("en-US")}.`,
          cites: [{ path: edge.path, line: edge.line }]
        }
      ]
    })
  )

const mutual = (edges: Edges): ReadonlyArray<Item> =>
  [...edges].flatMap(([from, targets]) =>
    [...targets].flatMap(([to, edge]): ReadonlyArray<Item> => {
      const back = edges.get(to)?.get(from)
      if (
        back === undefined ||
        from > to ||
        Math.min(edge.count, back.count) < Math.max(edge.count, back.count) * MAX_BROKEN_SHARE
      )
        return []
      return [
        {
          text: `${code(from)} and ${code(to)} import each other (${edge.count} and ${back.count} times; ${at(edge)}, ${at(back)}).`,
          cites: [
            { path: edge.path, line: edge.line },
            { path: back.path, line: back.line }
          ]
        }
      ]
    })
  )

/** What imports what, from those that many lead away from to those that others rest on; and where a direction is broken. */
export const layerItems = (survey: Survey): ReadonlyArray<Item> => {
  const files = survey.source.filter(({ language }) => hasImports.test(language))
  if (files.length === 0) return []
  const edges = importsBetween(survey, files, dividedFolder(files))
  const incoming = (part: string) => [...edges.values()].filter((targets) => targets.has(part)).length
  const order = [...edges.keys()].sort((a, b) => incoming(a) - incoming(b) || (a < b ? -1 : 1))
  const items = order.flatMap((part) => described(edges, part) ?? [])
  if (items.length === 0) return []
  const against = broken(edges)
  const both = mutual(edges)
  const whole: ReadonlyArray<Item> =
    against.length + both.length === 0 && items.length > 1
      ? [
          {
            text: "Between these folders imports go one way: no two of them import each other.",
            cites: items[0]!.cites
          }
        ]
      : []
  return [...items.slice(0, MAX_ITEMS), ...whole, ...against.slice(0, 6), ...both.slice(0, 6)]
}
