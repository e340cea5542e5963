import { baseName, directoryOf } from "../../core/text/paths.ts"
import type { Definition, Entity, ObservedFile, States } from "../Observed.ts"
import { addTo, type Survey } from "../Survey.ts"

export interface Placed<A> {
  readonly what: A
  readonly file: ObservedFile
}

/** Something that the code is about, under whatever names its parts have it. */
export interface Noun {
  readonly name: string
  /** Those that keep it first, then what is exchanged, then plain types; of each kind the one with most fields. */
  readonly declarations: ReadonlyArray<Placed<Entity>>
  readonly doc: Placed<Definition> | null
  /** Source files that name it. */
  readonly uses: number
  readonly states: ReadonlyArray<Placed<States>>
}

const plurals: ReadonlyArray<readonly [ending: RegExp, singular: string]> = [
  [/(?:ss|us|is|news|series)$/, "$&"],
  [/ies$/, "y"],
  [/(ss|sh|ch|x|tus)es$/, "$1"],
  [/([^s])s$/, "$1"]
]

const singular = (word: string): string => {
  const [ending, replaced] = plurals.find(([one]) => one.test(word)) ?? [/$/, ""]
  return word.replace(ending, replaced)
}

/** `issue_statuses`, `IssueStatus`, `IIssueStatus` and `IssueStatusEntity` are one noun: "issue status". */
export const nounKey = (name: string): string => {
  const words = name
    .replace(/^.*\./, "")
    .replace(/^(?:I|Abstract)(?=[A-Z][a-z])/, "")
    .replace(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3_$2$4")
    .toLowerCase()
    .split(/[_\W]+/)
    .filter((word) => word !== "")
  const own = words.length > 1 && /^(?:model|entity|schema|dto)s?$/.test(words.at(-1)!) ? words.slice(0, -1) : words
  return [...own.slice(0, -1), singular(own.at(-1) ?? "")].join(" ")
}

/** What is exchanged or needed to run, rather than what the code is about. */
export const isMachinery = (name: string): boolean =>
  /(?:Request|Response|Reply|Req|Resp|Payload|Params?|Args|Arguments|Input|Output|Options?|Opts|Configs?|Configuration|Settings?|Errors?|Exceptions?|Handler|Manager|Factory|Provider|Helpers?|Utils?|Builder|TestCase|Mixin|Base|Interface|Impl|Services?|Controller|Middleware|Context|Visitor|Listener|Adapter|Wrapper|Proxy|Props|State|Registry|Loader|Resolver|Validator|Serializer|Serialiser|Formatter|Callback|Migration|Iterator|Exporter|Importer|Widget|Dialog|Form|View|Panel|Warning|Schema|Meta|Attributes|Enum|Type|Types|Info|Result|Metrics|Logger|Test|Tests|Parser|Fetcher|Reader|Writer|Scanner|Lexer|Tokenizer|Printer|Renderer|Runner|Walker|Encoder|Decoder|Dispatcher|Scheduler|Connector|Converter|Generator|Processor|Collector|Watcher|Comparator|Matcher|Finder|Timer|Cache|Pool|Thread|Iter|Cmd|Buffer|Stream|Transport|Callbacks|Button|Window|Delegate|Layout|Toolbar|Menu|Private|Monitor|Initializer|Bean|Label|Style|Loop|Block|Plugin|Property|Properties|Mutex|Socket|Ptr|List|Map|Array|Vector|Cached|Message[sr]?Handler|ErrorMessages?|Constants|Thunk|Future|Promise|Closure|Semaphore|Slice|Span|Opaque|Extra|Wrapped|Activity|Screen|EntryPoint|Popover|Page(?:Info)?View|Tab|Bridge)$|^(?:Abstract|Base|Default|Test|Mock|Fake|Stub|Dummy|Example|Sample|Custom)[A-Z]?|^(?:Main|App|Application|Config|Client|Server|Health\w*|Metric\w*|Util\w*|Version|Object|Value|Data|Item|Entry|Params|Empty|Query|Mutation|Subscription|Meta|Type|Enum|Schema|Struct|String|Program|Plugin|Model|Node|Edge|Connection|PageInfo|Index|Constants?|Globals?|Core|Platform|Performance|Cli|Status|PartialList)$/.test(
    name
  )

const isMessage = (name: string): boolean =>
  /(?:Request|Response|Reply|Req|Resp|Payload|Params|Args|Input|Output|Options|Error|Exception|List|Page|PageToken|Connection|Edge|Config)$|^Health|^(?:Empty|Error|PageToken)$/.test(
    name
  )

const isPlain = (as: string): boolean => /^(?:class|struct|type)$/.test(as)
const isExchanged = (as: string): boolean => /^(?:GraphQL|protobuf|OpenAPI|Effect)/.test(as)

/** 0 for what is stored, 1 for what is exchanged, 2 for a plain type. */
const kindOf = ({ as }: Entity): number => (isPlain(as) ? 2 : isExchanged(as) ? 1 : 0)

const isTemporary = (name: string): boolean =>
  /(?:^|_)(?:te?mp|old|new|bak|backup|v\d+)$|^(?:te?mp|old|new|sqlite|schema_migrations)_?/i.test(name)

const isMigration = (path: string): boolean => /(?:^|\/)(?:db\/)?(?:migrat\w*|upgrades?|alembic)(?:\/|$)/i.test(path)

/** Tables that statements write. */
const writtenTables = (survey: Survey): ReadonlySet<string> =>
  new Set(
    survey.source.flatMap((file) => (file.has("writes") ? file.writes.map(([table]) => table.toLowerCase()) : []))
  )

/** SQL in a program that is neither a migration nor of a table that is written may be text about SQL. */
const isTable = ({ name, as }: Entity, { language, path }: ObservedFile, written: ReadonlySet<string>): boolean =>
  as !== "SQL table" || language === "sql" || isMigration(path) || written.has(name.replace(/^.*\./, "").toLowerCase())

const declarationsIn = (survey: Survey): ReadonlyMap<string, ReadonlyArray<Placed<Entity>>> => {
  const found = new Map<string, Array<Placed<Entity>>>()
  const written = writtenTables(survey)
  for (const file of survey.files) {
    if (!file.has("entities")) continue
    for (const what of file.entities) {
      if (isNoun(what, file) && isTable(what, file, written)) addTo(found, nounKey(what.name), { what, file })
    }
  }
  addDerived(survey, found)
  return found
}

const isNoun = (what: Entity, { path }: ObservedFile): boolean => {
  if (isTemporary(what.name) || (what.as !== "SQL table" && isMigration(path))) return false
  const kind = kindOf(what)
  if (kind === 0) return !keepsOthers.test(what.name)
  if (kind === 2 && isOfInterface.test(path)) return false
  return !startsWithVerb.test(what.name) && !(kind === 1 ? isMessage(what.name) : isMachinery(what.name))
}

/** What stores the nouns is none, whatever it has in common with them. */
const keepsOthers =
  /^(?:Abstract)?(?:Base|Model)$|^(?:\w+)?(?:Repository|Manager|Handler|Factory|Database|Engine|Mixin|Backend|Migration)$/

/** What is shown on a screen stands for a noun at most. */
const isOfInterface = /(?:^|\/)(?:ui|tui|gui|\w*gui|views?|widgets?|dialogs?|popovers?|activities|windows?|screens?)\//i

const startsWithVerb =
  /^(?:Find|Update|Create|Delete|List|Get|Add|Remove|Set|New|Patch|Upsert|Search|Make|Build|Parse|Load|Save|Run|Do|Is|Has|Can|With)[A-Z]/

/** A class that derives from one that is stored is stored as well. */
const addDerived = (survey: Survey, found: Map<string, Array<Placed<Entity>>>): void => {
  const entities = [...found.values()].flat().map(({ what }) => what)
  const stored = new Map(
    entities.filter((one) => kindOf(one) === 0 && one.as !== "SQL table").map(({ name, as }) => [name, as])
  )
  if (stored.size === 0) return
  const files = survey.source.filter((file) => file.has("definitions") && !isMigration(file.path))
  for (const file of files)
    for (const { kind, name, bases, line } of file.definitions) {
      const known = bases.map((base) => stored.get(base.split(/[.:\\]+/).at(-1)!)).find((as) => as !== undefined)
      const isNew = kind === "type" && known !== undefined && !stored.has(name) && !isMachinery(name)
      if (isNew) addTo(found, nounKey(name), { what: { name, as: known, line, fields: [], relations: [] }, file })
    }
}

/** One declaration of each kind: the one with most fields, not that of an old migration where there is another. */
const chosen = (declared: ReadonlyArray<Placed<Entity>>): ReadonlyArray<Placed<Entity>> => {
  const best = new Map<string, Placed<Entity>>()
  const places = new Set<string>()
  const weight = ({ what, file }: Placed<Entity>) =>
    what.fields.length + 2 * what.relations.length + (isMigration(file.path) ? 0 : 100)
  for (const one of declared) {
    const known = best.get(one.what.as)
    if (known === undefined || weight(one) > weight(known)) best.set(one.what.as, one)
  }
  return [...best.values()]
    .sort((a, b) => kindOf(a.what) - kindOf(b.what) || weight(b) - weight(a))
    .filter(({ what: { line }, file: { path } }) => !places.has(`${path}:${line}`) && places.add(`${path}:${line}`))
}

const MAX_REMEMBERED = 200_000

/** In how many source files each noun is named: by the name of its type, or in the words of what is defined and called. */
class Uses {
  private readonly counts = new Map<string, number>()
  private readonly keysOf = new Map<string, ReadonlyArray<string>>()
  private readonly stored: ReadonlySet<string>
  private readonly keys = new Map<string, string>()
  private readonly declared: ReadonlyMap<string, ReadonlyArray<Placed<Entity>>>

  constructor(survey: Survey, declared: ReadonlyMap<string, ReadonlyArray<Placed<Entity>>>) {
    this.declared = declared
    this.stored = new Set(
      [...declared].filter(([, all]) => all.some(({ what }) => kindOf(what) < 2)).map(([key]) => key)
    )
    for (const file of survey.source) if (file.has("names") && !isMigration(file.path)) this.count(file)
  }

  of(key: string): number {
    return this.counts.get(key) ?? 0
  }

  private keyOf(name: string): string {
    const known = this.keys.get(name)
    if (known !== undefined) return known
    const key = nounKey(name)
    if (this.keys.size < MAX_REMEMBERED) this.keys.set(name, key)
    return key
  }

  private count(file: ObservedFile): void {
    const named = new Set<string>()
    for (const name of file.names.split(" ")) {
      const key = this.keyOf(name)
      if (this.declared.has(key)) named.add(key)
    }
    const identifiers = [
      baseName(file.path).replace(/\..*$/, ""),
      ...file.definitions.map(({ name }) => name),
      ...file.calls.flatMap(([callee]) => callee.split(/[.:#>\\-]+/))
    ]
    for (const identifier of identifiers) for (const key of this.wordsOf(identifier)) named.add(key)
    for (const key of named) this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
  }

  /** Stored nouns in the words of an identifier: "memo relation" and "relation" in `listMemoRelations`. */
  private wordsOf(identifier: string): ReadonlyArray<string> {
    const known = this.keysOf.get(identifier)
    if (known !== undefined) return known
    const words = nounKey(identifier).split(" ")
    const found: Array<string> = []
    for (let from = 0; from < words.length; from++)
      for (let length = Math.min(4, words.length - from); length > 0; length--) {
        const part = words.slice(from, from + length)
        const key = [...part.slice(0, -1), singular(part.at(-1)!)].join(" ")
        if (this.stored.has(key)) {
          found.push(key)
          from += length - 1
          break
        }
      }
    if (this.keysOf.size < MAX_REMEMBERED) this.keysOf.set(identifier, found)
    return found
  }
}

/** What the comment of a declaration says; that of another type only where just one of that name has a comment. */
const docsIn = (
  survey: Survey,
  declared: ReadonlyMap<string, ReadonlyArray<Placed<Entity>>>
): ((key: string, declarations: ReadonlyArray<Placed<Entity>>) => Placed<Definition> | null) => {
  const found = new Map<string, Array<Placed<Definition>>>()
  for (const file of survey.source)
    for (const definition of file.definitions) {
      if (definition.kind !== "type" || definition.doc === null) continue
      const key = nounKey(definition.name)
      if (declared.has(key)) addTo(found, key, { what: definition, file })
    }
  return (key, declarations) => {
    const all = found.get(key) ?? []
    const own = all.find(({ what, file }) =>
      declarations.some((one) => one.file === file && one.what.line === what.line)
    )
    return own ?? (all.length === 1 ? all[0]! : null)
  }
}

const vague = /^(?:type|kind|status|state|mode|level|action|method|format|result|event|category|key|name|code|scope)$/

/** Nouns that a set of values is a state of: declared in it, named after it, or after a field that few others have. */
const nounsWith = (
  { what: { name, owner }, file }: Placed<States>,
  fields: ReadonlyMap<string, ReadonlySet<string>>,
  havers: ReadonlyMap<string, ReadonlyArray<string>>,
  foldersOf: (noun: string) => ReadonlySet<string>
): ReadonlyArray<string> => {
  const around = owner === undefined ? null : nounKey(owner)
  if (around !== null && fields.has(around)) return [around]
  const key = nounKey(name)
  const words = key.split(" ")
  const starts = words.map((_, i) => words.slice(0, words.length - 1 - i).join(" "))
  const prefix = starts.find((start) => fields.has(start))
  if (prefix !== undefined) return [prefix]
  if (owner !== undefined) return []
  const having = havers.get(key) ?? []
  if (vague.test(key)) return having.length === 1 && foldersOf(having[0]!).has(directoryOf(file.path)) ? having : []
  return having.length < 6 ? having : []
}

const statesByNoun = (
  states: ReadonlyArray<Placed<States>>,
  declared: ReadonlyMap<string, ReadonlyArray<Placed<Entity>>>
): ReadonlyMap<string, ReadonlyArray<Placed<States>>> => {
  const found = new Map<string, Array<Placed<States>>>()
  const fields = new Map(
    [...declared].map(([key, all]) => [key, new Set(all.flatMap(({ what }) => what.fields))] as const)
  )
  const foldersOf = (noun: string) => new Set(declared.get(noun)!.map(({ file }) => directoryOf(file.path)))
  const havers = new Map<string, Array<string>>()
  for (const [key, own] of fields) for (const field of own) addTo(havers, nounKey(field), key)
  for (const one of states) for (const noun of nounsWith(one, fields, havers, foldersOf)) addTo(found, noun, one)
  return found
}

/** The same set is often declared for each layer; the one with most values is kept. */
const distinct = (states: ReadonlyArray<Placed<States>>, noun: string): ReadonlyArray<Placed<States>> => {
  const best = new Map<string, Placed<States>>()
  for (const one of states) {
    const key = nounKey(one.what.name).replace(new RegExp(`^${noun} `), "")
    const known = best.get(key)
    if (known === undefined || one.what.values.length > known.what.values.length) best.set(key, one)
  }
  const weight = ({ what: { name } }: Placed<States>) => (/status|state|phase|stage/i.test(name) ? 0 : 1)
  return [...best.values()].sort((a, b) => weight(a) - weight(b) || (a.what.name < b.what.name ? -1 : 1))
}

const allStates = (survey: Survey): ReadonlyArray<Placed<States>> =>
  survey.source.flatMap((file) => (file.has("states") ? file.states.map((what) => ({ what, file })) : []))

/** How many other nouns refer to each: by a relation, or by a field such as `campaign_id`. */
const referencesTo = (declared: ReadonlyMap<string, ReadonlyArray<Placed<Entity>>>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const [key, all] of declared) {
    const named = all.flatMap(({ what }) => [
      ...what.relations.map(nounKey),
      ...what.fields.map((field) => nounKey(field).replace(/ (?:id|uuid|fk)$/, ""))
    ])
    for (const other of new Set(named))
      if (other !== key && declared.has(other)) counts.set(other, (counts.get(other) ?? 0) + 1)
  }
  return counts
}

const MIN_STORED = 3
/** One plain type alone says little of what the code is about. */
const MIN_PLAIN = 2
/** A type that only its own comment speaks of has to be in use. */
const MIN_USES = 5

/** How often the readme says each word, in the singular. */
const wordsOfReadme = (survey: Survey): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  const [readme] = survey.texts(/(?:^|\/)readme(?:\.\w+)?$/i)
  for (const [word] of (readme?.text ?? "").toLowerCase().matchAll(/[a-z]{3,30}/g)) {
    const key = singular(word)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** What the readme speaks of is what the code is about, sooner than what only the code names. */
const weightOfReadme = (key: string, words: ReadonlyMap<string, number>): number => {
  const least = Math.min(...key.split(" ").map((word) => words.get(word) ?? 0))
  return least === 0 ? 1 : least < 3 ? 1.5 : 2.5
}

/** What is stored, or offered to others by a description, is about something; a message between two programs may not be. */
const isWeak = ({ as }: Entity): boolean => isPlain(as) || as === "protobuf message"

/** All of its words, or the last of them more than in passing. */
const isInReadme = (own: ReadonlyArray<string>, words: ReadonlyMap<string, number>): boolean =>
  own.every((word) => words.has(word)) || (words.get(own.at(-1)!) ?? 0) > 2

const isStatus = ({ what: { name } }: Placed<States>): boolean => /stat(?:e|us)|phase|stage/i.test(name)

/** A plain type is a noun where the readme speaks of it, it has states, or a comment says what it is and its file has its name. */
const isSpokenOf = (
  key: string,
  { doc, uses, states, declarations }: Noun,
  words: ReadonlyMap<string, number>
): boolean => {
  if (words.size === 0 || states.some(isStatus) || isInReadme(key.split(" "), words)) return true
  const stem = (path: string) => nounKey(baseName(path).replace(/\..*$/, ""))
  return uses >= MIN_USES && doc !== null && declarations.some(({ file }) => stem(file.path) === key)
}

/** What is described, or has states, is sooner what the code is about. */
const weightOfText = ({ doc, states }: Noun): number => (doc === null ? 1 : 1.2) * (states.length > 0 ? 1.2 : 1)

/** The nouns of the code, those that most of it names first, and the closed sets of values that belong to none. */
export const nounsOf = (
  survey: Survey
): { readonly nouns: ReadonlyArray<Noun>; readonly sets: ReadonlyArray<Placed<States>> } => {
  const declared = declarationsIn(survey)
  const uses = new Uses(survey, declared)
  const docOf = docsIn(survey, declared)
  const states = allStates(survey)
  const byNoun = statesByNoun(states, declared)
  const storedCount = [...declared.values()].filter((all) => all.some(({ what }) => kindOf(what) === 0)).length
  const words = wordsOfReadme(survey)
  const references = referencesTo(declared)
  const ranked = [...declared].flatMap(([key, all]) => {
    const declarations = chosen(all)
    const kind = kindOf(declarations[0]!.what)
    const count = uses.of(key)
    const isLeftover = kind < 2 && count === 0
    if (isLeftover || (kind === 2 && count < 3)) return []
    const weight = [1, storedCount < MIN_STORED ? 1 : 0.4, storedCount < MIN_STORED ? 0.8 : 0.15][kind]!
    const doc = docOf(key, declarations)
    const name = titleOf(declarations)
    const noun: Noun = { name, declarations, doc, uses: count, states: distinct(byNoun.get(key) ?? [], key) }
    if (isWeak(declarations[0]!.what) && !isSpokenOf(key, noun, words)) return []
    const central = 1 + 0.4 * Math.min(5, references.get(key) ?? 0)
    return [{ noun, kind, rank: count * weight * central * weightOfText(noun) * weightOfReadme(key, words) }]
  })
  ranked.sort((a, b) => b.rank - a.rank || (a.noun.name < b.noun.name ? -1 : 1))
  const attached = new Set([...byNoun.values()].flat())
  const isEnough = ranked.length >= MIN_PLAIN || ranked.some(({ kind }) => kind < 2)
  return { nouns: isEnough ? ranked.map(({ noun }) => noun) : [], sets: states.filter((one) => !attached.has(one)) }
}

/** The name of a type rather than that of its table. */
const titleOf = (declarations: ReadonlyArray<Placed<Entity>>): string =>
  (declarations.find(({ what }) => /^(?!Abstract[A-Z])[A-Z]/.test(what.name)) ?? declarations[0]!).what.name.replace(
    /^Abstract(?=[A-Z])/,
    ""
  )
