import { addTo } from "../../core/collections/lists.ts"
import { isSecondary } from "../architecture/mainLanguages.ts"
import { publishedNames } from "../commands/programs/productNames.ts"
import type { Entity, ObservedFile } from "../Observed.ts"
import { goalShape } from "../observers/commands/commandSites.ts"
import type { Survey } from "../Survey.ts"
import { isMigration, isPlain, kindOf, nounKey, type Placed, stemOf } from "./Noun.ts"
import { keyWithout, sharedPrefix } from "./prefixes.ts"

/** What is exchanged or needed to run, rather than what the code is about. */
export const isMachinery = (name: string): boolean =>
  /(?:Request|Response|Reply|Req|Resp|Payload|Params?|Args|Arguments|Input|Output|Options?|Opts?|Configs?|Configuration|Settings?|Errors?|Exceptions?|Handler|Manager|Factory|Provider|Helpers?|Utils?|Builder|TestCase|Mixin|Base|Interface|Impl|Services?|Controller|Middleware|Context|Visitor|Listener|Adapter|Wrapper|Proxy|Props|State|Registry|Loader|Resolver|Validator|Serializer|Serialiser|Formatter|Callback|Migration|Exporter|Importer|Widget|Dialog|Form|View|Panel|Warning|Schema|Meta|Attributes|Enum|Type|Types|Info|Result|Metrics|Logger|Test|Tests|Parser|Fetcher|Reader|Writer|Scanner|Lexer|Tokenizer|Printer|Renderer|Runner|Walker|Encoder|Decoder|Dispatcher|Scheduler|Connector|Converter|Generator|Processor|Collector|Watcher|Comparator|Sorter|Matcher|Finder|Timer|Cache|Pool|Thread|Iter|Cmd|Buffer|Stream|Transport|Callbacks|Button|Window|Delegate|Layout|Toolbar|Menu|Private|Monitor|Initializer|Bean|Label|Style|Loop|Block|Plugin|Property|Properties|Mutex|Socket|Ptr|List|Map|Array|Vector|Cached|Message[sr]?Handler|ErrorMessages?|Constants|Methods?|Workarounds?|Thunk|Future|Promise|Closure|Semaphore|Slice|Span|Opaque|Extra|Wrapped|Activity|Screen|Extensions?|Skeleton|(?:List|Text|Check|Combo|Input|Message|Dialog)[bB]ox|(?:Abstract|Item|List|Table|Tree|Proxy|View)Model|Collections?|Sequence|Set|Tree|Stack|Metadata|Handles?|Stats|Statistics|Totals|Roots|Descriptor|Lock|Guard|Hash(?:[tT]able)?|Semantics|EntryPoint|Cfg|Ctx|Logging|Arrays|Iterators?|Functions|Coordinator|Trees|Streams|Https?|OrStdout|Popover|Page(?:Info)?View|Tab|Bridge|[A-Za-z]Look|Appearance|Palette|Skin|Fonts?|Cursor|Pixmap|Tooltip|(?:Tool|Status|Filter|Progress|Menu|Scroll|Title|Side|Search|Tab)[bB]ar|Mojo|[A-Za-z]Ops|Canvas|HelpSystem|Legacy|Compat|Setup|Common)$|^(?:Abstract|Base|Default|Test|Mock|Fake|Stub|Dummy|Example|Sample|Custom)[A-Z]?|^Config[A-Z]|^(?:Main|App|Application|Config|Server|Health\w*|Metrics\w*|Util\w*|Version|Object|Value|Data|Item|Entry|Params|Empty|Query|Mutation|Subscription|Meta|Type|Enum|Schema|Struct|String|Program|Plugin|Model|Node|Edge|PageInfo|Index|Constants?|Globals?|Core|Platform|Performance|Cli|GUI|Gui|Database|Preferences|Status|PartialList|Web|Load|Lib|Init|Html|Xml|Json|Yaml|Css|Sql|Csv|Http|Mysql|Redis|Sqlite|Get|Put|Add|Remove|Write|Read|Open|Close|Send|Free)$/.test(
    name
  )

/** Words that may be what the code is about as well as how it is made: the readme shows which. */
export const isGeneralWord = (name: string): boolean =>
  /^(?:File|Client|Connection|Queue|Expr|Token|Path|Glob|Colou?r|Range|Point|Line|Polygon|Rect|Size|Header|Format|Event|Integer|Boolean|Expression|Ref|Reference|Print|Option|Import|Process|Entry|Item|Node|Query|Index|Plugin|Block|Label|Property|Page|Command|Check|Attribute|Field|Element|Message|Filter|Name|Frame|Text|System|Counters?)$/.test(
    name
  )

const isMessage = (name: string): boolean =>
  /(?:Request|Response|Reply|Req|Resp|Payload|Params|Args|Input|Output|Options|Error|Exception|List|Page|PageToken|Connection|Edge|Config)$|^Health|^(?:Empty|Error|PageToken)$/.test(
    name
  )

const isTemporary = (name: string): boolean =>
  /(?:^|_)(?:te?mp|old|new|bak|backup|v\d+)$|^(?:te?mp|old|new|sqlite)(?:_|$)|^(?:sqlite|schema_migrations)/i.test(
    name
  ) || /^(?:Te?mp|Old|New)[A-Z]/.test(name)

/** Tables that statements write. */
const writtenTables = (survey: Survey): ReadonlySet<string> =>
  new Set(
    survey.source.flatMap((file) => (file.has("writes") ? file.writes.map(([table]) => table.toLowerCase()) : []))
  )

/** SQL in a program that is neither a migration nor beside a table that is written may be text about SQL. */
const isTable = ({ as }: Entity, { language, path, entities }: ObservedFile, written: ReadonlySet<string>): boolean =>
  as !== "SQL table" ||
  language === "sql" ||
  isMigration(path) ||
  entities.some((one) => one.as === "SQL table" && written.has(one.name.replace(/^.*\./, "").toLowerCase()))

type ByKey = ReadonlyMap<string, ReadonlyArray<Placed<Entity>>>

export interface Declared {
  /** What may be a noun of a program. */
  readonly byKey: ByKey
  /** The same of a library: the types of machinery that its users hold as well. */
  readonly ofLibrary: ByKey
  /** The key of a name, without the word that most types begin with. */
  readonly keyOf: (name: string) => string
}

/** Which plain types may be nouns: not those of machinery, or, in a library, all but those that serve others. */
export type PlainTypes = "without machinery" | "of a library"

export const declarationsIn = (survey: Survey, words: ReadonlyMap<string, number>): Declared => {
  const keyOf = keyWithout(
    [
      sharedPrefix(namesOf(survey, ({ as }) => isPlain(as))),
      sharedPrefix(namesOf(survey, ({ as }) => as === "SQL table"))
    ],
    publishedNames(survey)
  )
  const byKey = new Map<string, Array<Placed<Entity>>>()
  const ofLibrary = new Map<string, Array<Placed<Entity>>>()
  for (const { key, own, one } of possibleIn(survey, keyOf)) {
    if (isNoun(own, one.file, words, "without machinery")) addTo(byKey, key, one)
    if (isNoun(own, one.file, words, "of a library")) addTo(ofLibrary, key, one)
  }
  for (const { key, one } of derivedIn(survey, byKey)) for (const known of [byKey, ofLibrary]) addTo(known, key, one)
  return { byKey, ofLibrary, keyOf }
}

interface Keyed {
  readonly key: string
  readonly one: Placed<Entity>
}

/** What is declared where a noun may be; `own` is what a list holds: `TaskList` is as much of a noun as `Task`. */
const possibleIn = (survey: Survey, keyOf: Declared["keyOf"]): ReadonlyArray<Keyed & { readonly own: Entity }> => {
  const isOfOthers = isSecondary(survey)
  const written = writtenTables(survey)
  const isListOf = listsOf(survey)
  const mayBe = (what: Entity, file: ObservedFile, key: string): boolean => {
    const kind = kindOf(what)
    // Beside a program in C, the types of its web page say little of it.
    if (kind === 2 && (isOfOthers(file) || isOfFramework.test(key) || isGoal(file))) return false
    return !(kind === 0 && isOfProgram.test(key)) && isTable(what, file, written)
  }
  return survey.files
    .filter((file) => file.has("entities") && !isOfExample.test(file.path))
    .flatMap((file) =>
      file.entities.flatMap((what) => {
        const key = keyOf(what.name)
        if (!mayBe(what, file, key)) return []
        const isList = kindOf(what) === 2 && isListOf(what.name)
        const own = isList ? { ...what, name: what.name.replace(/_?list$/i, "") } : what
        return [{ key, own, one: { what, file } }]
      })
    )
}

/** A goal of a Maven plugin does something with the nouns. */
const isGoal = (file: ObservedFile): boolean => file.has("sites") && file.sites.some(({ shape }) => shape === goalShape)

/** Whether a name is that of a list of another plain type. */
const listsOf = (survey: Survey): ((name: string) => boolean) => {
  const names = new Set(namesOf(survey, ({ as }) => isPlain(as)).map(nounKey))
  return (name) => {
    const key = nounKey(name)
    return key.endsWith(" list") && names.has(key.replace(/ list$/, ""))
  }
}

const namesOf = (survey: Survey, isOfKind: (one: Entity) => boolean): ReadonlyArray<string> => [
  ...new Set(
    survey.source.flatMap((file) =>
      file.has("entities") ? file.entities.flatMap((one) => (isOfKind(one) ? [one.name] : [])) : []
    )
  )
]

const isNoun = (what: Entity, file: ObservedFile, words: ReadonlyMap<string, number>, plain: PlainTypes): boolean => {
  if (what.name === "Version" && kindOf(what) > 0) return false
  if (isTemporary(what.name) || (what.as !== "SQL table" && isMigration(file.path))) return false
  const kind = kindOf(what)
  if (kind === 0) return !keepsOthers.test(what.name) && !isOfProgram.test(what.name)
  if (kind === 2) return plain === "of a library" ? isOfLibrary(what, file, words) : isPlainNoun(what, file, words)
  const isSignal = what.as === "protobuf message" && /\w(?:Message|Event|Notification|Command)$/.test(what.name)
  return !startsWithVerb.test(what.name) && !isSignal && !isMessage(capitalised(what.name))
}

/** `shop_options` and `shop_options_t` of C are `ShopOptions`, `BUFFER` is `Buffer`. */
const capitalised = (name: string): string =>
  (/^[A-Z\d_]+$/.test(name) ? name.toLowerCase() : name)
    .replace(/^T(?=[A-Z][a-z])|_(?:t|s|st|struct|rec)$/g, "")
    .replace(/(?:^_*|_+)([A-Za-z\d]?)/g, (_, first: string) => first.toUpperCase())

/** Models of Qt and GTK feed a view with what others keep. */
const isViewModel = (name: string, file: ObservedFile): boolean =>
  /\wModel$/.test(name) &&
  (/\.(?:c|cc|cpp|cxx|h|hh|hpp)$/.test(file.path) ||
    (file.language === "python" && file.imports.some(({ module }) => /^(?:gi\b|gtk|PyQt\d|PySide\d)/.test(module))))

const MIN_WIDGETS = 3

/** A window keeps what it consists of. */
const isOfWidgets = ({ fields }: Entity): boolean =>
  fields.filter((field) =>
    /^(?:[vh]box\d*|window|dialog|menubar|toolbar|statusbar|notebook|paned|\w*_(?:button|btn|entry|combo|vbox|hbox|label|menu|widget|scrolledwin|frame|treeview|checkbtn|spinbtn))$/i.test(
      field
    )
  ).length >= MIN_WIDGETS

const isPlainNoun = (what: Entity, file: ObservedFile, words: ReadonlyMap<string, number>): boolean => {
  const { name: written } = what
  const { path } = file
  if ([isOfInterface, isOfInternals, isOfWorkers].some((elsewhere) => elsewhere.test(path))) return false
  const name = capitalised(written)
  if (isGeneralWord(name.replace(/s$/, ""))) return (words.get(nounKey(written)) ?? 0) > 2
  return (
    !isContainer.test(written) &&
    !startsWithVerb.test(written) &&
    !isMachinery(name) &&
    !isViewModel(name, file) &&
    !isOfWidgets(what)
  )
}

/** Types that serve the others of a library, and those that most programs have under the same name. */
const servesOthers =
  /(?:Errors?|Exceptions?|Warnings?|Options?|Opts?|Configs?|Conf|Settings?|[a-z](?:Request|Response|Reply)|Sorter|Loader|Closure|Params?|Args|Arguments|Props|Properties|Mojo|Utils?|Helpers?|Tests?|TestCase|Mixin|Base|Impl|Info|Constants?|Widget|Dialog|Window|Button|View|Panel|Form|Activity|Private|Priv|Data|Metadata|Stats|Type|Types|Enum|State|Meta|Callbacks?|Logger|Logging|Delegate|Adapter|Wrapper|Proxy|Factory|Builder|Provider|Interface|Migration|Iter|Iterators?|Guard|Lock|Mutex|Thread|Thunk|Props|Legacy|Compat|Version|Visitor|Listener|Ptr|Main|App|Application|Common|Setup|Load|Lib|Core|Init|Package|Module|Plugin|Extension|Globals?|Cmd|Cli|Stub|Legacy|Compat|String|Object|Value|Paths|Dirs|Folders|Environment)$|^(?:List|Array|Map)$|^(?:Abstract|Base|Default|Test|Mock|Fake|Stub|Dummy|Example|Sample|Simple|Internal|Raw|Std|My)(?=[A-Z]|$)/

/** A library is about the types that its users hold: also parsers, tokens and connections. */
const isOfLibrary = (what: Entity, file: ObservedFile, words: ReadonlyMap<string, number>): boolean => {
  const name = capitalised(what.name)
  return (
    ![isOfInterface, isOfServants, isOfWorkers].some((elsewhere) => elsewhere.test(file.path)) &&
    (!servesOthers.test(name) || (isGeneralWord(name) && (words.get(nounKey(what.name)) ?? 0) > 2)) &&
    !startsWithVerb.test(name) &&
    !(isContainer.test(what.name) && !stemOf(file.path).endsWith(nounKey(what.name).split(" ").at(-1)!)) &&
    !isTemporary(what.name) &&
    !isViewModel(name, file) &&
    !isOfWidgets(what)
  )
}

const isOfServants =
  /(?:^|\/)(?:config|settings|options|utils?|utilities|helpers?|compat|logging|errors?|exceptions?|test(?:ing|util|s)?|spec)\/|(?:utils?|utilities|helpers?|compat)\.\w+$/i

/** Structures that hold anything, as names of C in lower case say: `arraylist`, `hashtable`. */
const isContainer =
  /^[a-z_\d]*(?:list|table|map|tree|array|hash|queue|stack|buf|buffer|vec|vector|ring|pool)s?(?:_t|_s)?$/

/** How the program reads its input, and what serves all of it, are not what it is about. */
const isOfInternals =
  /(?:^|\/)(?:config|settings|options|parsers?|parsing|lexers?|scanners?|tokeni[sz]ers?|ast|syntax|compilers?|utils?|utilities|helpers?|logging|internal\/util|errors?|exceptions?|test(?:ing|util|s)?)\/|(?:utils?|utilities|helpers?)\.\w+$/i

/** For those who work on the repository, or to show how it is used. */
export const isOfWorkers = /(?:^|\/)(?:scripts?|tools?|docs?|debian|bench\w*|examples?|contribs?|packaging|ci|hack)\//i

/** What an example is about is not what the repository is about. */
const isOfExample = /(?:^|\/)(?:examples?|samples?|demos?)(?:[_-]\w+)?\//i

/** What stores the nouns is none, whatever it has in common with them. */
const keepsOthers =
  /^(?:Abstract)?(?:Base|Model)$|^(?:\w+)?(?:Repository|Manager|Handler|Factory|Database|Engine|Mixin|Backend|Migration)$/

/** What a program remembers of itself. */
const isOfProgram =
  /^(?:(?:schema[_ ]?)?versions?|settings?|options?|configs?|configuration|pref(?:erence)?s?|migrations?|sequences?|locks?|logs?)$/i

/** What a program with a word of its own before all names calls its parts: `GtdObject`. */
const isOfFramework = /^(?:object|list store|application|app|base|utils?|settings?|config|debug|log)$/

/** What is shown on a screen, or does something with a noun when it is asked to, stands for it at most. */
export const isOfInterface =
  /(?:^|\/)(?:\w{0,10}ui|views?|widgets?|dialogs?|popovers?|activities|windows?|screens?|actions?|commands?|cli|controllers?|animations?|effects?|graphics|gfx|sprites)\/|(?:^|\/)(?:views|widgets|dialogs|popovers|screens)\.\w+$|[\w-][-_.]ui\.\w+$/i

const startsWithVerb =
  /^(?:Find|Update|Create|Delete|List|Get|Add|Remove|Set|New|Patch|Upsert|Search|Make|Build|Parse|Load|Save|Run|Do|Is|Has|Can|With)[A-Z]/

/** A class that derives from one that is stored is stored as well. */
const derivedIn = (survey: Survey, found: ByKey): ReadonlyArray<Keyed> => {
  const entities = [...found.values()].flat().map(({ what }) => what)
  const stored = new Map(
    entities.filter((one) => kindOf(one) === 0 && one.as !== "SQL table").map(({ name, as }) => [name, as])
  )
  if (stored.size === 0) return []
  return survey.source
    .filter((file) => file.has("definitions") && !isMigration(file.path))
    .flatMap((file) =>
      file.definitions.flatMap(({ kind, name, bases, line }) => {
        const known = bases.map((base) => stored.get(base.split(/[.:\\]+/).at(-1)!)).find((as) => as !== undefined)
        const isNew = kind === "type" && known !== undefined && !stored.has(name) && !isMachinery(name)
        return isNew
          ? [{ key: nounKey(name), one: { what: { name, as: known, line, fields: [], relations: [] }, file } }]
          : []
      })
    )
}

/** One declaration of each kind: the one with most fields, not that of an old migration where there is another. */
export const chosen = (declared: ReadonlyArray<Placed<Entity>>): ReadonlyArray<Placed<Entity>> => {
  const best = new Map<string, Placed<Entity>>()
  const places = new Set<string>()
  const weight = ({ what, file }: Placed<Entity>) =>
    what.fields.length +
    2 * what.relations.length +
    (isMigration(file.path) ? 0 : 100) +
    // A type that is named like its file is declared there; elsewhere it may be another of that name.
    (stemOf(file.path) === nounKey(what.name) ? 50 : 0)
  for (const one of declared) {
    const known = best.get(one.what.as)
    if (known === undefined || weight(one) > weight(known)) best.set(one.what.as, one)
  }
  return [...best.values()]
    .sort((a, b) => kindOf(a.what) - kindOf(b.what) || weight(b) - weight(a))
    .filter(({ what: { line }, file: { path } }) => !places.has(`${path}:${line}`) && places.add(`${path}:${line}`))
}
