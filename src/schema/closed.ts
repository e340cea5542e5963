import { Schema } from "effect"

/** Marks a struct that stays closed in the OpenAPI document, too (everything else may grow). */
export const Closed: unique symbol = Symbol.for("assay/schema/Closed")

/** A request body, query or closed record: unknown keys are refused, and every problem is reported at once. */
export const closed = <const Fields extends Schema.Struct.Fields>(fields: Fields, identifier?: string) =>
  Schema.Struct(fields).annotations({
    parseOptions: { onExcessProperty: "error", errors: "all" },
    [Closed]: true,
    ...(identifier === undefined ? {} : { identifier })
  })

/** A record that clients must tolerate growing. */
export const record = <const Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  Schema.Struct(fields).annotations({ identifier })
