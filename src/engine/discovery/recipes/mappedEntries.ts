import { addTo } from "../../core/collections/lists.ts"
import { at, code, type Guide, plural } from "../Draft.ts"
import type { ObservedFile, Site } from "../Observed.ts"
import { nounOfMap } from "../observers/commands/namedEntries.ts"
import { inPart, namedAddition } from "./recipeParts.ts"

const MAX_GUIDES = 2
const MAX_SHOWN = 8

interface Entries {
  readonly name: string
  readonly file: ObservedFile
  readonly sites: ReadonlyArray<Site>
}

const guideOf = ({ name, file: { path }, sites }: Entries): Guide => {
  const example = sites[sites.length >> 1]!
  const cites = [{ path, line: example.line }]
  const shown = sites.slice(0, MAX_SHOWN)
  const more = sites.length > shown.length ? ` and ${sites.length - shown.length} more` : ""
  return {
    ...namedAddition(nounOfMap(name)!),
    description: `${plural(sites.length, "entry", "entries")} of ${code(name)} are there.`,
    items: [
      ...inPart("Steps", [
        {
          text: `Write it as those are that ${code(name)} names, and add an entry for it there, as ${code(example.symbol!)} (${at({ path, line: example.line })}) is.`,
          cites
        }
      ]),
      ...inPart("Where to look", [
        {
          text: `Entries that are there: ${shown.map(({ symbol, line }) => `${code(symbol!)} (${at({ path, line })})`).join(", ")}${more}.`,
          cites: shown.map(({ line }) => ({ path, line }))
        }
      ])
    ]
  }
}

/** How another part is added that a map knows by its name, with what makes it. */
export const mappedEntries = (files: ReadonlyArray<ObservedFile>): ReadonlyArray<Guide> => {
  const found: Array<Entries> = []
  for (const file of files) {
    const byName = new Map<string, Array<Site>>()
    for (const site of file.has("sites") ? file.sites : [])
      if (site.kind === "named_entry") addTo(byName, site.shape, site)
    for (const [name, sites] of byName) found.push({ name, file, sites })
  }
  return found
    .sort((a, b) => b.sites.length - a.sites.length || (a.file.path < b.file.path ? -1 : 1))
    .slice(0, MAX_GUIDES)
    .map(guideOf)
}
