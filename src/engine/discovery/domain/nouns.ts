import type { States } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { isActor } from "./actors.ts"
import { combinedNouns } from "./combinedNouns.ts"
import { isMachinery } from "./declarations.ts"
import { fewTypes } from "./fewTypes.ts"
import { withHeldFields } from "./heldObjects.ts"
import { withInterfaces } from "./interfaces.ts"
import { type Noun, type Placed, singular } from "./Noun.ts"
import { allStates, isStatus, statesByNoun } from "./nounStates.ts"
import { isApart, MIN_STORED, Ranking } from "./Ranking.ts"
import { isEnoughSpoken, isFairlySpoken, type SpokenWord, spokenWords } from "./spokenWords.ts"
import type { TypeHierarchy } from "./TypeHierarchy.ts"
import { type Ranked, withSpokenWords } from "./withSpokenWords.ts"

/** One plain type alone says little of what the code is about. */
const MIN_PLAIN = 2
/**
 * Of plain types alone so many have to be spoken of: one or two say that the readme has a word in common with the code. Two
 * are enough where each has a file of its own.
 */
const MIN_STATED = 3
const MIN_STATED_APART = 2
/** One type of a library alone says little of what it is about. */
const MIN_CENTRAL = 2
/** A newcomer asks for so many. */
const MIN_NOUNS = 3

/** One collection or table alone says as little as one plain type. */
const isCollection = ({ declarations }: Noun): boolean =>
  declarations.every(({ what: { as } }) => as.startsWith("collection") || as === "SQL table")

const statedIn = (ranked: ReadonlyArray<Ranked>): ReadonlyArray<Ranked> => ranked.filter(({ isStated }) => isStated)

const isEnoughStated = (stated: ReadonlyArray<Ranked>): boolean =>
  stated.length >= MIN_STATED ||
  stated.filter(({ key, noun }) => isApart(key, noun.declarations)).length >= MIN_STATED_APART ||
  stated.filter(({ isCentral }) => isCentral).length >= MIN_STATED_APART ||
  stated.some(({ kind, noun }) => kind < 2 && !isCollection(noun))

const MIN_MOVES = 2
const MIN_USES_OF_MOVED = 4

/** Types whose status the code changes: one alone is what the program is about. */
const movedIn = (survey: Survey): ((one: Ranked) => boolean) => {
  const reached = new Set(
    survey.source.flatMap((file) => (file.has("transitions") ? file.transitions.map(({ to }) => to) : []))
  )
  return ({ noun }) =>
    noun.uses >= MIN_USES_OF_MOVED &&
    noun.states.some(
      (set) => isStatus(set) && set.what.values.filter((value) => reached.has(value)).length >= MIN_MOVES
    )
}

const wordsOfReadme = (survey: Survey): ReadonlySet<string> =>
  new Set([...(survey.readme?.text ?? "").toLowerCase().matchAll(/[a-z]{3,30}/g)].map(([word]) => singular(word)))

/** A type that most of the code is about, or one with a status and a file of its own that the readme speaks of. */
const isEnoughAlone = (survey: Survey): ((one: Ranked) => boolean) => {
  const words = wordsOfReadme(survey)
  return ({ key, noun, isOfMost }) =>
    isOfMost === true ||
    (noun.states.some(isStatus) && isApart(key, noun.declarations) && key.split(" ").every((word) => words.has(word)))
}

/** Without parts of the program that do something, where enough is left: of some libraries these are all that users hold. */
const thingsIn = (central: ReadonlyArray<Ranked>): ReadonlyArray<Ranked> => {
  const things = central.filter(({ noun }) => !isActor(noun))
  return things.length >= MIN_CENTRAL ? things : central
}

const placesOf = ({ noun }: Ranked): ReadonlyArray<string> =>
  noun.declarations.map(({ what: { line }, file: { path } }) => `${path}:${line}`)

/** Without those that are there already, under this name or, as the word that a type is named after, under another. */
const besides = (others: ReadonlyArray<Ranked>, known: ReadonlyArray<Ranked>): ReadonlyArray<Ranked> => {
  const seen = new Set(known.flatMap((one) => [one.key, ...placesOf(one)]))
  return others.filter((one) => ![one.key, ...placesOf(one)].some((mark) => seen.has(mark)))
}

/** What a program's list is filled up with: neither machinery nor what does something. */
const isThing = ({ noun }: Ranked): boolean => !isActor(noun) && !isMachinery(noun.name)

const isShort = (nouns: ReadonlyArray<Ranked>): boolean => nouns.length > 0 && nouns.length < MIN_NOUNS

/** One or two nouns are joined by words that are hardly ever a matter of how programs are made. */
const withWords = (
  nouns: ReadonlyArray<Ranked>,
  typed: ReadonlyArray<Ranked>,
  words: ReadonlyMap<string, SpokenWord>,
  states: ReadonlyArray<Placed<States>>
): ReadonlyArray<Ranked> => {
  const plain = new Map([...words].filter(([, { word }]) => word.generality === 0))
  const led = withSpokenWords(typed, plain, states).filter(({ key }) => plain.has(key))
  return [...nouns, ...besides(led, nouns)].slice(0, MIN_NOUNS)
}

/** Where nothing says what a small program is about, its few types do; one or two nouns are joined by those that the readme has a word for. */
const withFewTypes = (
  survey: Survey,
  hierarchy: TypeHierarchy,
  nouns: ReadonlyArray<Ranked>,
  states: ReadonlyArray<Placed<States>>
): ReadonlyArray<Ranked> => {
  if (nouns.length >= MIN_NOUNS) return nouns
  const few = withInterfaces(survey, hierarchy, fewTypes(survey, states))
  if (nouns.length === 0) return few.length < MIN_NOUNS ? nouns : few.slice(0, MIN_NOUNS)
  const words = wordsOfReadme(survey)
  const spoken = few.filter((one) => isThing(one) && words.has(one.key.split(" ").at(-1)!))
  return [...nouns, ...besides(spoken, nouns)].slice(0, MIN_NOUNS)
}

/** Tables that the code names are better candidates than one word alone. */
const hasTablesBeside = (one: Ranked, typed: ReadonlyArray<Ranked>): boolean =>
  typed.filter(({ key, kind, noun }) => kind === 0 && noun.uses > 0 && key !== one.key).length >= MIN_PLAIN

/** Where fewer than three are known, what several kinds of evidence show together joins them. */
const withCombined = (
  survey: Survey,
  nouns: ReadonlyArray<Ranked>,
  typed: ReadonlyArray<Ranked>,
  states: ReadonlyArray<Placed<States>>
): ReadonlyArray<Ranked> => {
  if (nouns.length >= MIN_NOUNS) return nouns
  const all = [...nouns, ...besides(combinedNouns(survey, typed, states), nouns)].slice(0, MIN_NOUNS)
  if (all.length >= MIN_PLAIN) return all
  return all[0]?.isOfMost === true && !hasTablesBeside(all[0], typed) ? all : nouns
}

/** The nouns of the code, those that most of it names first, and the closed sets of values that belong to none. */
export const nounsOf = (
  survey: Survey
): {
  readonly nouns: ReadonlyArray<Noun>
  /** Types that much of the code names; nothing says that they are what it is about. */
  readonly candidates: ReadonlyArray<Noun>
  readonly sets: ReadonlyArray<Placed<States>>
} => {
  const ranking = new Ranking(survey)
  const states = allStates(survey)
  const byNoun = statesByNoun(states, ranking.declarations)
  const typed = ranking.ranked(byNoun)
  const isStored = typed.filter(({ kind, isStated }) => kind < 2 && isStated).length >= MIN_STORED
  const words = isStored ? new Map<string, SpokenWord>() : spokenWords(survey)
  const isSpoken = isEnoughSpoken(words)
  const ranked = isSpoken ? withSpokenWords(typed, words, states) : typed
  // Where neither a store nor documents say enough, the types of a library do, then two words.
  const lessStated = (): ReadonlyArray<Ranked> => {
    const central = thingsIn(ranking.central(byNoun))
    if (central.length < MIN_CENTRAL && isFairlySpoken(words)) return statedIn(withSpokenWords(typed, words, states))
    const together = [...central, ...besides(stated, central)].sort((a, b) => b.rank - a.rank)
    return central.length === 0 || together.length < MIN_CENTRAL ? [] : together
  }
  const stated = statedIn(ranked)
  const isEnough = isSpoken || isEnoughStated(stated) || stated.some(movedIn(survey))
  const several = isEnough ? stated : lessStated()
  const first = several.length === 0 && stated.some(isEnoughAlone(survey)) ? stated : several
  const others = (): ReadonlyArray<Ranked> =>
    [...ranking.central(byNoun), ...ranking.besideInHeader(first, byNoun)].filter(isThing)
  const withTypes = isShort(first) ? [...first, ...besides(others(), first)].slice(0, MIN_NOUNS) : first
  const filled = isShort(withTypes) && !isStored ? withWords(withTypes, typed, words, states) : withTypes
  const { hierarchy } = ranking
  const known = withFewTypes(survey, hierarchy, withInterfaces(survey, hierarchy, filled), states)
  const nouns = withCombined(survey, known, typed, states)
  const names = new Set(nouns.map(({ noun: { name } }) => name))
  const rest = ranked.filter(({ noun }) => !names.has(noun.name))
  const candidates = rest.length >= MIN_PLAIN || nouns.length > 0 ? rest : []
  // What is of a type that is not shown is shown by itself.
  const attached = new Set(
    [...nouns, ...candidates].flatMap(({ key, noun }) => [...(byNoun.get(key) ?? []), ...noun.states])
  )
  return {
    nouns: withHeldFields(
      survey,
      nouns.map(({ noun }) => noun)
    ),
    candidates: candidates.map(({ noun }) => noun),
    sets: states.filter((one) => !attached.has(one))
  }
}
