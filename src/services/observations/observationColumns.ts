import { Schema, Struct } from "effect"
import { Location, Observation } from "../../schema/Observation.ts"
import { printedInstant } from "../support/statements.ts"

const { locations: _, ...columns } = Observation.fields

/** Fields that are no column of the same name. */
const computed: Readonly<Record<string, string>> = {
  ref: "'OBS-' || o.number",
  repo_name: "(SELECT r.repo_name FROM repositories r WHERE r.id = o.repository_id)"
}

/** Fields of an observation as columns of the table `observations AS o`. */
const columnsOf = (fields: object) =>
  Object.keys(fields)
    .map((name) => (computed[name] === undefined ? `o.${name}` : `${computed[name]} AS ${name}`))
    .join(", ")

/** The columns of an `Observation`; `locations` are only read where they are asked for. */
export const observationColumns = columnsOf(columns)

const briefFields = Struct.pick(
  columns,
  "ref",
  "kind",
  "status",
  "priority",
  "category",
  "title",
  "rule_id",
  "repo_name",
  "description"
)

/** What an agent that looks for one needs of each: a quarter of the columns. */
export const BriefObservation = Schema.Struct({ ...briefFields, locations: Schema.Array(Location) })
export type BriefObservation = typeof BriefObservation.Type

export const briefColumns = columnsOf(BriefObservation.fields)

/** An observation as these columns and its locations give it. */
export const LocatedObservation = Schema.Struct({ ...Observation.fields, locations: Schema.Array(Location) })

/** As the wire has it; every `timestamptz(3)` column ends with `_at`. */
const printed = (name: string): string => {
  if (computed[name] !== undefined) return `${computed[name]} AS ${name}`
  return name.endsWith("_at") ? `${printedInstant(`o.${name}`)} AS ${name}` : `o.${name}`
}

const printedColumns = Object.keys(columns).map(printed).join(", ")

/** An observation of the API as a line of JSON, with further columns. Unlike `json_build_object`, a row has no spaces. */
export const printedObservation = (further: string) =>
  `(SELECT row_to_json(c)::text FROM (SELECT ${printedColumns}${further}) c) AS line`
