import { Schema } from "effect"
import { Location, Observation } from "../../schema/Observation.ts"
import { printedInstant } from "../support/statements.ts"

const { locations: _, ...columns } = Observation.fields

/** Fields that are no column of the same name. */
const computed: Readonly<Record<string, string>> = {
  ref: "'OBS-' || o.number",
  repo_name: "(SELECT r.repo_name FROM repositories r WHERE r.id = o.repository_id)"
}

/** The columns of an `Observation`, of the table `observations AS o`; `locations` are only read where they are asked for. */
export const observationColumns = Object.keys(columns)
  .map((name) => (computed[name] === undefined ? `o.${name}` : `${computed[name]} AS ${name}`))
  .join(", ")

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
