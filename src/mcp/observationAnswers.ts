import { Effect, Schema, Struct } from "effect"
import { clip } from "../schema/characters.ts"
import { FixableObservation, FixObservationResponse } from "../schema/Fix.ts"
import { Location, Observation, ObservationEvent, pathKnown } from "../schema/Observation.ts"
import { type Page, type PageRequest, page } from "../schema/Page.ts"
import { Count, field, list, nullable, oneOf, optional } from "../schema/Text.ts"
import type { BriefObservation } from "../services/observations/observationColumns.ts"
import { cutText, itemsWithin, maxContent, pageWithin, recordWithin, truncatedFields } from "./answerSize.ts"

// What the tools of observations return: less than the REST API, whose pages would fill a model's context.

const maxTitle = 300
const maxDescription = 200
const maxLocations = 8000

const Row = Schema.Struct({
  ...Struct.pick(Observation.fields, "ref", "kind", "status", "priority", "category", "title", "rule_id", "repo_name"),
  description: field(
    Schema.String,
    `The first ${maxDescription} characters of the description; get_observation returns the whole.`
  ),
  file_path: nullable(Schema.String, "File of the main location."),
  line: nullable(Schema.Number, "First line of the main location."),
  locations_count: field(Count, "Number of its locations."),
  locations: optional(Schema.Array(Location), "Its first locations; only with `include`.")
})

export const ObservationRows = page("ObservationRows", Row)

export const FileObservationRows = Schema.Struct({ ...ObservationRows.fields, path_known: pathKnown })

export const include = {
  include: optional(
    list(oneOf("locations"), 0, 1),
    "`locations` adds the locations of each observation, the main one first."
  )
}

type Include = ReadonlyArray<"locations"> | undefined

/** What the rows of these lists have in common. */
type Listed = Pick<Observation, keyof BriefObservation>

const rowOf =
  (include: Include) =>
  (observation: Listed): typeof Row.Type => {
    const locations = observation.locations ?? []
    const [main] = locations
    const { ref, kind, status, priority, category, rule_id, repo_name } = observation
    return {
      ref,
      kind,
      status,
      priority,
      category,
      title: cutText(observation.title, maxTitle),
      rule_id,
      repo_name,
      description: clip(observation.description, maxDescription),
      file_path: main?.file_path ?? null,
      line: main?.line_start ?? null,
      locations_count: locations.length,
      ...(include?.includes("locations") === true ? { locations: itemsWithin(locations, maxLocations) } : {})
    }
  }

/** A page of slim rows; `read` is a list with locations. */
export const rowsWithin = <P extends Page<Listed>, E, R>(
  include: Include,
  limit: number,
  read: (limit: number) => Effect.Effect<P, E, R>
) =>
  pageWithin(Row, limit, (limit) =>
    Effect.map(read(limit), (page) => ({ ...page, data: page.data.map(rowOf(include)) }))
  )

/** Response to a change: the state that it has left the observation in. */
export const ObservationAcknowledgement = Schema.Struct(
  Struct.pick(
    Observation.fields,
    "ref",
    "id",
    "kind",
    "status",
    "priority",
    "title",
    "repo_name",
    "close_reason",
    "dismissal_category",
    "dismissal_note",
    "closed_at",
    "completion_url",
    "completion_note",
    "acknowledged_at",
    "ticket_url",
    "updated_at"
  )
)

export const FixAcknowledgement = Schema.Struct({
  ...FixObservationResponse.fields,
  observation: field(ObservationAcknowledgement, "The observation to fix.")
})

type ReadEvents<E, R> = (page: PageRequest) => Effect.Effect<Page<ObservationEvent>, E, R>

const historyOf =
  <E, R>({ events = [] }: typeof FixableObservation.Type, cursor: string | undefined, read: ReadEvents<E, R>) =>
  (limit: number): Effect.Effect<Page<ObservationEvent>, E, R> =>
    cursor === undefined && events.length <= limit
      ? Effect.succeed({ data: events.toReversed(), next_cursor: null, has_more: false })
      : read({ limit, ...(cursor === undefined ? {} : { cursor }) })

const eventsPerPage = 20
const maxEvents = 8000

export const eventsCursor = {
  events_cursor: optional(Schema.String, "`events_next_cursor` of the previous answer: reads the events before those.")
}

/** An observation with its newest events. */
export const ObservationWithEvents = Schema.Struct({
  [truncatedFields]: optional(Schema.Array(Schema.String), "Paths of fields that were cut."),
  ...FixableObservation.fields,
  events: field(Schema.Array(ObservationEvent), `The newest events, oldest first; at most ${eventsPerPage}.`),
  events_next_cursor: nullable(
    Schema.String,
    "Pass back as `events_cursor` for the events before these; null where these are the first ones."
  )
})

/**
 * `read` is the history, newest event first; it is not read where the observation has all of the page already. Other fields
 * are cut before it, so that its cursor stays right.
 */
export const withEvents = <E, R>(
  observation: typeof FixableObservation.Type,
  cursor: string | undefined,
  read: ReadEvents<E, R>
) =>
  Effect.map(
    pageWithin(ObservationEvent, eventsPerPage, historyOf(observation, cursor, read), maxEvents),
    ({ data, next_cursor }): typeof ObservationWithEvents.Type => {
      const newest = { events: data.toReversed(), events_next_cursor: next_cursor }
      const { events: _, ...others } = observation
      return { ...recordWithin(others, maxContent - JSON.stringify(newest).length), ...newest }
    }
  )
