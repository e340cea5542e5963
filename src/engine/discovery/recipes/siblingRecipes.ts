import { addTo } from "../../core/collections/lists.ts"
import { baseName, directoryOf } from "../../core/text/paths.ts"
import { pagesOf } from "../architecture/pages.ts"
import { at, code, type Guide, type Item, plural } from "../Draft.ts"
import { lastPart, TypeHierarchy } from "../domain/TypeHierarchy.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import type { Family, Sibling } from "./Family.ts"
import { implementedFamilies } from "./implementedFamilies.ts"
import { loadedFamilies } from "./loadedFamilies.ts"
import { aroundFiles, inPart, isShared, mainFolder, namedAddition, shapeOf, siblingOf } from "./recipeParts.ts"
import { registeredFamilies } from "./registeredFamilies.ts"
import { MIN_SIBLINGS, registrations } from "./registrations.ts"

/** What those who use a program call, choose or switch on, by the name of the type that each of them derives from. */
const called =
  /^(?:I|Abstract|Base)?(?:[A-Z]\w*)?(Command|Cmd|Subcommand|Verb|Action|Endpoint|Resource|Controller|Servlet|Page|Plugin|Extension|Importer|Exporter|Reporter|Filter|Task|Job|Tool|Operation|Source|Provider|Backend|Driver|Adapter|Scraper|Notifier|Formatter|Checker|Detector|Rule|Language)(?:Base|Handler|Interface)?$/

/** Types of frameworks and languages that are not the program's own, though it may declare one of the same name. */
const isOfFramework = /^(?:java|javax|django|rest_framework|Symfony|Illuminate|System)\b/

const nouns: Readonly<Record<string, string>> = {
  Cmd: "command",
  Subcommand: "command",
  Verb: "command"
}

const MAX_GUIDES = 3

/** What users call comes before what is plugged in. */
const isCalled = /^(?:command|endpoint|resource|controller|servlet|page|action)$/

/** Types that derive from one that the program declares itself, where it is the kind that is called by its users. */
const derived = (hierarchy: TypeHierarchy): ReadonlyArray<Family> =>
  hierarchy.bases.flatMap((base): ReadonlyArray<Family> => {
    const { name } = base.what
    const word = called.exec(name)?.[1]
    if (word === undefined) return []
    const members = hierarchy
      .directlyFrom(name)
      .filter(({ what }) => what.bases.some((one) => lastPart(one) === name && !isOfFramework.test(one)))
      .map(siblingOf)
    // Several in one file are of its own making, rather than what others add to.
    if (new Set(members.map(({ file }) => file)).size < MIN_SIBLINGS) return []
    const own = siblingOf(base)
    return [{ noun: nouns[word] ?? word.toLowerCase(), shape: shapeOf(own), base: own, members }]
  })

/** Folders whose modules are one command each. */
const commandFolder = /(?:^|\/)(?:commands?|cmds?|sub_?commands?|verbs)$/i

const MIN_MODULES = 5

/** Modules of each folder that is named so, without those that serve the others. */
const modulesByFolder = (
  files: ReadonlyArray<ObservedFile>,
  named: RegExp
): ReadonlyMap<string, ReadonlyArray<Sibling>> => {
  const byFolder = new Map<string, Array<Sibling>>()
  for (const file of files) {
    const folder = directoryOf(file.path)
    const name = baseName(file.path).replace(/\.\w+$/, "")
    if (named.test(folder) && !isShared.test(name)) addTo(byFolder, folder, { name, line: 1, file })
  }
  return byFolder
}

/** Modules of a folder for commands, whatever language they are written in. */
const modules = (files: ReadonlyArray<ObservedFile>): ReadonlyArray<Family> => {
  return [...modulesByFolder(files, commandFolder).values()].flatMap((found): ReadonlyArray<Family> => {
    const named = found.filter(({ name }) => /^(?:cmd|command)[-_]/i.test(name))
    // Where some are named for what they are, the others serve them.
    const members = named.length >= MIN_MODULES ? named : found
    const languages = new Set(members.map(({ file }) => file.language))
    return members.length < MIN_MODULES || languages.size > 1
      ? []
      : [{ noun: "command", shape: "a module", base: null, members }]
  })
}

/** Folders whose modules are of one kind each that others may add to, where a module lists most of them. */
const pluginFolder =
  /(?:^|\/)(plugins?|extensions?|drivers?|backends?|providers?|adapters?|exporters?|importers?|formatters?|reporters?|scrapers?|notifiers?|checkers?|detectors?|languages|rules|formats)$/i

/** Modules of a folder for what is plugged in; a list of them says that a new one is made known there. */
const plugins = (files: ReadonlyArray<ObservedFile>): ReadonlyArray<Family> => {
  const families = [...modulesByFolder(files, pluginFolder)].flatMap(([folder, members]): ReadonlyArray<Family> => {
    const noun = pluginFolder.exec(folder)![1]!.toLowerCase().replace(/s$/, "")
    const languages = new Set(members.map(({ file }) => file.language))
    const isOfOneKind = members.length >= MIN_MODULES && languages.size === 1
    return isOfOneKind ? [{ noun, shape: "a module", base: null, members }] : []
  })
  const listed = registrations(files, families)
  return families.filter((family) => listed.has(family))
}

/** Pages of a web server, where no routes say what answers. */
const pages = (survey: Survey): ReadonlyArray<Family> => {
  const found = survey.source.some((file) => file.has("routes")) ? [] : pagesOf(survey)
  const members = found.map((file) => ({ name: baseName(file.path), line: 1, file }))
  return members.length === 0 ? [] : [{ noun: "page", shape: "a script", base: null, members }]
}

const stepOf = ({ shape, members, above }: Family): Item => {
  if (above !== undefined) {
    const { name, line, file } = members[members.length >> 1]!
    return {
      text: `Write ${shape} in a folder of its own below ${code(above === "" ? "." : above)} (${plural(members.length, "folder")} there do so), as ${code(name)} (${at({ path: file.path, line })}) is.`,
      cites: [{ path: file.path, line }]
    }
  }
  const { folder, count } = mainFolder(members.map(({ file }) => file))
  const inFolder = members
    .filter(({ file }) => directoryOf(file.path) === folder)
    .sort((a, b) => a.file.lines - b.file.lines || (a.file.path < b.file.path ? -1 : 1))
  const { name, line, file } = inFolder[inFolder.length >> 1]!
  return {
    text: `Write ${shape} in ${code(folder === "" ? "." : folder)} (${count} of ${members.length} are there), as ${code(name)} (${at({ path: file.path, line })}) is.`,
    cites: [{ path: file.path, line }]
  }
}

const loadingOf = (loader: NonNullable<Family["loader"]>): Item => ({
  text: `It need not be listed: ${at(loader)} loads each module of that folder.`,
  cites: [loader]
})

const guideOf = (survey: Survey, family: Family, registration: Item | null): Guide => {
  const known = family.loader === undefined ? registration : loadingOf(family.loader)
  const around = aroundFiles(survey, [...new Set(family.members.map(({ file }) => file))])
  const shown = family.members.slice(0, 8)
  return {
    ...namedAddition(family.noun),
    description: `There are ${plural(family.members.length, family.noun)} of one shape.`,
    items: [
      ...inPart("Steps", [
        stepOf(family),
        known,
        ...around.filter(({ cites }) => known === null || cites[0]?.path !== known.cites[0]!.path)
      ]),
      ...inPart("Where to look", [
        {
          text: `Those that are there: ${shown.map(({ name, line, file }) => `${code(name)} (${at({ path: file.path, line })})`).join(", ")}${family.members.length > shown.length ? ` and ${family.members.length - shown.length} more` : ""}.`,
          cites: shown.map(({ line, file }) => ({ path: file.path, line }))
        }
      ])
    ]
  }
}

/** How another of what a program's users call is added, where its own base type or a folder of modules shows the shape. */
export const siblingRecipes = (survey: Survey, files: ReadonlyArray<ObservedFile>): ReadonlyArray<Guide> => {
  const hierarchy = new TypeHierarchy(files)
  const largest = new Map<string, Family>()
  const ofUsers = derived(hierarchy)
  const isOfUsers = ({ base }: Family): boolean => ofUsers.some((one) => one.base?.name === base?.name)
  for (const family of [
    ...ofUsers,
    ...loadedFamilies(survey, files),
    ...modules(files),
    ...plugins(files),
    ...pages(survey),
    ...registeredFamilies(files),
    ...implementedFamilies(files, hierarchy).filter((family) => !isOfUsers(family))
  ]) {
    const known = largest.get(family.noun)
    // A type that all share says more than a folder.
    if (known === undefined || (family.base !== null && family.members.length > known.members.length))
      largest.set(family.noun, family)
  }
  const shown = [...largest.values()]
    .sort(
      (a, b) =>
        Number(isCalled.test(b.noun)) - Number(isCalled.test(a.noun)) ||
        b.members.length - a.members.length ||
        (a.noun < b.noun ? -1 : 1)
    )
    .slice(0, MAX_GUIDES)
  const listed = registrations(files, shown)
  return shown.map((family) => guideOf(survey, family, listed.get(family) ?? null))
}
