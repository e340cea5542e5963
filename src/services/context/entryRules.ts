import { Effect } from "effect"
import { charactersOf } from "../../schema/characters.ts"
import { SessionRequired } from "../../schema/Errors.ts"
import {
  BlankField,
  type ContextField,
  ContextKeyTaken,
  type ContextScope,
  contextLimits,
  FieldTooLarge,
  KeyNotAddressable,
  KeyPadded,
  KeyReserved,
  KeyTooLong,
  LabelsInvalid,
  maxContextLabels,
  maxContextTags,
  organizationContextKey,
  ScopeInvalid,
  TagsInvalid
} from "../../schema/TeamContext.ts"
import { Caller } from "../access/Caller.ts"

export const keyTaken = (key: string) =>
  new ContextKeyTaken({ message: `An entry holds the key ${key} here.`, param: "key" })

/** Last parts of the routes: an entry of this name could not be reached. */
const routeWords = new Set(["digest"])

const sizeOf = (value: string, unit: "characters" | "bytes"): number =>
  unit === "bytes" ? Buffer.byteLength(value) : charactersOf(value)

const tooLarge = (
  field: string,
  { limit, unit }: { readonly limit: number; readonly unit: string },
  actual: number
) => ({
  message: `${field} has ${actual} ${unit}; at most ${limit} are allowed.`,
  param: field,
  details: { field, limit, actual, unit }
})

/** Rejects a key that no route could address, and the reserved one. */
export const checkKey = (key: string) =>
  Effect.gen(function* () {
    const length = charactersOf(key)
    if (length > contextLimits.key.limit) return yield* new KeyTooLong(tooLarge("key", contextLimits.key, length))
    if (key === organizationContextKey) {
      return yield* new KeyReserved({
        message: "The organization context is changed by the workspace's guidance setting only.",
        param: "key"
      })
    }
    if (key !== key.trim()) {
      return yield* new KeyPadded({ message: "A key has no spaces at its start or end.", param: "key" })
    }
    const segments = key.split("/")
    if (
      !/^[A-Za-z0-9._\-:/]+$/.test(key) ||
      segments.some((segment) => segment === "." || segment === "..") ||
      routeWords.has(key)
    ) {
      return yield* new KeyNotAddressable({
        message:
          "A key is letters, digits, `.`, `_`, `-`, `:` and `/`, without `.` or `..` between slashes, and not `digest`.",
        param: "key"
      })
    }
  })

export interface Written {
  readonly title?: string | null | undefined
  readonly summary?: string | null | undefined
  readonly body_md?: string | null | undefined
  readonly agent_label?: string | null | undefined
  readonly reason?: string | null | undefined
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
  readonly tags?: ReadonlyArray<string> | null | undefined
  readonly labels?: ReadonlyArray<string> | null | undefined
}

const sized = ["title", "summary", "body_md", "agent_label", "reason"] as const satisfies ReadonlyArray<ContextField>
const required = ["title", "summary", "reason"] as const

/** Rejects fields that are too large or blank, and tags or labels that are too many, blank or repeated. */
export const checkFields = (fields: Written) =>
  Effect.gen(function* () {
    for (const field of sized) yield* checkSize(field, fields[field])
    for (const field of required) yield* checkNotBlank(field, fields[field])
    if (fields.data !== undefined && fields.data !== null) yield* checkData(fields.data)
    if (fields.tags !== undefined && fields.tags !== null) {
      yield* checkWords("tag", fields.tags, maxContextTags, (problem) => new TagsInvalid(problem))
    }
    if (fields.labels !== undefined && fields.labels !== null) {
      yield* checkWords("label", fields.labels, maxContextLabels, (problem) => new LabelsInvalid(problem))
    }
  })

/** Rejects labels that a key has sent: only people set them, and a key would else believe its own are set. */
export const checkLabelsSender = (labels: ReadonlyArray<string> | null | undefined) =>
  Effect.flatMap(Caller, ({ credential }) =>
    labels === undefined || labels === null || credential.kind === "session"
      ? Effect.void
      : Effect.fail(
          new SessionRequired({
            message: "Labels are set by signed-in people, not by an API key; leave them out, or use tags.",
            param: "labels"
          })
        )
  )

const checkSize = (field: (typeof sized)[number], value: string | null | undefined) => {
  if (typeof value !== "string") return Effect.void
  const actual = sizeOf(value, contextLimits[field].unit)
  return actual > contextLimits[field].limit
    ? Effect.fail(new FieldTooLarge(tooLarge(field, contextLimits[field], actual)))
    : Effect.void
}

const checkNotBlank = (field: string, value: string | null | undefined) =>
  typeof value === "string" && value.trim() === ""
    ? Effect.fail(new BlankField({ message: `${field} is blank.`, param: field }))
    : Effect.void

/** Also applied to the result of a patch. */
export const checkData = (data: Readonly<Record<string, unknown>>) => {
  const actual = sizeOf(JSON.stringify(data), "bytes")
  return actual > contextLimits.data.limit
    ? Effect.fail(new FieldTooLarge(tooLarge("data", contextLimits.data, actual)))
    : Effect.void
}

const checkWords = <E>(
  what: "tag" | "label",
  words: ReadonlyArray<string>,
  most: number,
  invalid: (problem: { readonly message: string; readonly param: string }) => E
): Effect.Effect<void, E | FieldTooLarge> => {
  if (words.length > most) {
    const message = `An entry has at most ${most} ${what}s, not ${words.length}.`
    return Effect.fail(invalid({ message, param: `${what}s` }))
  }
  return Effect.forEach(
    words,
    (word, i): Effect.Effect<void, E | FieldTooLarge> => {
      const param = `${what}s.${i}`
      const length = charactersOf(word)
      const limit = contextLimits[what]
      if (length > limit.limit) return Effect.fail(new FieldTooLarge(tooLarge(param, limit, length)))
      if (word.trim() === "") return Effect.fail(invalid({ message: `A ${what} is blank.`, param }))
      return words.indexOf(word) < i
        ? Effect.fail(invalid({ message: `The ${what} ${word} is repeated.`, param }))
        : Effect.void
    },
    { discard: true }
  )
}

/** The scope of an entry: every entry of the workspace applies to all levels below. */
export const scopeFor = (isWorkspace: boolean, requested: ContextScope | null | undefined) => {
  if (!isWorkspace) return Effect.succeed<ContextScope>(requested ?? "project")
  return requested === "project"
    ? Effect.fail(new ScopeInvalid({ message: "An entry of the workspace has the scope subtree.", param: "scope" }))
    : Effect.succeed<ContextScope>("subtree")
}
