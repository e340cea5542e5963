import { directoryOf } from "../../core/text/paths.ts"
import { at, code, type Item, plural } from "../Draft.ts"
import type { ObservedFile, Store } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { buildScripts } from "./buildScripts.ts"
import { isOfBuild, isOfHelpers } from "./mainLanguages.ts"

const MAX_FILES = 6

/** Names of files that are about what is kept. */
const keeps =
  /(?:^|[/_.-])(?:\w*(?:stor(?:e|age)|database|db|persist\w*|repo(?:sitor\w+)?|archive|backend|journal|history|user\w*|account\w*|session\w*|save\w*|state|disk))(?=[/_.-]|$)/i

/** The same of what a program remembers of itself, or of anything. */
const keepsSettings = /(?:^|[/_.-])(?:\w*(?:settings|config\w*|profile|cache|cookie|manager|file\w*))(?=[/_.-]|$)/i

/** What others call with the name of a file. */
const isOfUtilities = /(?:^|[/_.-])\w*(?:utils?|utilit(?:y|ies)|helpers?)(?=[/_.-]|$)/i

/** Moves what was stored before into another form, once. */
const isMigration = /(?:^|[/_-])migrat\w*[/_.-]|_migrat\w*\.\w+$/i

/** For those who work on the repository, or for one platform's installer. */
const aside =
  /(?:^|\/)(?:scripts?|(?:dev[-_]?)?tools?|privinc|attic|u?tests?|playground|externals|docs?|debian|bench\w*|examples?|contribs?|features|packaging|ci|hack|build|dev|man|aux|build-?tools?|build-aux|portable|compat|gnulib|inc\/(?:Module|Test|YAML)|\w+[-_](?:integration[-_]?)?test-?(?:s|helpers?|utils?|support)?|__mocks__|mocks?|fixtures?|stubs?)\/|(?:^|[/_.-])(?:mocks?|lock_?file|pid_?file|test_?(?:utils?|helpers?))(?=[/_.-])|(?:^|\/)priv\/[^/]+\.erl$|(?:^|[/_.-])\w*(?:temp_?files?|te?mp)\.\w+$|(?:^|[/_-])(?:profil(?:e|ing|er)|trac(?:e|ing)|debug\w*|bench\w*)\.\w+$|(?:^|[/.])(?:junit|testkit|testing)\/|(?:^|\/)\w*(?:Test|Tests|TestCase|TestSuite)\.(?:java|kt|scala|cs|php)$/i

export const isAside = (path: string): boolean => aside.test(path)

interface Kept {
  readonly file: ObservedFile
  readonly stores: ReadonlyArray<Store>
}

/** How often a file writes says less of what is kept than its name. */
const MAX_COUNTED = 4

const weightOfName = (path: string): number =>
  keeps.test(path) ? 4 : isOfUtilities.test(path) ? -3 : keepsSettings.test(path) ? 2 : 0

const weight = ({ file, stores }: Kept): number =>
  Math.min(stores.length, MAX_COUNTED) +
  weightOfName(file.path) +
  (stores.some(({ kind }) => !/^(?:files|settings|the browser|a queue)/.test(kind)) ? 6 : 0) -
  (stores.every(({ kind }) => kind === "settings") ? 3 : 0) -
  // Beside what a server keeps, its pages keep little.
  (stores.every(({ kind }) => kind === "the browser's storage") ? 8 : 0)

/** What the program says of its own work is kept for those who look after it. */
const isLog = ({ file: { path }, stores }: Kept): boolean =>
  /(?:^|[/_.-])(?:log(?:s|ger|gers|ging)?|\w*log_?files?\d*)(?:[/_-]|\.\w+$)/i.test(path) ||
  stores.every(({ shown }) => /\b(?:log_?(?:file|path|name|fp|fd)|logger)\b/i.test(shown))

/** Memory that processes share has a name, and is gone with the machine's next start. */
const isMemory = ({ shown }: Store): boolean =>
  /\bshm_?(?:open|get|path|name|file)\b|\bshared_?mem(?:ory)?\w{0,20}\b|\/dev\/(?:shm|null|zero|mem)\b|\bmemfd_create\b/i.test(
    shown
  )

/** What a new project begins with is written once, before there is anything to keep. */
const beginsProject = (file: ObservedFile, { line }: Store): boolean =>
  file.has("definitions") &&
  file.definitions.some(
    (one) =>
      one.kind === "function" &&
      one.line <= line &&
      line <= one.end &&
      /^(?:init|create|new|start|begin|scaffold|bootstrap)_?(?:new_?)?projects?$/i.test(
        one.name.split(/[.:#]+/).at(-1)!
      )
  )

/** A program that only begins projects writes nothing else; one that answers requests keeps its data elsewhere. */
const withoutBeginnings = (survey: Survey, all: ReadonlyArray<Kept>): ReadonlyArray<Kept> => {
  const later = all
    .map(({ file, stores }) => ({ file, stores: stores.filter((store) => !beginsProject(file, store)) }))
    .filter(({ stores }) => stores.length > 0)
  return later.length > 0 || survey.source.some((file) => file.has("routes")) ? later : all
}

/** Files whose code keeps something outside of the program, those whose name says so first. */
const keptIn = (survey: Survey): ReadonlyArray<Kept> => {
  const isHelper = isOfHelpers(survey)
  const ofBuild = buildScripts(survey)
  const all = survey.source
    .filter(
      (file) =>
        file.has("stores") &&
        !isAside(file.path) &&
        !isMigration.test(file.path) &&
        !isOfBuild(file.path) &&
        !ofBuild.has(file.path) &&
        !isHelper(file)
    )
    .map((file) => ({ file, stores: file.stores.filter((store) => !isMemory(store)) }))
    .filter(({ stores }) => stores.length > 0)
  const known = withoutBeginnings(survey, all)
  const kept = known.filter((one) => !isLog(one))
  return (kept.length > 0 ? kept : known).toSorted(
    (a, b) => weight(b) - weight(a) || (a.file.path < b.file.path ? -1 : 1)
  )
}

/** Where files are written and stores are opened. */
export const storeItems = (survey: Survey): ReadonlyArray<Item> => {
  const kept = keptIn(survey)
  return kept.slice(0, MAX_FILES).map(({ file: { path }, stores }, index) => {
    const [first] = stores
    const kinds = [...new Set(stores.map(({ kind }) => kind))].join(" and ")
    const more = stores.length > 1 ? `, and ${plural(stores.length - 1, "place")} more` : ""
    const others = index === 0 && kept.length > 1 ? ` (${plural(kept.length, "file")} of the sources do so)` : ""
    return {
      text: `${at({ path, line: first!.line })} writes ${kinds}${others}: ${code(first!.shown)}${more}`,
      cites: [{ path, line: first!.line }]
    }
  })
}

/** The folders that write most, in a sentence. */
export const summaryItem = (survey: Survey, tables: ReadonlyMap<string, number>): ReadonlyArray<Item> => {
  const folders = new Map<string, { tables: number; stores: number; readonly path: string; readonly line: number }>()
  const add = (path: string, line: number, count: { readonly tables: number; readonly stores: number }) => {
    const folder = directoryOf(path)
    const known = folders.get(folder) ?? { tables: 0, stores: 0, path, line }
    folders.set(folder, known)
    known.tables += count.tables
    known.stores += count.stores
  }
  for (const { file, stores } of keptIn(survey)) add(file.path, stores[0]!.line, { tables: 0, stores: stores.length })
  for (const [path, count] of tables) add(path, 1, { tables: count, stores: 0 })
  const shown = [...folders]
    .sort((a, b) => b[1].tables - a[1].tables || b[1].stores - a[1].stores || (a[0] < b[0] ? -1 : 1))
    .slice(0, 3)
  const total = shown.reduce((sum, [, one]) => sum + one.tables + one.stores, 0)
  // One place alone does not say where state is kept.
  if (total < 2) return []
  const parts = shown.map(([folder, { tables: written, stores }]) => {
    const what = [
      ...(written === 0 ? [] : [plural(written, "write of a table", "writes of tables")]),
      ...(stores === 0 ? [] : [plural(stores, "write of a file or store", "writes of files or stores")])
    ]
    return `${code(folder === "" ? "." : folder)} (${what.join(", ")})`
  })
  return [
    {
      text: `Mostly written in ${parts.join(", ")}`,
      cites: shown.map(([, { path, line }]) => ({ path, line }))
    }
  ]
}
