import { addTo } from "../../core/collections/lists.ts"
import { directoryOf } from "../../core/text/paths.ts"
import { entryPointsOf } from "../architecture/entries.ts"
import { isOfHelpers } from "../architecture/mainLanguages.ts"
import { isAside } from "../architecture/stores.ts"
import { at, code, type Guide, type Item, plural } from "../Draft.ts"
import type { ObservedFile, Site } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { aroundFiles, inPart, mainFolder } from "./recipeParts.ts"

const MIN_COMMANDS = 3

/** Programs for those who work on the repository. */
const isOfWorkers = (path: string): boolean => isAside(path) || /(?:^|\/)(?:extra|misc|maint)\//.test(path)

interface Placed {
  readonly site: Site
  readonly file: ObservedFile
}

const sitesIn = (survey: Survey, kind: Site["kind"]): ReadonlyArray<Placed> => {
  const isHelper = isOfHelpers(survey)
  return survey.source.flatMap((file) =>
    file.has("sites") && !isOfWorkers(file.path) && !isHelper(file)
      ? file.sites.flatMap((site) => (site.kind === kind ? [{ site, file }] : []))
      : []
  )
}

const isListing = /^(?:branch|row|case|call) /

/** What another program beside the product's reads, and what tries a part, are no commands of the product. */
const isOfAnother = (survey: Survey): ((placed: Placed) => boolean) => {
  const first = entryPointsOf(survey)[0]?.file_path
  return ({ site, file }) =>
    isListing.test(site.shape) && (/debug|test/i.test(site.shape) || (file.isEntryPoint > 0 && file.path !== first))
}

/** The way in which most commands are declared. */
const mostCommon = (found: ReadonlyArray<Placed>): ReadonlyArray<Placed> => {
  const byShape = new Map<string, Array<Placed>>()
  for (const one of found) addTo(byShape, one.site.shape, one)
  return [...byShape.values()].sort((a, b) => b.length - a.length)[0] ?? []
}

const label = ({ site, file }: Placed): string => {
  const place = at({ path: file.path, line: site.line })
  return site.symbol === null || site.symbol === "Command" ? place : `${code(site.symbol)} (${place})`
}

const cited = ({ site, file }: Placed) => ({ path: file.path, line: site.line })

const fileStep = (commands: ReadonlyArray<Placed>, files: ReadonlyArray<ObservedFile>): Item => {
  const { folder, count } = mainFolder(files)
  const ordered = files
    .filter(({ path }) => directoryOf(path) === folder)
    .sort((a, b) => a.lines - b.lines || (a.path < b.path ? -1 : 1))
  const middle = ordered[ordered.length >> 1]!
  const example = commands.find(({ file }) => file === middle)!
  const { shape } = example.site
  const where =
    files.length === 1
      ? `in ${code(middle.path)}, where all ${plural(commands.length, "command")} are`
      : `in a file of ${code(folder === "" ? "." : folder)} (${count} of ${plural(files.length, "file")} with commands)`
  return {
    text: `Declare ${/^[aeo]/.test(shape) ? "an" : "a"} ${shape} ${where}, as ${label(example)} is.`,
    cites: [cited(example)]
  }
}

const listStep = (lists: ReadonlyArray<Placed>): Item | null => {
  const byFile = new Map<ObservedFile, Array<Placed>>()
  for (const one of lists) addTo(byFile, one.file, one)
  const [best] = [...byFile].sort((a, b) => b[1].length - a[1].length || (a[0].path < b[0].path ? -1 : 1))
  if (best === undefined) return null
  const [file, members] = best
  const last = members.at(-1)!
  const isShared = members.length >= 0.4 * lists.length || byFile.size === 1
  return {
    text: isShared
      ? `Make it known with ${code(last.site.shape)} in ${at({ path: file.path, line: last.site.line })} (${members.length} of ${plural(lists.length, "such call")}).`
      : `Make it known with ${code(last.site.shape)} where the command is declared, as at ${at({ path: file.path, line: last.site.line })}; ${plural(byFile.size, "file")} do so.`,
    cites: [cited(last)]
  }
}

/** How a sub-command is added, as those that are there show it. */
export const commandRecipe = (survey: Survey): Guide | null => {
  const isOther = isOfAnother(survey)
  const commands = mostCommon(sitesIn(survey, "command").filter((placed) => !isOther(placed)))
  if (commands.length < MIN_COMMANDS) return null
  const files = [...new Set(commands.map(({ file }) => file))]
  const steps = [fileStep(commands, files), listStep(sitesIn(survey, "command_list"))]
  return {
    slug: "add-a-command",
    title: "Add a command",
    description: `When the program is to have another sub-command. There are ${plural(commands.length, "command")}.`,
    items: [
      ...inPart("Steps", [...steps, ...aroundFiles(survey, files)]),
      ...inPart("Where to look", [
        {
          text: `Commands that are there: ${commands.slice(0, 8).map(label).join(", ")}${commands.length > 8 ? ` and ${commands.length - 8} more` : ""}.`,
          cites: commands.slice(0, 8).map(cited)
        }
      ])
    ]
  }
}
