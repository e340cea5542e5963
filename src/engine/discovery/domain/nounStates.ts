import { addTo } from "../../core/collections/lists.ts"
import { directoryOf } from "../../core/text/paths.ts"
import type { Entity, States } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { nounKey, type Placed } from "./Noun.ts"
import { typedNouns } from "./typedStates.ts"

const vague = /^(?:type|kind|status|state|mode|level|action|method|format|result|event|category|key|name|code|scope)$/

/** `collVisibility` is of the collection where no other noun begins so. */
const MIN_SHORTENED = 4

interface Relations {
  /** Nouns with a field of the type that a set of values is. */
  readonly typed: ReturnType<typeof typedNouns>
  readonly foldersOf: (noun: string) => ReadonlySet<string>
  /** Whether the code that declares a noun names a type. */
  readonly namesIt: (noun: string, type: string) => boolean
  /** Whether one set alone ends in a word. */
  readonly isOnly: (word: string) => boolean
}

/** The noun that a set is declared in; `WagonKind` with its values in it is of the wagon. */
const nounAround = (owner: string | undefined, fields: ReadonlyMap<string, ReadonlySet<string>>): string | null => {
  if (owner === undefined) return null
  const key = nounKey(owner)
  return [key, key.replace(/ (?:type|kind|state|status|phase|mode)$/, "")].find((one) => fields.has(one)) ?? null
}

/** `upstreamServerState` is of the server where nothing is called an upstream, or an upstream server. */
const nounBeforeState = (words: ReadonlyArray<string>, nouns: { has: (noun: string) => boolean }): string | null =>
  !/^(?:status|state|phase|stage)$/.test(words.at(-1)!)
    ? null
    : (words.map((_, i) => words.slice(i + 1, -1).join(" ")).find((end) => nouns.has(end)) ?? null)

/** What a program is in, or what another program reports, is no state of what it keeps. */
const isOfAnswers =
  /^(?:http|exit|response|return|socket|connection|server|client|error|request|api|build|app|db|test|cached?|load|loading|fetch|fetching|view|ui|page|modal|copy|sync|save|saving)$/

/** `TASK_STATUS` is of the only noun with a status where the program has no other set of that kind. */
const onlyWithState = (
  words: ReadonlyArray<string>,
  havers: ReadonlyMap<string, ReadonlyArray<string>>,
  { isOnly }: Relations
): string | null => {
  const last = words.at(-1)!
  if (words.length < 2 || !/^(?:status|state)$/.test(last) || words.some((word) => isOfAnswers.test(word))) return null
  const having = havers.get(last) ?? []
  return having.length === 1 && isOnly(last) ? having[0]! : null
}

/** Nouns that a set of values is a state of: declared in it, named after it, with a field of that type, or of its name. */
const nounsWith = (
  one: Placed<States>,
  fields: ReadonlyMap<string, ReadonlySet<string>>,
  havers: ReadonlyMap<string, ReadonlyArray<string>>,
  relations: Relations
): ReadonlyArray<string> => {
  const { name, owner } = one.what
  const around = nounAround(owner, fields)
  if (around !== null) return [around]
  const key = nounKey(name)
  const words = key.split(" ")
  const starts = words.map((_, i) => words.slice(0, words.length - 1 - i).join(" "))
  const prefix = starts.find((start) => fields.has(start))
  const typed = relations.typed.get(one) ?? []
  if (prefix !== undefined || typed.length > 0) return [...new Set(prefix === undefined ? typed : [prefix, ...typed])]
  const ending = nounBeforeState(words, fields)
  if (ending !== null && owner === undefined) return [ending]
  const shortened = words.length > 1 && words[0]!.length >= MIN_SHORTENED ? words[0]! : null
  const meant = shortened === null ? [] : [...fields.keys()].filter((noun) => noun.startsWith(shortened))
  if (meant.length === 1) return meant
  if (owner !== undefined) return []
  const only = onlyWithState(words, havers, relations)
  if (only !== null) return [only]
  return nounsHaving(key, name, one.file.path, havers, relations)
}

/** Nouns with a field of that name. One word may mean anything: there the noun's own code has to name the type. */
const nounsHaving = (
  key: string,
  name: string,
  path: string,
  havers: ReadonlyMap<string, ReadonlyArray<string>>,
  { foldersOf, namesIt }: Relations
): ReadonlyArray<string> => {
  const having = havers.get(key) ?? []
  if (vague.test(key)) return having.length === 1 && foldersOf(having[0]!).has(directoryOf(path)) ? having : []
  if (having.length >= 6) return []
  return /^[A-Z]/.test(name) && !key.includes(" ") ? having.filter((noun) => namesIt(noun, name)) : having
}

export const statesByNoun = (
  states: ReadonlyArray<Placed<States>>,
  declared: ReadonlyMap<string, ReadonlyArray<Placed<Entity>>>
): ReadonlyMap<string, ReadonlyArray<Placed<States>>> => {
  const found = new Map<string, Array<Placed<States>>>()
  const fields = new Map(
    [...declared].map(([key, all]) => [key, new Set(all.flatMap(({ what }) => what.fields))] as const)
  )
  const foldersOf = (noun: string) => new Set(declared.get(noun)!.map(({ file }) => directoryOf(file.path)))
  const namesIt = (noun: string, type: string) =>
    declared.get(noun)!.some(({ file }) => file.names.split(" ").includes(type))
  const havers = new Map<string, Array<string>>()
  for (const [key, own] of fields) for (const field of own) addTo(havers, nounKey(field), key)
  const endings = new Map<string, number>()
  for (const { what } of states) {
    const last = nounKey(what.name).split(" ").at(-1)!
    endings.set(last, (endings.get(last) ?? 0) + 1)
  }
  const isOnly = (word: string) => endings.get(word) === 1
  const relations = { foldersOf, namesIt, isOnly, typed: typedNouns(states, declared) }
  for (const one of states) for (const noun of nounsWith(one, fields, havers, relations)) addTo(found, noun, one)
  return found
}

/**
 * Of types of one name in several packages of Go the one that is shown has the states of its own package, and those that its code
 * names; others belong to its namesakes where they are at home.
 */
export const statesOfShown = (
  states: ReadonlyArray<Placed<States>>,
  shown: ReadonlyArray<Placed<Entity>>,
  all: ReadonlyArray<Placed<Entity>>
): ReadonlyArray<Placed<States>> => {
  const isOf = ({ what: { name }, file }: Placed<States>, declared: ReadonlyArray<Placed<Entity>>): boolean =>
    declared.some(
      (one) => directoryOf(one.file.path) === directoryOf(file.path) || one.file.names.split(" ").includes(name)
    )
  return states.filter((one) => one.file.language !== "go" || isOf(one, shown) || !isOf(one, all))
}

/** Those that the file of a declaration has before those of its folder, and these before others. */
export const nearestFirst = (
  states: ReadonlyArray<Placed<States>>,
  shown: ReadonlyArray<Placed<Entity>>
): ReadonlyArray<Placed<States>> => {
  const files = new Set(shown.map(({ file }) => file.path))
  const folders = new Set(shown.map(({ file }) => directoryOf(file.path)))
  const distance = ({ file: { path } }: Placed<States>) =>
    files.has(path) ? 0 : folders.has(directoryOf(path)) ? 1 : 2
  return states.toSorted((a, b) => distance(a) - distance(b))
}

/** The same set is often declared for each layer; the first of those with most values is kept. */
export const distinct = (states: ReadonlyArray<Placed<States>>, noun: string): ReadonlyArray<Placed<States>> => {
  const best = new Map<string, Placed<States>>()
  for (const one of states) {
    const key = nounKey(one.what.name).replace(new RegExp(`^${noun} `), "")
    const known = best.get(key)
    if (known === undefined || one.what.values.length > known.what.values.length) best.set(key, one)
  }
  const weight = ({ what: { name } }: Placed<States>) => (/status|state|phase|stage/i.test(name) ? 0 : 1)
  return [...best.values()].sort((a, b) => weight(a) - weight(b) || (a.what.name < b.what.name ? -1 : 1))
}

/** Values that something goes through, one after the other. */
export const isStatus = ({ what: { name } }: Placed<States>): boolean => /stat(?:e|us)|phase|stage/i.test(name)

export const allStates = (survey: Survey): ReadonlyArray<Placed<States>> =>
  survey.source.flatMap((file) => (file.has("states") ? file.states.map((what) => ({ what, file })) : []))
