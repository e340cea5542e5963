import { Effect, Schema, Struct } from "effect"
import type { ApiError } from "../schema/ApiError.ts"
import { InvalidPayload } from "../schema/Errors.ts"
import { FixableObservation } from "../schema/Fix.ts"
import {
  type Observation,
  type ObservationNumber,
  ObservationNumberFromRef,
  ObservationRef,
  ObservationStatus,
  refOf
} from "../schema/Observation.ts"
import { Count, field, list, nullable, optional } from "../schema/Text.ts"
import { cutText, maxContent, recordWithin, truncatedFields } from "./answerSize.ts"

// One call for several observations: triage of a list would otherwise cost a call and a whole record for each.

const maxRefs = 50
const maxMessage = 200

export const refArgs = {
  ref: optional(ObservationNumberFromRef, "Reference of the observation, such as `OBS-12`; or send `refs`."),
  refs: optional(
    list(ObservationNumberFromRef, 1, maxRefs),
    `References of at most ${maxRefs} observations, instead of \`ref\`; \`results\` has an entry for each.`
  )
}

export interface RefArgs {
  readonly ref?: ObservationNumber | undefined
  readonly refs?: ReadonlyArray<ObservationNumber> | undefined
}

const outcome = {
  ref: ObservationRef,
  ok: field(Schema.Boolean, "Whether the call succeeded for this observation."),
  code: optional(Schema.String, "Code of the error; only where it failed."),
  message: optional(Schema.String, "The error in words; only where it failed.")
}

/** What a change has done to each of several observations. */
const ChangeResults = Schema.Struct({
  results: field(
    Schema.Array(Schema.Struct({ ...outcome, status: optional(ObservationStatus, "Status after the change.") })),
    "One entry for each reference, in their order."
  )
})

/** The result of a change of one observation, or of each of several. */
export const changed = <A, I>(one: Schema.Schema<A, I>) => Schema.Union(one, ChangeResults)

export const shortly = ({ status }: Observation) => ({ status })

/** What decides about an observation, cut to its share of the answer. */
const ObservationExcerpt = Schema.Struct({
  [truncatedFields]: optional(Schema.Array(Schema.String), "Paths of fields that were cut."),
  ...Struct.pick(
    FixableObservation.fields,
    "kind",
    "status",
    "priority",
    "title",
    "rule_id",
    "repo_name",
    "description",
    "snippet",
    "acknowledged_at",
    "close_reason",
    "fix_available"
  ),
  file_path: nullable(Schema.String, "File of the main location."),
  line: nullable(Count, "First line of the main location."),
  locations_count: field(Count, "Number of its locations.")
})

const ReadResults = Schema.Struct({
  results: field(
    Schema.Array(Schema.Struct({ ...outcome, observation: optional(ObservationExcerpt, "What decides about it.") })),
    "One entry for each reference, in their order; long texts share the room of the answer."
  )
})

export const read = <A, I>(one: Schema.Schema<A, I>) => Schema.Union(one, ReadResults)

// What surrounds an excerpt, and the names of its cut fields.
const perResult = 170

export const excerpt = (detail: typeof FixableObservation.Type, count: number) => {
  const { kind, status, priority, title, rule_id, repo_name, description, snippet, locations } = detail
  const { acknowledged_at, close_reason, fix_available } = detail
  const observation = {
    kind,
    status,
    priority,
    title,
    rule_id,
    repo_name,
    file_path: locations[0]?.file_path ?? null,
    line: locations[0]?.line_start ?? null,
    locations_count: locations.length,
    description,
    snippet,
    acknowledged_at,
    close_reason,
    fix_available
  }
  return { observation: recordWithin(observation, Math.floor(maxContent / count) - perResult) }
}

/** Does the same for one observation, or for each of several: an error of one is its result and stops no other. */
export const forRefs = <A, B, R, S>(
  { ref, refs }: RefArgs,
  one: (ref: ObservationNumber) => Effect.Effect<A, ApiError, R>,
  each: {
    readonly run: (ref: ObservationNumber) => Effect.Effect<B, ApiError, S>
    readonly entry: (value: B, count: number) => object
  }
) => {
  if (ref !== undefined && refs !== undefined) return Effect.fail(badRefs("refs", "must not be sent beside ref"))
  if (ref !== undefined) return one(ref)
  if (refs === undefined) return Effect.fail(badRefs("ref", "is required"))
  const distinct = [...new Set(refs)]
  return Effect.map(
    Effect.forEach(distinct, (ref) =>
      Effect.match(each.run(ref), {
        onSuccess: (value) => ({ ref: refOf(ref), ok: true, ...each.entry(value, distinct.length) }),
        onFailure: ({ spec, message }) => ({
          ref: refOf(ref),
          ok: false,
          code: spec.code,
          message: cutText(message, maxMessage)
        })
      })
    ),
    (results) => ({ results })
  )
}

const badRefs = (param: string, msg: string) =>
  new InvalidPayload({ message: `${param}: ${msg}`, param, errors: [{ loc: [param], msg, type: "value_error" }] })
