import { addTo } from "../../core/collections/lists.ts"
import { programLanguage } from "../../core/files/programLanguage.ts"
import type { Definition, States } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { isActor } from "./actors.ts"
import { centralTypes } from "./centralTypes.ts"
import { chosen, type Declared, declarationsIn, isGeneralWord, type PlainTypes } from "./declarations.ts"
import { isPlain, kindOf, type Noun, nounKey, type Placed, singular, stemOf } from "./Noun.ts"
import { distinct, isStatus, nearestFirst, statesOfShown } from "./nounStates.ts"
import { productWords } from "./products.ts"
import { TypeHierarchy } from "./TypeHierarchy.ts"
import { Uses } from "./uses.ts"
import type { Ranked } from "./withSpokenWords.ts"

/** What the comment of a declaration says; that of another type only where just one of that name has a comment. */
const docsIn = (
  survey: Survey,
  { byKey, ofLibrary, keyOf }: Declared
): ((key: string, declarations: Noun["declarations"]) => Placed<Definition> | null) => {
  const found = new Map<string, Array<Placed<Definition>>>()
  for (const file of survey.source)
    for (const definition of file.declared) {
      if (definition.kind !== "type" || definition.doc === null) continue
      const key = keyOf(definition.name)
      if (byKey.has(key) || ofLibrary.has(key)) addTo(found, key, { what: definition, file })
    }
  return (key, declarations) => {
    const all = found.get(key) ?? []
    const own = all.find(({ what, file }) =>
      declarations.some((one) => one.file === file && one.what.line === what.line)
    )
    const isOfC = declarations.some(({ file }) => /^(?:c|cpp)$/.test(file.language))
    return own ?? (all.length === 1 && !isOfC ? all[0]! : null)
  }
}

/** How many other nouns refer to each: by a relation, or by a field such as `campaign_id`. */
const referencesTo = (declared: Declared["byKey"]): ReadonlyMap<string, number> => {
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

export const MIN_STORED = 3
/** A type that only its own comment speaks of has to be in use. */
const MIN_USES = 5
const LETTERS_OF_PAGE = 3_000
/** Without a word in the readme so many files, and this share of them, have to name a type. */
const MIN_USES_OF_MUCH = 8
const MIN_SHARE = 0.04
/** So many functions and files name a type that the program handles. */
const MIN_FUNCTIONS = 5
const MIN_SHARE_OF_MOST = 0.4
const MIN_FUNCTIONS_OF_MOST = 10
const MIN_HANDLED_USES = 3
const MIN_SHARE_OF_ALL = 0.25
const WEIGHT_OF_GENERAL = 0.5
const WEIGHT_OF_SLIGHT = 0.5
const WEIGHT_OF_ACTOR = 0.35
const MANY_SOURCES = 40
const MIN_USES_OF_TABLE = 3
/** A word that the readme has once or twice may be there by chance. */
const MIN_MENTIONS = 3

/** Words of the readme in the singular; a type that it names is said by its words. */
const readmeOf = (survey: Survey): ReadonlyArray<string> => {
  const [readme] = survey.texts(/(?:^|\/)readme(?:\.\w+)?$/i)
  const apart = (readme?.text ?? "").replace(/([a-z\d])(?=[A-Z])/g, "$1 ")
  return [...apart.toLowerCase().matchAll(/[a-z]{2,30}/g)].map(([word]) => singular(word))
}

/** How often the readme says each word. */
const countsOf = (words: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const word of words) if (word.length > 2) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** What the readme speaks of is what the code is about, sooner than what only the code names. */
const weightOfReadme = (key: string, words: ReadonlyMap<string, number>): number => {
  const least = Math.min(...key.split(" ").map((word) => words.get(word) ?? 0))
  return least === 0 ? 1 : least < 3 ? 1.5 : 2.5
}

/** What is stored, or offered to others by a description, is about something; a message between two programs may not be. */
const isWeak = ({ as }: Noun["declarations"][number]["what"]): boolean => isPlain(as) || as === "protobuf message"

/** All of its words, or the last of them more than in passing. */
const isInReadme = (own: ReadonlyArray<string>, words: ReadonlyMap<string, number>): boolean =>
  own.every((word) => words.has(word)) || (words.get(own.at(-1)!) ?? 0) > 2

/** A plain type is a noun where the readme speaks of it, it has states, or a comment says what it is and its file has its name. */
const isSpokenOf = (
  key: string,
  { doc, uses, states, declarations }: Noun,
  words: ReadonlyMap<string, number>,
  stems: ReadonlySet<string>
): boolean => {
  if (words.size === 0 || states.some(isStatus) || isInReadme(key.split(" "), words)) return true
  const hasOwnFile = isApart(key, declarations)
  // Headers that declare all types at once say nothing of each; a file of code that is named after one does.
  const isOfHeader = declarations.some(({ file }) => isHeader(file.path)) && stems.has(key)
  return uses >= MIN_USES && ((doc !== null && hasOwnFile) || (!hasOwnFile && isOfHeader))
}

const isHeader = (path: string): boolean => /\.h(?:pp|xx)?$/.test(path)

/** A file that has the name of the type. */
export const isApart = (key: string, declarations: Noun["declarations"]): boolean =>
  declarations.some(({ what, file }) => [key, nounKey(what.name)].includes(stemOf(file.path)))

const stemsOf = (survey: Survey): ReadonlySet<string> => new Set(survey.source.map(({ path }) => stemOf(path)))

/** What the addresses of routes name: "/users/:id/orders" speaks of users and orders. */
const wordsOfRoutes = (survey: Survey): ReadonlySet<string> =>
  new Set(
    survey.source.flatMap((file) =>
      file.has("routes")
        ? file.routes.flatMap(({ path }) =>
            path
              .split("/")
              .filter((part) => /^[a-z][\w-]+$/i.test(part))
              .map(nounKey)
          )
        : []
    )
  )

/** What is described, or has states, above all those that it goes through, is sooner what the code is about. */
const weightOfText = ({ doc, states }: Noun): number =>
  (doc === null ? 1 : 1.2) * (states.some(isStatus) ? 1.6 : states.length > 0 ? 1.2 : 1)

/** What one of several extensions handles is not what all of the program is about. */
const isOfExtension = ({ declarations }: Noun): boolean =>
  declarations.every(
    ({ what, file }) => isPlain(what.as) && /(?:^|\/)(?:plug-?ins?|extensions?|add-?ons?)\//i.test(file.path)
  )

const MIN_DERIVED = 4
const WEIGHT_OF_BASE = 4

/** What the whole repository shows of its nouns. */
export class Ranking {
  private readonly declared: Readonly<Record<PlainTypes, Declared["byKey"]>>
  private readonly words: ReadonlyMap<string, number>
  private readonly readme: string
  private readonly uses: Uses
  private readonly docOf: ReturnType<typeof docsIn>
  private readonly references: Readonly<Record<PlainTypes, ReadonlyMap<string, number>>>
  private readonly inRoutes: ReadonlySet<string>
  private readonly stems: ReadonlySet<string>
  /** A type with the name of the product is what all of it is, not what it is about. */
  private readonly products: ReadonlySet<string>
  private readonly sources: number
  /** The same with those in languages whose names are not read. */
  private readonly programs: number
  readonly hierarchy: TypeHierarchy
  /** By kind: what is stored leads where there is enough of it. */
  private readonly weights: ReadonlyArray<number>

  constructor(survey: Survey) {
    const readme = readmeOf(survey)
    this.words = countsOf(readme)
    this.readme = ` ${readme.join(" ")} `
    const declared = declarationsIn(survey, this.words)
    this.declared = { "without machinery": declared.byKey, "of a library": declared.ofLibrary }
    this.uses = new Uses(survey, declared)
    this.docOf = docsIn(survey, declared)
    this.references = {
      "without machinery": referencesTo(declared.byKey),
      "of a library": referencesTo(declared.ofLibrary)
    }
    this.inRoutes = wordsOfRoutes(survey)
    this.stems = stemsOf(survey)
    this.sources = survey.source.filter((file) => file.has("names")).length
    this.programs = survey.source.filter(({ path, language }) => programLanguage(path, language) !== null).length
    this.products = productWords(survey)
    this.hierarchy = new TypeHierarchy(survey.source)
    const stored = [...declared.byKey.values()].filter((all) => all.some(({ what }) => kindOf(what) === 0)).length
    this.weights = stored < MIN_STORED ? [1, 1, 0.8] : [1, 0.4, 0.15]
  }

  ranked(
    byNoun: ReadonlyMap<string, ReadonlyArray<Placed<States>>>,
    plain: PlainTypes = "without machinery"
  ): ReadonlyArray<Ranked> {
    return [...this.declared[plain]]
      .flatMap(([key, all]) => this.rankedOne(key, all, byNoun.get(key) ?? [], plain))
      .sort((a, b) => b.rank - a.rank || (a.noun.name < b.noun.name ? -1 : 1))
  }

  get declarations(): Declared["byKey"] {
    return this.declared["without machinery"]
  }

  private rankedOne(
    key: string,
    all: Noun["declarations"],
    states: ReadonlyArray<Placed<States>>,
    plain: PlainTypes
  ): ReadonlyArray<Ranked> {
    const declarations = chosen(all)
    const kind = kindOf(declarations[0]!.what)
    const uses = this.uses.of(key)
    if (uses < (kind < 2 ? 1 : isApart(key, declarations) ? 2 : 3)) return []
    const doc = this.docOf(key, declarations)
    if (kind === 2 && /^deprecated\b/i.test(doc?.what.doc ?? "")) return []
    const noun: Noun = {
      name: titleOf(declarations),
      declarations,
      doc,
      uses,
      states: distinct(nearestFirst(statesOfShown(states, declarations, all), declarations), key)
    }
    const references = this.references[plain].get(key) ?? 0
    const isCentral = this.isHandled(key, noun, references) || this.isEverywhere(key, noun, references)
    if (
      plain === "without machinery" &&
      isWeak(declarations[0]!.what) &&
      !isCentral &&
      !isSpokenOf(key, noun, this.words, this.stems)
    )
      return []
    const isStated = this.isStated(key, noun, isCentral)
    const handled = kind < 2 ? uses : Math.sqrt(uses * (1 + this.uses.functionsOf(key)))
    return [
      {
        key,
        noun,
        kind,
        isStated,
        isCentral,
        isOfMost: kind === 2 && isCentral && this.isOfMost(key, noun),
        rank: handled * this.weights[kind]! * this.weightOf(key, noun, references)
      }
    ]
  }

  /** The types of a library that its users hold. */
  central(byNoun: ReadonlyMap<string, ReadonlyArray<Placed<States>>>): ReadonlyArray<Ranked> {
    return centralTypes(this.ranked(byNoun, "of a library"), {
      isApart: ({ key, noun }) =>
        isApart(key, noun.declarations) || noun.declarations.some(({ file }) => stemOf(file.path).endsWith(` ${key}`)),
      isProduct: ({ key }) => this.isProduct(key),
      isInReadme: ({ key }) =>
        this.readme.length > LETTERS_OF_PAGE
          ? this.isOftenNamed(key)
          : key.split(" ").every((word) => this.words.has(word)),
      functionsOf: (key) => this.uses.functionsOf(key),
      sources: this.sources
    })
  }

  /** Types of the header that declares a noun, where a file of code is named after a part of theirs: `plan.c` for `ApplyPlan`. */
  besideInHeader(
    first: ReadonlyArray<Ranked>,
    byNoun: ReadonlyMap<string, ReadonlyArray<Placed<States>>>
  ): ReadonlyArray<Ranked> {
    const headers = new Set(
      first.flatMap(({ noun }) => noun.declarations.map(({ file }) => file.path)).filter(isHeader)
    )
    if (headers.size === 0) return []
    return this.ranked(byNoun, "of a library").filter(
      ({ key, kind, noun }) =>
        kind === 2 &&
        noun.uses >= MIN_HANDLED_USES &&
        key.split(" ").some((word) => this.stems.has(word)) &&
        noun.declarations.some(({ file }) => headers.has(file.path)) &&
        !this.isProduct(key)
    )
  }

  private isStated(key: string, noun: Noun, isCentral: boolean): boolean {
    const kind = kindOf(noun.declarations[0]!.what)
    return (
      (kind < 2 && !this.isHardlyKnown(key, noun)) ||
      (kind === 2 &&
        !isOfExtension(noun) &&
        ((!isPlainActor(noun) && ((isCentral && !this.isProduct(key)) || this.isPlainlyStated(key, noun))) ||
          this.isOftenNamed(key)))
    )
  }

  /** A table without states that one file of many writes, and nothing else names or refers to. */
  private isHardlyKnown(key: string, { declarations, uses, states }: Noun): boolean {
    return (
      !states.some(isStatus) &&
      this.programs > MANY_SOURCES &&
      uses < MIN_USES_OF_TABLE &&
      declarations.every(({ what: { as } }) => as === "SQL table") &&
      !this.references["without machinery"].has(key) &&
      !this.isOftenNamed(key)
    )
  }

  private isProduct(key: string): boolean {
    return this.products.has(key.replaceAll(" ", ""))
  }

  /** Functions are named after it, and something else says that it is a thing of its own. */
  private isHandled(key: string, noun: Noun, references: number): boolean {
    const functions = this.uses.functionsOf(key)
    return noun.uses >= MIN_HANDLED_USES && functions >= MIN_FUNCTIONS && this.isThing(key, noun, references)
  }

  private isEverywhere(key: string, noun: Noun, references: number): boolean {
    return (
      noun.uses >= Math.max(MIN_USES_OF_MUCH, MIN_SHARE_OF_ALL * this.sources) && this.isThing(key, noun, references)
    )
  }

  /** A good part of the files names it, and it has a comment, or many functions have its name. */
  private isOfMost(key: string, { doc, uses }: Noun): boolean {
    return (
      uses >= Math.max(MIN_USES_OF_MUCH, MIN_SHARE_OF_MOST * this.sources) &&
      (doc !== null || this.uses.functionsOf(key) >= MIN_FUNCTIONS_OF_MOST)
    )
  }

  /** It has a comment or a file of its own, other types refer to it or hold several of it, or the readme names it. */
  private isThing(key: string, { doc, declarations }: Noun, references: number): boolean {
    return (
      doc !== null ||
      isApart(key, declarations) ||
      this.uses.collectionsOf(key) > 0 ||
      references > 0 ||
      this.stems.has(key) ||
      key.split(" ").every((word) => this.words.has(word))
    )
  }

  private isPlainlyStated(key: string, noun: Noun): boolean {
    if (this.isProduct(key)) return false
    return noun.states.some(isStatus) || this.isOfMuch(key, noun)
  }

  private isOftenNamed(key: string): boolean {
    if (this.isProduct(key)) return false
    // Words that are common one by one say something where they stand beside each other.
    // In a manual of many pages every word is said a few times.
    const pages = this.readme.length / LETTERS_OF_PAGE
    return key.includes(" ")
      ? this.readme.split(` ${key} `).length > 1 + pages / MIN_MENTIONS
      : (this.words.get(key) ?? 0) >= Math.max(MIN_MENTIONS, pages)
  }

  /** Much of the code names it, a comment says what it is, and it has a file of its own. */
  private isOfMuch(key: string, { doc, uses, declarations }: Noun): boolean {
    return doc !== null && uses >= Math.max(MIN_USES_OF_MUCH, MIN_SHARE * this.sources) && isApart(key, declarations)
  }

  /** The readme speaks of it, and several types of the program derive from it: what is added to the program. */
  private isExtended(key: string, { declarations }: Noun): boolean {
    const { what } = declarations[0]!
    if (!isPlain(what.as) || !this.isOftenNamed(key)) return false
    return new Set(this.hierarchy.directlyFrom(what.name).map(({ file }) => file)).size >= MIN_DERIVED
  }

  /** What others refer to, addresses and the readme name, or comments describe, is sooner what the code is about. */
  private weightOf(key: string, noun: Noun, references: number): number {
    const central = 1 + 0.4 * Math.min(5, references)
    const general = isGeneralWord(noun.name) ? WEIGHT_OF_GENERAL : 1
    const slight = isSlight(noun) ? WEIGHT_OF_SLIGHT : isPlainActor(noun) ? WEIGHT_OF_ACTOR : 1
    return (
      central *
      general *
      slight *
      weightOfText(noun) *
      weightOfReadme(key, this.words) *
      (this.isExtended(key, noun) ? WEIGHT_OF_BASE : 1) *
      (this.inRoutes.has(key) ? 1.5 : 1)
    )
  }
}

const isPlainActor = (noun: Noun): boolean => kindOf(noun.declarations[0]!.what) === 2 && isActor(noun)

/** A table that only joins others, or adds one thing to them. */
const isSlight = ({ declarations }: Noun): boolean =>
  declarations.every(
    ({ what: { as, fields } }) =>
      as === "SQL table" && fields.filter((field) => !/^(?:id|\w+_id|\w+_at)$/.test(field)).length < 2
  )

/** The name of a type rather than that of its table. */
const titleOf = (declarations: Noun["declarations"]): string =>
  (declarations.find(({ what }) => /^(?!Abstract[A-Z])[A-Z]/.test(what.name)) ?? declarations[0]!).what.name.replace(
    /^Abstract(?=[A-Z])|^_+|_+$/g,
    ""
  )
