import { addTo } from "../../core/collections/lists.ts"
import type { States } from "../Observed.ts"
import { kindOf, type Noun, nounKey, type Placed } from "./Noun.ts"
import { isStatus } from "./nounStates.ts"
import type { SpokenWord } from "./spokenWords.ts"

/** A noun of the code with all that decides where it is shown. */
export interface Ranked {
  readonly key: string
  readonly noun: Noun
  readonly kind: number
  readonly rank: number
  /** What is stored or exchanged, what has a status, and what the readme speaks of; the rest is named in the code only. */
  readonly isStated: boolean
  /** A plain type that functions are named after, or that much of the code names. */
  readonly isCentral: boolean
  /** So much of the code is about this plain type that no second one is needed. */
  readonly isOfMost?: boolean
}

/** Sets of values by the word that they are of: `PieceState` is of "piece", and so are `pawnPieceState` and what the type `Piece` declares. */
const statesByWord = (
  states: ReadonlyArray<Placed<States>>,
  words: ReadonlyMap<string, SpokenWord>
): ReadonlyMap<string, ReadonlyArray<Placed<States>>> => {
  const found = new Map<string, Array<Placed<States>>>()
  for (const one of states) {
    const named = nounKey(one.what.owner ?? one.what.name).split(" ")
    const word = [named[0]!, named.at(-2) ?? ""].find((part) => words.has(part))
    if (word !== undefined && isStatus(one)) addTo(found, word, one)
  }
  return found
}

const nounOf = (
  key: string,
  { word, uses, place }: SpokenWord,
  states: ReadonlyMap<string, ReadonlyArray<Placed<States>>>
): Noun => ({ name: word.written, declarations: [place], doc: null, uses, states: states.get(key) ?? [] })

/** The type that a word is the name of; of those that end in it the first, as `ConsumerOffset` stands for "offset". */
const typeOf = (key: string, ranked: ReadonlyArray<Ranked>): Ranked | undefined =>
  ranked.find((one) => one.key === key) ?? ranked.find((one) => one.isStated && one.key.endsWith(` ${key}`))

const MIN_USES = 3
const MIN_USES_OF_MUCH = 8

/**
 * Words that only files, functions or parts of other names have come after types in wide use: a word such as "server" or "image",
 * which may be of the technical side, after all that as many files name, another word after those that twice as many do and
 * that documents speak of as well, or four times as many.
 */
const afterTypesInUse = (
  led: ReadonlyArray<Ranked>,
  others: ReadonlyArray<Ranked>,
  bare: ReadonlyMap<Noun, SpokenWord>
): ReadonlyArray<Ranked> => {
  const isLed = new Set(led)
  const isBefore = (type: Ranked, { word, uses }: SpokenWord): boolean =>
    word.generality > 0
      ? type.isStated && type.noun.uses >= Math.max(MIN_USES, uses)
      : type.isStated && type.noun.uses >= Math.max(MIN_USES_OF_MUCH, (isLed.has(type) ? 2 : 4) * uses)
  const types = [...led, ...others].filter(({ noun }) => !bare.has(noun))
  const found = [...types]
  let from = 0
  for (const one of led) {
    const word = bare.get(one.noun)
    if (word === undefined) from = Math.max(from, found.indexOf(one) + 1)
    else {
      const last = types.findLast((type) => isBefore(type, word))
      let at = Math.max(from, last === undefined ? 0 : found.indexOf(last) + 1)
      while (at < found.length && bare.has(found[at]!.noun)) at++
      found.splice(at, 0, one)
    }
  }
  return found
}

const MAX_LED = 3

/** What is stored, and named in as many files as what documents speak of most, comes before it; a word that only files are named after is not stored. */
const storedFirst = (ranked: ReadonlyArray<Ranked>, bare: ReadonlyMap<Noun, SpokenWord>): ReadonlyArray<Ranked> => {
  const least = Math.max(MIN_USES_OF_MUCH, ...ranked.slice(0, MAX_LED).map(({ noun }) => noun.uses))
  const isFirst = ({ isStated, noun }: Ranked): boolean =>
    !bare.has(noun) && kindOf(noun.declarations[0]!.what) === 0 && isStated && noun.uses >= least
  return [...ranked.filter(isFirst), ...ranked.filter((one) => !isFirst(one))]
}

/**
 * Of a program that stores nothing, words that its documents use as nouns and its code has in names lead: the type of that
 * name where there is one, the word itself where only files and functions are named after it. Types that no document speaks
 * of follow.
 */
export const withSpokenWords = (
  ranked: ReadonlyArray<Ranked>,
  words: ReadonlyMap<string, SpokenWord>,
  states: ReadonlyArray<Placed<States>>
): ReadonlyArray<Ranked> => {
  const byWord = statesByWord(states, words)
  const bare = new Map<Noun, SpokenWord>()
  const led = new Map<Noun, Ranked>()
  for (const [key, spoken] of words) {
    const type = typeOf(key, ranked)
    const noun = type?.noun ?? nounOf(key, spoken, byWord)
    if (type === undefined) bare.set(noun, spoken)
    if (!led.has(noun)) led.set(noun, { key, noun, kind: 2, rank: spoken.weight, isStated: true, isCentral: true })
  }
  return storedFirst(
    afterTypesInUse(
      [...led.values()],
      ranked.filter(({ noun }) => !led.has(noun)),
      bare
    ),
    bare
  )
}
