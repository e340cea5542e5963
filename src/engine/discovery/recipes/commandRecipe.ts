import { addTo } from "../../core/collections/lists.ts"
import { baseName, directoryOf } from "../../core/text/paths.ts"
import { entryPointsOf } from "../architecture/entries.ts"
import { isOfHelpers } from "../architecture/mainLanguages.ts"
import { isAside } from "../architecture/stores.ts"
import { productNames } from "../commands/programs/productNames.ts"
import { at, code, type Guide, type Item, plural } from "../Draft.ts"
import type { ObservedFile, Site } from "../Observed.ts"
import { goalShape } from "../observers/commands/commandSites.ts"
import { loadedShape } from "../observers/commands/loadedCommands.ts"
import type { Survey } from "../Survey.ts"
import { aroundFiles, inPart, mainFolder } from "./recipeParts.ts"

const MIN_COMMANDS = 3
/** Where a framework has them declared, one goal of a plugin, or two commands, show how another is added. */
const MIN_DECLARED = 2

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
const isOfAnother =
  (start: string | undefined) =>
  ({ site, file }: Placed): boolean =>
    isListing.test(site.shape) && (/debug|test/i.test(site.shape) || (file.isEntryPoint > 0 && file.path !== start))

/** An enumeration or a variable that is called so holds the commands of the program, others those of one of them. */
const isOfAll =
  /`(?:(?:match|switch|case) )?\(?(?:[\w.]*\.)?(?:[sS]ub)?(?:[cC]ommands?|COMMANDS?|[cC]mds?|[vV]erb|[cC]li|[aA]ction|[mM]ode)(?:\.as_str\(\))?\)?(?: with| of| in)?`/

/** The way in which most commands are declared; where there are several of one kind, that of the whole program. */
const mostCommon = (found: ReadonlyArray<Placed>): ReadonlyArray<Placed> => {
  const byShape = new Map<string, Array<Placed>>()
  for (const one of found) addTo(byShape, one.site.shape, one)
  const ordered = [...byShape].sort((a, b) => b[1].length - a[1].length)
  const [most] = ordered
  if (most === undefined) return []
  const kindOf = (shape: string): string => shape.replace(/`.*`/, "")
  const ofAll = ordered.find(
    ([shape, sites]) => kindOf(shape) === kindOf(most[0]) && isOfAll.test(shape) && sites.length >= MIN_COMMANDS
  )
  return (ofAll ?? most)[1]
}

const label = ({ site, file }: Placed): string => {
  const place = at({ path: file.path, line: site.line })
  return site.symbol === null || site.symbol === "Command" ? place : `${code(site.symbol)} (${place})`
}

const cited = ({ site, file }: Placed) => ({ path: file.path, line: site.line })

const MIN_FOLDERS = 3

/** Below which folder most commands have a folder each, and which files are alone in theirs. */
const foldersOfTheirOwn = (
  files: ReadonlyArray<ObservedFile>
): { readonly above: string; readonly count: number; readonly alone: ReadonlyArray<ObservedFile> } | null => {
  const byFolder = new Map<string, Array<ObservedFile>>()
  for (const file of files) addTo(byFolder, directoryOf(file.path), file)
  const byParent = new Map<string, Array<string>>()
  for (const folder of byFolder.keys()) if (folder !== "") addTo(byParent, directoryOf(folder), folder)
  const [best] = [...byParent].sort((a, b) => b[1].length - a[1].length)
  const alone = (best?.[1] ?? []).flatMap((folder) => {
    const own = byFolder.get(folder)!
    return own.length === 1 ? own : []
  })
  return best === undefined || alone.length < MIN_FOLDERS ? null : { above: best[0], count: best[1].length, alone }
}

const sized = (files: ReadonlyArray<ObservedFile>): ReadonlyArray<ObservedFile> =>
  [...files].sort((a, b) => a.lines - b.lines || (a.path < b.path ? -1 : 1))

const shown = (folder: string): string => code(folder === "" ? "." : folder)

/** The file of a program with most of its commands, and how many. */
const fullestFile = (commands: ReadonlyArray<Placed>): readonly [file: ObservedFile, count: number] => {
  const counts = new Map<ObservedFile, number>()
  for (const { file } of commands) counts.set(file, (counts.get(file) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]!
}

/** Fewer commands than these beside others do not say where a new one belongs. */
const CENTRAL = 0.6
/** Where the program starts, a third is enough: those of other files are of parts of it, or are not loaded. */
const CENTRAL_AT_START = 1 / 3

interface Where {
  readonly text: string
  readonly among: ReadonlyArray<ObservedFile>
}

/** Where a command is declared; the largest group of them may be that of one command with many of its own. */
const whereDeclared = (
  commands: ReadonlyArray<Placed>,
  files: ReadonlyArray<ObservedFile>,
  root: ObservedFile | null,
  start: string | undefined
): Where => {
  const { folder, count } = mainFolder(files)
  const inFolder = (one: string) => files.filter(({ path }) => directoryOf(path) === one)
  if (files.length === 1)
    return { text: `in ${code(files[0]!.path)}, where all ${plural(commands.length, "command")} are`, among: files }
  const [fullest, most] = fullestFile(commands)
  const isStart = fullest.path === start && most >= MIN_COMMANDS
  const least = (isStart ? CENTRAL_AT_START : CENTRAL) * commands.length
  if (files.length > 1 && (root === null || root === fullest) && most >= least)
    return {
      text: `in ${code(fullest.path)}, where ${most} of ${plural(commands.length, "command")} are`,
      among: [fullest]
    }
  const ofFolder = (one: string): Where => ({
    text: `in a file of ${shown(one)} (${inFolder(one).length} of ${plural(files.length, "file")} with commands)`,
    among: inFolder(one)
  })
  if (root === null || 2 * count > files.length) return ofFolder(folder)
  const beside = directoryOf(root.path)
  if (inFolder(beside).length > MIN_FOLDERS) return ofFolder(beside)
  const own = foldersOfTheirOwn(files)
  return own === null
    ? ofFolder(folder)
    : {
        text: `in a folder of its own below ${shown(own.above)} (${plural(own.count, "folder")} there have commands)`,
        among: own.alone
      }
}

const fileStep = (
  commands: ReadonlyArray<Placed>,
  files: ReadonlyArray<ObservedFile>,
  root: ObservedFile | null,
  start: string | undefined
): Item => {
  const { text, among } = whereDeclared(commands, files, root, start)
  const middle = sized(among)[among.length >> 1]!
  const example = commands.find(({ file }) => file === middle)!
  const { shape } = example.site
  return {
    text:
      shape === loadedShape
        ? `Add a module beside those of the other commands, and its name to the list ${text}, as ${label(example)} is.`
        : `Declare ${/^[aeo]/.test(shape) ? "an" : "a"} ${shape} ${text}, as ${label(example)} is.`,
    cites: [cited(example)]
  }
}

const isRootName = /^(?:root|main|cli|cmd|commands?|app|index|program|__main__|__init__)$/

const MIN_LISTED = 3

/** The file of the whole program in which its commands are made known; groups of commands have such files of their own. */
const rootOf = (survey: Survey, lists: ReadonlyArray<Placed>, start: string | undefined): ObservedFile | null => {
  const names = productNames(survey)
  const counts = new Map<ObservedFile, number>()
  for (const { file } of lists) counts.set(file, (counts.get(file) ?? 0) + 1)
  const rank = ({ path }: ObservedFile): number => {
    const stem = baseName(path).replace(/\.\w+$/, "")
    return path === start ? 2 : isRootName.test(stem) || names.has(stem) ? 1 : 0
  }
  const depth = ({ path }: ObservedFile): number => path.split("/").length
  const [best] = [...counts]
    .filter(([file, count]) => count >= MIN_LISTED && rank(file) > 0)
    .sort((a, b) => rank(b[0]) - rank(a[0]) || depth(a[0]) - depth(b[0]) || b[1] - a[1])
  return best?.[0] ?? null
}

const listStep = (
  commands: ReadonlyArray<Placed>,
  lists: ReadonlyArray<Placed>,
  root: ObservedFile | null
): Item | null => {
  // The loop makes all of them known.
  if (commands[0]?.site.shape === loadedShape) return null
  // A decorator of its group makes a command known; then only groups are added by a call.
  if (commands[0]?.site.shape === "click command" && 2 * lists.length < commands.length) return null
  const byFile = new Map<ObservedFile, Array<Placed>>()
  for (const one of lists) addTo(byFile, one.file, one)
  const [most] = [...byFile].sort((a, b) => b[1].length - a[1].length || (a[0].path < b[0].path ? -1 : 1))
  if (most === undefined) return null
  const [file, members] = root === null ? most : [root, byFile.get(root)!]
  const last = members.at(-1)!
  const isShared = root !== null || members.length >= 0.4 * lists.length || byFile.size === 1
  return {
    text: isShared
      ? `Make it known with ${code(last.site.shape)} in ${at({ path: file.path, line: last.site.line })} (${members.length} of ${plural(lists.length, "such call")}).`
      : `Make it known with ${code(last.site.shape)} where the command is declared, as at ${at({ path: file.path, line: last.site.line })}; ${plural(byFile.size, "file")} do so.`,
    cites: [cited(last)]
  }
}

/** A group of click is declared as its commands are. */
const leastOf = ([first]: ReadonlyArray<Placed>): number => {
  const shape = first?.site.shape ?? ""
  if (shape === goalShape) return 1
  return isListing.test(shape) ||
    /^(?:click command|command of a bot|`CommandHandler.*|function|`do_.*|arm .*|clause .*)$/.test(shape)
    ? MIN_COMMANDS
    : MIN_DECLARED
}

/** How a sub-command is added, as those that are there show it. */
export const commandRecipe = (survey: Survey): Guide | null => {
  const start = entryPointsOf(survey)[0]?.file_path
  const isOther = isOfAnother(start)
  const commands = mostCommon(sitesIn(survey, "command").filter((placed) => !isOther(placed)))
  if (commands.length < leastOf(commands)) return null
  const files = [...new Set(commands.map(({ file }) => file))]
  const lists = sitesIn(survey, "command_list")
  // Programs that add none to what they declare have one command each.
  if (commands[0]!.site.shape === "cobra command" && lists.length === 0) return null
  const root = rootOf(survey, lists, start)
  const steps = [fileStep(commands, files, root, start), listStep(commands, lists, root)]
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
