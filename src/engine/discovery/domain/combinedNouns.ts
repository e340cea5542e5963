import { isSecondary } from "../architecture/mainLanguages.ts"
import { paragraphsIn } from "../documented/paragraphs.ts"
import type { Definition, Entity, ObservedFile, States } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { isOfInterface, isOfWorkers } from "./declarations.ts"
import { heldIn, sharedFields } from "./heldObjects.ts"
import { headOf, isPlain, nounKey, type Placed, singular, stemOf } from "./Noun.ts"
import { isStatus } from "./nounStates.ts"
import { outsideOfFunctions } from "./outsideOfFunctions.ts"
import { productWords } from "./products.ts"
import { generalityOfNoun, type ProseNoun, proseNouns } from "./proseNouns.ts"
import type { Ranked } from "./withSpokenWords.ts"

/** Of larger programs other evidence says more. */
const MAX_FILES = 400
const LETTERS_OF_LEAD = 3_000
/** So many kinds of evidence in the code, and so much with what documents say; each of them alone may be a coincidence. */
const MIN_CODE = 3
const MIN_SUM = 6
/** One alone has to be shown somewhat better. */
const SURPLUS_ALONE = 1
const MIN_ROUTES = 2
const MIN_VERBS = 2
const MIN_FIELDS = 3

/** What a program does to a thing: the word after it in the name of a function is the thing. */
const isVerb =
  /^(?:accept|add|append|archive|assign|book|buy|cancel|change|check|choose|clear|clone|close|collect|copy|count|create|del|delete|describe|destroy|disable|discover|display|do|download|draw|drop|edit|enable|enqueue|export|fetch|fill|find|finish|flush|forget|format|get|handle|import|init|insert|join|kill|launch|leave|list|load|lock|log|lookup|make|mark|merge|modify|monitor|move|new|open|pack|parse|pause|pick|play|poll|post|print|process|publish|push|put|query|queue|read|receive|record|refresh|register|release|remove|rename|render|replace|reset|resolve|restore|resume|retry|rm|run|save|scan|schedule|search|select|send|set|share|show|sort|start|stop|store|submit|sync|test|toggle|transfer|unlock|unregister|update|upload|validate|verify|view|visit|watch|write)$/

/** What serves a program, whatever its functions are named after, beside the words that are nouns nowhere. */
const isOfPrograms =
  /^(?:server|client|request|response|backend|connection|thread|context|token|component|property|attribute|expression|pattern|model|terminal|colou?r|font|key|keyboard|mouse|layout|template|operator|algorithm|extension|plugin|module|package|target|database|query|disk|dependency|macro|lock|kernel|password|permission|variable|window|screen|comment|worker|manager|service|endpoint|route|auth|login|logout|health|ping|webhook|payload|param|factory|runner|internal|security|indicator|letter|dat|conf|cfg|opt|pref|preference|tmp|temp|img|btn|col|num|str|val|obj|res|req|ctx|msg|evt|elem?|dir|stat|stats|date|day|mark|selection|clipboard|report|resource)$/

interface Evidence {
  /** Kinds, each with how much it says. */
  readonly kinds: Map<Kind, number>
  readonly verbs: Set<string>
  readonly held: Array<ReadonlyArray<string>>
  readonly files: Set<ObservedFile>
  place: Placed<Entity> | null
  rank: number
}

interface Strength {
  /** How much the code says. */
  readonly code: number
  /** Of two nouns that are shown enough, the heavier one comes first. */
  readonly weight: number
}

type Kind = "type" | "object" | "variable" | "stored" | "route" | "function" | "call" | "file"

/** What says most of where a word is at home. */
const ranks: Readonly<Record<Kind, number>> = {
  stored: 7,
  type: 6,
  object: 5,
  variable: 4,
  function: 3,
  route: 2,
  file: 1,
  call: 0.5
}

class Collected {
  private readonly found = new Map<string, Evidence>()
  private readonly isKnown: (key: string) => boolean

  constructor(isKnown: (key: string) => boolean) {
    this.isKnown = isKnown
  }

  get all(): ReadonlyArray<readonly [key: string, evidence: Evidence]> {
    return [...this.found]
  }

  of(key: string): Evidence | undefined {
    return this.found.get(key)
  }

  add(
    kind: Kind,
    key: string,
    file: ObservedFile,
    { name, line }: { readonly name: string; readonly line: number }
  ): void {
    if (!this.isKnown(key)) return
    const evidence = this.evidenceOf(key)
    evidence.files.add(file)
    evidence.kinds.set(kind, (evidence.kinds.get(kind) ?? 0) + 1)
    if (evidence.rank >= ranks[kind]) return
    evidence.rank = ranks[kind]
    evidence.place = { what: { name, as: kind, line, fields: [], relations: [] }, file }
  }

  evidenceOf(key: string): Evidence {
    const one = this.found.get(key) ?? {
      kinds: new Map(),
      verbs: new Set(),
      held: [],
      files: new Set(),
      place: null,
      rank: 0
    }
    this.found.set(key, one)
    return one
  }
}

/** What a name consists of besides the types and modules that it is reached through. */
const ownName = (written: string): string => written.split(/[.:#>\\-]+/).at(-1)!

/** `addWagon`, `wagon_add` and `listOpenWagons` do something with a wagon. */
const countFunction = (
  collected: Collected,
  file: ObservedFile,
  { name, line }: { readonly name: string; readonly line: number },
  kind: "function" | "call"
): void => {
  const words = nounKey(ownName(name)).split(" ")
  const [verb, noun] = isVerb.test(words[0]!) ? [words[0]!, words.at(-1)!] : [words.at(-1)!, words[0]!]
  if (words.length < 2 || words.length > 4 || !isVerb.test(verb)) return
  collected.add(kind, noun, file, { name, line })
  if (kind === "function") collected.of(noun)?.verbs.add(verb)
}

const countDeclared = (collected: Collected, file: ObservedFile): void => {
  for (const { name, kind, line } of outsideOfFunctions(file))
    if (kind === "function") countFunction(collected, file, { name, line }, kind)
    else if (!isOfInterface.test(file.path)) collected.add("type", headOf(nounKey(name)), file, { name, line })
  for (const [callee, , line] of file.calls) countFunction(collected, file, { name: ownName(callee), line }, "call")
  for (const { name, as, line } of file.entities)
    if (!isPlain(as) || !isOfInterface.test(file.path))
      collected.add(isPlain(as) ? "type" : "stored", headOf(nounKey(name)), file, { name, line })
  const [first] = file.declared
  if (first !== undefined) collected.add("file", stemOf(file.path), file, { ...first, name: ownName(first.name) })
}

const countHeld = (collected: Collected, file: ObservedFile): void => {
  for (const { key, local } of heldIn(file)) {
    if (local.fields.length < MIN_FIELDS) continue
    collected.add("object", headOf(key), file, local)
    collected.of(headOf(key))?.held.push(local.fields)
  }
  for (const [name, line] of file.loops) collected.add("variable", headOf(nounKey(name)), file, { name, line })
}

/** Names of files that keep something: `wagons.json`. */
const keptFile = /["'/]([a-z][\w-]{2,30})\.(?:json|ya?ml|csv|db|sqlite3?|txt|xml|toml|dat|tsv|md)\b/gi

const countReached = (collected: Collected, file: ObservedFile): void => {
  for (const { path, line } of file.routes)
    for (const name of path.split("/"))
      if (/^[a-z][\w-]+$/i.test(name)) collected.add("route", headOf(nounKey(name)), file, { name, line })
  for (const { shown, line } of file.stores)
    for (const [, name] of shown.matchAll(keptFile))
      collected.add("stored", headOf(nounKey(name!)), file, { name: name!, line })
}

const countFile = (collected: Collected, file: ObservedFile): void => {
  countDeclared(collected, file)
  countHeld(collected, file)
  countReached(collected, file)
}

const descriptionsOf = (survey: Survey): ReadonlyArray<string> =>
  survey
    .texts(/^(?:package\.json|pyproject\.toml|setup\.py|setup\.cfg|Cargo\.toml|composer\.json|[\w-]+\.cabal)$/)
    .flatMap(
      ({ text }) => /^\s*["']?(?:description|synopsis)["']?\s*[:=]\s*["']?([^"'\n]{10,300})/m.exec(text)?.[1] ?? []
    )

/** The readme, what manifests say the program is, and the beginnings of manuals. */
const documentsOf = (survey: Survey): ReadonlyArray<string> => {
  const { readme } = survey
  const manuals = survey.texts(/(?:\.(?:\d|pod)(?:\.in)?$|(?:^|\/)man\/)/).slice(0, 2)
  const pages = survey.source.filter((file) => file.has("prose")).slice(0, 2)
  return [
    ...(readme === undefined ? [] : [readme.text]),
    ...descriptionsOf(survey),
    ...manuals.map(({ text }) => text),
    ...pages.map(({ prose }) => prose)
  ]
}

/** What the manifest and the first paragraph of the readme say the program is. */
const firstSentences = (survey: Survey): ReadonlyArray<string> => {
  const { readme } = survey
  const paragraph = paragraphsIn((readme?.text ?? "").slice(0, LETTERS_OF_LEAD).split("\n")).find(
    ({ text }) => (text.match(/[a-z]{2,}/g) ?? []).length >= 6
  )
  return [...descriptionsOf(survey), ...(paragraph === undefined ? [] : [paragraph.text.slice(0, 400)])]
}

/** What says that a program has more than one of it, or that it has parts, says more than a name. */
const strengthOf = ({ kinds, verbs, held, files }: Evidence): Strength => {
  const count = (kind: Kind): number => kinds.get(kind) ?? 0
  const code =
    (count("type") > 0 ? 2 : 0) +
    (count("object") > 0 ? 2 : 0) +
    (count("stored") > 0 ? 2 : 0) +
    Math.min(2, count("variable")) +
    Math.min(2, verbs.size) +
    Math.min(2, count("route")) +
    (["call", "file"] as const).filter((kind) => count(kind) > 0).length
  const all = [...kinds.values()].reduce((sum, one) => sum + Math.log(1 + one), 0)
  return { code, weight: all + Math.log(1 + sharedFields(held).length) + Math.log(files.size) }
}

/**
 * Nouns that documents have a word for and several kinds of evidence in the code show together, where none of these would be
 * enough: types, objects with fields, collections, files and tables, routes, functions that do something with them.
 */
export const combinedNouns = (
  survey: Survey,
  typed: ReadonlyArray<Ranked>,
  states: ReadonlyArray<Placed<States>>
): ReadonlyArray<Ranked> => {
  const isSecond = isSecondary(survey)
  const files = survey.source.filter((file) => !isOfWorkers.test(file.path) && !isSecond(file))
  if (files.length > MAX_FILES) return []
  const documents = new Documents(survey)
  const products = productWords(survey)
  const programs = new Set(files.filter(({ isEntryPoint }) => isEntryPoint > 0).map(({ path }) => stemOf(path)))
  const collected = new Collected((key) => !products.has(key) && !programs.has(key) && /^[a-z]{3,}$/.test(key))
  for (const file of files) countFile(collected, file)
  return collected.all
    .flatMap(([key, evidence]) => rankedOf(key, evidence, documents, typed, states))
    .filter(({ noun }) => !products.has(noun.name.toLowerCase().replaceAll("_", "")))
    .sort((a, b) => b.rank - a.rank || (a.key < b.key ? -1 : 1))
}

const wordsOf = (texts: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => [...text.toLowerCase().matchAll(/[a-z]{3,30}/g)].map(([word]) => singular(word))))

const argumentsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/[ ["](?:<([a-z][a-z_-]{2,24})>|([A-Z]{3,20}))(?=[\]" \n.])/g)]
    .map(([, bracketed, capital]) => headOf(nounKey((bracketed ?? capital)!)))
    .filter((word) => !text.includes(`</${word}`))

/** Words that documents have, as nouns and at all, and what they state that the program is. */
class Documents {
  private readonly prose: ReadonlyMap<string, ProseNoun>
  private readonly words: ReadonlySet<string>
  private readonly first: ReadonlySet<string>
  /** What a user gives to the program, as a document writes it: `depot load <wagon>`. */
  private readonly arguments: ReadonlySet<string>

  constructor(survey: Survey) {
    const texts = documentsOf(survey)
    this.prose = proseNouns(texts, 1)
    this.words = wordsOf(texts)
    this.first = wordsOf(firstSentences(survey))
    this.arguments = new Set(texts.flatMap(argumentsIn))
  }

  written(key: string): string {
    return this.prose.get(key)?.written ?? key
  }

  /** 0 where documents do not have the word; more where they use it as a noun, and most where they say with it what the program is. */
  weightOf(key: string): number {
    if (!this.words.has(key)) return 0
    return 1 + (this.prose.has(key) ? 1 : 0) + (this.first.has(key) ? 2 : 0) + (this.arguments.has(key) ? 1 : 0)
  }
}

const docAt = (file: ObservedFile, line: number): Placed<Definition> | null => {
  const what = file.declared.find((one) => one.kind === "type" && one.line === line && one.doc !== null)
  return what === undefined ? null : { what, file }
}

/** Several routes and functions of a server are about it, and a file is called for it: no document has to have the word. */
const isResource = ({ kinds, verbs }: Evidence): boolean =>
  (kinds.get("route") ?? 0) >= MIN_ROUTES && verbs.size >= MIN_VERBS && kinds.has("file")

const rankedOf = (
  key: string,
  evidence: Evidence,
  documents: Documents,
  typed: ReadonlyArray<Ranked>,
  states: ReadonlyArray<Placed<States>>
): ReadonlyArray<Ranked> => {
  const generality = isOfPrograms.test(key) ? null : generalityOfNoun(key)
  const { code, weight } = strengthOf(evidence)
  const own = documents.weightOf(key)
  // What a function does is a thing where something has its parts.
  const isDone = isVerb.test(key) && !["type", "object", "stored"].some((kind) => evidence.kinds.has(kind as Kind))
  if (generality === null || code < MIN_CODE || isDone) return []
  const surplus = code + own - MIN_SUM - generality
  const isIn = own > 0 ? surplus >= 0 : isResource(evidence)
  if (evidence.place === null || !isIn) return []
  const fields = sharedFields(evidence.held)
  const { place } = evidence
  const { as, line } = place.what
  const type = place.file.entities.find((one) => as === "type" && one.line === line)
  const what = as === "type" ? (type ?? place.what) : { ...place.what, fields }
  const isThere = ({ noun }: Ranked): boolean =>
    noun.declarations.some(({ what: declared, file }) => file === place.file && declared.line === line)
  const noun = typed.find((one) => one.key === key || (type !== undefined && isThere(one)))?.noun ?? {
    name: type?.name ?? documents.written(key),
    declarations: [{ ...place, what }],
    doc: type === undefined ? null : docAt(place.file, line),
    uses: evidence.files.size,
    states: states.filter((one) => isStatus(one) && nounKey(one.what.owner ?? one.what.name).split(" ")[0] === key)
  }
  const isOfMost = surplus >= SURPLUS_ALONE
  return [{ key, noun, kind: 2, rank: weight * (1 + own), isStated: true, isCentral: false, isOfMost }]
}
