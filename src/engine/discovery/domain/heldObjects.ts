import { addTo } from "../../core/collections/lists.ts"
import type { FieldsOfLocal, ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { isPlain, type Noun, nounKey } from "./Noun.ts"

/** What a local is called besides what it holds: `newTask`, `selectedTask`. */
const isLead =
  /^(?:new|old|current|next|prev|previous|last|first|selected|all|my|the|this|active|existing|updated|saved|found|single|one|each)$/

interface Held {
  /** The local's name as a noun: "task" for `newTasks`. */
  readonly key: string
  readonly local: FieldsOfLocal
}

const keyOf = (name: string): string => {
  const words = nounKey(name).split(" ")
  const at = words.findIndex((word) => !isLead.test(word))
  return words.slice(Math.max(0, at)).join(" ")
}

/** Objects of which a file reads and writes fields, by what they are called; a module that it imports is none. */
export const heldIn = (file: ObservedFile): ReadonlyArray<Held> => {
  if (!file.has("locals")) return []
  const imported = new Set(file.imports.flatMap(({ names }) => names))
  return file.locals.flatMap((local) => (imported.has(local.name) ? [] : [{ key: keyOf(local.name), local }]))
}

/** Fields that several files name; of few files all that they name, those first that most do. */
export const sharedFields = (held: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const fields of held) for (const field of new Set(fields)) counts.set(field, (counts.get(field) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1]).map(([field]) => field)
}

const MIN_FIELDS = 2

/** Nouns of which no declaration says what they have, such as collections of documents, with what the code uses of them. */
export const withHeldFields = (survey: Survey, nouns: ReadonlyArray<Noun>): ReadonlyArray<Noun> => {
  const isBare = ({ declarations }: Noun): boolean =>
    declarations.every(({ what: { as, fields } }) => fields.length === 0 && !isPlain(as))
  const bare = new Set(nouns.filter(isBare).map(({ name }) => nounKey(name)))
  if (bare.size === 0) return nouns
  const held = new Map<string, Array<ReadonlyArray<string>>>()
  for (const file of survey.source)
    for (const { key, local } of heldIn(file)) if (bare.has(key)) addTo(held, key, local.fields)
  return nouns.map((noun) => {
    const fields = sharedFields(held.get(nounKey(noun.name)) ?? [])
    if (!isBare(noun) || fields.length < MIN_FIELDS) return noun
    const [first, ...others] = noun.declarations
    return { ...noun, declarations: [{ ...first!, what: { ...first!.what, fields } }, ...others] }
  })
}
