import { Array, Schema } from "effect"

type Examples<Fields extends Schema.Struct.Fields> = ReadonlyArray<NoInfer<Schema.Struct.Type<Fields>>>

const named = <Fields extends Schema.Struct.Fields>(identifier: string | undefined, examples: Examples<Fields>) => ({
  ...(identifier === undefined ? {} : { identifier }),
  ...(Array.isNonEmptyReadonlyArray(examples) ? { examples } : {})
})

/**
 * A request body, query or closed record: unknown keys are rejected, and every problem is reported at once. It stays
 * closed in the OpenAPI document, too; everything else may grow.
 */
export const closed = <const Fields extends Schema.Struct.Fields>(
  fields: Fields,
  identifier?: string,
  ...examples: Examples<Fields>
) =>
  Schema.Struct(fields).annotations({
    parseOptions: { onExcessProperty: "error", errors: "all" },
    jsonSchema: { additionalProperties: false },
    ...named(identifier, examples)
  })

/** A record that clients must tolerate growing. */
export const record = <const Fields extends Schema.Struct.Fields>(
  identifier: string,
  fields: Fields,
  ...examples: Examples<Fields>
) => Schema.Struct(fields).annotations(named(identifier, examples))
