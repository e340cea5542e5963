import { compareText } from "../../core/text/compareText.ts"
import { baseName } from "../../core/text/paths.ts"
import { isSecondary } from "../architecture/mainLanguages.ts"
import { publishedNames } from "../commands/programs/productNames.ts"
import type { Entity, ObservedFile } from "../Observed.ts"
import { isReadme } from "../observers/texts.ts"
import type { Survey } from "../Survey.ts"
import { isOfWorkers } from "./declarations.ts"
import { heldIn, sharedFields } from "./heldObjects.ts"
import { headOf, nounKey, type Placed, singular } from "./Noun.ts"
import { outsideOfFunctions } from "./outsideOfFunctions.ts"
import { productWords } from "./products.ts"
import { type ProseNoun, proseNouns } from "./proseNouns.ts"

/** Of a larger repository every n-th file says enough. */
const MAX_FILES = 4_000
const MAX_MANUALS = 2
const MAX_WORDS = 40
/** A weight is a product of two logarithms, so that many mentions alone are not enough, nor are many names. */
const MIN_WEIGHTS = [2.8, 4.4, 5.5] as const
const MAX_FUNCTIONS = 12
const MAX_HELD = 4
const MAX_FIELDS = 6

/** A word that the readme uses as a noun, and that names parts of the code. */
export interface SpokenWord {
  readonly word: ProseNoun
  readonly weight: number
  /** Source files that have it in a name. */
  readonly uses: number
  /** Where the code names it first: a file, a type, a function. */
  readonly place: Placed<Entity>
}

interface Named {
  stems: number
  /** Fields that files read and write of a local of that name. */
  readonly held: Array<ReadonlyArray<string>>
  types: number
  functions: number
  fields: number
  files: number
  place: Placed<Entity> | null
  rank: number
}

const wordsOf = (name: string): ReadonlyArray<string> => [
  ...new Set([...name.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)].map(([word]) => singular(word.toLowerCase())))
]

/** What says most of where a word is at home: the file of its name, then a type, an object with fields, and a function; last what has it in its name only. */
const placesOf = { file: 4, type: 3, object: 2, function: 1, name: 0.5 } as const

const isOfPages = /(?:^|\/)(?:static|public|htdocs|wwwroot|assets)\//
const SHARE_OF_PAGES = 0.1
const SHARE_OF_BEGINNINGS = 0.3

const note = (
  named: Named,
  file: ObservedFile,
  kind: keyof typeof placesOf,
  { name, line }: { readonly name: string; readonly line: number }
): void => {
  // What a server sends to browsers shows the nouns of the program.
  const rank = placesOf[kind] * (isOfPages.test(file.path) ? SHARE_OF_PAGES : 1)
  if (named.rank >= rank) return
  named.rank = rank
  named.place = { what: { name, as: kind, line, fields: [], relations: [] }, file }
}

const countIn = (file: ObservedFile, known: ReadonlyMap<string, Named>): void => {
  const here = new Set<Named>()
  const each = (name: string, add: (named: Named, isHead: boolean) => void): void => {
    // `job_rec1` of C is a second name of `job_rec`.
    const head = headOf(nounKey(name.replace(/\d+$/, "")))
    for (const word of wordsOf(name)) {
      const named = known.get(word)
      if (named === undefined) continue
      here.add(named)
      add(named, word === head)
    }
  }
  for (const definition of outsideOfFunctions(file)) {
    const name = definition.name.split(/[.:#]+/).at(-1)!
    each(name, (named, isHead) => {
      const isFunction = definition.kind === "function"
      if (isFunction) named.functions++
      else if (isHead) named.types++
      else named.fields += 0.5
      // `WagonWidget` is a widget: of the wagon it says only that there is such a word.
      note(named, file, isFunction ? "function" : isHead ? "type" : "name", { name, line: definition.line })
    })
  }
  for (const { fields } of file.entities) for (const field of fields) each(field, (named) => named.fields++)
  for (const { key, local } of heldIn(file)) {
    const named = known.get(key)
    if (named === undefined) continue
    here.add(named)
    named.held.push(local.fields)
    note(named, file, "object", local)
  }
  const stem = baseName(file.path)
    .replace(/\..*$/, "")
    .replace(/[-_]v\d+$/, "")
  const first = file.declared[0]
  // What names of files begin with is where they belong: `fw_group`, `identity_project`.
  each(stem, (named, isHead) => {
    named.stems += isHead ? 1 : SHARE_OF_BEGINNINGS
    if (first !== undefined) note(named, file, "file", { ...first, name: first.name.split(/[.:#]+/).at(-1)! })
  })
  for (const named of here) named.files++
}

/** A word that no type declares has the fields of the objects that are called so. */
const withFields = (place: Placed<Entity>, held: ReadonlyArray<ReadonlyArray<string>>): Placed<Entity> =>
  place.what.as === "type" || held.length === 0
    ? place
    : { ...place, what: { ...place.what, fields: sharedFields(held) } }

/** Documents that say what the program is about: the readme at the root, and pages of its manual. */
const documentsOf = (survey: Survey): ReadonlyArray<string> => {
  const { readme } = survey
  const manuals = survey.texts(/(?:\.(?:\d|pod)(?:\.in)?$|(?:^|\/)man\/)/).filter(({ path }) => !isReadme(path))
  return [...(readme === undefined ? [] : [readme]), ...manuals.slice(0, MAX_MANUALS)].map(({ text }) => text)
}

/** The first line of a readme is the name of the program, where it is a word or two. */
const titleOf = (text: string): ReadonlyArray<string> => {
  const [title = ""] = /\S[^\n]{0,60}/.exec(text) ?? []
  const words = title.toLowerCase().match(/[a-z]+/g) ?? []
  return words.length > 2 ? words.slice(0, 1) : words
}

/** What the program is called is not what it is about; a word of it may be. */
const partsOfNames = (survey: Survey, documents: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set([
    ...[...publishedNames(survey)].flatMap((name) => name.toLowerCase().split(/[\W_\d]+/)),
    ...documents.slice(0, 1).flatMap(titleOf)
  ])

const MIN_FIELDS_OF_PART = 3

/** Fewer words that the documents and the code share may be a coincidence. */
const MIN_WORDS = 3
const MIN_STRONG_WORDS = 2
const STRONG = 5.5
/** Two words of which enough is said together. */
const MIN_SUM = 8

/** One word that is hardly ever a matter of how programs are made, of which nearly all is said. */
const ALONE = 7
/** Somewhat less is enough of one that has these fields in the code. */
const ALONE_WITH_FIELDS = 5.5
const MIN_FIELDS_ALONE = 4

/** So many words, or few of which enough is said, are no coincidence. */
export const isEnoughSpoken = (words: ReadonlyMap<string, SpokenWord>): boolean => {
  const all = [...words.values()]
  return (
    words.size >= MIN_WORDS ||
    all.filter(({ weight }) => weight >= STRONG).length >= MIN_STRONG_WORDS ||
    all.some(
      ({ word, weight, place }) =>
        word.generality === 0 && weight >= (place.what.fields.length >= MIN_FIELDS_ALONE ? ALONE_WITH_FIELDS : ALONE)
    )
  )
}

/** What one program is to another. */
const isPartner = /^(?:server|client|service|host|backend|connection|process|machine)$/

/** Two words that are somewhat spoken of: enough where no type says more, unless both say only how programs talk to each other. */
export const isFairlySpoken = (words: ReadonlyMap<string, SpokenWord>): boolean =>
  words.size > 1 &&
  ![...words.keys()].every((key) => isPartner.test(key)) &&
  [...words.values()].reduce((sum, { weight }) => sum + weight, 0) >= MIN_SUM

const SHARE_BESIDE_STRONG = 0.85
/** Of the word that documents have most, somewhat less needs to be named in the code. */
const SHARE_OF_MOST = 0.9
const MIN_MENTIONS_OF_MOST = 10
const MAX_PAGES = 40
/** Manuals repeat every word: there more has to be said of one. */
const SHARE_OF_MANUALS = 1.4

/** Pages of manuals, those nearest to the root first. */
const pagesOf = (survey: Survey): ReadonlyArray<string> =>
  survey.files
    .filter((file) => file.has("prose"))
    .map((file) => ({ file, depth: file.path.split("/").length }))
    .sort((a, b) => a.depth - b.depth || compareText(a.file.path, b.file.path))
    .slice(0, MAX_PAGES)
    .map(({ file }) => file.prose)

/** Words by their singular, those first that the readme and the code have most; of manuals where the readme says too little. */
export const spokenWords = (survey: Survey): ReadonlyMap<string, SpokenWord> => {
  const documents = documentsOf(survey)
  const words = wordsIn(survey, documents, documents, 1)
  if (words.size >= MIN_WORDS) return words
  const pages = pagesOf(survey)
  if (pages.length === 0) return words
  const inPages = wordsIn(survey, [...documents, ...pages], documents, SHARE_OF_MANUALS)
  return isEnoughSpoken(inPages) || isFairlySpoken(inPages) ? inPages : words
}

const wordsIn = (
  survey: Survey,
  texts: ReadonlyArray<string>,
  titled: ReadonlyArray<string>,
  share: number
): ReadonlyMap<string, SpokenWord> => {
  const prose = proseNouns(texts)
  const products = productWords(survey)
  const parts = partsOfNames(survey, titled)
  const known = new Map<string, Named>()
  for (const key of prose.keys())
    if (!products.has(key) && !products.has(prose.get(key)!.written))
      known.set(key, { stems: 0, held: [], types: 0, functions: 0, fields: 0, files: 0, place: null, rank: 0 })
  if (known.size === 0) return new Map()
  const isOfOthers = isSecondary(survey)
  const files = survey.source.filter(
    (file) => (file.has("definitions") || file.has("outline")) && !isOfWorkers.test(file.path) && !isOfOthers(file)
  )
  const stride = Math.ceil(files.length / MAX_FILES)
  for (let at = 0; at < files.length; at += stride) countIn(files[at]!, known)
  const weighed = [...known].flatMap(([key, named]): ReadonlyArray<readonly [string, SpokenWord]> => {
    const word = prose.get(key)!
    const { stems, types, functions, fields, files: uses, place, held } = named
    const code =
      2 * stems +
      3 * (types + Math.min(held.length, MAX_HELD)) +
      Math.min(functions, MAX_FUNCTIONS) +
      0.7 * Math.min(fields, MAX_FIELDS)
    const weight = Math.log(1 + word.mentions) * Math.log(1 + code)
    // "berth" of `berth-book` is a thing where the code has objects of that name.
    const isName = [key, word.written].some((name) => parts.has(name))
    if (place === null || (isName && sharedFields(held).length < MIN_FIELDS_OF_PART)) return []
    return [[key, { word, weight, uses, place: withFields(place, held) }]]
  })
  const most = Math.max(MIN_MENTIONS_OF_MOST, ...weighed.map(([, { word }]) => word.mentions))
  const isAbove = ({ word, weight }: SpokenWord, factor: number): boolean =>
    weight >= factor * share * (word.mentions === most ? SHARE_OF_MOST : 1) * MIN_WEIGHTS[word.generality]
  // What is spoken of beside a word of which much is said is of the same matter.
  const isOneStrong = weighed.some(([, one]) => one.weight >= share * STRONG && isAbove(one, 1))
  const found = weighed.filter(([, one]) => isAbove(one, share === 1 && isOneStrong ? SHARE_BESIDE_STRONG : 1))
  return new Map(found.sort((a, b) => b[1].weight - a[1].weight || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_WORDS))
}
